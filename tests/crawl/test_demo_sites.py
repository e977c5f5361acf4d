"""A crawl of the demo's two news sites, with all parts real."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields
from statistics import mean
from typing import Any
from urllib.request import urlopen

import pytest

from newsclean import Article, Page
from newsclean.demo import DemoArticle, DemoServer
from newsclean.lab.evaluate.measures import word_bag_agreement

from .scrapy_command import Run, crawl_news

pytestmark = pytest.mark.slow

Line = dict[str, Any]


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoServer]:
    """A server that nobody else has asked."""
    with DemoServer() as running:
        yield running


@pytest.fixture(scope="module")
def crawl_and_hits(
    demo: DemoServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Run, dict[str, Counter[str]]]:
    urls = [url for publisher in demo.publishers for url in publisher.section_urls]
    run = crawl_news(tmp_path_factory.mktemp("crawl"), f"url={','.join(urls)}")
    return run, {name: Counter(hits) for name, hits in demo.hits.items()}


@pytest.fixture(scope="module")
def crawl(crawl_and_hits: tuple[Run, dict[str, Counter[str]]]) -> Run:
    return crawl_and_hits[0]


@pytest.fixture(scope="module")
def hits(crawl_and_hits: tuple[Run, dict[str, Counter[str]]]) -> dict[str, Counter[str]]:
    """What the crawl has asked for, by publisher and path."""
    return crawl_and_hits[1]


@pytest.fixture(scope="module")
def lines(crawl: Run) -> list[Line]:
    return crawl.lines()


@pytest.fixture(scope="module")
def articles(demo: DemoServer) -> dict[str, DemoArticle]:
    return {article.url: article for p in demo.publishers for article in p.articles}


@pytest.fixture(scope="module")
def pairs(lines: list[Line], articles: dict[str, DemoArticle]) -> list[tuple[Line, DemoArticle]]:
    """What was crawled, with what the world knows of it."""
    return [(line, articles[line["url"]]) for line in lines]


def folded(text: str) -> str:
    return " ".join(text.split())


def body_lines(text: str) -> list[str]:
    return [folded(line) for line in text.splitlines() if line.strip()]


def test_the_crawl_ends_well_and_has_nothing_to_complain_about(crawl: Run) -> None:
    assert crawl.exit_code == 0
    assert "(finished)" in crawl.log
    assert crawl.complaints == []


def test_each_line_has_exactly_the_fields_of_an_article_in_their_order(lines: list[Line]) -> None:
    assert {tuple(line) for line in lines} == {tuple(field.name for field in fields(Article))}
    assert " ".join(lines[0]) == (
        "id url canonical_url site category section kicker headline lead description authors "
        "publisher free_access date_published date_modified language image images embeds keywords "
        "body body_html is_article article_probability fetched_at revision unchanged "
        "content_hash copy_of extraction"
    )


def test_each_line_is_as_the_schema_says(
    lines: list[Line], check_line: Callable[[dict[str, Any]], None]
) -> None:
    for line in lines:
        check_line(line)


def test_every_article_comes_once_and_nothing_else(
    lines: list[Line], articles: dict[str, DemoArticle]
) -> None:
    assert Counter(line["url"] for line in lines) == Counter(articles.keys())
    assert all(line["is_article"] for line in lines)


def test_pages_that_are_no_articles_are_dropped_with_a_reason(crawl: Run, demo: DemoServer) -> None:
    assert crawl.dropped["http-404"] == 2
    assert sum(n for reason, n in crawl.dropped.items() if reason.startswith("no-article/")) >= 1
    for publisher in demo.publishers:
        assert f"[http-404] <{publisher.missing_url}>" in crawl.log


def test_what_robots_txt_forbids_is_not_asked_for(hits: dict[str, Counter[str]]) -> None:
    for asked in hits.values():
        assert asked["/robots.txt"]
        assert not [target for target in asked if target.startswith("/search")]


def test_no_page_is_asked_for_twice(hits: dict[str, Counter[str]]) -> None:
    for asked in hits.values():
        assert asked.total() > 40
        assert set(asked.values()) == {1}


def test_bodies_have_the_gold_lines_in_order_and_no_other_line(
    pairs: list[tuple[Line, DemoArticle]],
) -> None:
    for line, article in pairs:
        assert body_lines(line["body"]) == body_lines(article.gold), line["url"]


def noise_of(html: bytes, article: DemoArticle) -> Iterator[str]:
    """Every text that a page shows beside its article: menus, adverts, share bars, other stories.

    A text that is only a word or a name of the article's may stand in it, too.
    """
    gold = folded(article.gold)
    captions = " ".join(re.findall(r'alt="([^"]+)"', html.decode()))
    own = f"{gold} {article.headline} {captions}"
    for text in Page.from_html(html).blocks.text:
        if folded(text) not in own and len(text.split()) > 1:
            yield folded(text)


def test_no_text_from_around_the_articles_stands_in_any_body(
    pairs: list[tuple[Line, DemoArticle]],
) -> None:
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    for line, article in pairs:
        with urlopen(line["url"], timeout=10) as response:
            noise = set(noise_of(response.read(), article))
        seen |= noise
        inside = {folded(line["body"]), folded(line["headline"])}
        found.extend((line["url"], text) for text in noise if any(text in part for part in inside))
    assert found == []
    # It was looked for what should be looked for.
    everything = " ".join(seen)
    for known in ("cookies", "Copyright 2026", "ADVERTISEMENT", "Share by e-mail", "Most popular"):
        assert known in everything


def test_the_html_of_a_body_says_what_its_text_says_and_keeps_links_lists_and_tables(
    pairs: list[tuple[Line, DemoArticle]],
) -> None:
    for line, _ in pairs:
        shown = folded(" ".join(Page.from_html(line["body_html"]).blocks.text))
        assert all(text in shown for text in body_lines(line["body"])), line["url"]
    everything = "".join(line["body_html"] for line, _ in pairs)
    for tag in ("<p>", "<a href=", "<ul>", "<ol>", "<table>", "<blockquote>", "<em>", "<img "):
        assert tag in everything
    assert "<script" not in everything
    assert "class=" not in everything


def test_the_category_is_the_section_and_the_site_the_publisher(
    pairs: list[tuple[Line, DemoArticle]],
) -> None:
    for line, article in pairs:
        assert line["category"] == article.section.lower()
        assert line["site"] == article.base_url.removeprefix("http://")


def test_metadata_is_what_the_publishers_say(pairs: list[tuple[Line, DemoArticle]]) -> None:
    for line, article in pairs:
        assert line["canonical_url"] == article.url
        assert line["headline"] == article.headline
        assert line["authors"] == list(article.authors)
        assert line["date_published"] == article.date_published
        assert line["description"] == article.description
        assert line["language"] == "en"
        assert line["revision"] == 1


def test_word_bag_f1_is_at_least_098(pairs: list[tuple[Line, DemoArticle]]) -> None:
    scores = [word_bag_agreement(line["body"], article.gold).f1 for line, article in pairs]
    assert mean(scores) >= 0.98


def test_each_article_was_cleaned_with_neighbors_that_showed_the_noise(lines: list[Line]) -> None:
    for line in lines:
        assert line["extraction"]["neighbors"] >= 5
        assert line["extraction"]["static_chars"] > 0
