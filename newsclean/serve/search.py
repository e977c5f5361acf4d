"""The search page, and the clean articles to which it leads.

All of it is plain HTML: a form, links, no script. What the index holds may be anybody's: texts are
escaped, bodies sanitised again, and nothing is asked for outside, pictures included.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from newsclean.apps.search import IndexTargetError, QueryError, TargetDownError, open_search
from newsclean.reader.article import NO_HEADLINE, read_article, text
from newsclean.reader.dates import moment
from newsclean.reader.writing import language_tag
from newsclean.serve.access import FORM_POLICY
from newsclean.serve.kept import NoPageError
from newsclean.serve.search_form import PAGE_SIZE, FormError, SearchForm
from newsclean.serve.templating import render
from newsclean.text import visible_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

    from newsclean.apps.search import AlsoOn, Hit, SearchIndex, SearchResults
    from newsclean.reader.dates import Moment

#: Sites or sections among which one chooses; if there are more, one writes.
_MAX_CHOICES = 300
#: Near copies that are named with a result.
_MAX_COPIES = 5

_FORM_HEADERS = {"Content-Security-Policy": FORM_POLICY}


class NoIndexError(Exception):
    """There is no index yet."""


@dataclass(frozen=True)
class CopyView:
    """A near copy of a result."""

    name: str
    path: str


@dataclass(frozen=True)
class HitView:
    """A result as it is shown: texts on one line, to be escaped."""

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
    """The form and, if something was asked for and understood, what was found."""
    form = SearchForm.of(request.query_params)
    shown: dict[str, Any] = {"form": form, "results": None, "problem": "", "wrong": ""}
    shown |= {"sites": [], "sections": [], "is_missing": False}
    status = 200
    try:
        with closing(_opened(request)) as index:
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
        status, shown["problem"] = _status_of(error), sentence(str(error))
    page = render("search.html", **shown, max_choices=_MAX_CHOICES)
    return HTMLResponse(page, status, headers=_FORM_HEADERS)


def show_article(request: Request) -> Response:
    """The clean article of an id, as the index has it."""
    form = SearchForm.of(request.query_params)
    try:
        with closing(_opened(request)) as index:
            line = index.article(request.query_params.get("id", ""))
    except NoIndexError:
        line = None
    except (TargetDownError, IndexTargetError) as error:
        message = sentence(str(error))
        return HTMLResponse(render("problem.html", message=message), _status_of(error))
    if line is None:
        raise NoPageError("The index has no such article.")
    article = read_article(line, images=False)
    return HTMLResponse(
        render("article.html", article=article, body=Markup(article.body.html), form=form)
    )


def _status_of(error: TargetDownError | IndexTargetError) -> int:
    """The status of the answer if the index fails: whether it is worth another try."""
    return 503 if isinstance(error, TargetDownError) else 500


def _opened(request: Request) -> SearchIndex:
    """The index as it is now; opening one takes a millisecond, and it may be a new file."""
    address: str | None = request.app.state.index
    if address is None or not ("://" in address or Path(address).is_file()):
        raise NoIndexError
    return open_search(address)


def _results_view(form: SearchForm, results: SearchResults) -> dict[str, Any]:
    number = form.page_number
    first = (number - 1) * PAGE_SIZE + 1
    last = first + len(results.hits) - 1
    pages = -(-results.total // PAGE_SIZE)
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
    """The first near copies, one of each site."""
    found: dict[str, CopyView] = {}
    for copy in copies:
        name = text(copy.site) or text(copy.headline) or NO_HEADLINE
        found.setdefault(name, CopyView(name, form.path_of_article(copy.id)))
    return list(found.values())[:_MAX_COPIES]


def sentence(message: str) -> str:
    """An error's message as a sentence.

    >>> sentence("a quote that is not closed (at character 3)")
    'A quote that is not closed (at character 3).'
    """
    message = visible_text(message)
    return message[:1].upper() + message[1:] + ("" if message.endswith(".") else ".")
