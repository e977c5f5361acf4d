"""`newsclean extract` on pages that are no article, or whose article is lost."""

import json
from pathlib import Path

import pytest

from .pages import run, story

Capture = pytest.CaptureFixture[str]

LINKS = "".join(f"<li><a href=/{n}>Story number {n} of the day</a></li>" for n in range(60))
WORDS = "Words of the article run on and on until the line is long enough to be one. "


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return tmp_path / "page.html"


def test_a_page_that_is_no_article_is_printed_and_told(capsys: Capture, page: Path) -> None:
    page.write_text(f"<title>Today</title><ul>{LINKS}</ul>", "utf-8")
    code, out, err = run(capsys, "extract", page, "--format", "json")
    article = json.loads(out)
    assert code == 0
    assert "Story number" in article["body"]
    assert article["is_article"] is False
    reason, probability = article["extraction"]["no_article"], article["article_probability"]
    assert reason
    assert err == f"newsclean: {page}: not an article ({reason}), probability {probability:.2f}\n"


def test_nothing_is_said_of_an_article(capsys: Capture, page: Path) -> None:
    page.write_text(story("Oslo"), "utf-8")
    code, out, err = run(capsys, "extract", page, "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out)["is_article"] is True
    assert "no_article" not in json.loads(out)["extraction"]


def test_help_tells_what_the_exit_code_of_such_a_page_is(capsys: Capture) -> None:
    out = run(capsys, "--help").out
    assert "1  the page cannot be used or has no text" in out
    assert "3  a file or URL cannot be read" in out


def test_text_behind_the_depth_limit_of_the_parser_is_told_of(capsys: Capture, page: Path) -> None:
    deep = "<div>" * 3000 + f"<p>{WORDS * 5}</p>"
    lost = f"newsclean: {page}: nested too deeply for the HTML parser, the rest is lost\n"
    page.write_text(deep)
    code, out, err = run(capsys, "extract", page)
    assert (code, out, err) == (1, "", f"{lost}newsclean: {page}: no article found\n")
    page.write_text(story("Oslo") + deep)
    code, out, err = run(capsys, "extract", page)
    assert (code, err) == (0, lost)
    assert "The mayor of Oslo" in out
    page.write_text(story("Oslo") + "<div>" * 1000)
    assert run(capsys, "extract", page).err == ""
