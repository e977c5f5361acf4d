"""A mistake on the command line: one line that says what to do, and no crawl."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError

from newsclean.spiders.news import NewsSpider

from .scrapy_command import Run, crawl_news

URL = "url=http://127.0.0.1:9/news"

#: What is typed, settings included, and what the answer says.
MISTAKES: dict[str, tuple[list[str], dict[str, str], str]] = {
    "nothing": ([], {}, "say where to start: -a url=https://… or -a site=NAME, one of them"),
    "both": ([URL, "site=some"], {}, "say where to start"),
    "no scheme": (["url=example.org/x"], {}, "'example.org/x' is not a URL: it needs http://"),
    "no file": (["site=none"], {}, "cannot read the site file sites/none.toml: No such file"),
    "no TOML": (["site=broken.toml"], {}, "broken.toml is not a TOML file"),
    "pages": ([URL, "pages=x"], {}, "pages=x: it takes a number of pages"),
    "unknown": ([URL, "page=1"], {}, "unknown argument: page; there are url, site, pages"),
    "method": ([URL], {"NEWSCLEAN_METHOD": "corex"}, "NEWSCLEAN_METHOD: no method named 'corex'"),
    "window": ([URL], {"NEWSCLEAN_WINDOW": "-5"}, "NEWSCLEAN_WINDOW='-5': it takes a whole number"),
    "memory": ([URL], {"NEWSCLEAN_MEMORY": "broken.toml"}, "NEWSCLEAN_MEMORY: broken.toml is dam"),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Run]:
    folder = tmp_path_factory.mktemp("mistakes")
    (folder / "broken.toml").write_text("[[section]\nurl =")
    return {
        name: crawl_news(folder, *arguments, **settings)
        for name, (arguments, settings, _) in MISTAKES.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_in_one_line_without_a_traceback(
    runs: Mapping[str, Run], name: str
) -> None:
    (told,) = runs[name].complaints
    assert MISTAKES[name][2] in told
    assert "Traceback" not in runs[name].log
    assert runs[name].exit_code == 1


@pytest.mark.slow
def test_a_mistake_starts_no_crawl(runs: Mapping[str, Run]) -> None:
    for run in runs.values():
        assert "Spider opened" not in run.log
        assert not (run.folder / "articles.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"url": " , "}, "say where to start"),
        ({"url": "ftp://a.org/x"}, "'ftp://a.org/x' is not a URL of a web site"),
        ({"url": "http://[/x"}, "is not a URL of a web site"),
        ({"url": "http://a.org/x,b"}, "'b' is not a URL"),
        ({"url": "http://a.org/x", "pages": "0"}, "pages=0: it takes a number of pages, 1 or more"),
        ({"url": "http://a.org/x", "pages": -1}, "pages=-1: it takes a number of pages"),
    ],
)
def test_a_spider_with_wrong_arguments_is_not_made(
    arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        NewsSpider.from_crawler(Crawler(NewsSpider), **arguments)


def test_the_pages_of_the_command_line_overrule_the_site_file(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text('[[section]]\nurl = "https://a.org/x"\npages = 2')
    path = str(tmp_path / "two.toml")
    told = NewsSpider.from_crawler(Crawler(NewsSpider), site=path, pages="7")
    assert (told.section_pages, next(iter(told.sections)).pages) == (7, None)
    untold = NewsSpider.from_crawler(Crawler(NewsSpider), site=path)
    assert (untold.section_pages, next(iter(untold.sections)).pages) == (5, 2)


def test_the_arguments_of_what_runs_spiders_for_others_are_taken() -> None:
    assert NewsSpider.from_crawler(Crawler(NewsSpider), url="https://a.org/x", _job="17").sections
