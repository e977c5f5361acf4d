"""The page of `newsclean report` in a real browser: sizes, schemes, many sites, long names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from newsclean.apps.report.report_command import report_page
from newsclean.memory.site_health import STATES

from .runs import NOW, daily

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.chromium_page import Accessibility, NewPage

pytestmark = pytest.mark.slow

LONG = "a-long-name-of-a-local-newspaper-that-has-many-words-in-its-name.example.com"


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    """A page with a site in each state, one with a long name, and many good ones."""
    sites = {f"{n}.example": daily(f"{n}.example", [9, 0, 4], s) for n, s in enumerate(STATES)}
    sites[LONG] = daily(LONG, [90, 40, 50, 60])
    sites |= {f"good-{n}.example": daily(f"good-{n}.example", [9, n]) for n in range(40)}
    path = tmp_path / "report.html"
    path.write_text(report_page(sites, NOW), "utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_and_axe_core_finds_nothing(
    page_file: Path, new_page: NewPage, violations: Accessibility, width: int, scheme: str
) -> None:
    page = new_page(width, color_scheme=scheme)
    page.goto(page_file.as_uri())
    page.locator("summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []


def test_a_number_leads_to_the_sites_in_that_state(page_file: Path, new_page: NewPage) -> None:
    page = new_page()
    page.goto(page_file.as_uri())
    page.locator(".tiles").get_by_role("link", name="no articles").click()
    heading = page.get_by_role("heading", name="No articles 1")
    assert heading.bounding_box()["y"] < 200  # type: ignore[index]
