"""How a browser shows a page, for a method that sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from newsclean.browser.rendering import Rendering
from newsclean.drops import UnusablePage
from newsclean.page import PageError
from newsclean.responses import ShownResponse

if TYPE_CHECKING:
    from newsclean.items import PageItem
    from newsclean.methods import Evidence, Method
    from newsclean.page import Page


class RenderingStep:
    def __init__(self, method: Method) -> None:
        self.is_needed = method.needs_rendering

    def add(self, item: PageItem, page: Page, evidence: Evidence) -> Evidence:
        """The evidence with the rendering, for a method that needs it; without one, a drop."""
        if not self.is_needed:
            return evidence
        snapshot = item.response.snapshot if isinstance(item.response, ShownResponse) else None
        if snapshot is None:
            raise UnusablePage(item.url, "not-rendered", "no browser has shown the page")
        try:
            return replace(evidence, rendering=Rendering.of(page, snapshot))
        except PageError as error:
            raise UnusablePage(item.url, error.reason, str(error)) from None
