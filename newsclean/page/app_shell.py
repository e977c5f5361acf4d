"""Pages that show hardly any text until their scripts have run: application shells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from lxml import etree

    from newsclean.page.columns import Page

#: A page that shows less than this is empty. Sizes are bytes of UTF-8: a Chinese character says
#: about as much as three letters.
HARDLY_ANY = 200
#: A page on which an element waits for its scripts may show this much, of its frame …
FRAME = 1_000
#: … and this much in its menus and footers: a tag alone does not say what a long text is.
AROUND = 3_000
#: A link with a shorter text is an entry of a menu, not a headline.
HEADLINE = 20

MENUS = frozenset({"nav", "footer"})
#: Ids of the element that frameworks fill.
ROOTS = frozenset(
    "root app main-app app-root react-root __next __nuxt ___gatsby svelte q-app ember-app".split()
)
#: What may be in an element that still waits for its content.
WAITING = frozenset({"script", "style", "noscript", "template", "svg", "link"})
#: Types of a script that is run.
RUN_TYPES = frozenset({"", "module", "text/javascript", "application/javascript"})


class ShownText(NamedTuple):
    """How much text a page shows to those who run no scripts."""

    #: as content: headlines that are links, too, but no menus
    content: int = 0
    #: in menus and footers, without their links
    around: int = 0
    #: in `<noscript>`: a notice, or all that the page has to say
    instead: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether the page is surely not a shell."""
        return self.content >= FRAME or self.around >= AROUND or self.instead >= FRAME


def is_app_shell(page: Page) -> bool:
    """Whether the content of a page is yet to be made by its scripts.

    It has scripts, and shows fewer than `HARDLY_ANY` bytes of content; or fewer than `FRAME` if an
    element waits to be filled, or if the page asks for JavaScript. A list of headlines is content;
    so is a long text in JSON-LD or in the state of its scripts (`page/stated.py`).

    >>> from newsclean.page import Page
    >>> is_app_shell(Page.from_html("<div id=root></div><script src=/app.js></script>"))
    True
    >>> is_app_shell(Page.from_html("<div id=root></div>"))
    False
    """
    if page.text_source:  # read from the page's data already: no browser is needed for it
        return False
    shown = shown_text(page)
    if shown.is_enough or not any(map(_is_run, page.elements("script"))):
        return False
    return shown.content < HARDLY_ANY or _has_waiting_element(page) or _asks_for_scripts(page)


def shown_text(page: Page) -> ShownText:
    """How much a page shows."""
    noscript = page.below(page.rows(frozenset({"noscript"})))
    menus = page.below(page.rows(MENUS)) & ~noscript
    sizes = np.zeros(len(page), dtype=np.int64)
    sizes[page.text_rows] = [
        len(text.strip().encode("utf-8", "replace")) for text in page.text.values()
    ]
    # Of a link, all texts together: a headline may be made of several.
    of_link = np.bincount(page.link[page.in_link], sizes[page.in_link], minlength=len(page))
    is_label = page.in_link & (of_link[page.link] < HEADLINE)
    return ShownText(
        content=int(sizes[~noscript & ~menus & ~is_label].sum()),
        around=int(sizes[menus & ~page.in_link].sum()),
        instead=int(sizes[noscript].sum()),
    )


def _is_run(script: etree._Element) -> bool:
    return (script.get("type") or "").strip().lower() in RUN_TYPES


def _has_waiting_element(page: Page) -> bool:
    """Whether there is an element for a framework to fill, and nothing in it."""
    other = ~page.tagged(WAITING)  # texts among them
    is_empty = page.subtree(other) - other == 0
    elements = (page.element[row] for row in np.flatnonzero(is_empty).tolist())
    return any(element is not None and _is_root(element) for element in elements)


def _is_root(element: etree._Element) -> bool:
    """Whether a framework would fill it: by its id, or as the page's own kind of element."""
    if (element.get("id") or "").lower() in ROOTS:
        return True
    parent = element.getparent()
    return "-" in element.tag and parent is not None and parent.tag == "body"


def _asks_for_scripts(page: Page) -> bool:
    """Whether it tells those who run no scripts that they should."""
    noscript = page.below(page.rows(frozenset({"noscript"})))
    return any("javascript" in text.lower() for row, text in page.text.items() if noscript[row])
