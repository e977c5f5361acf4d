"""Posts and players from elsewhere: quotes with their source in the HTML, and a field."""

import pytest

from .test_pictures import PARAGRAPH, SENTENCE, article

POST = (
    "<blockquote class='twitter-tweet'><p>The quay is closed until noon.</p>"
    "<a href='https://twitter.com/harbour/status/12345678?ref=x'>March 3</a></blockquote>"
)


def test_a_post_is_a_quote_with_its_source_and_no_part_of_the_body() -> None:
    found = article(POST)
    url = "https://twitter.com/harbour/status/12345678"
    assert found.embeds == [
        {"provider": "Twitter", "address": url, "text": "The quay is closed until noon.\nMarch 3"}
    ]
    assert f'<blockquote cite="{url}"><p>The quay is closed until noon.' in found.body_html
    assert "quay" not in found.body


def test_a_quote_of_the_article_itself_stays_in_the_body() -> None:
    found = article(f"<blockquote><p>“{SENTENCE} The quay is closed.”</p></blockquote>")
    assert found.embeds == []
    assert "The quay is closed" in found.body
    assert "cite=" not in found.body_html


def test_a_quote_that_holds_the_article_is_no_post() -> None:
    link = "<a href=https://twitter.com/harbour/status/12345678>March 3</a>"
    found = article(f"<blockquote class=twitter-tweet>{PARAGRAPH * 6}{link}</blockquote>")
    assert found.embeds == []


@pytest.mark.parametrize(
    ("markup", "provider", "url"),
    [
        (
            "<iframe src='//www.youtube.com/embed/abcdefgh123?rel=0'></iframe>",
            "YouTube",
            "https://www.youtube.com/watch?v=abcdefgh123",
        ),
        (
            "<iframe data-lazy-src=https://player.vimeo.com/video/1234></iframe>",
            "Vimeo",
            "https://vimeo.com/1234",
        ),
        (
            "<iframe src=https://charts.rain.example/embed/77 title='Wet days'></iframe>",
            "rain",
            "https://charts.rain.example/embed/77",
        ),
    ],
)
def test_a_player_is_a_quote_with_a_link(markup: str, provider: str, url: str) -> None:
    found = article(f"<div>{markup}</div>")
    assert [(embed["provider"], embed["address"]) for embed in found.embeds] == [(provider, url)]
    assert f'<blockquote cite="{url}"><p><a href="{url}"' in found.body_html


@pytest.mark.parametrize(
    "markup",
    [
        "<iframe src='javascript:alert(1)//embed/'></iframe>",
        "<iframe src=https://ads.doubleclick.net/embed/1></iframe>",
        "<iframe src=https://count.example/embed/1 width=1 height=1></iframe>",
        "<blockquote class=twitter-tweet cite='javascript:twitter.com/a/status/1'>x</blockquote>",
    ],
)
def test_adverts_counters_and_scripts_are_no_embeds(markup: str) -> None:
    found = article(markup)
    assert found.embeds == []
    assert "cite=" not in found.body_html


@pytest.mark.parametrize(
    "player",
    [
        "<lite-youtube videoid='a&#x202e;b c\u001b[31m'></lite-youtube>",
        "<iframe src='https://www.facebook.com/plugins/post.php?href="
        "https://www.facebook.com/rain/posts/1%1B%5B31m%E2%80%AE'></iframe>",
    ],
)
def test_the_url_of_a_player_can_be_printed(player: str) -> None:
    (embed,) = article(player).embeds
    assert embed["address"].startswith("https://www.")
    assert embed["address"].isprintable()
