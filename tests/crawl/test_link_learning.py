"""From run to run, fewer requests lead to pages of a kind that was never an article."""

from pathlib import Path
from typing import Any

import pytest

from .scrapy_command import Run, crawl_news
from .small_site import Answer, SmallSite, page, section, serve, story

pytestmark = pytest.mark.slow

#: Addresses of each kind that are new in each run.
NEW = {"/news/story": 6, "/tables/table": 12, "/lists/list": 6, "/notes/note": 4}
WORDS = "amber birch cedar daisy elder ferns grape heath irish jolly kites lilac".split()


def path_of(kind: str, run: int, number: int) -> str:
    return f"{kind}-of-the-{WORDS[number]}-{70000 + 100 * run + number}.html"


def table(title: str) -> str:
    rows = "".join(f"<li><a href='/x/{number}'>Row {number}</a></li>" for number in range(30))
    return page(title, f"<ul>{rows}</ul>")


def is_article(kind: str, number: int) -> bool:
    """A story always is, a note sometimes, a table or a list never."""
    return kind == "/news/story" or (kind == "/notes/note" and number == 1)


class GrowingSite:
    """A site with more pages before each run, all of them on its front."""

    def __init__(self, site: SmallSite) -> None:
        self.site = site
        self.titles: dict[str, str] = {}
        self.articles: set[str] = set()
        self.runs = 0

    def grow(self, *, tables_are_articles: bool = False) -> set[str]:
        """Add the pages of the next run; their URLs."""
        self.runs += 1
        added = {}
        for kind, count in NEW.items():
            for number in range(count):
                path = path_of(kind, self.runs, number)
                added[path] = f"What is new of {WORDS[number]} in part {self.runs} {kind[1:3]}"
                is_table = tables_are_articles and kind == "/tables/table"
                if is_article(kind, number) or is_table:
                    self.articles.add(path)
                text = story if path in self.articles else table
                self.site.answers[path] = Answer(text(added[path]))
        self.titles = added | self.titles
        self.site.answers["/front"] = Answer(section(self.titles))
        self.site.hits.clear()
        return set(added)

    def requests(self, *kinds: str) -> int:
        return sum(n for path, n in self.site.hits.items() if path.startswith(kinds))


def crawl(folder: Path, site: SmallSite, **settings: Any) -> Run:
    quick = {"NEWSCLEAN_RECHECK_ALL": 0, "NEWSCLEAN_DISCOVER": 0} | settings
    run = crawl_news(folder, f"url={site.url}/front", **quick)
    assert run.exit_code == 0, run.log
    return run


def exported(run: Run, site: SmallSite) -> set[str]:
    return {line["url"].removeprefix(site.url) for line in run.lines()}


def test_url_patterns_that_were_never_articles_are_asked_for_ever_less_and_no_article_is_lost(
    tmp_path: Path,
) -> None:
    useless, shares = [], []
    with serve({}) as site:
        growing = GrowingSite(site)
        for _ in range(3):
            new = growing.grow()
            run = crawl(tmp_path, site)
            asked = new & set(site.hits)
            useless.append(growing.requests("/tables", "/lists"))
            shares.append(round(len(asked - growing.articles) / len(asked), 2))
            assert exported(run, site) == growing.articles
    print(f"requests to URL patterns that never were articles, by run: {useless}")
    print(f"share of non-articles among new URLs, by run: {shares}")
    assert useless[0] == 18
    assert useless[0] > useless[1] > useless[2] > 0
    assert shares[0] > shares[1] > shares[2]
    assert run.stats["newsclean/links/not_followed/url-pattern"] >= 15


def test_a_probe_that_turns_out_to_be_an_article_counts_for_its_url_pattern(tmp_path: Path) -> None:
    with serve({}) as site:
        growing = GrowingSite(site)
        growing.grow()
        crawl(tmp_path, site)
        growing.grow(tables_are_articles=True)
        run = crawl(tmp_path, site)
        missing = growing.articles - exported(run, site)
        assert 0 < len(missing) < 12
        run = crawl(tmp_path, site)
        assert exported(run, site) == growing.articles


def test_all_links_are_followed_if_the_setting_says_so(tmp_path: Path) -> None:
    with serve({}) as site:
        growing = GrowingSite(site)
        for _ in range(2):
            growing.grow()
            crawl(tmp_path, site, NEWSCLEAN_SKIP_LINKS=0)
        assert growing.requests("/tables", "/lists") == 18
