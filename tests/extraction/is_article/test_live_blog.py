"""Live blogs: their entries are the article, and the item says so."""

import json

import newsclean


def entry(number: int) -> str:
    time = f"{18 - number // 4}:{58 - 4 * number:02d}"
    return (
        f"<div class=entry><span>{time}</span><b>Bridge {number}</b>"
        f"<p>The police have closed bridge {number} over the river after the water had risen by "
        f"{number} inches within an hour. Drivers are asked to use the tunnel.</p></div>"
    )


def page(box: str, entries: int = 12, head: str = "") -> str:
    blog = "".join(map(entry, range(entries)))
    return (
        f"<title>Flood in Moss: the latest</title>{head}<h1>Flood in Moss: the latest</h1>"
        "<p>The river has flooded the old town. Our reporters tell here what happens hour by hour."
        f'</p><div class="{box}">{blog}</div>'
    )


def test_the_entries_are_the_article_and_the_item_says_so() -> None:
    article = newsclean.extract(page("live-blog__posts"))
    assert [n for n in range(12) if f"closed bridge {n} over" not in article.body] == []
    assert article.extraction["live_blog"] is True


def test_a_page_that_calls_itself_one_is_one() -> None:
    said = json.dumps({"@type": "LiveBlogPosting", "headline": "Flood in Moss: the latest"})
    head = f'<script type="application/ld+json">{said}</script>'
    assert newsclean.extract(page("posts", head=head)).extraction["live_blog"] is True


def test_an_article_is_none_and_neither_is_one_with_a_name_and_no_entries() -> None:
    assert "live_blog" not in newsclean.extract(page("posts")).extraction
    assert "live_blog" not in newsclean.extract(page("live-blog", entries=2)).extraction
