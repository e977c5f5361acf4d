"""Is it an article? By its layout, by what it says about itself, by its URL."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import newsclean
from newsclean.demo.demo_site import Site
from newsclean.demo.world import build_world
from newsclean.extraction.extractor import Extraction
from newsclean.extraction.is_article import NO_ARTICLE, Prediction
from newsclean.extraction.is_article.prediction import (
    MIN_PROBABILITY,
    NO_TEXT,
    REASONS,
    is_signed_and_dated,
    predict,
    with_rules,
)
from newsclean.extraction.is_article.trees import Case, shipped
from newsclean.extraction.methods.chain import Choice, Evidence
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page

from .pages import BARE, PARAGRAPH, STORY_URL, front, not_found, of_few_words, story


def extraction(html: str, url: str | None = None, **said: Any) -> Extraction:
    """Of a page, all of it chosen as the body, by a method that may say how sure it is."""
    page = Page.from_html(html, url)
    choice = replace(Choice.everything(page), is_body=True, **said)
    return Extraction(page, method_named("coreex"), Evidence(), choice)


def predicted(html: str, url: str | None = None, **said: Any) -> Prediction:
    return extraction(html, url, **said).prediction


def prediction(html: str, url: str | None = None) -> Prediction:
    found = predicted(html, url)
    assert found.is_article is (found.reason == "")
    assert 0 <= found.probability <= 1
    return found


def test_a_story_is_an_article_with_and_without_its_url() -> None:
    assert prediction(story("Bergen"), STORY_URL).is_article
    assert prediction(story("Bergen")).is_article


def test_a_front_page_is_none() -> None:
    found = prediction(front("Bergen"), "https://example.org/bergen/")
    assert not found.is_article
    assert found.reason in REASONS
    assert found.probability < prediction(story("Bergen"), STORY_URL).probability


def test_a_text_of_links_is_none_whatever_the_page_calls_itself() -> None:
    links = "".join(f"<p><a href=/{n}>{'It has rained in Bergen. ' * 4}</a>" for n in range(9))
    kind = '<meta property="og:type" content="article"><h1>Bergen</h1>'
    assert prediction(f"{kind}{links}", STORY_URL).reason == "mostly-links"
    assert prediction(f"{kind}{links.replace('<a href', '<b id')}", STORY_URL).is_article


def test_a_product_with_its_price_is_none() -> None:
    html = (
        "<html><head><title>Umbrella</title><meta property=og:type content=product></head>"
        "<body class='single-product'><h1>Umbrella</h1><p>$19.99</p><form><input><select></select>"
        "<button>Add to cart</button></form><p>Keeps the rain off in any wind that we know of.</p>"
        "<ul>" + "<li><a href=/x>Another umbrella</a> $9.99" * 20 + "</ul></body></html>"
    )
    found = prediction(html, "https://example.org/product/umbrella")
    assert not found.is_article


@pytest.mark.parametrize(
    "html",
    [
        "<html></html>",
        "<p></p>",
        "<script>var text = 'It has rained in Bergen';</script>",
        "<html><head><title>Rain</title></head><body><script>x()</script></body></html>",
        "<img src=a.png>",
    ],
)
def test_a_page_without_text_gets_an_answer(html: str) -> None:
    assert prediction(html) == NO_ARTICLE
    assert NO_ARTICLE.reason == NO_TEXT
    article = newsclean.extract(html)
    assert (article.is_article, article.article_probability) == (False, 0.0)


@pytest.mark.parametrize("html", ["word", "<p>Rain", "<a href=/x>Rain</a>", "<h1>Rain</h1>"])
def test_one_word_is_no_article(html: str) -> None:
    assert not prediction(html).is_article
    assert not newsclean.extract(html).is_article


def test_a_caption_is_too_short_whatever_the_page_calls_itself() -> None:
    html = story("Bergen")
    start, end = html.index("<p>"), html.index("</article>")
    found = prediction(html[:start] + "<p>Rain falls on the river.</p>" + html[end:], STORY_URL)
    assert (found.is_article, found.reason) == (False, "too-short")


def test_bare_text_is_an_article_even_if_nothing_speaks_for_it() -> None:
    assert prediction(BARE, "https://example.org/x").is_article


def test_a_page_without_links_is_judged_like_any_other() -> None:
    body = "".join(f"<p>{PARAGRAPH.format(town='Oslo')}</p>" for _ in range(6))
    html = f"<title>Rain in Oslo goes on and on</title><h1>Rain in Oslo goes on and on</h1>{body}"
    assert prediction(html, STORY_URL).is_article


def test_extract_tells_whether_it_is_an_article_and_how_probably() -> None:
    article = newsclean.extract(story("Bergen"), STORY_URL)
    assert article.is_article
    assert article.article_probability > 0.5
    assert article.to_dict()["article_probability"] == article.article_probability


def test_words_are_counted_where_the_script_has_no_spaces() -> None:
    sentence = "东京都政府周三发布了新的交通规定，许多市民表示欢迎，也有人反对。"
    body = f"<p>{sentence * 3}</p>" * 6
    html = story("Bergen")
    start, end = html.index("<p>"), html.index("</article>")
    assert prediction(html[:start] + body + html[end:], STORY_URL).is_article


TAGS = st.sampled_from(["p", "div", "a href=/x", "h1", "li", "h2", "time", "article", "table", "b"])
SOUPS = st.lists(st.tuples(TAGS, st.text(max_size=30), st.booleans()), max_size=30)


@settings(max_examples=80)
@given(SOUPS)
def test_every_page_gets_an_answer(soup: list[tuple[str, str, bool]]) -> None:
    html = "".join(
        f"<{tag}>{text}" + (f"</{tag.split()[0]}>" if closed else "") for tag, text, closed in soup
    )
    prediction(f"<html><body>{html}</body></html>", "http://[broken")


SAYS_SO = '<meta property="og:type" content="article">'


def test_few_words_at_a_url_of_something_else_are_a_caption() -> None:
    sure: dict[str, Any] = {"strategy": "network", "confidence": 0.99}
    video = "https://a.org/tv/the-bakers-104873.html"
    assert predicted(of_few_words(), video.replace("tv", "local"), **sure).probability > 0
    assert predicted(of_few_words(SAYS_SO), video, **sure).probability > 0
    assert predicted(of_few_words(), video, **sure) == Prediction(False, 0.0, "url")


WATCH = "https://tv.example.org/watch-the-bakers-of-herring-lane"
DATED = '<meta property="article:published_time" content="2026-03-14T08:00:00Z">'


@pytest.mark.parametrize("url", [WATCH, "https://a.org/shows/what-we-re-reading-14"])
def test_few_words_that_are_signed_and_dated_are_an_article_wherever_they_are(url: str) -> None:
    sure: dict[str, Any] = {"strategy": "network", "confidence": 0.99}
    assert predicted(of_few_words(DATED), url, **sure).is_article
    assert predicted(of_few_words(), url, **sure).reason == "url"
    assert not predicted(of_few_words(DATED), url, **{**sure, "confidence": 0.92}).is_article


def test_the_url_does_not_outweigh_all_other_signs_of_an_article() -> None:
    found = extraction(story("Bergen"), "https://a.org/docs/", strategy="network", confidence=0.99)
    # Words of URLs that no article of the training has.
    words = replace(
        found.page_words, address=frozenset("docs services threads topic category forum".split())
    )
    # As much as speaks against it, so that the URL decides.
    features: Case = {
        **found.article_features,
        "type": "website",
        "link share": 0.9,
        "headline links": 40,
        "paragraphs together": 0.1,
        "paragraph share": 0.1,
        "prices": 50,
        "fields": 60,
        "code": 30,
    }
    model = shipped()["pages"]
    assert model.ensemble.probability(model.case_of(features, words)) < model.threshold
    assert predict(features, words).is_article
    assert not predict({**features, "date": 0.0}, words).is_article


@pytest.mark.parametrize(
    ("title", "headline", "names"),
    [
        ("Page not found", "Oops! That page can’t be found.", ""),
        ("404", "Nothing here", ""),
        ("Error 404", "Nothing here", ""),
        ("Example", "404 – Not Found", ""),
        ("Nothing here", "Nothing here", "error404 wide"),
        ("Nothing here", "Nothing here", "page-not-found"),
        ("Seite nicht gefunden", "Diese Seite existiert nicht", ""),
        ("Erreur 404", "Page introuvable", ""),
        ("Página no encontrada", "Error 404", ""),
        ("Sivua ei löytynyt", "Voi ei", ""),
        ("Страница не найдена", "Ошибка 404", ""),
        ("الصفحة غير موجودة", "404", ""),
        ("ページが見つかりません", "お探しのページが見つかりませんでした", ""),
        ("页面不存在", "404 错误", ""),
        ("페이지를 찾을 수 없습니다", "404", ""),
    ],
)
def test_a_page_that_says_that_there_is_none_is_no_article(
    title: str, headline: str, names: str
) -> None:
    found = prediction(not_found(title, headline, names), "https://example.org/news/rain-goes-on")
    assert found == Prediction(False, 0.0, "not-found")


@pytest.mark.parametrize(
    ("title", "headline"),
    [
        ("Page not found: how the web forgets", "Page not found"),
        ("404", "404"),
        ("Highway 404 stays closed", "Highway 404 stays closed until Friday"),
        ("Peugeot 404", "The Peugeot 404 and its time"),
    ],
)
def test_an_article_about_what_was_not_found_is_one(title: str, headline: str) -> None:
    page = story("Bergen").replace("Rain in Bergen goes on and on", title, 1)
    page = page.replace("<h1>Rain in Bergen goes on and on", f"<h1>{headline}")
    assert prediction(page, STORY_URL).is_article


def test_few_words_of_which_the_method_was_not_sure_are_none() -> None:
    assert predicted(of_few_words(), STORY_URL, strategy="network", confidence=0.99).probability > 0
    found = predicted(of_few_words(), STORY_URL, strategy="network", confidence=0.8)
    assert found == Prediction(False, 0.0, "not-sure")


def test_words_of_last_resort_are_an_article_only_if_the_page_says_so() -> None:
    doubts: dict[str, Any] = {"strategy": "lowered", "confidence": 0.3}
    assert predicted(story("Bergen"), STORY_URL, **doubts).is_article
    found = predicted(story("Bergen").replace("og:type", "og:kind"), STORY_URL, **doubts)
    assert (found.is_article, found.reason) == (False, "not-sure")
    assert predicted(of_few_words(SAYS_SO), STORY_URL, **doubts).reason == "not-sure"


SIGNED: Case = {
    "confidence": 0.98,
    "last resort": 0.0,
    "not found": 0.0,
    "chosen words": 160,
    "chosen link share": 0.05,
    "url date": 1.0,
    "url reserved": "none",
    "date": 1.0,
    "authors": 1,
    "type": "none",
    "links": 300,
    "fields": 2,
    "link share": 0.8,
    "chosen share": 0.1,
    "paragraph share": 0.1,
}


def test_a_short_post_among_many_links_is_an_article_if_it_is_signed_and_dated() -> None:
    assert with_rules(SIGNED, 0.02) == MIN_PROBABILITY
    assert with_rules(SIGNED, 0.9) == 0.9


def test_the_trees_decide_where_one_sign_is_missing() -> None:
    missing: Case = {"url date": 0.0, "date": 0.0, "authors": 0, "confidence": 0.5, "type": "shop"}
    for name, value in missing.items():
        case: Case = {**SIGNED, name: value}
        assert not is_signed_and_dated(case)
        assert with_rules(case, 0.02) == 0.02


@pytest.mark.parametrize("redesigned", [False, True])
def test_the_pages_of_the_demo_are_told_apart_each_by_itself(redesigned: bool) -> None:
    rng = random.Random(3)
    for publisher in build_world(7):
        site = Site(publisher.at("https://demo.example"))
        wanted = dict.fromkeys(site.leaf_paths, False)
        wanted |= {article.path: True for article in site.publisher.articles}
        for path, is_article in wanted.items():
            response = site.respond(path, redesigned, rng)
            if response.status != 200 or not response.content_type.startswith("text/html"):
                continue
            found = newsclean.extract(response.body, f"https://demo.example{path}")
            assert found.is_article is is_article, path
