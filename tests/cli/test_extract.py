"""`newsclean extract` on pages that are as they should be."""

import gzip
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import newsclean
from newsclean.cli import main
from newsclean.extraction.methods.registry import DEFAULT_METHOD

from .pages import FOOTER, TOWNS, run, story

Capture = pytest.CaptureFixture[str]


def test_text_is_the_headline_and_the_paragraphs(capsys: Capture, page: Path) -> None:
    code, out, err = run(capsys, "extract", page)
    headline, days, mayor, _ = out.split("\n\n")
    assert (code, err, headline) == (0, "", "Rain in Tromsø goes on")
    assert days.startswith("It has rained in Tromsø")
    assert mayor.endswith("See the map of the town.")


def test_html_is_clean_and_has_absolute_links(capsys: Capture, page: Path) -> None:
    url = "https://example.org/weather/1"
    out = run(capsys, "extract", page, "--format", "html", "--url", url).out
    assert '<a href="https://example.org/map" rel="noopener noreferrer">the map</a>' in out
    assert '<img src="https://example.org/rain.jpg" alt="">' in out
    assert "<h1>" not in out


def test_pictures_are_left_out_of_the_html_when_asked(capsys: Capture, page: Path) -> None:
    options = ("--format", "html", "--url", "https://example.org/x", "--no-images")
    out = run(capsys, "extract", page, *options).out
    assert "<img" not in out
    assert "A wet street" not in out


def test_json_is_one_object_with_all_fields(capsys: Capture, page: Path) -> None:
    url = "https://www.example.org/weather/1"
    article = json.loads(run(capsys, "extract", page, "--format", "json", "--url", url).out)
    assert article.keys() == newsclean.Article().to_dict().keys()
    assert article["url"] == url
    assert article["site"] == "example.org"
    assert article["headline"] == "Rain in Tromsø goes on"
    assert article["language"] == "en"
    assert article["is_article"] is (article["article_probability"] >= 0.3)
    assert article["fetched_at"] is None  # a file tells nothing of that
    assert article["extraction"]["method"] == DEFAULT_METHOD


@pytest.mark.parametrize("packed", [False, True])
def test_the_page_may_come_from_standard_input(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    body = story("Tromsø").encode()
    stdin = io.TextIOWrapper(io.BytesIO(gzip.compress(body) if packed else body))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert run(capsys, "extract", "-").out.startswith("Rain in Tromsø goes on\n\n")


def test_a_packed_page_is_unpacked(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(story("Tromsø").encode()))
    assert run(capsys, "extract", path).out.startswith("Rain in Tromsø goes on\n\n")


def test_what_the_neighbors_repeat_is_left_out(
    capsys: Capture, page: Path, neighbors: Path
) -> None:
    assert FOOTER in run(capsys, "extract", page).out
    code, out, err = run(capsys, "extract", page, "--neighbors", neighbors)
    assert (code, err) == (0, "")
    assert FOOTER not in out
    assert "The mayor of Tromsø" in out


def test_neighbors_may_be_files_packed_files_and_folders_in_folders(
    capsys: Capture, page: Path, neighbors: Path
) -> None:
    inner = neighbors / "more" / "deep"
    inner.mkdir(parents=True)
    (inner / "Vardø.HTML.GZ").write_bytes(gzip.compress(story("Vardø").encode()))
    (inner / "notes.txt").write_text("no page")
    paths = (neighbors / "more", neighbors / "Oslo.html", neighbors / "Bergen.html")
    out = run(capsys, "extract", page, "--format", "json", "--neighbors", *paths).out
    assert json.loads(out)["extraction"]["neighbors"] == 3


def test_the_page_itself_among_its_neighbors_does_no_harm(capsys: Capture, neighbors: Path) -> None:
    page = neighbors / "Oslo.html"
    out = run(capsys, "extract", page, "--format", "json", "--neighbors", neighbors).out
    article = json.loads(out)
    assert article["extraction"]["neighbors"] == len(TOWNS) - 1
    assert "The mayor of Oslo" in article["body"]


def test_a_neighbor_that_cannot_be_used_is_named_and_left_out(
    capsys: Capture, page: Path, neighbors: Path
) -> None:
    (neighbors / "empty.html").write_bytes(b"")
    (neighbors / "scan.html").write_bytes(b"%PDF-1.7\n\x00")
    code, out, err = run(capsys, "extract", page, "--format", "json", "--neighbors", neighbors)
    assert code == 0
    assert json.loads(out)["extraction"]["neighbors"] == len(TOWNS)
    assert "empty.html left out: the page is empty" in err
    assert "scan.html left out: not an HTML page" in err


@pytest.mark.parametrize(
    "method",
    [
        "coreex",
        "stadynot:paper",
        "stadynot",
        "stadynot:paper+coreex:paper",
        "mss",
        "stadynot+mss:paper",
        "boilerpipe",
        "boilerpipe-tree",
        "boilerpipe-tree:n=3",
        "coreex+tree:tuned",
    ],
)
def test_each_method_can_be_picked(
    capsys: Capture, page: Path, neighbors: Path, method: str
) -> None:
    options = ("--method", method, "--format", "json", "--neighbors", neighbors)
    code, out, _ = run(capsys, "extract", page, *options)
    assert code == 0
    assert json.loads(out)["extraction"]["method"] == method


def test_the_version_is_told(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"newsclean {newsclean.__version__}\n"


@pytest.mark.parametrize("form", ["json", "jsonl"])
@pytest.mark.parametrize("kind", ["page", "folder", "out"])
def test_what_extract_writes_as_json_the_other_commands_read(
    capsys: Capture, tmp_path: Path, page: Path, form: str, kind: str
) -> None:
    lines, url = tmp_path / "a.jsonl", "https://example.org/rain"
    source = (page.parent,) if kind == "folder" else (page, "--url", url)
    out = ("--out", lines) if kind == "out" else ()
    code, text, err = run(capsys, "extract", *source, "--format", form, *out)
    assert code == 0, err
    if kind != "out":
        lines.write_text(text, "utf-8")
    assert len(lines.read_text("utf-8").splitlines()) == 1
    done = run(capsys, "read", lines, "--out", tmp_path / "site")
    assert (done.code, "1 article of 1 site" in done.err) == (0, True)
    if kind != "folder":
        done = run(capsys, "index", lines, "--index", tmp_path / "index.sqlite")
        assert done.code == 0, done.err


def test_on_a_terminal_json_has_several_lines(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.BytesIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=screen))
    assert main(["extract", str(page), "--format", "json"]) == 0
    assert screen.getvalue().count(b"\n") > 10
    assert json.loads(screen.getvalue())["headline"]


@pytest.mark.parametrize("command", ["extract", "look"])
@pytest.mark.parametrize("url", ["notaurl", "example.org/a", "ftp://example.org/", "http://[", ""])
def test_a_url_that_is_none_is_refused(capsys: Capture, page: Path, command: str, url: str) -> None:
    code, out, err = run(capsys, command, page, "--url", url)
    assert (code, out) == (2, "")
    assert f"--url: {url!r} is not the URL of a page" in err


def test_the_output_is_named_as_in_a_crawl(page: Path, tmp_path: Path) -> None:
    assert main(["extract", str(page), "-o", str(tmp_path / "article.txt")]) == 0
    assert "Tromsø" in (tmp_path / "article.txt").read_text("utf-8")
