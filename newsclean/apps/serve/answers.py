"""What the JSON API and the MCP server answer: plain values from the index and the memory."""

from __future__ import annotations

import json
import math
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.apps.report.site_overview import site_view
from newsclean.apps.search import (
    IndexTargetError,
    ListPlace,
    QueryError,
    SearchRequest,
    TargetDownError,
    open_search,
)
from newsclean.apps.search.search_words import normalized
from newsclean.apps.serve.site_library import NoPages
from newsclean.discovery.entries import Window
from newsclean.extraction.corrections import CorrectionsError
from newsclean.extraction.text import visible_text
from newsclean.files import StorageError
from newsclean.memory import MemoryFileError
from newsclean.memory.site_health import STATES, State, wall_notes
from newsclean.memory.site_report import iso

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsclean.apps.report.site_overview import SiteView
    from newsclean.apps.search import SearchIndex
    from newsclean.apps.serve.site_library import Library
    from newsclean.memory.site_health import SiteRun


#: Articles of one answer, unless the request says otherwise.
DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET = 50, 500, 10_000
#: Characters of one answer; a longer list is continued by its cursor.
_MAX_SIZE = 16_000_000

_NO_INDEX = "There is no index of articles: make one with newsclean index, or name it with --index."
_NO_MEMORY = "There is no memory of a crawl: name it with --memory."
#: What becomes of `+01:00` in a URL.
_LOST_PLUS = re.compile(r"T.* \d\d:?\d\d$")
_URGENCY = {state: number for number, state in enumerate(STATES)}


class NoIndexError(Exception):
    """There is no index yet."""


class AnswerError(Exception):
    """A request without an answer: the HTTP status and a sentence for the user."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(sentence(message))
        self.status = status


class Answers:
    """Answers from one library and one index. Safe to use from several threads.

    All methods raise `AnswerError`.
    """

    def __init__(self, library: Library, index: str | None) -> None:
        self._library, self._address = library, index

    def articles(
        self,
        *,
        site: Sequence[str] = (),
        language: Sequence[str] = (),
        since: str | None = None,
        until: str | None = None,
        limit: int = DEFAULT_LIMIT,
        cursor: str | None = None,
    ) -> dict[str, Any]:
        """Return articles as their lines, newest first, and the cursor of those that follow."""
        window = _window(since, until)
        after = None if cursor is None else _place_of(cursor)
        request = SearchRequest(
            "",
            tuple(site),
            (),
            window.since,
            window.until,
            limit=limit + 1,  # to know whether there are more
            languages=tuple(language),
        )
        lines: list[dict[str, Any]] = []
        size, last, following = 0, None, None
        with self._index() as index:
            for found in index.newest(request, after):
                if last is not None and (len(lines) == limit or size > _MAX_SIZE):
                    following = _cursor_of(last)
                    break
                lines.append(found.line)
                size += len(json.dumps(found.line, ensure_ascii=False))
                last = found.place
        return {"articles": lines, "next": following}

    def article(self, article_id: str) -> dict[str, Any]:
        """Return the line of an article."""
        with self._index() as index:
            line = index.article(article_id)
        if line is None:
            raise AnswerError(404, "this article is not in the index")
        return line

    def search(
        self,
        *,
        q: str,
        site: Sequence[str] = (),
        section: Sequence[str] = (),
        language: Sequence[str] = (),
        since: str | None = None,
        until: str | None = None,
        sort: str = "score",
        limit: int = 10,
        offset: int = 0,
    ) -> dict[str, Any]:
        """Return one page of the results of a search."""
        window = _window(since, until)
        request = SearchRequest(
            q,
            tuple(site),
            tuple(section),
            window.since,
            window.until,
            sort == "date",
            limit,
            offset,
            tuple(language),
        )
        with self._index() as index:
            return index.search(request).to_dict()

    def sites(self) -> dict[str, Any]:
        """Return all sites of the memory and of the index, the most urgent first."""
        known = self._known_sites()
        views = [site_view(name, known.runs(name), time.time()) for name in known.names]
        views.sort(key=lambda view: _urgency(view.state))
        return {"sites": [known.summary(view) for view in views]}

    def site(self, name: str) -> dict[str, Any]:
        """Return the state, the counts and the advice for one site."""
        known = self._known_sites()
        if name not in known.names:
            raise AnswerError(404, f"unknown site: {name}")
        runs = known.runs(name)
        try:
            corrections, problem = len(self._library.corrections(name)), None
        except CorrectionsError as error:
            corrections, problem = None, sentence(str(error))
        view = site_view(name, runs, time.time())
        return {
            **known.summary(view),
            "advice": STATES[view.state].advice if view.state else "",
            "in_trouble_since": view.since.iso if view.since else None,
            "runs_in_trouble": view.troubled_runs,
            "articles_per_day": view.curve.mean,
            "corrections": corrections,
            "corrections_problem": problem,
            "notes": [*view.facts, *(wall_notes(runs[-1].counts) if runs else ())],
            "run": _run(runs[-1]) if runs else None,
        }

    def health(self) -> dict[str, Any]:
        """Return whether index and memory can be read; what is not there is no problem."""
        index: dict[str, Any] = {"state": "good", "newest_article": None, "problem": None}
        try:
            with self._index() as opened:
                for found in opened.newest(SearchRequest("", limit=1)):
                    published = found.place.published
                    if published is not None:
                        with suppress(
                            ValueError, OverflowError
                        ):  # the last hours of 9999 are 10000 in UTC
                            index["newest_article"] = iso(published)
        except AnswerError as error:
            is_there = not isinstance(error.__cause__, NoIndexError)
            index["state"] = "unreadable" if is_there else "not there"
            index["problem"] = str(error)
        memory: dict[str, Any] = {"state": "good", "sites": None, "problem": None}
        if isinstance(self._library.source, NoPages):
            memory |= {"state": "not there", "problem": _NO_MEMORY}
        else:
            try:
                with _memory_errors():
                    memory["sites"] = len(self._library.sites(self._library.source.history()))
            except AnswerError as error:
                memory |= {"state": "unreadable", "problem": str(error)}
        is_good = "unreadable" not in (index["state"], memory["state"])
        return {"state": "good" if is_good else "unreadable", "index": index, "memory": memory}

    def _known_sites(self) -> _KnownSites:
        articles = self._articles_by_site()
        if articles is None and isinstance(self._library.source, NoPages):
            raise AnswerError(503, f"{_NO_INDEX} {_NO_MEMORY}")
        with _memory_errors():
            history = self._library.source.history()
            return _KnownSites(history, self._library.sites(history), articles)

    def _articles_by_site(self) -> dict[str, int] | None:
        """Return the number of indexed articles of each site, None without an index."""
        try:
            with self._index() as index:
                return dict(index.sites())
        except AnswerError as error:
            if isinstance(error.__cause__, NoIndexError):
                return None
            raise

    @contextmanager
    def _index(self) -> Iterator[SearchIndex]:
        try:
            with closing(open_index(self._address)) as index:
                yield index
        except NoIndexError as error:
            raise AnswerError(503, _NO_INDEX) from error
        except QueryError as error:
            raise AnswerError(400, str(error)) from error
        except (TargetDownError, IndexTargetError) as error:
            raise AnswerError(status_of(error), str(error)) from error


@dataclass(frozen=True)
class _KnownSites:
    """What memory and index know of all sites."""

    history: dict[str, list[SiteRun]]
    pages: dict[str, int]
    #: None without an index
    articles: dict[str, int] | None

    @property
    def names(self) -> list[str]:
        return sorted({*self.pages, *(self.articles or {})})

    def runs(self, name: str) -> list[SiteRun]:
        return self.history.get(name, [])

    def summary(self, view: SiteView) -> dict[str, Any]:
        runs = self.runs(view.name)
        return {
            "name": view.name,
            **_state(view.state),
            "last_run": iso(runs[-1].started) if runs else None,
            "kept_pages": self.pages.get(view.name, 0),
            "articles": None if self.articles is None else self.articles.get(view.name, 0),
        }


def open_index(address: str | None) -> SearchIndex:
    """Open the index. It takes a millisecond, and the file may have been replaced."""
    if address is None or not ("://" in address or Path(address).is_file()):
        raise NoIndexError
    return open_search(address)


def status_of(error: TargetDownError | IndexTargetError) -> int:
    """Return the HTTP status for a failing index: 503 if a retry may help."""
    return 503 if isinstance(error, TargetDownError) else 500


def sentence(message: str) -> str:
    """Return an error message as a sentence.

    >>> sentence("a quote that is not closed (at character 3)")
    'A quote that is not closed (at character 3).'
    """
    message = visible_text(message)
    return message[:1].upper() + message[1:] + ("" if message.endswith(".") else ".")


@contextmanager
def _memory_errors() -> Iterator[None]:
    try:
        yield
    except (StorageError, MemoryFileError) as error:
        raise AnswerError(503, str(error)) from error


def _window(since: str | None, until: str | None) -> Window:
    try:
        return Window.of(since, until)
    except ValueError as error:
        is_lost = any(_LOST_PLUS.search(value) for value in (since, until) if value)
        hint = "; in a URL, + is written as %2B" if is_lost else ""
        raise AnswerError(400, f"parameter {error}{hint}") from None


def _cursor_of(place: ListPlace) -> str:
    """Return a place as text for a URL.

    >>> _place_of(_cursor_of(ListPlace(1773478800.25, "a")))
    ListPlace(published=1773478800.25, id='a')
    """
    return urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _place_of(cursor: str) -> ListPlace:
    try:
        published, article_id = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        place = ListPlace(None if published is None else float(published), article_id)
        if not isinstance(article_id, str) or not math.isfinite(place.published or 0.0):
            raise ValueError
        if normalized(article_id) != article_id:  # no id of an index
            raise ValueError
        return place
    except (ValueError, TypeError, RecursionError, OverflowError):
        message = "parameter cursor: it must be the value `next` of an earlier answer"
        raise AnswerError(400, message) from None


def _urgency(state: State | None) -> int:
    """Return the place of a state in lists: good sites, and those without runs, come last."""
    return len(_URGENCY) if state is None else _URGENCY[state]


def _state(state: State | None) -> dict[str, Any]:
    if state is None:
        return {"state": None, "is_trouble": False, "meaning": "No run of the site is known."}
    return {
        "state": str(state),
        "is_trouble": state.is_trouble,
        "meaning": STATES[state].meaning,
    }


def _run(run: SiteRun) -> dict[str, Any]:
    return {
        "started": iso(run.started),
        "seconds": None if run.seconds is None else round(run.seconds, 1),
        "state": str(run.state),
        "expected": None if run.expected is None else round(run.expected, 1),
        **run.counts.to_dict(),
    }
