"""`newsclean extract` on many pages: files, folders, archives, URLs, in one process or several."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import newsclean
import newsclean.extraction.page
from newsclean.files import MAX_PAGE_SIZE
from tests.archives.warc_files import WarcFile

from .pages import FOOTER, TOWNS, Outcome, run, run_process, story

Capture = pytest.CaptureFixture[str]


def lines(outcome: Outcome) -> list[dict[str, Any]]:
    return [json.loads(line) for line in outcome.out.splitlines()]


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    file = WarcFile()
    for town in TOWNS:
        url = f"https://example.org/weather/{town.lower()}"
        file.add(url, story(town).encode(), warc={"WARC-Date": "2026-03-14T08:00:00Z"})
    path = tmp_path / "towns.warc.gz"
    path.write_bytes(file.data)
    return path


def test_several_pages_are_a_line_each_in_the_order_given(
    capsys: Capture, neighbors: Path, check_line: Callable[[dict[str, Any]], None]
) -> None:
    paths = [neighbors / f"{town}.html" for town in ("Oslo", "Bergen", "Moss")]
    outcome = run(capsys, "extract", *paths)
    found = lines(outcome)
    assert outcome.code == 0
    assert [line["headline"].split()[2] for line in found] == ["Oslo", "Bergen", "Moss"]
    assert [line["source"] for line in found] == [str(path) for path in paths]
    assert found[0].keys() == {"source"} | newsclean.Article().to_dict().keys()
    assert "3 pages extracted" in outcome.err
    for line in found:
        check_line(line)


def test_each_of_several_pages_is_extracted_as_if_it_were_alone(
    capsys: Capture, neighbors: Path
) -> None:
    paths = [neighbors / f"{town}.html" for town in TOWNS]
    together = lines(run(capsys, "extract", *paths))
    for path, line in zip(paths, together, strict=True):
        (alone,) = lines(run(capsys, "extract", path, "--format", "jsonl"))
        assert {"source": str(path)} | alone == line


def test_the_pages_of_a_folder_are_each_others_neighbors(capsys: Capture, neighbors: Path) -> None:
    found = lines(run(capsys, "extract", neighbors))
    assert len(found) == len(TOWNS)
    for line in found:
        assert line["extraction"]["neighbors"] == len(TOWNS) - 1
        assert FOOTER not in line["body"]
        assert line["url"] is None


def test_saved_pages_without_a_url_have_ids_of_their_own_that_stay(
    capsys: Capture, neighbors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (neighbors / "below").mkdir()
    (neighbors / "below" / "Oslo.html").write_text(story("Oslo"), "utf-8")
    found = {line["source"]: line["id"] for line in lines(run(capsys, "extract", neighbors))}
    assert len(set(found.values())) == len(found) == len(TOWNS) + 1
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in found.values())
    # wherever the folder is, and however it is named
    neighbors.rename(tmp_path / "moved")
    monkeypatch.chdir(tmp_path)
    again = [line["id"] for line in lines(run(capsys, "extract", "moved/"))]
    assert again == list(found.values())
    # the same name in another folder is another page
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "Oslo.html").write_text(story("Lom"), "utf-8")
    (other,) = lines(run(capsys, "extract", "other"))
    assert other["id"] not in again
    assert other["url"] is None


def test_articles_of_saved_pages_can_be_searched(
    capsys: Capture, neighbors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run(capsys, "extract", neighbors, "--out", "a.jsonl")
    indexed = run(capsys, "index", "a.jsonl")
    assert indexed.code == 0
    assert f"{len(TOWNS)} new articles" in indexed.err
    assert "Rain in Narvik goes on" in run(capsys, "search", "Narvik").out
    again = run(capsys, "index", "a.jsonl")
    assert f"0 new articles, 0 changed, {len(TOWNS)} unchanged" in again.err


def test_the_pages_of_an_archive_have_their_urls_and_times(capsys: Capture, warc: Path) -> None:
    found = lines(run(capsys, "extract", warc))
    assert [line["url"] for line in found] == [
        f"https://example.org/weather/{town.lower()}" for town in TOWNS
    ]
    for line in found:
        assert line["fetched_at"] == "2026-03-14T08:00:00+00:00"
        assert (line["site"], line["category"]) == ("example.org", "weather")
        assert FOOTER not in line["body"]


def test_neighbors_that_are_given_are_those_of_all_pages(
    capsys: Capture, page: Path, neighbors: Path, warc: Path
) -> None:
    found = lines(run(capsys, "extract", page, warc, "--neighbors", neighbors))
    assert [line["extraction"]["neighbors"] for line in found] == [6, *[5] * len(TOWNS)]


@pytest.mark.parametrize("kind", ["folder", "archive"])
@pytest.mark.process
def test_several_processes_write_the_same_lines(
    tmp_path: Path, neighbors: Path, warc: Path, kind: str
) -> None:
    source = warc if kind == "archive" else neighbors
    for number in range(40):
        town = f"Town{number}"
        (neighbors / f"{town}.html").write_text(story(town), "utf-8")
    sources = [source, neighbors, neighbors / "Oslo.html", tmp_path / "nowhere.html"]
    one = run_process("extract", *sources)
    two = run_process("extract", *sources, "--jobs", 2)
    assert one.code == two.code == 3  # there is no nowhere.html
    assert one.out == two.out
    assert one.err == two.err
    assert len(lines(two)) > 50


#: Kills each worker process that opens one page, and the first one that opens another.
KILLER = """
import os, signal, sys

def kill(event, arguments):
    if event == "open":
        name = os.path.basename(str(arguments[0]))
        if name == "once.html" and not os.path.exists(DIED):
            os.mkdir(DIED)
            os.kill(os.getpid(), signal.SIGKILL)
        if name == "always.html":
            os.kill(os.getpid(), signal.SIGKILL)

if "--multiprocessing-fork" in sys.orig_argv:
    sys.addaudithook(kill)
"""


@pytest.mark.process
def test_a_page_whose_process_is_killed_is_tried_again_and_left_out_after_the_second_time(
    capsys: Capture, tmp_path: Path, neighbors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [*(f"Town{number}" for number in range(18)), "once", "always"]
    for name in names:
        (neighbors / f"{name}.html").write_text(story(name), "utf-8")
    pages = [neighbors / f"{name}.html" for name in names]
    (tmp_path / "killer").mkdir()
    script = f"DIED = {str(tmp_path / 'died')!r}\n{KILLER}"
    (tmp_path / "killer/sitecustomize.py").write_text(script, "utf-8")
    paths = filter(None, (str(tmp_path / "killer"), os.environ.get("PYTHONPATH")))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    two = run_process("extract", *pages, "--jobs", 2)
    assert (tmp_path / "died").exists()
    assert "a process died" in two.err
    assert f"{neighbors}/always.html: its process died twice" in two.err
    assert two.err.endswith("newsclean: 19 pages extracted; left out: 1 process-died\n")
    assert two.code == 0
    assert two.out == run(capsys, "extract", *pages[:-1]).out


#: Runs the command with little more memory than it needs for an ordinary page.
WITH_LITTLE_MEMORY = """
import resource, sys
from newsclean.cli import main

if __name__ == "__main__":
    main(["extract", sys.argv[1], "--format", "json", "--out", "/dev/null"])
    with open("/proc/self/statm") as sizes:
        used = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 250_000_000,) * 2)
    sys.exit(main(["extract", *sys.argv[2:]]))
"""


@pytest.mark.process
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_page_that_needs_too_much_memory_is_named_and_all_others_come_out(
    neighbors: Path, tmp_path: Path, jobs: int
) -> None:
    for number in range(120):
        (neighbors / f"Town{number}.html").write_text(story(f"Town{number}"), "utf-8")
    huge = neighbors / "Town50x.html"
    huge.write_text("<p>" + " ".join(f"word{n % 5000}" for n in range(2_500_000)), "utf-8")
    script = tmp_path / "little_memory.py"
    script.write_text(WITH_LITTLE_MEMORY, "utf-8")
    options = ("--jobs", str(jobs), "--max-page-size", "100000000")
    done = subprocess.run(
        [sys.executable, script, neighbors / "Oslo.html", neighbors, *options],
        # Else each thread reserves addresses of its own, some of them or all, by chance.
        env=os.environ | {"MALLOC_ARENA_MAX": "1"},
        capture_output=True,
        timeout=300,
        check=False,
    )
    err = done.stderr.decode()
    assert "Traceback" not in err
    assert f"{huge}: not enough memory for this page" in err
    pages = 120 + len(TOWNS)
    assert err.endswith(f"{pages} pages extracted; left out: 1 out-of-memory\n")
    assert len(done.stdout.splitlines()) == pages
    assert done.returncode == 0


def test_a_single_page_that_needs_too_much_memory_is_told_so(
    capsys: Capture, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parse(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(newsclean.Page, "from_html", parse)
    outcome = run(capsys, "extract", page)
    assert outcome == (1, "", f"newsclean: {page}: not enough memory for this page\n")


def test_a_page_of_an_archive_may_be_as_large_as_one_of_a_crawl(
    capsys: Capture, neighbors: Path, warc: Path
) -> None:
    (neighbors / "Alta.html").write_text(story("Alta") + " " * MAX_PAGE_SIZE, "utf-8")
    file = WarcFile()
    file.add("https://example.org/alta", (neighbors / "Alta.html").read_bytes())
    warc.write_bytes(warc.read_bytes() + file.data)
    outcome = run(capsys, "extract", neighbors, warc)
    assert (
        f"{neighbors}/Alta.html: the page is too large: it has more than 10,000,000" in outcome.err
    )
    assert outcome.err.endswith("12 pages extracted; left out: 2 too-large\n")
    more = run(capsys, "extract", neighbors, warc, "--max-page-size", MAX_PAGE_SIZE + 2000)
    assert more.err.endswith("14 pages extracted\n")


def test_the_lines_go_to_a_file_when_asked(
    capsys: Capture, neighbors: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    outcome = run(capsys, "extract", neighbors, "--out", out)
    assert outcome.out == ""
    assert len(out.read_text("utf-8").splitlines()) == len(TOWNS)
    run(capsys, "extract", neighbors / "Oslo.html", "--out", out)
    assert out.read_text("utf-8").startswith("Rain in Oslo goes on\n\n")


def test_pages_that_cannot_be_used_are_named_and_counted_and_the_others_go_on(
    capsys: Capture, neighbors: Path, warc: Path
) -> None:
    (neighbors / "Alta.html").write_bytes(b"")
    (neighbors / "Lom.html").write_bytes(b"%PDF-1.7\n\x00")
    warc.write_bytes(warc.read_bytes()[:-30])
    outcome = run(capsys, "extract", neighbors, warc, neighbors / "nowhere.html")
    assert len(lines(outcome)) == 2 * len(TOWNS) - 1
    assert f"left out, damaged: {warc} at byte" in outcome.err
    assert f"{neighbors}/Alta.html: the page is empty" in outcome.err
    assert f"{neighbors}/Lom.html: not an HTML page" in outcome.err
    assert f"{neighbors}/nowhere.html: cannot read it: No such file" in outcome.err
    assert outcome.err.endswith(
        "newsclean: 11 pages extracted; left out: 1 damaged, 1 empty, 1 not-html, 1 unreadable\n"
    )


def test_the_exit_code_says_that_the_input_is_damaged_or_missing(
    capsys: Capture, neighbors: Path, warc: Path
) -> None:
    (neighbors / "Alta.html").write_bytes(b"")
    assert run(capsys, "extract", neighbors, warc).code == 0
    assert run(capsys, "extract", neighbors, neighbors / "nowhere.html").code == 3
    warc.write_bytes(warc.read_bytes()[:-30])
    outcome = run(capsys, "extract", warc)
    assert outcome.code == 3
    assert len(lines(outcome)) == len(TOWNS) - 1
    assert outcome.err.endswith("5 pages extracted; left out: 1 damaged\n")


def test_an_empty_archive_is_told_so(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "empty.warc.gz"
    path.touch()
    outcome = run(capsys, "extract", path)
    assert (outcome.code, outcome.out) == (3, "")
    assert f"cannot read {path}: it is empty" in outcome.err


def test_if_nothing_comes_out_the_exit_code_says_why(capsys: Capture, tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_bytes(b"")
    assert run(capsys, "extract", tmp_path).code == 1
    assert run(capsys, "extract", tmp_path / "c.html", tmp_path / "d.html").code == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--explain"], "--explain is for one page; many pages are written as JSON lines"),
        (["--url", "https://a.org/"], "--url is for one page"),
        (["--format", "text"], "--format text is for one page"),
        (["-"], "standard input is one page: - must be the only source"),
        (["ftp://a.org/x"], "cannot read ftp://a.org/x: only http:// and https:// URLs"),
        ([""], "the name of a page is empty"),
        (["--jobs", "0"], "'0' is not a positive number"),
        (["--method", "corex"], "no method named 'corex'"),
    ],
)
def test_what_makes_no_sense_with_many_pages_is_told_before_any_work(
    capsys: Capture, neighbors: Path, arguments: list[str], message: str
) -> None:
    outcome = run(capsys, "extract", neighbors, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_a_file_that_cannot_be_written_is_told_so(capsys: Capture, neighbors: Path) -> None:
    outcome = run(capsys, "extract", neighbors, "--out", neighbors)
    assert outcome.code == 3
    assert f"--out: cannot write {neighbors}: Is a directory" in outcome.err


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.process
def test_ctrl_c_ends_it_with_whole_lines_and_without_a_traceback(
    neighbors: Path, tmp_path: Path, jobs: int
) -> None:
    for number in range(3_000):
        (neighbors / f"{number}.html").hardlink_to(neighbors / "Oslo.html")
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "newsclean", "extract", neighbors, "--out", out]
    process = subprocess.Popen(
        [*map(str, command), "--jobs", str(jobs)], stderr=subprocess.PIPE, start_new_session=True
    )
    deadline = time.monotonic() + 50
    while not (out.exists() and out.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    written = out.read_text("utf-8")
    assert 0 < len(written.splitlines()) < 3_000
    assert all(json.loads(line)["body"] for line in written.splitlines())


@pytest.mark.process
def test_progress_is_shown_in_a_terminal_and_nowhere_else(neighbors: Path) -> None:
    assert "extracting" not in run_process("extract", neighbors).err
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "newsclean", "extract", str(neighbors)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=theirs, timeout=60, check=True)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "extracting" in shown
    assert f"{len(TOWNS)} of {len(TOWNS)} pages" in shown
