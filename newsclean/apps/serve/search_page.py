"""The search page, and the clean articles it links to.

Plain HTML without scripts. The content of the index is not trusted: texts are escaped, bodies are
sanitized again, and nothing is loaded from other hosts, not even pictures.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from newsclean.apps.reader.article_body import language_tag, moment
from newsclean.apps.reader.article_pages import NO_HEADLINE, read_article, text
from newsclean.apps.search import (
    IndexTargetError,
    QueryError,
    SearchRequest,
    TargetDownError,
)
from newsclean.apps.serve.access import FORM_POLICY, render
from newsclean.apps.serve.answers import NoIndexError, open_index, sentence, status_of
from newsclean.apps.serve.site_library import NoPageError
from newsclean.extraction.text import visible_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request

    from newsclean.apps.reader.article_body import Moment
    from newsclean.apps.search import AlsoOn, Hit, SearchResults


SEARCH = "/search"
ARTICLE = "/article"

#: Results per page.
_PAGE_SIZE = 10
_MAX_PAGE = 10_000
#: Sites or sections in a drop-down list; if there are more, a text field takes its place.
_MAX_CHOICES = 300
#: Near copies listed with a result.
_MAX_COPIES = 5

_FORM_HEADERS = {"Content-Security-Policy": FORM_POLICY}


class FormError(ValueError):
    """A form field with an invalid value."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class SearchForm:
    """The fields of the search form as they were sent; any may be empty."""

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
        """Whether there is neither a query nor a filter: all articles are listed."""
        return self == SearchForm(page=self.page, newest=self.newest)

    @property
    def has_filters(self) -> bool:
        return bool(self.site or self.section or self.since or self.until)

    @property
    def page_number(self) -> int:
        """The number of the page, starting at 1."""
        if not self.page:
            return 1
        number = int(self.page) if self.page.isdecimal() and len(self.page) < 10 else 0
        if not 1 <= number <= _MAX_PAGE:
            raise FormError("page", f"The page must be a number from 1 to {_MAX_PAGE:,}.")
        return number

    def request(self) -> SearchRequest:
        """Return the search request; raise `FormError`."""
        since, until = _day("since", self.since), _day("until", self.until)
        if since and until and since > until:
            raise FormError("until", "The last day is before the first one.")
        return SearchRequest(
            self.q,
            (self.site,) if self.site else (),
            (self.section,) if self.section else (),
            since,
            # The last day is included.
            until + timedelta(days=1) if until else None,
            bool(self.newest),
            _PAGE_SIZE,
            (self.page_number - 1) * _PAGE_SIZE,
        )

    def path(self) -> str:
        """Return the URL path of this search."""
        values = self._values()
        return f"{SEARCH}?{urlencode(values)}" if values else SEARCH

    def path_of_page(self, number: int) -> str:
        return replace(self, page=str(number) if number > 1 else "").path()

    def path_without_filters(self) -> str:
        return SearchForm(q=self.q, newest=self.newest).path()

    def path_of_article(self, article_id: str) -> str:
        """Return the URL path of an article, with this search for the link back."""
        return f"{ARTICLE}?{urlencode({'id': article_id} | self._values(), errors='replace')}"

    def _values(self) -> dict[str, str]:
        named = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: value for name, value in named.items() if value}


def _day(field: str, value: str) -> datetime | None:
    """Return the start of a day in UTC, which articles without a time zone are assumed to use."""
    if not value:
        return None
    try:
        day = date.fromisoformat(value)
        if not 1 < day.year < 9999:
            raise ValueError
    except ValueError:
        name = {"since": "first", "until": "last"}[field]
        raise FormError(field, f"The {name} day must be a date such as 2026-03-14.") from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


@dataclass(frozen=True)
class CopyView:
    """A near copy of a result."""

    name: str
    path: str


@dataclass(frozen=True)
class HitView:
    """The values of a result for the template."""

    headline: str
    path: str
    site: str
    section: str
    date: Moment | None
    language: str
    snippet: list[tuple[str, bool]]
    copies: list[CopyView]
    more_copies: int


def show_search(request: Request) -> Response:
    """Show the search form and, if the query is valid, the results."""
    form = SearchForm.of(request.query_params)
    shown: dict[str, Any] = {"form": form, "results": None, "problem": "", "wrong": ""}
    shown |= {"sites": [], "sections": [], "is_missing": False}
    status = 200
    try:
        with closing(open_index(request.app.state.index)) as index:
            shown |= {"sites": index.sites(), "sections": index.sections()}
            results = index.search(form.request())
            shown["results"] = _results_view(form, results)
    except NoIndexError:
        shown["is_missing"] = True
    except (FormError, QueryError) as error:
        status = 400
        shown["wrong"] = error.field if isinstance(error, FormError) else "q"
        shown["problem"] = sentence(str(error))
    except (TargetDownError, IndexTargetError) as error:
        status, shown["problem"] = status_of(error), sentence(str(error))
    page = render("search.html", **shown, max_choices=_MAX_CHOICES)
    return HTMLResponse(page, status, headers=_FORM_HEADERS)


def show_article(request: Request) -> Response:
    """Show a clean article from the index."""
    form = SearchForm.of(request.query_params)
    try:
        with closing(open_index(request.app.state.index)) as index:
            line = index.article(request.query_params.get("id", ""))
    except NoIndexError:
        line = None
    except (TargetDownError, IndexTargetError) as error:
        message = sentence(str(error))
        return HTMLResponse(render("problem.html", message=message), status_of(error))
    if line is None:
        raise NoPageError("This article is not in the index.")
    article = read_article(line, images=False)
    return HTMLResponse(
        render("article.html", article=article, body=Markup(article.body.html), form=form)
    )


def _results_view(form: SearchForm, results: SearchResults) -> dict[str, Any]:
    number = form.page_number
    first = (number - 1) * _PAGE_SIZE + 1
    last = first + len(results.hits) - 1
    pages = -(-results.total // _PAGE_SIZE)
    return {
        "total": results.total,
        "first": first,
        "last": last,
        "hits": [_hit_view(form, hit) for hit in results.hits],
        "earlier": form.path_of_page(min(number - 1, pages)) if number > 1 and pages else None,
        "later": form.path_of_page(number + 1) if number < pages else None,
        "number": number,
        "pages": pages,
    }


def _hit_view(form: SearchForm, hit: Hit) -> HitView:
    copies = _copy_views(form, hit.also_on)
    return HitView(
        headline=text(hit.headline) or NO_HEADLINE,
        path=form.path_of_article(hit.id),
        site=text(hit.site),
        section=text(hit.section),
        date=moment(hit.date),
        language=language_tag(hit.language),
        snippet=[(visible_text(part), is_marked) for part, is_marked in hit.snippet.parts()],
        copies=copies,
        more_copies=hit.copies - len(copies),
    )


def _copy_views(form: SearchForm, copies: Sequence[AlsoOn]) -> list[CopyView]:
    """Return the first near copies, one per site."""
    found: dict[str, CopyView] = {}
    for copy in copies:
        name = text(copy.site) or text(copy.headline) or NO_HEADLINE
        found.setdefault(name, CopyView(name, form.path_of_article(copy.id)))
    return list(found.values())[:_MAX_COPIES]
