"""Who wrote the article, as the page states it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from newsclean.extraction.metadata.headline import HeadlineArea, Lines
from newsclean.extraction.metadata.site_facts import SiteFacts
from newsclean.extraction.metadata.structured_data import (
    AUTHORS,
    CITED_AUTHORS,
    LinkedData,
    MetaTags,
    type_names,
)
from newsclean.extraction.metadata.visible_lines import (
    SmallElements,
    shown_authors,
    shown_signature,
)
from newsclean.text import comparison_key

# Where a site has its bylines: the place stays from page to page, the names change.
#
# A slot is the place of a line in the site's template, by the classes of the elements that hold it.

#: Slots of one page that are remembered, and asked for.
_MAX_KNOWN = 2
_MAX_ASKED = 24
#: Neighbors that had their author's name in a slot.
_MIN_PAGES = 2
#: Characters of a line that may be a byline.
_MAX_LINE = 100
#: Lines in one slot; more are a list of other articles.
_MAX_SLOT_LINES = 4
#: Lines of a page that are looked at.
_MAX_SHOWN = 2000


def _slots_of_names(shown: Lines, names: Iterable[str]) -> list[str]:
    """The slots in which a page shows its authors, the first ones."""
    wanted = {comparison_key(name): name.casefold() for name in names if is_person(name)}
    slots: dict[str, None] = {}
    for n, line in enumerate(islice(shown.text, _MAX_SHOWN) if wanted else ()):
        if len(line) > _MAX_LINE or not _has_any(line.casefold(), wanted.values()):
            continue
        if wanted.keys() & map(comparison_key, names_of_line(line)):
            slots |= dict.fromkeys(shown.slots(n))
            if len(slots) >= _MAX_KNOWN:
                break
    return list(slots)[:_MAX_KNOWN]


def possible_bylines(shown: Lines) -> dict[str, list[str]]:
    """The names in the slots of a page that may be its byline's; lists have none."""
    lines: dict[str, list[str]] = {}
    for n, line in enumerate(islice(shown.text, _MAX_SHOWN)):
        if len(line) <= _MAX_LINE and not line[:1].islower():
            for slot in shown.slots(n):
                lines.setdefault(slot, []).append(line)
    return dict(islice(_with_names(lines), _MAX_ASKED))


def _names_in_slots(bylines: Mapping[str, list[str]], pages: Mapping[str, int]) -> list[str]:
    """The names in the slot that most neighbors have their author's in, if enough have one.

    >>> _names_in_slots({"a.link": ["Ann Lee"], "p.by": ["Bob Ray"]}, {"a.link": 1, "p.by": 3})
    ['Bob Ray']
    """
    most = max(bylines, key=lambda slot: pages.get(slot, 0), default="")
    return bylines[most] if pages.get(most, 0) >= _MIN_PAGES else []


def _with_names(lines: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    for slot, texts in lines.items():
        if len(texts) <= _MAX_SLOT_LINES:
            names = dict.fromkeys(name for text in texts for name in names_of_line(text))
            if names:
                yield slot, list(names)


def _has_any(text: str, parts: Iterable[str]) -> bool:
    return any(part in text for part in parts)


# Who wrote an article: people before houses, and what readers see before what a system says.

#: A name that is the author's on this share of a site's pages, at least of so many, is the house's
#: where a page shows another one.
_MIN_HOUSE_SHARE = 0.8
_MIN_HOUSE_PAGES = 3
#: Names of a page by which its neighbors know it.
_MAX_CANDIDATES = 8
#: Lines below the headline among which a byline is.
_MAX_LINES = 8
#: Labels of the cards that some sites have for their links ("Written by"), and their numbers.
_MAX_LABELS = 4
#: What depends on the site's other pages.
_WITH_FACTS = ("names", "_on_page", "_possible_bylines")
_WRITTEN_BY = ("written by", "by", "author", "interview by", "escrito por", "verfasst von")


@dataclass(frozen=True, eq=False)
class AuthorFields:
    """The authors of one page; each source is asked when those before it are not enough."""

    elements: SmallElements
    meta: MetaTags
    data: LinkedData
    #: what the site calls itself
    own_names: Sequence[str]
    lines: Callable[[], Lines]
    area: Callable[[], HeadlineArea]
    facts: SiteFacts

    def with_facts(self, facts: SiteFacts) -> "AuthorFields":
        """The same names with what neighbors tell; what that does not change is not read again."""
        other = replace(self, facts=facts)
        read = {name: value for name, value in vars(self).items() if name not in vars(other)}
        vars(other).update({name: read[name] for name in read if name not in _WITH_FACTS})
        return other

    @cached_property
    def names(self) -> list[str]:
        """The people that the page names; else those in the slot of the site's bylines."""
        found = self._on_page
        if not self.facts.bylines or self._signed[0] or any(map(is_person, found)):
            return found
        in_slot = _names_in_slots(self._possible_bylines, self.facts.bylines)
        people = author_names(map(Byline, in_slot), self.own_names)
        return people if self._are_people(people) and not self._is_house(people) else found

    @cached_property
    def _on_page(self) -> list[str]:
        """The people of the first source that names any; else another who signed; else the site."""
        head = self._in_head
        people, signature = self._signed
        if self._are_people(head) and not self._is_house(head):
            people = people or names_beside(self.area().below[:_MAX_LINES], head)
            return people if self._is_better(people, head) else head
        if people and not self._is_house(people):
            return people
        labelled = author_names(map(Byline, self._labelled), self.own_names)
        if self._are_people(labelled):
            return labelled
        if self._has_other(head) and not self._is_house(head):
            return head
        if self._has_other(self._presented):
            return self._presented
        by_class = author_names(map(Byline, self.by_class), self.own_names)
        if self._are_people(by_class):
            if head and _keys(head) <= _keys(by_class):
                return head  # who signs most pages of a site, and is shown to have signed this one
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
        named = head or signature or self._by_label or self._own_signature
        return named or self._signature_by_class

    @cached_property
    def candidates(self) -> list[str]:
        """The names that the head gives and those that signed, as comparison keys."""
        return sorted(_keys([*self._in_head, *self._signed[0]]))[:_MAX_CANDIDATES]

    @property
    def asked_names(self) -> list[str]:
        """The names, as comparison keys, that the page asks its neighbors for."""
        in_slots = (name for names in self._possible_bylines.values() for name in names)
        return [*self.candidates, *sorted(_keys(in_slots) - {*self.candidates})]

    @property
    def slots(self) -> list[str]:
        """Where the page shows the names of its authors."""
        return _slots_of_names(self.lines(), self._on_page)

    @property
    def asked_slots(self) -> list[str]:
        """Where the page may show them, if it does not say who they are."""
        return list(self._possible_bylines)

    @cached_property
    def _possible_bylines(self) -> dict[str, list[str]]:
        if self._signed[0] or any(map(is_person, self._on_page)):
            return {}
        return possible_bylines(self.lines())

    def _without_people(self, *found: list[str]) -> Iterator[list[str]]:
        """Sources that name somebody who may be a person, or a house; each costs more."""
        yield self._beside_date
        yield from found
        yield self._by_label
        yield self._signature_by_class

    @cached_property
    def shown(self) -> list[str]:
        """The names that the page itself shows in a byline, whatever its head says."""
        return self._signed[0] or self.by_class

    @cached_property
    def by_class(self) -> list[str]:
        return shown_authors(self.elements)

    @cached_property
    def _signature_by_class(self) -> list[str]:
        return shown_signature(self.elements)

    @cached_property
    def _signed(self) -> tuple[list[str], list[str]]:
        people, others = self._signed_with_own
        own = self._own_keys
        others = [name for name in others if not any(key in comparison_key(name) for key in own)]
        return author_names(map(Byline, people), self.own_names), others

    @cached_property
    def _signed_with_own(self) -> tuple[list[str], list[str]]:
        return signed_names(self.area().below[:_MAX_LINES])

    @property
    def _own_signature(self) -> list[str]:
        """The site itself, where it has signed."""
        return self._signed_with_own[1]

    @cached_property
    def _labelled(self) -> list[str]:
        return labelled_names(self.lines().text)

    @cached_property
    def _beside_date(self) -> list[str]:
        return name_beside_date(self.area().below[:_MAX_LINES])

    @cached_property
    def _presented(self) -> list[str]:
        return name_with_biography(self.lines().text, self.area().below[:_MAX_LINES])

    @cached_property
    def _in_head(self) -> list[str]:
        """The names of the first source in the head that names more than the site itself."""
        fallback: list[str] = []
        for bylines in self._head_bylines():
            found = author_names(bylines, self.own_names)
            if self._has_other(found):
                return found
            fallback = fallback or found
        return fallback

    def _head_bylines(self) -> Iterator[list[Byline]]:
        for key in ("author", "creator"):
            yield [
                Byline(text, organisation="Organization" in "".join(kinds))
                for value in self.data.values(self.data.article.get(key))
                for kinds in [type_names(value) if isinstance(value, dict) else []]
                for text in self.data.strings(value, "name", "alternateName")
            ]
        yield [
            Byline(first_name_first(name))
            for text in self.meta.each(*CITED_AUTHORS)
            for name in text.split(";")
        ]
        for contents in self.meta.groups(*AUTHORS):
            yield [Byline(text) for text in contents]

    @cached_property
    def _by_label(self) -> list[str]:
        """What a card for links calls the author: `twitter:label1`, `twitter:data1`."""
        for number in range(1, _MAX_LABELS + 1):
            label = next(self.meta.each(f"twitter:label{number}"), "").strip().lower().rstrip(":")
            if label in _WRITTEN_BY:
                values = [Byline(text) for text in self.meta.each(f"twitter:data{number}")]
                return author_names(values, self.own_names)
        return []

    def _is_better(self, people: Sequence[str], head: Sequence[str]) -> bool:
        """Whether those who signed are more than those in the head, or others who are not shown."""
        if not people:
            return False
        signed, named = _keys(map(without_title, people)), _keys(map(without_title, head))
        if signed > named:
            return all(map(is_person, people))
        if any(name in key or key in name for name in named for key in signed):
            return False
        visible = comparison_key(" ".join(self.area()))
        return not any(name in visible for name in named)

    def _has_other(self, names: Iterable[str]) -> bool:
        """Whether there is a name that is not the site's."""
        return bool(_keys(names) - self._own_keys)

    @cached_property
    def _own_keys(self) -> set[str]:
        return _keys(self.own_names)

    def _are_people(self, names: Sequence[str]) -> bool:
        return bool(names) and any(map(is_person, names)) and self._has_other(names)

    def _is_house(self, names: Iterable[str]) -> bool:
        """Whether the site's other pages have the same names, so that they are not one author's."""
        facts = self.facts
        if facts.pages < _MIN_HOUSE_PAGES:
            return False
        enough = _MIN_HOUSE_SHARE * facts.pages
        return all(facts.authors.get(key, 0) >= enough for key in _keys(names))


def _keys(names: Iterable[str]) -> set[str]:
    return {comparison_key(name) for name in names} - {""}
