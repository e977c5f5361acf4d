"""A neighborhood that learns pages, with the keys of a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.methods import DEFAULT_METHOD, Evidence, Method, method_named
from newsclean.neighborhood import WINDOW, KeyWindow
from newsclean.page import Page

if TYPE_CHECKING:
    from pathlib import Path

    from newsclean.methods import Model
    from newsclean.neighborhood import PageKeys


class Neighborhood(KeyWindow):
    """Learns pages of one site and category, and reports on how many of them a text appears.

    >>> hood = Neighborhood()
    >>> for town in "Bergen", "Oslo", "Tromsø":
    ...     hood.learn(f"<p>Contact us</p><p>It rains in {town} today, as it did yesterday")
    >>> support = hood.evidence_on(Page.from_html("<p>Contact us</p><p>Snow at last")).neighbors
    >>> support.count, support.texts.tolist()
    (3, [3, 0])
    """

    def __init__(
        self,
        method: str | Method = DEFAULT_METHOD,
        *,
        model: Model | str | Path | None = None,
        window: int = WINDOW,
    ) -> None:
        super().__init__(window)
        self.method = method_of(method, model)

    def learn(self, page: Page | str | bytes, url: str | None = None) -> None:
        """Count a page; a page under a known URL takes the place of the earlier one.

        The pages of a template that is gone are forgotten.
        """
        if not isinstance(page, Page):
            page = Page.from_html(page, url)
        keys = self.method.keys(page, self.method.score_blocks(page))
        self.learn_keys(url or page.url or keys.fingerprint, keys)

    def learn_keys(self, name: str, keys: PageKeys) -> None:
        """Count a page by its keys, which another process may have made: as `learn` counts it.

        `PageKeys.of_remembered` makes them of what was stored. `restore` is for a neighborhood that
        was learned before: it takes its pages as they are, and does not ask for ended templates.
        """
        self.add(name, keys)
        for ended in self.ended_template():
            self.remove(ended)

    def evidence_on(
        self, page: Page, url: str | None = None, *, method: Method | None = None
    ) -> Evidence:
        """What a method's network and the neighbors say of a page.

        The page itself and its copies are not among the neighbors. The method is the one that
        they were learned with, or another one with the same keys.
        """
        method = method or self.method
        scores = method.score_blocks(page)
        keys = method.keys(page, scores)
        return Evidence(scores, self.support_for(keys, url or page.url or keys.fingerprint))


def method_of(method: str | Method, model: Model | str | Path | None = None) -> Method:
    """A method by its name and model, or one that is ready, which has its model already."""
    if isinstance(method, str):
        return method_named(method, model)
    if model is not None:
        raise ValueError(f"{method.name!r} is a method that has its model: name the method instead")
    return method
