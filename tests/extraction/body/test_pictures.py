"""Pictures: real URLs, the lead above the text, captions and credits; nothing of the site."""

import re
import time

import pytest

import newsclean
from newsclean.article import Article

SENTENCE = (
    "It has rained in the harbour for days, and the mayor said that it may go on until Sunday."
)
PARAGRAPH = f"<p>{SENTENCE} {SENTENCE.replace('rained', 'snowed')}</p>"


def article(inside: str = "", above: str = "", head: str = "", images: bool = True) -> Article:
    """The article of a page with markup between its paragraphs, and above them."""
    page = (
        f"<html><head><title>Rain in the harbour</title>{head}</head><body><nav><a href=/>Home</a>"
        f"</nav><article><h1>Rain in the harbour</h1>{above}{PARAGRAPH}{PARAGRAPH}{inside}"
        f"{PARAGRAPH.replace('days', 'weeks')}{PARAGRAPH.replace('mayor', 'pilot')}</article>"
    )
    return newsclean.extract(page, "https://example.org/news/rain", images=images)


def urls(found: Article) -> list[str]:
    return [image["url"] for image in found.images]


@pytest.mark.parametrize(
    "markup",
    [
        "<img src=/r.jpg>",
        "<img src='data:image/gif;base64,R0lGOD' data-src=/r.jpg>",
        "<img src=/blank.gif data-original=/r.jpg>",
        "<img src=/small.jpg data-lazy-srcset='/m.jpg 300w, /r.jpg 1200w'>",
        "<img src=/blank.gif data-whatever=/r.jpg>",
        "<img src=/r-20.jpg?w=20 data-hires='/r.jpg'>",
        "<img srcset='/m.jpg 1x, /r.jpg 2x'>",
        "<img data-sizes='[\"https://example.org/r.jpg\"]' src=/spacer.gif>",
        "<picture><source srcset='/m.jpg 400w,/r.jpg 900w'><img src=/blank.gif></picture>",
        "<img src=/placeholder.png><noscript><img src=/r.jpg></noscript>",
        "<base href=https://example.org/deep/><img src=../r.jpg>",
    ],
)
def test_the_largest_real_url_is_found_wherever_the_page_keeps_it(markup: str) -> None:
    found = article(f"<figure>{markup}</figure>")
    assert urls(found) == ["https://example.org/r.jpg"]
    assert found.body_html.count("<img") == 1
    assert 'src="https://example.org/r.jpg"' in found.body_html


@pytest.mark.parametrize(
    "markup",
    [
        "<img src=/blank.gif>",
        "<img src='data:image/png;base64,AAAA'>",
        "<img src='javascript:alert(1)' data-src='vbscript:x.jpg'>",
        "<img src='mailto:rain@example.org'>",
        "<img src=/r.jpg width=1 height=1>",
        "<img src=/r.jpg width=64 height=64>",
        "<img src=/site-logo.png>",
        "<img class=avatar src=/r.jpg>",
        "<div class='author-bio'><img src=/r.jpg></div>",
        "<ul class=share><li><img src=/r.jpg></li></ul>",
        "<div class=ad><img src=/r.jpg></div>",
        "<div><a href=/other><img src=/r.jpg> Snow in the hills, says the whole valley</a></div>",
    ],
)
def test_placeholders_logos_portraits_buttons_and_teasers_are_no_pictures(markup: str) -> None:
    found = article(markup)
    assert found.images == []
    assert "<img" not in found.body_html


def test_a_caption_and_its_credit_come_with_the_picture_and_not_in_the_body() -> None:
    found = article(
        "<figure><img src=/r.jpg width=640 height=360 alt='The  quay'><figcaption>The quay on "
        "<b>Monday</b> <span class=credit>Photo: Ann Lee</span></figcaption></figure>"
    )
    (image,) = found.images
    assert image == {
        "url": "https://example.org/r.jpg",
        "caption": "The quay on Monday",
        "credit": "Ann Lee",
        "width": 640,
        "height": 360,
        "role": "inner",
    }
    assert (
        '<figure><img src="https://example.org/r.jpg" alt="The quay" width="640" height="360">'
        "<figcaption>The quay on <b>Monday</b> Photo: Ann Lee</figcaption></figure>"
    ) in found.body_html
    assert "quay" not in found.body


def test_a_credit_is_known_by_its_words_where_nothing_else_tells() -> None:
    found = article(
        "<figure><img src=/r.jpg><figcaption>Quay. Photo: Ann Lee</figcaption></figure>"
    )
    assert (found.images[0]["caption"], found.images[0]["credit"]) == ("Quay.", "Ann Lee")


def test_a_box_with_a_picture_and_a_line_below_becomes_a_figure() -> None:
    found = article("<div class=pic><div><img src=/r.jpg></div><div>The quay at six</div></div>")
    assert found.images[0]["caption"] == "The quay at six"
    assert "<figcaption>The quay at six</figcaption></figure>" in found.body_html
    assert "quay" not in found.body


def test_the_picture_above_the_text_is_the_lead() -> None:
    found = article(
        "<figure><img src=/inner.jpg></figure>",
        above="<figure><img src=/lead.jpg><figcaption>The quay at six</figcaption></figure>",
    )
    assert [(image["url"][20:], image["role"]) for image in found.images] == [
        ("lead.jpg", "lead"),
        ("inner.jpg", "inner"),
    ]
    assert found.body_html.startswith('<figure><img src="https://example.org/lead.jpg"')
    assert "<figcaption>The quay at six</figcaption>" in found.body_html


def test_of_two_pictures_above_the_text_the_head_names_the_lead() -> None:
    found = article(
        above="<div><img src=/quay-800x600.jpg></div><div><img src=/other.jpg></div>",
        head="<meta property=og:image content=https://cdn.example/quay.jpg>",
    )
    assert urls(found) == ["https://example.org/quay-800x600.jpg"]


def test_without_pictures_there_is_no_figure_and_no_field() -> None:
    picture = "<figure><img src=/r.jpg><figcaption>The quay</figcaption></figure>"
    found = article(picture, above=picture.replace("r.jpg", "s.jpg"), images=False)
    assert found.images == []
    assert "<fig" not in found.body_html
    assert "quay" not in found.body_html


def test_ten_times_as_many_pictures_take_about_ten_times_as_long() -> None:
    def seconds(count: int) -> float:
        page = newsclean.Page.from_html(
            PARAGRAPH + "<div><div>" + "<div><img src=/blank.gif data-src=/r.jpg><noscript><img "
            "src=/r.jpg></noscript></div>" * count + "</div></div>" + PARAGRAPH
        )
        extraction = newsclean.Extractor("coreex")(page)
        start = time.process_time()
        assert extraction.html
        return time.process_time() - start

    assert seconds(1000) < 40 * seconds(100) + 0.5


COPY = "<figcaption>The quay on Monday, seen from the north <i>Photo: Ann Lee</i></figcaption>"
WITHOUT_CREDIT = "<figcaption>The quay on Monday, seen from the north</figcaption>"
HIDDEN = {
    "attribute": "<div hidden><figcaption>On the quay in the north</figcaption></div>",
    "style": "<figcaption style='display: none'>On the quay in the north</figcaption>",
    "class": "<figcaption class=late>On the quay in the north</figcaption>",
    "for screen readers": "<figcaption class=sr-only>On the quay in the north</figcaption>",
}


@pytest.mark.parametrize("other", [COPY, f"<div>{COPY}</div>", WITHOUT_CREDIT, *HIDDEN.values()])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_caption_that_the_page_has_twice_is_shown_once(other: str, is_first: bool) -> None:
    versions = other + COPY if is_first else COPY + other
    found = article(
        f"<figure><div><img src=/r.jpg></div>{versions}</figure>",
        head="<style>.late{display:none}</style>",
    )
    (image,) = found.images
    assert image["caption"] == "The quay on Monday, seen from the north"
    assert image["credit"] == "Ann Lee"
    assert re.findall("<figcaption>.*?</figcaption>", found.body_html) == [
        "<figcaption>The quay on Monday, seen from the north <i>Photo: Ann Lee</i></figcaption>"
    ]


def test_a_caption_that_is_hidden_as_a_whole_is_kept() -> None:
    found = article(f"<figure><img src=/r.jpg><div hidden>{WITHOUT_CREDIT}</div></figure>")
    assert found.images[0]["caption"] == "The quay on Monday, seen from the north"


def test_short_lines_of_a_caption_that_are_words_of_another_line_stay() -> None:
    found = article(
        "<figure><img src=/r.jpg><figcaption><p>A boat that Reuters has seen</p>"
        "<p>Reuters</p></figcaption></figure>"
    )
    assert "A boat that Reuters has seen Reuters" in found.body_html


def test_a_caption_is_without_what_only_screen_readers_see() -> None:
    label = "<span class=visually-hidden>Image caption, </span>"
    found = article(f"<figure><img src=/r.jpg><figcaption>{label}The quay</figcaption></figure>")
    assert found.images[0]["caption"] == "The quay"
    assert "<figcaption>The quay</figcaption>" in found.body_html
