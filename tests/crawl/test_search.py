"""From a crawl to an index without noise: articles are found by what they say, by nothing else."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from parsel import Selector

from newsclean.apps.search import SearchRequest
from newsclean.apps.search.index_file import SearchedFile
from newsclean.apps.search.search_words import folded, words_in
from newsclean.demo import DemoArticle, DemoServer

from .demo_sites import HURRY, newsclean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

PHRASE = 4  # words


@pytest.fixture(scope="module")
def folder(demo: DemoServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demo's sites were crawled and indexed."""
    path: Path = tmp_path_factory.mktemp("search")
    homes = [publisher.base_url for publisher in demo.publishers]
    assert newsclean(path, "crawl", *homes, *HURRY).exit_code == 0
    ended = newsclean(path, "index", "articles.jsonl")
    assert ended.exit_code == 0, ended.errors
    return path


@pytest.fixture(scope="module")
def index(folder: Path) -> Iterator[SearchedFile]:
    with closing(SearchedFile(str(folder / "articles.sqlite"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def articles(demo: DemoServer) -> list[DemoArticle]:
    return [article for publisher in demo.publishers for article in publisher.articles]


def words(text: str) -> list[str]:
    return [folded(word.text) for word in words_in(text)]


def phrases(text: str) -> list[str]:
    """All runs of some words."""
    found = words(text)
    return [" ".join(found[at : at + PHRASE]) for at in range(len(found) - PHRASE + 1)]


def urls(index: SearchedFile, phrase: str) -> set[str | None]:
    hits = index.search(SearchRequest(f'"{phrase}"', limit=100)).hits
    return {address for hit in hits for address in (hit.url, *(copy.url for copy in hit.also_on))}


def test_search_prints_an_article_by_a_phrase_of_its_body(
    folder: Path, articles: list[DemoArticle]
) -> None:
    article = articles[0]
    phrase = phrases(article.gold)[10]
    ended = newsclean(folder, "search", f'"{phrase}"')
    assert ended.exit_code == 0
    assert article.url in ended.output
    assert article.headline in ended.output
    assert "**" in ended.output


def test_each_article_is_found_by_a_phrase_of_its_body(
    index: SearchedFile, articles: list[DemoArticle]
) -> None:
    for article in articles:
        paragraph = max(article.gold.splitlines(), key=len)
        assert article.url in urls(index, phrases(paragraph)[0]), article.url


def test_nothing_is_found_by_menus_footers_and_most_read_blocks(
    index: SearchedFile, articles: list[DemoArticle]
) -> None:
    said = {phrase for article in articles for phrase in phrases(article.gold)}
    said |= {phrase for article in articles for phrase in phrases(article.headline)}
    noise: set[str] = set()
    for article in articles[::4]:
        with urlopen(article.url) as response:
            page = Selector(response.read().decode())
        for text in page.xpath("//body//text()[not(ancestor::script or ancestor::style)]"):
            noise |= set(phrases(text.get())) - said
    assert len(noise) > 100
    assert {phrase for phrase in sorted(noise) if urls(index, phrase)} == set()


def test_a_headline_in_a_most_read_block_finds_its_own_article_only(
    index: SearchedFile, articles: list[DemoArticle]
) -> None:
    for article in articles[::3]:
        same = {other.url for other in articles if words(article.headline) == words(other.headline)}
        assert urls(index, article.headline) == same
