"""Nothing that a page says controls the terminal of who looks at it."""

from contextlib import closing
from pathlib import Path

import pytest

from newsclean.cli.terminal import Progress
from newsclean.extraction.methods.chain import text_keys
from newsclean.extraction.page import Page
from newsclean.memory import Memory

from .pages import run, story

ODD = "\x1b[31m\x9b2J\x07\u202e"
ATTACK = story("Oslo").replace("rained", f"ra{ODD}ined").replace("</h1>", f"{ODD}</h1>")


def is_harmless(printed: str) -> bool:
    return not any(letter in printed for letter in ODD if not letter.isprintable())


@pytest.mark.parametrize(
    "options", [(), ("--format", "json"), ("--format", "html"), ("--explain",)]
)
def test_extract_prints_no_control_character(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: tuple[str, ...]
) -> None:
    page = tmp_path / "page.html"
    page.write_text(ATTACK, "utf-8")
    done = run(capsys, "extract", page, "--url", f"https://example.org/{ODD}", *options)
    assert done.code == 0
    assert "Oslo" in done.out
    assert is_harmless(done.out + done.err)


def test_errors_spell_control_characters_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    done = run(capsys, "extract", tmp_path / f"no{ODD}page.html")
    assert done.code == 3
    assert is_harmless(done.err)
    assert r"no\x1b[31m\x9b2J\x07\u202epage.html" in done.err


def test_what_a_site_repeats_is_shown_without_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "memory.sqlite")
    with closing(Memory(path)) as memory:
        for number in range(3):
            page = Page.from_html(f"<p>The story {number} of the day</p><p>All rights {ODD}</p>")
            keys = text_keys(page, "block")
            memory.sites.learn("example.org", f"sport{ODD}", f"page {number}", keys)
    shown = run(capsys, "memory", "--memory", path, "show", "example.org")
    listed = run(capsys, "memory", "--memory", path, "list")
    assert "All rights" in shown.out
    assert "sport" in listed.out
    assert is_harmless(shown.out + listed.out)


def test_progress_in_a_log_is_a_few_lines_and_nothing_unless_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for lines in (0, 2):
        with Progress("sites", lines=lines) as progress:
            for _ in range(4):
                progress.advance("crawling", 4)
        printed = capsys.readouterr().err.splitlines()
        expected = [f"newsclean: crawling: {n} of 4 sites" for n in (1, 2, 4)]
        assert printed == (expected if lines else [])


def test_progress_on_a_terminal_counts_what_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress("articles") as progress:
        progress.update("crawling", 1_200)
        progress.update("writing", 3, 7)
    printed = capsys.readouterr().err
    assert "1,200 articles" in printed
    assert "3 of 7 articles" in printed


def test_ctrl_c_before_a_command_has_started_is_answered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("newsclean.cli.crawl.run", interrupt)
    done = run(capsys, "crawl", "https://example.org/")
    assert (done.code, done.err) == (130, "newsclean: interrupted\n")
