"""The fixtures of all tests in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.installed import NOT_RUN, not_run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.chromium_page import Accessibility, NewPage

PICTURE = "http://pictures.invalid/rain.png"


def test_each_request_of_a_page_is_kept_and_none_leaves_the_machine(
    new_page: NewPage, requests: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<title>Rain</title><img src={PICTURE}><p>It rains.")
    page = new_page(390)
    page.goto(path.as_uri())
    assert requests == [path.as_uri(), PICTURE]
    assert page.evaluate("document.images[0].naturalWidth") == 0
    assert page.evaluate("innerWidth") == 390


def test_axe_core_finds_what_nobody_can_read(new_page: NewPage, violations: Accessibility) -> None:
    page = new_page()
    text = "<html lang=en><title>Rain</title><main><h1>Rain</h1><p>It rains.</main>"
    page.set_content(text)
    assert violations(page) == []
    page.set_content(text.replace("<p>", "<p style='color:#ddd'>"))
    assert [found.split()[0] for found in violations(page)] == ["color-contrast"]


def test_what_is_missing_is_reported_on_a_users_machine_and_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=f"{NOT_RUN}no Chromium"):
        not_run("no Chromium")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no Chromium"):
        not_run("no Chromium")
