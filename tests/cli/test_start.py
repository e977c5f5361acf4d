"""What takes long to import is imported by those who need it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

#: What pages need.
PAGES = {"lxml", "numpy"}
#: What a crawl without an index, a queue, a browser and a terminal does not need before its first
#: page, nor a command that crawls nothing.
EXTRAS = {
    "aiohttp", "jinja2", "matplotlib", "playwright", "psycopg", "procrastinate",
    "py3langid", "rensa", "rich", "Stemmer", "starlette",
}  # fmt: skip


def imported(folder: Path, *arguments: str) -> set[str]:
    """The packages that Python imports with these arguments."""
    command = [sys.executable, "-X", "importtime", *arguments]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return set(re.findall(r"^import time:.*\| +(\w+)$", ended.stderr, re.MULTILINE))


@pytest.mark.process
def test_importing_newsclean_imports_what_its_names_need_only_when_they_are_asked_for(
    tmp_path: Path,
) -> None:
    found = imported(tmp_path, "-c", "import newsclean; dir(newsclean)")
    assert "newsclean" in found
    assert not found & {*PAGES, *EXTRAS, "scrapy", "twisted"}
    assert imported(tmp_path, "-c", "from newsclean import extract") >= PAGES


@pytest.mark.parametrize("arguments", [("--help",), ("crawl", "--help"), ("memory", "--help")])
@pytest.mark.process
def test_help_waits_neither_for_scrapy_nor_for_what_pages_need(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    found = imported(tmp_path, "-m", "newsclean", *arguments)
    assert "argparse" in found
    assert not found & {*PAGES, *EXTRAS, "scrapy", "twisted"}


@pytest.mark.process
def test_a_page_is_extracted_without_what_only_crawls_need(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>It has rained in Bergen.</p>")
    found = imported(tmp_path, "-m", "newsclean", "extract", "page.html")
    assert found >= PAGES
    assert not found & (EXTRAS - {"py3langid"} | {"scrapy", "twisted"})


@pytest.mark.process
def test_a_crawl_starts_without_what_only_others_need(tmp_path: Path) -> None:
    # A port at which nobody listens: the crawl ends at its first request.
    found = imported(tmp_path, "-m", "newsclean", "crawl", "http://127.0.0.1:9/", "-sRETRY_TIMES=0")
    assert found >= {*PAGES, "scrapy", "twisted"}
    assert not found & (EXTRAS - {"aiohttp"})  # of Scrapy's remote control, which is disabled
