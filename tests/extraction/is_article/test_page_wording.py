"""The words of a page by where they appear, whom they address, and live blogs."""

import json

import newsclean
from newsclean.extraction.is_article import page_words
from newsclean.extraction.is_article.page_features import (
    PageWords,
    count_kinds,
    word_shares,
    words_of,
)
from newsclean.extraction.methods.chain import Choice, metadata_of
from newsclean.extraction.page import Page

SHOP = (
    "<html class=no-js><title>Umbrellas | The Store</title><body class='shop wide-page'>"
    '<meta property="og:type" content="product.group">'
    "<nav>Cart</nav><h1>All umbrellas</h1><p>Rain is no problem.</p></body></html>"
)


def words_of_shop() -> PageWords:
    page = Page.from_html(SHOP, "https://example.org/shop/umbrellas.html?page=2")
    chosen = Choice.everything(page).rows & page.below(page.rows({"p"}))
    return page_words(page, chosen, metadata_of(page))


def test_words_are_told_apart_by_where_they_appear() -> None:
    words = words_of_shop()
    assert words.chosen == ["rain", "is", "no", "problem"]
    assert words.margin == ["cart", "all", "umbrellas"]
    assert words.title == {"umbrellas", "the", "store", "all"}
    assert words.address == {"shop", "umbrellas", "html"}
    assert words.frame == {"no", "js", "shop", "wide", "page", "@product.group"}


def test_words_of_other_scripts_are_none() -> None:
    assert words_of("東京 Москва 2026") == []


def test_an_offer_speaks_to_the_reader_and_a_report_of_others() -> None:
    offer = word_shares(
        count_kinds(words_of("Call us for a free quote. Our services fit your home."))
    )
    report = word_shares(
        count_kinds(words_of("The mayor said on Monday that the bridge was closed."))
    )
    assert offer["offer"] > report["offer"] == 0
    assert offer["reader"] > report["reader"] == 0
    assert report["report"] > offer["report"] == 0


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
