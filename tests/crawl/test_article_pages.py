"""An article on several pages comes out as one article."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .long_article import TITLE, URL, comments, gallery, numbered, texts
from .scrapy_command import crawl_news
from .small_site import Answer, SmallSite, section, serve, story

pytestmark = pytest.mark.slow


@pytest.fixture
def site() -> Iterator[SmallSite]:
    titles = {URL: TITLE} | {f"/news/200{n}-other-{n}": f"Other story {n}" for n in range(6)}
    pages = {path: Answer(story(title)) for path, title in titles.items()}
    with serve({"/news/": Answer(section(titles)), **pages}) as small_site:
        yield small_site


def long_article(folder: Path, site: SmallSite, **settings: object) -> dict[str, Any]:
    run = crawl_news(folder, f"url={site.url}/news/", **settings)
    assert not run.complaints
    (line,) = (line for line in run.lines() if line["url"] == site.url + URL)
    return line


@pytest.mark.parametrize("form", ["?page={}", "/{}", "/page/{}", "?seite={}"])
def test_the_pages_are_joined_in_their_order(tmp_path: Path, site: SmallSite, form: str) -> None:
    site.answers[URL] = Answer(numbered(1, 3, form))
    for n in (2, 3):
        site.answers[URL + form.format(n)] = Answer(numbered(n, 3, form))
    line = long_article(tmp_path, site)
    assert line["body"] == "\n\n".join([*texts(1), *texts(2), *texts(3)])
    assert line["headline"] == TITLE
    assert line["extraction"]["pages"] == 3
    assert "missing_pages" not in line["extraction"]
    run = crawl_news(tmp_path, f"url={site.url}/news/")
    assert run.dropped == {"unchanged": 7}
    site.answers[URL + form.format(3)] = Answer(
        numbered(3, 3, form).replace("the clerk counted", "the mayor counted")
    )
    run = crawl_news(tmp_path, f"url={site.url}/news/")
    *_, changed = run.lines()
    assert (changed["id"], changed["revision"]) == (line["id"], 2)


def test_a_page_that_cannot_be_had_is_named(tmp_path: Path, site: SmallSite) -> None:
    site.answers[URL] = Answer(numbered(1, 4))
    site.answers[f"{URL}?page=2"] = Answer(numbered(2, 4))
    site.answers[f"{URL}?page=4"] = Answer(numbered(4, 4))
    line = long_article(tmp_path, site)
    assert line["body"] == "\n\n".join([*texts(1), *texts(2), *texts(4)])
    assert line["extraction"]["pages"] == 4
    assert line["extraction"]["missing_pages"] == [3]


def test_a_view_of_all_pages_takes_one_request(tmp_path: Path, site: SmallSite) -> None:
    link = f'<a href="{URL}?view=all">On one page</a>'
    site.answers[URL] = Answer(numbered(1, 3, more=link))
    every = "".join(f"<p>{text}</p>" for part in (1, 2, 3) for text in texts(part))
    site.answers[f"{URL}?view=all"] = Answer(f"<h1>{TITLE}</h1><div>{every}</div>")
    line = long_article(tmp_path, site)
    assert line["body"] == "\n\n".join([*texts(1), *texts(2), *texts(3)])
    assert not site.hits[f"{URL}?page=2"]


@pytest.mark.parametrize("second", [comments, gallery, lambda _: story("Another article")])
def test_what_does_not_continue_the_article_is_not_joined(
    tmp_path: Path, site: SmallSite, second: Callable[[int], str]
) -> None:
    site.answers[URL] = Answer(numbered(1, 9))
    for n in range(2, 10):
        site.answers[f"{URL}?page={n}"] = Answer(second(n))
    line = long_article(tmp_path, site)
    assert line["body"] == "\n\n".join(texts(1))
    assert "pages" not in line["extraction"]
    assert not site.hits[f"{URL}?page=3"]


def test_no_more_pages_are_requested_than_the_setting_says(tmp_path: Path, site: SmallSite) -> None:
    for n in range(1, 6):
        site.answers[URL if n == 1 else f"{URL}?page={n}"] = Answer(numbered(n, 5))
    line = long_article(tmp_path, site, NEWSCLEAN_ARTICLE_PAGES=2)
    assert line["extraction"]["missing_pages"] == [3, 4, 5]
    assert not site.hits[f"{URL}?page=3"]
    (tmp_path / "none").mkdir()
    line = long_article(tmp_path / "none", site, NEWSCLEAN_ARTICLE_PAGES=1)
    assert "pages" not in line["extraction"]
