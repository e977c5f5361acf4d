"""Headline, kicker and lead of an article."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from lxml.html import HtmlElement

from newsclean.metadata import vocabularies
from newsclean.metadata.headline import MAX_HEADLINE, choose_headline, front_page_names
from newsclean.metadata.headline_area import HeadlineArea, Lines, headline_area
from newsclean.metadata.headline_parts import (
    MAX_KICKER,
    MAX_LEAD,
    kicker_above,
    shown_lead,
    split_heading,
    without_kicker,
)
from newsclean.metadata.linked_data import LinkedData
from newsclean.metadata.meta_tags import MetaTags
from newsclean.metadata.text import comparison_key, single_line

MAX_ELEMENTS = 50  # of h1; more is a listing
MAX_DESCRIPTIONS = 5

Elements = Callable[[str], Sequence[HtmlElement]]


@dataclass(frozen=True, eq=False)
class HeadlineFields:
    """What one page calls its article, and what it prints with that."""

    elements: Elements
    meta: MetaTags
    data: LinkedData
    #: what the site calls itself
    own_names: Sequence[str]
    #: the address against which links are resolved
    base: str | None
    lines: Callable[[], Lines]

    @property
    def headline(self) -> str | None:
        return self._parts[1]

    def area(self) -> HeadlineArea:
        """The lines beside the headline, read when they are first asked for."""
        return self._area

    @cached_property
    def _area(self) -> HeadlineArea:
        return headline_area(self.lines(), self.headline)

    @cached_property
    def kicker(self) -> str | None:
        glued = single_line(self._parts[0], MAX_KICKER)
        above = kicker_above(self._headings) if self.headline else iter(())
        kicker = glued or next((single_line(text, MAX_KICKER) for text in above), "")
        if not kicker:
            return None
        others = {comparison_key(name) for name in (*self.own_names, self.headline or "")}
        return None if comparison_key(kicker) in others else kicker

    @cached_property
    def lead(self) -> str | None:
        described = [*self.data.strings(self.data.article.get("description"))]
        described += self.meta.each(*vocabularies.DESCRIPTION)
        descriptions = described[:MAX_DESCRIPTIONS]
        found = shown_lead(self.lines(), self.headline, descriptions, self._headings)
        return single_line(found, MAX_LEAD) or None

    @cached_property
    def _headings(self) -> list[HtmlElement]:
        return list(islice(self.elements("h1"), MAX_ELEMENTS))

    @cached_property
    def _parts(self) -> tuple[str, str | None]:
        """Kicker and headline."""
        article, meta = self.data.article, self.meta
        first, *others = vocabularies.HEADLINE
        named = [*self.data.strings(article.get("headline")), *meta.each(first)]
        named += [*self.data.strings(article.get("name")), *meta.each(*others)]
        parts = [split_heading(heading) for heading in self._headings]
        title = next(("".join(element.itertext()) for element in self.elements("title")), "")
        sites = [*self.own_names, *front_page_names(self.elements("a"), self.base)]
        chosen = choose_headline(named, [rest for _, rest in parts], title, sites)
        if chosen is None:
            return "", single_line(title, MAX_HEADLINE) or None  # if only the site's name
        kickers = {single_line(rest, MAX_HEADLINE): kicker for kicker, rest in parts if kicker}
        if chosen in kickers:
            return kickers[chosen], chosen
        return without_kicker(chosen, [*named, title])
