"""`newsclean extract` with pages that are shown in a browser first."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from newsclean.archives import extracting
from newsclean.browser import saved_pages
from newsclean.browser.saved_pages import SavedPageError, SavedPageRenderer
from newsclean.browser.snapshot import Snapshot
from newsclean.cli.terminal import UNUSABLE
from tests.browser.drawn import drawn

from .pages import run, story

Capture = pytest.CaptureFixture[str]

NOTICE = "All rights to these pages are reserved, and none of them may be printed again. " * 2


class DrawnPages:
    """In the place of Chromium: draws pages, sections in small letters, and dies on Moss."""

    def __init__(self, *_: Any) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def close(self) -> None:
        pass

    def render(self, body: bytes, url: str | None, *_: Any) -> Snapshot:
        if b"Moss" in body:
            raise SavedPageError("render-crashed", "Chromium died on the page")
        return drawn(body.decode(), url, {"section": 9.0})


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    folder = tmp_path / "towns"
    folder.mkdir()
    for town in ("Bergen", "Moss", "Oslo"):
        html = story(town).replace("</div>", f"</div><section>{NOTICE}</section>")
        (folder / f"{town}.html").write_text(html)
    return folder


@pytest.fixture
def _own_renderer() -> Iterator[None]:
    """A browser that other tests do not get."""
    extracting._renderer.cache_clear()
    yield
    extracting._renderer().close()
    extracting._renderer.cache_clear()


@pytest.fixture
def _drawn(monkeypatch: pytest.MonkeyPatch, _own_renderer: None) -> None:
    for module in (saved_pages, extracting):
        monkeypatch.setattr(module, "SavedPageRenderer", DrawnPages)


@pytest.mark.usefixtures("_drawn")
def test_with_render_a_method_reads_the_fonts_that_are_shown(capsys: Capture, towns: Path) -> None:
    arguments = ("extract", towns / "Oslo.html", "--method", "mss:paper")
    plain, rendered = run(capsys, *arguments), run(capsys, *arguments, "--render")
    assert (plain.code, rendered.code) == (0, 0)
    assert "reserved" in plain.out
    assert "reserved" not in rendered.out
    assert "rained in Oslo" in rendered.out


@pytest.mark.usefixtures("_drawn")
def test_a_page_on_which_the_browser_dies_is_an_error_that_names_it(
    capsys: Capture, towns: Path
) -> None:
    outcome = run(capsys, "extract", towns / "Moss.html", "--render")
    assert outcome.code == UNUSABLE
    assert "Moss.html: Chromium died on the page" in outcome.err


@pytest.mark.usefixtures("_drawn")
def test_among_many_it_is_counted_and_the_run_goes_on(capsys: Capture, towns: Path) -> None:
    outcome = run(capsys, "extract", towns, "--render", "--method", "coreex")
    assert outcome.code == 0
    found = [json.loads(line)["headline"] for line in outcome.out.splitlines()]
    assert found == ["Rain in Bergen goes on", "Rain in Oslo goes on"]
    assert "2 pages extracted; left out: 1 render-crashed" in outcome.err


@pytest.mark.parametrize("option", ["--render", "--method=visual"])
def test_without_a_browser_nothing_is_read_and_the_way_to_get_it_is_told(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setenv("NEWSCLEAN_CHROMIUM", "/nowhere/chromium")
    outcome = run(capsys, "extract", "/nowhere/page.html", option)
    assert outcome.code == 2
    assert option.replace("=", " ") in outcome.err
    assert "/nowhere/chromium" in outcome.err


@pytest.mark.slow
@pytest.mark.chromium
@pytest.mark.usefixtures("_own_renderer")
def test_a_chromium_that_is_killed_on_a_page_costs_that_page_alone(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, towns: Path
) -> None:
    renderers: list[SavedPageRenderer] = []
    start, answer = SavedPageRenderer._started, saved_pages._answer

    def started(self: SavedPageRenderer) -> Any:
        renderers.append(self)
        return start(self)

    def answered(route: Any, source: bytes, *others: Any) -> None:
        if b"Moss" in source:
            os.killpg(os.getpgid(renderers[-1].process), signal.SIGKILL)
        answer(route, source, *others)

    monkeypatch.setattr(SavedPageRenderer, "_started", started)
    monkeypatch.setattr(saved_pages, "_answer", answered)
    outcome = run(capsys, "extract", towns, "--render", "--method", "coreex")
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) == 2
    assert "left out: 1 render-crashed" in outcome.err
    assert renderers[-1].starts == 2
