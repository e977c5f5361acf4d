"""Who wrote the article: people before houses, and visible names before those of a system.

Sites keep their bylines in one slot, a place in the template known by the class names around it:
the slot stays from page to page, the names change. A page that does not tell its author may so be
read with the help of its neighbors.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from newsclean.extraction.metadata.bylines import (
    Byline,
    author_names,
    first_name_first,
    is_person,
    labelled_names,
    name_beside_date,
    name_with_biography,
    names_beside,
    names_of_line,
    signed_names,
    without_title,
)
from newsclean.extraction.metadata.headline import HeadlineFields
from newsclean.extraction.metadata.page_sources import (
    AUTHORS,
    CITED_AUTHORS,
    Lines,
    PageSources,
    SiteFacts,
    type_names,
)
from newsclean.extraction.metadata.small_elements import (
    SmallElements,
    authors_by_class,
    signature_by_class,
)
from newsclean.extraction.text import comparison_key

#: Labels of an author in the cards that some sites have for their links.
_WRITTEN_BY = ("written by", "by", "author", "interview by", "escrito por", "verfasst von")
#: Such labels are numbered.
_MAX_LABELS = 4
#: Lines below the headline among which a byline is.
_MAX_LINES = 8
#: A name that at least this share of a site's pages have as their author, and at least so many, is
#: the house's if the page shows another one.
_MIN_HOUSE_SHARE = 0.8
_MIN_HOUSE_PAGES = 3
#: Names that a page contributes to its neighborhood.
_MAX_CANDIDATES = 8

#: Slots that a page contributes, and asks about.
_MAX_KNOWN_SLOTS = 2
_MAX_ASKED_SLOTS = 24
#: Neighbors that must have their author's name in a slot.
_MIN_SLOT_PAGES = 2
#: Lines in one slot; more are a list of other articles.
_MAX_SLOT_LINES = 4
#: Characters of a line that may be a byline.
_MAX_LINE = 100
#: Lines of a page that are looked at.
_MAX_PAGE_LINES = 2000

#: Cached properties that depend on the site's other pages.
_WITH_FACTS = ("names", "_on_page", "_possible_bylines")


@dataclass(frozen=True, eq=False)
class AuthorFields:
    """The authors of one page; a source is only read if those before it are not enough."""

    sources: PageSources
    small_elements: SmallElements
    headline: HeadlineFields
    facts: SiteFacts

    def with_facts(self, facts: SiteFacts) -> "AuthorFields":
        """Return the authors in the light of the neighbors; what does not change is kept."""
        other = replace(self, facts=facts)
        kept = vars(self).keys() - vars(other).keys() - {*_WITH_FACTS}
        vars(other).update({name: vars(self)[name] for name in kept})
        return other

    @cached_property
    def names(self) -> list[str]:
        """The people that the page names, else those in the slot of the site's bylines."""
        found = self._on_page
        if not self.facts.bylines or self._signed[0] or any(map(is_person, found)):
            return found
        people = self._named(_names_in_slots(self._possible_bylines, self.facts.bylines))
        return people if self._are_people(people) and not self._is_house(people) else found

    @cached_property
    def visible(self) -> list[str]:
        """The names in a visible byline, whatever the head says."""
        return self._signed[0] or self._by_class

    @cached_property
    def candidates(self) -> list[str]:
        """The names in the head and those that signed, as comparison keys."""
        return sorted(_keys([*self._in_head, *self._signed[0]]))[:_MAX_CANDIDATES]

    @property
    def asked_names(self) -> list[str]:
        """The names, as comparison keys, that the page asks its neighbors about."""
        in_slots = (name for names in self._possible_bylines.values() for name in names)
        return [*self.candidates, *sorted(_keys(in_slots) - {*self.candidates})]

    @property
    def slots(self) -> list[str]:
        """Where the page shows the names of its authors."""
        return _slots_of_names(self.sources.lines(), self._on_page)

    @property
    def asked_slots(self) -> list[str]:
        """Where the page may show its authors, if it does not tell who they are."""
        return list(self._possible_bylines)

    @cached_property
    def _on_page(self) -> list[str]:
        """The people of the first source that names any, else another who signed, else the site."""
        head = self._in_head
        people, signature = self._signed
        if self._are_people(head) and not self._is_house(head):
            people = people or names_beside(self._lines_below, head)
            return people if self._is_better(people, head) else head
        if people and not self._is_house(people):
            return people
        if self._are_people(self._labelled):
            return self._labelled
        if self._has_other(head) and not self._is_house(head):
            return head
        if self._has_other(self._presented):
            return self._presented
        by_class = self._named(self._by_class)
        if self._are_people(by_class):
            if head and _keys(head) <= _keys(by_class):
                return head  # signs most pages of the site, and visibly this one
            # A first name below the headline counts more than a name anywhere, unless it is that
            # name with a role.
            is_other = not any(
                key in comparison_key(" ".join(signature)) for key in _keys(by_class)
            )
            return signature if self._has_other(signature) and is_other else by_class
        if any(map(is_person, head)):
            return head  # the site has its author's name
        for names in self._without_people(head, by_class, signature):
            if self._has_other(names):
                return names
        named = head or signature or self._by_label or self._signed_with_own[1]
        return named or self._signature_by_class

    def _without_people(self, *found: list[str]) -> Iterator[list[str]]:
        """Yield the names of sources that may give a person or a house; each costs more."""
        yield self._beside_date
        yield from found
        yield self._by_label
        yield self._signature_by_class

    @cached_property
    def _in_head(self) -> list[str]:
        """The names of the first source in the head that names more than the site itself."""
        fallback: list[str] = []
        for bylines in self._head_bylines():
            found = author_names(bylines, self.sources.own_names)
            if self._has_other(found):
                return found
            fallback = fallback or found
        return fallback

    def _head_bylines(self) -> Iterator[list[Byline]]:
        data, meta = self.sources.data, self.sources.meta
        for key in ("author", "creator"):
            yield [
                Byline(text, organisation="Organization" in "".join(kinds))
                for value in data.values(data.article.get(key))
                for kinds in [type_names(value) if isinstance(value, dict) else []]
                for text in data.strings(value, "name", "alternateName")
            ]
        yield [
            Byline(first_name_first(name))
            for text in meta.each(*CITED_AUTHORS)
            for name in text.split(";")
        ]
        for contents in meta.groups(*AUTHORS):
            yield [Byline(text) for text in contents]

    @cached_property
    def _by_label(self) -> list[str]:
        """The author in a card for links: `twitter:label1`, `twitter:data1`."""
        meta = self.sources.meta
        for number in range(1, _MAX_LABELS + 1):
            label = next(meta.each(f"twitter:label{number}"), "").strip().lower().rstrip(":")
            if label in _WRITTEN_BY:
                return self._named(meta.each(f"twitter:data{number}"))
        return []

    @cached_property
    def _signed(self) -> tuple[list[str], list[str]]:
        """The people who signed and, if there are none, who else signed except for the site."""
        people, others = self._signed_with_own
        own = self._own_keys
        others = [name for name in others if not any(key in comparison_key(name) for key in own)]
        return self._named(people), others

    @cached_property
    def _signed_with_own(self) -> tuple[list[str], list[str]]:
        return signed_names(self._lines_below)

    @property
    def _lines_below(self) -> tuple[str, ...]:
        return self.headline.area.below[:_MAX_LINES]

    @cached_property
    def _labelled(self) -> list[str]:
        return self._named(labelled_names(self.sources.lines().text))

    @cached_property
    def _presented(self) -> list[str]:
        return name_with_biography(self.sources.lines().text, self._lines_below)

    @cached_property
    def _beside_date(self) -> list[str]:
        return name_beside_date(self._lines_below)

    @cached_property
    def _by_class(self) -> list[str]:
        return authors_by_class(self.small_elements)

    @cached_property
    def _signature_by_class(self) -> list[str]:
        return signature_by_class(self.small_elements)

    @cached_property
    def _possible_bylines(self) -> dict[str, list[str]]:
        if self._signed[0] or any(map(is_person, self._on_page)):
            return {}
        return _possible_bylines(self.sources.lines())

    def _named(self, texts: Iterable[str]) -> list[str]:
        return author_names(map(Byline, texts), self.sources.own_names)

    def _is_better(self, people: Sequence[str], head: Sequence[str]) -> bool:
        """Whether more people signed than the head names, or others whom the page does not show."""
        if not people:
            return False
        signed, named = _keys(map(without_title, people)), _keys(map(without_title, head))
        if signed > named:
            return all(map(is_person, people))
        if any(name in key or key in name for name in named for key in signed):
            return False
        visible = comparison_key(" ".join(self.headline.area))
        return not any(name in visible for name in named)

    def _has_other(self, names: Iterable[str]) -> bool:
        """Whether there is a name other than the site's."""
        return bool(_keys(names) - self._own_keys)

    @cached_property
    def _own_keys(self) -> set[str]:
        return _keys(self.sources.own_names)

    def _are_people(self, names: Sequence[str]) -> bool:
        return any(map(is_person, names)) and self._has_other(names)

    def _is_house(self, names: Iterable[str]) -> bool:
        """Whether the site's other pages have the same names, which are not one author's then."""
        facts = self.facts
        if facts.pages < _MIN_HOUSE_PAGES:
            return False
        enough = _MIN_HOUSE_SHARE * facts.pages
        return all(facts.authors.get(key, 0) >= enough for key in _keys(names))


def _slots_of_names(lines: Lines, names: Iterable[str]) -> list[str]:
    """Return the first slots in which a page shows its authors."""
    wanted = {comparison_key(name): name.casefold() for name in names if is_person(name)}
    slots: dict[str, None] = {}
    for n, line in enumerate(islice(lines.text, _MAX_PAGE_LINES) if wanted else ()):
        if len(line) > _MAX_LINE:
            continue
        folded = line.casefold()
        if not any(name in folded for name in wanted.values()):
            continue
        if wanted.keys() & map(comparison_key, names_of_line(line)):
            slots |= dict.fromkeys(lines.slots(n))
            if len(slots) >= _MAX_KNOWN_SLOTS:
                break
    return list(slots)[:_MAX_KNOWN_SLOTS]


def _possible_bylines(lines: Lines) -> dict[str, list[str]]:
    """Return the names in the slots of a page that may be its byline's; lists are left out."""
    by_slot: dict[str, list[str]] = {}
    for n, line in enumerate(islice(lines.text, _MAX_PAGE_LINES)):
        if len(line) <= _MAX_LINE and not line[:1].islower():
            for slot in lines.slots(n):
                by_slot.setdefault(slot, []).append(line)
    return dict(islice(_with_names(by_slot), _MAX_ASKED_SLOTS))


def _with_names(lines: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    for slot, texts in lines.items():
        if len(texts) <= _MAX_SLOT_LINES:
            names = dict.fromkeys(name for text in texts for name in names_of_line(text))
            if names:
                yield slot, list(names)


def _names_in_slots(bylines: Mapping[str, list[str]], pages: Mapping[str, int]) -> list[str]:
    """Return the names in the slot in which most neighbors have their author, if enough do.

    >>> _names_in_slots({"a.link": ["Ann Lee"], "p.by": ["Bob Ray"]}, {"a.link": 1, "p.by": 3})
    ['Bob Ray']
    """
    most = max(bylines, key=lambda slot: pages.get(slot, 0), default="")
    return bylines[most] if pages.get(most, 0) >= _MIN_SLOT_PAGES else []


def _keys(names: Iterable[str]) -> set[str]:
    return {comparison_key(name) for name in names} - {""}
