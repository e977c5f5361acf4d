"""What a person has asked the search page for: the fields of its form, from and to an address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from newsclean.apps.search import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

SEARCH = "/search"
ARTICLE = "/article"

#: Results of a page.
PAGE_SIZE = 10
#: A page after this one is nobody's wish.
_MAX_PAGE = 10_000


class FormError(ValueError):
    """A field that makes no sense, with what it takes."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class SearchForm:
    """The fields as they were sent: texts, of which any may be empty."""

    q: str = ""
    site: str = ""
    section: str = ""
    since: str = ""
    until: str = ""
    newest: str = ""
    page: str = ""

    @classmethod
    def of(cls, values: Mapping[str, str]) -> SearchForm:
        """
        >>> SearchForm.of({"q": " rain ", "page": "2", "other": "x"}).path()
        '/search?q=rain&page=2'
        """
        return cls(**{name: values.get(name, "").strip() for name in cls.__dataclass_fields__})

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked for: then all articles are listed."""
        return self == SearchForm(page=self.page, newest=self.newest)

    @property
    def has_filters(self) -> bool:
        return bool(self.site or self.section or self.since or self.until)

    @property
    def page_number(self) -> int:
        """The number of the page, from 1."""
        if not self.page:
            return 1
        number = int(self.page) if self.page.isdecimal() and len(self.page) < 10 else 0
        if not 1 <= number <= _MAX_PAGE:
            raise FormError("page", f"The page is to be a number from 1 to {_MAX_PAGE:,}.")
        return number

    def request(self) -> SearchRequest:
        """The search; raises `FormError`."""
        since, until = _day("since", self.since), _day("until", self.until)
        if since and until and since > until:
            raise FormError("until", "The last day is before the first one.")
        return SearchRequest(
            self.q,
            (self.site,) if self.site else (),
            (self.section,) if self.section else (),
            since,
            # The last day belongs to what is wanted.
            until + timedelta(days=1) if until else None,
            bool(self.newest),
            PAGE_SIZE,
            (self.page_number - 1) * PAGE_SIZE,
        )

    def path(self) -> str:
        """The address of this search."""
        values = self._values()
        return f"{SEARCH}?{urlencode(values)}" if values else SEARCH

    def path_of_page(self, number: int) -> str:
        return replace(self, page=str(number) if number > 1 else "").path()

    def path_without_filters(self) -> str:
        return SearchForm(q=self.q, newest=self.newest).path()

    def path_of_article(self, article_id: str) -> str:
        """The address of an article, from which a link leads back to this search."""
        return f"{ARTICLE}?{urlencode({'id': article_id} | self._values(), errors='replace')}"

    def _values(self) -> dict[str, str]:
        named = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: value for name, value in named.items() if value}


def _day(field: str, value: str) -> datetime | None:
    """The begin of a day, in UTC, as articles without a zone count."""
    if not value:
        return None
    try:
        day = date.fromisoformat(value)
        if not 1 < day.year < 9999:
            raise ValueError
    except ValueError:
        name = {"since": "first", "until": "last"}[field]
        raise FormError(field, f"The {name} day is to be a date as 2026-03-14.") from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
