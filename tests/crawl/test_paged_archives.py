"""Articles on several pages, from an archive through all pipelines."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.fork_server import Forked

from .long_article import URL, numbered, texts
from .scrapy_command import HURRY, crawl_news, environment, options_of
from .small_site import Answer, section, serve, story
from .test_archive import crawl, write_warc

pytestmark = pytest.mark.slow

HOST = "https://www.example.org"
WHOLE = "\n\n".join(text for part in (1, 2, 3) for text in texts(part))


def archive(folder: Path, parts: tuple[int, ...] = (3, 1, 2), others: int = 6) -> Path:
    stories = [(f"{HOST}/news/20{n:02}-other", story(f"Other story {n}")) for n in range(others)]
    pages = [(f"{HOST}{URL}{f'?page={n}' if n > 1 else ''}", numbered(n, 3)) for n in parts]
    mixed = [*pages[:1], *stories, *pages[1:]]
    return write_warc(folder / "a.warc.gz", [(url, body.encode()) for url, body in mixed])


def long_article(lines: list[dict[str, Any]]) -> dict[str, Any]:
    (line,) = (line for line in lines if URL in line["url"])
    return line


def test_an_archive_gives_the_same_article_as_a_crawl_of_its_pages(tmp_path: Path) -> None:
    titles = {URL: "The long fair"} | {
        f"/news/200{n}-other-{n}": f"Other story {n}" for n in range(6)
    }
    pages = {path: story(title) for path, title in titles.items()}
    pages |= {f"{URL}?page={part}" if part > 1 else URL: numbered(part, 4) for part in (1, 2, 4)}
    answers = {path: Answer(body) for path, body in pages.items()}
    with serve({"/news/": Answer(section(titles)), **answers}) as site:
        crawled = crawl_news(tmp_path, f"url={site.url}/news/").lines()
        saved = [(f"{site.url}{path}", body.encode()) for path, body in reversed(pages.items())]
    (tmp_path / "again").mkdir()
    run = crawl(tmp_path / "again", f"file={write_warc(tmp_path / 'a.warc.gz', saved)}")
    assert run.complaints == []
    assert len(run.lines()) == len(crawled) == 7
    assert (run.stats["newsclean/joined"], run.stats["newsclean/joined/pages"]) == (1, 2)
    one, two = map(long_article, (crawled, run.lines()))
    assert one["extraction"]["missing_pages"] == [3]
    for line in (one, two):
        del line["fetched_at"], line["extraction"]["neighbors"]
    assert one == two


def test_the_further_pages_of_an_article_are_no_articles(tmp_path: Path) -> None:
    run = crawl(tmp_path, f"file={archive(tmp_path)}")
    assert len(run.lines()) == 7
    assert long_article(run.lines())["body"] == WHOLE
    assert crawl(tmp_path, f"file={archive(tmp_path)}").dropped == {"unchanged": 7}


def test_the_setting_says_how_many_pages_are_joined(tmp_path: Path) -> None:
    run = crawl(tmp_path, f"file={archive(tmp_path)}", NEWSCLEAN_ARTICLE_PAGES=1)
    assert len(run.lines()) == 9
    assert "newsclean/joined" not in run.stats


def test_a_limit_counts_articles_and_not_their_pages(tmp_path: Path) -> None:
    run = crawl(tmp_path, f"file={archive(tmp_path, others=1)}", "limit=2")
    assert len(run.lines()) == 2
    assert long_article(run.lines())["body"] == WHOLE


def test_a_folder_of_pages_with_urls_is_joined(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    rows = ["file,url"]
    for part in (2, 3, 1):
        (folder / f"{part}.html").write_text(numbered(part, 3))
        rows.append(f"{part}.html,{HOST}{URL}" + (f"?page={part}" if part > 1 else ""))
    (folder / "urls.csv").write_text("\n".join(rows))
    run = crawl(tmp_path, f"file={folder}")
    assert long_article(run.lines())["body"] == WHOLE


@pytest.mark.process
def test_after_a_kill_each_article_comes_once_and_none_is_lost(tmp_path: Path) -> None:
    warc = archive(tmp_path, others=40)
    arguments = ["crawl", "archive", f"-afile={warc}", *options_of(HURRY)]
    output = tmp_path / "articles.jsonl"
    with open(os.devnull, "wb") as nowhere:
        killed = Forked(
            "scrapy",
            *arguments,
            folder=tmp_path,
            environment=environment("newsclean.settings") | {"TMPDIR": str(tmp_path)},
            out=nowhere,
            err=nowhere,
        )
        while killed.poll() is None:
            if output.exists() and output.read_bytes().count(b"\n") >= 3:
                killed.kill()
                break
        assert killed.wait() == -9
    assert output.read_bytes().count(b"\n") < 41
    lines = crawl(tmp_path, f"file={warc}").lines()
    urls = [line["url"] for line in lines]
    assert len(set(urls)) == len(urls) == 41
    assert long_article(lines)["body"] == WHOLE
