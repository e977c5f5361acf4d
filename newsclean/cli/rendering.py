"""Pages that are shown in Chromium before they are extracted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.cli.errors import UNUSABLE, USAGE, CommandError
from newsclean.cli.sources import is_url
from newsclean.extraction.page import PageError

if TYPE_CHECKING:
    from newsclean import Extractor
    from newsclean.browser.snapshot import Rendering
    from newsclean.extraction.page import Page


def check_browser(extractor: Extractor, is_asked: bool) -> bool:
    """Whether pages are rendered; if there is no browser then, that is told before any work."""
    if not (is_asked or extractor.method.needs_rendering):
        return False
    from newsclean.browser.chromium import BrowserMissingError
    from newsclean.browser.saved_pages import SavedPageRenderer

    try:
        SavedPageRenderer().close()
    except BrowserMissingError as error:
        name = "--render" if is_asked else f"--method {extractor.method.name}"
        raise CommandError(f"{name}: {error}", USAGE) from None
    return True


def rendering_of(source: str, page: Page, body: bytes, content_type: str | None) -> Rendering:
    """How Chromium shows a page, with the stylesheets that are beside it if it is a file."""
    from newsclean.browser.chromium import BrowserMissingError
    from newsclean.browser.saved_pages import SavedPageRenderer, files_beside
    from newsclean.browser.snapshot import Rendering

    resources = None if source == "-" or is_url(source) else files_beside(Path(source), page.url)
    try:
        with SavedPageRenderer() as renderer:
            return Rendering.of(page, renderer.render(body, page.url, content_type, resources))
    except PageError as error:
        raise CommandError(f"{source}: {error}", UNUSABLE) from None
    except BrowserMissingError as error:
        raise CommandError(str(error), USAGE) from None
