"""`newsclean extract` on what goes wrong: an exit code, a line that says why, never a traceback."""

import gzip
import json
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import charset_normalizer
import lxml.html
import pytest

from newsclean.cli.crawl import usable_sites
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.extraction.page.decode import MAX_SAMPLE

from .pages import Outcome, run, run_process, story

Capture = pytest.CaptureFixture[str]
Command = Callable[..., Outcome]


AS_A_USER = pytest.param("as a user", marks=pytest.mark.process)


@pytest.fixture(params=["in this process", AS_A_USER])
def newsclean(request: pytest.FixtureRequest, capsys: Capture) -> Command:
    """The command; each of these tests also runs it as a process of its own."""
    if request.param == "as a user":
        return run_process
    return lambda *arguments: run(capsys, *arguments)


@pytest.fixture(params=[AS_A_USER, DEFAULT_METHOD, "mss", "boilerpipe", "boilerpipe-tree"])
def extract(request: pytest.FixtureRequest, capsys: Capture) -> Command:
    """`newsclean extract` with each of these methods, and once more as a process of its own."""
    if request.param == "as a user":
        return lambda *arguments: run_process("extract", *arguments)
    return lambda *arguments: run(capsys, "extract", *arguments, "--method", request.param)


@pytest.fixture
def in_process(capsys: Capture) -> Command:
    return lambda *arguments: run(capsys, *arguments)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return tmp_path / "page.html"


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port at which nobody answers: bound, so that nobody else takes it, and not listening."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def assert_fails(outcome: Outcome, code: int, *words: str) -> None:
    assert outcome.code == code
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    for word in words:
        assert word in outcome.err


def test_an_unknown_method_is_told_the_names(newsclean: Command, page: Path) -> None:
    page.write_text(story("Oslo"), "utf-8")
    outcome = newsclean("extract", page, "--method", "corex")
    assert_fails(outcome, 2, "--method: no method named 'corex'", "coreex", "stadynot")
    outcome = newsclean("extract", page, "--method", "coreex:best")
    assert_fails(outcome, 2, "no parameters named 'best'", "paper", "tuned")


def test_a_missing_file_is_named(newsclean: Command, tmp_path: Path) -> None:
    path = tmp_path / "nowhere.html"
    assert_fails(newsclean("extract", path), 3, f"cannot read {path}: No such file")


def test_an_empty_file_is_told_so(extract: Command, page: Path) -> None:
    page.write_bytes(b" \n")
    assert_fails(extract(page), 1, f"{page}: the page is empty")


def test_a_pdf_is_told_so(extract: Command, page: Path) -> None:
    page.write_bytes(b"%PDF-1.7\n\x00\x01")
    assert_fails(extract(page), 1, f"{page}: not an HTML page")


def test_a_url_at_which_nobody_answers_is_named(newsclean: Command, closed_port: int) -> None:
    url = f"http://127.0.0.1:{closed_port}/story"
    assert_fails(newsclean("extract", url), 3, f"cannot fetch {url}", "refused")


@pytest.mark.parametrize(
    "url",
    ["http://[", "http://127.0.0.1:99999/", "https://", "http://127.0.0.1:8 0/", "http://../"],
)
def test_a_url_that_is_none_is_named(in_process: Command, url: str) -> None:
    assert_fails(in_process("extract", url), 3, f"cannot fetch {url}")


def test_a_folder_without_pages_is_told_so(in_process: Command, tmp_path: Path) -> None:
    assert_fails(in_process("extract", tmp_path), 3, "no pages (.html", f"in {tmp_path}")


def test_a_damaged_packed_file_is_named(in_process: Command, page: Path) -> None:
    whole = gzip.compress(story("Oslo").encode())
    for damaged in (whole[:50], whole[:20] + b"xxxx" + whole[24:], whole[:-8] + b"12345678"):
        page.write_bytes(damaged)
        assert_fails(in_process("extract", page), 3, f"cannot read {page}")


def test_a_folder_without_pages_makes_no_neighbors(in_process: Command, page: Path) -> None:
    page.write_text(story("Oslo"), "utf-8")
    empty = page.parent / "neighbors"
    empty.mkdir()
    outcome = in_process("extract", page, "--neighbors", empty)
    assert_fails(outcome, 3, f"in {empty}", ".html")


def test_a_missing_neighbor_is_named(in_process: Command, page: Path) -> None:
    page.write_text(story("Oslo"), "utf-8")
    assert_fails(in_process("extract", page, "--neighbors", "nowhere.html"), 3, "nowhere.html")


def test_an_unknown_format_is_told_the_names(in_process: Command, page: Path) -> None:
    assert_fails(in_process("extract", page, "--format", "xml"), 2, "json", "text", "html")


def test_no_command_at_all_is_an_error_of_usage(in_process: Command) -> None:
    assert_fails(in_process(), 2, "usage: newsclean")


def test_a_page_without_words_holds_no_article(extract: Command, page: Path) -> None:
    page.write_text("<html><script>f()</script><img src=x.jpg></html>")
    assert_fails(extract(page), 1, f"{page}: no article found")


@pytest.mark.parametrize("form", ["html", "json"])
def test_a_page_full_of_scripts_comes_out_safe(extract: Command, page: Path, form: str) -> None:
    words = "Words of the article run on and on until the line is long enough to be one. " * 3
    page.write_text(
        f"<html lang=en><div><p onclick='steal()'>{words}<script>steal()</script></p>"
        f"<p>{words}<a href='javascript:steal()'>more</a><img src=x onerror=steal()></p></div>"
    )
    code, out, _ = extract(page, "--format", form, "--url", "https://example.org/x")
    assert code == 0
    assert "steal" not in out
    body = json.loads(out)["body_html"] if form == "json" else out
    shown = lxml.html.fragment_fromstring(body, create_parent="body")
    allowed = [("p", []), ("img", ["src", "alt"])]
    assert all((e.tag, list(e.attrib)) in allowed for e in shown.iterdescendants())


def test_shift_jis_that_calls_itself_utf_8_is_read(extract: Command, page: Path) -> None:
    text = "東京都は水曜日に新しい交通規則を発表した。市民の多くは歓迎している。" * 5
    more = "雨は三日間降り続き、川の水位は過去十年で最も高くなった。" * 5
    page.write_bytes(
        f'<html lang=ja><meta charset="utf-8"><p>{text}</p><p>{more}</p>'.encode("shift_jis")
    )
    assert extract(page).out.strip() == f"{text}\n\n{more}"


@pytest.mark.parametrize(
    "label", ["undefined", "rot13", "utf-16", "idna", "x-none", "unicode_escape"]
)
def test_an_encoding_that_no_browser_knows_is_not_believed(
    in_process: Command, page: Path, label: str
) -> None:
    words = "Größe und Höhe des Flusses sind heute so, wie sie noch niemals waren. " * 4
    for encoding in ("utf-8", "cp1252"):
        page.write_bytes(f'<meta charset="{label}"><p>{words}</p>'.encode(encoding))
        assert in_process("extract", page).out.strip() == words.strip()


def test_a_hundred_thousand_nested_boxes_are_no_error(extract: Command, page: Path) -> None:
    words = "Words of the article run on and on until the line is long enough to be one. " * 3
    page.write_text(f"<html lang=en><div><p>{words}</p></div>" + "<div>" * 100_000)
    assert extract(page).out.strip() == words.strip()


STREETS = [
    f"In street {number} of the town the water stood as high as the doors on Monday, and nobody "
    "there could go out to work."
    for number in range(6)
]


def long_story(town: str) -> str:
    streets = "".join(f"<p>{street}</p>" for street in STREETS)
    return story(town).replace("<div>", f"<div>{streets}", 1)


def test_a_page_of_several_megabytes_gives_its_article(extract: Command, page: Path) -> None:
    menu = "".join(f"<li><a href=/{n}>Entry {n} of the menu</a></li>" for n in range(20_000))
    script = f"<script>{'x = 1; ' * 400_000}</script>"
    page.write_text(f"<ul>{menu}</ul>{script}{long_story('Oslo')}", "utf-8")
    assert page.stat().st_size > 3_500_000
    out = extract(page).out
    assert all(street in out for street in STREETS)
    assert "Entry" not in out


def test_a_page_of_20_megabytes_gives_its_article(in_process: Command, page: Path) -> None:
    menu = "".join(f"<li><a href=/{n}>Entry {n} of the menu</a></li>" for n in range(100_000))
    script = f"<script>{'x = 1; ' * 2_000_000}</script>"
    page.write_text(f"<ul>{menu}</ul>{script}{long_story('Oslo')}", "utf-8")
    assert page.stat().st_size > 18_000_000
    out = in_process("extract", page).out
    assert all(street in out for street in STREETS)


#: Pages of any size that somebody's program may make, by mistake or on purpose.
SHAPES: dict[str, Callable[[int], str]] = {
    "menu": lambda n: "<li><a href=/x>An entry of the menu</a></li>" * n,
    "tables": lambda n: "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>" * n,
    "deep": lambda n: "<div>" * (n // 4) + "<p>words at a depth <img src=/x.jpg></p>" * n,
    "deep line": lambda n: "<b>" * (n // 4) + "words at a depth <br>" * n,
    "script": lambda n: f"<script>{'x = 1; ' * n}</script>",
    "comments": lambda n: "<!-- " * (8 * n),
    "links": lambda n: "<a href=" * (8 * n),
    "brackets": lambda n: "<" * (50 * n),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_of_page_is_too_much(in_process: Command, page: Path, shape: str) -> None:
    page.write_text(f"{story('Oslo')}{SHAPES[shape](6_000)}", "utf-8")
    assert in_process("extract", page, "--format", "html").code in (0, 1)


def steps_of(call: Callable[[], object]) -> int:
    """The lines of Python that a call runs: its work, on whatever machine."""
    steps = 0

    def trace(*_: object) -> Any:
        nonlocal steps
        steps += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return steps


@pytest.mark.parametrize("method", [DEFAULT_METHOD, "stadynot+coreex", "mss", "boilerpipe-tree"])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_work_grows_as_the_page_does_whatever_its_shape(
    in_process: Command, page: Path, shape: str, method: str
) -> None:
    def work(size: int) -> int:
        page.write_text(f"{story('Oslo')}{SHAPES[shape](size)}", "utf-8")
        arguments = ("extract", page, "--format", "html", "--method", method)
        return steps_of(lambda: in_process(*arguments))

    work(8)  # what is imported and kept at the first call
    # The first is not so small that it would be judged otherwise, which takes other steps.
    few, some, many = work(200), work(400), work(3200)
    # 14 times as much, and as much again where another way is taken; quadratic is 84 times.
    assert many - some <= 28 * (some - few) + 500


def test_a_guess_of_the_encoding_looks_at_a_part_and_an_open_tag_reaches_to_the_end(
    in_process: Command, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that neither the guess nor the search for the end of a tag takes long."""
    looked_at: list[bytes] = []
    from_bytes = charset_normalizer.from_bytes

    def guess(sample: bytes, **options: Any) -> Any:
        looked_at.append(sample)
        return from_bytes(sample, **options)

    monkeypatch.setattr(charset_normalizer, "from_bytes", guess)
    unreadable = b"\xff\xfe" * 3000
    for hostile, most in ((b"<script" * 30_000, 0), (b"<" * 200_000, MAX_SAMPLE)):
        page.write_bytes(b'<meta charset="utf-8">' + hostile + unreadable)
        assert in_process("extract", page).code in (0, 1)
        assert len(looked_at.pop()) <= most


def test_one_mistake_in_many_site_files_is_told_once(tmp_path: Path, capsys: Capture) -> None:
    section = '[[section]]\nurl = "https://example.org/"\n'
    for number in range(37):
        (tmp_path / f"s{number:02}.toml").write_text(
            f'feed = ["https://example.org/rss"]\n{section}'
        )
    (tmp_path / "good.toml").write_text(section)
    (tmp_path / "other.toml").write_text("name = 7")
    usable, bad = usable_sites(tmp_path, None)
    assert (list(usable), bad) == (["good"], 38)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3
    assert "other.toml" in told[0]
    assert f"{tmp_path}/s00.toml: unknown: feed; did you mean" in told[1]
    assert told[2].endswith(
        "left out for the same reason: "
        + ", ".join(f"s{number:02}" for number in range(1, 11))
        + " and 26 more"
    )
