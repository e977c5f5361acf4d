"""The memory of a crawl: what was learned about the sites, stored pages, deliveries.

Each article is delivered once, whatever kills the crawl (the states of a page are defined in
`newsclean/extensions/delivery.py`):

1. `Memory.store_and_learn` stores each page on arrival. It stays stored until `mark_delivered`,
   `mark_known` or `mark_useless` removes it.
2. `Deliveries.add_pending` makes the article pending before it goes to the output, unless the same
   state of it is pending or delivered.
3. `Memory.mark_delivered` confirms the delivery and removes the page in one transaction, after the
   line is in the output. The row of an article table is written in that same transaction.
4. `Memory.start_run` takes over what dead runs left: pending articles that are in their output
   count as delivered, the others are new again, and stored pages go through the pipelines again.
   The lock of each registered domain keeps two runs from doing so at the same time.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from newsclean.error_hints import install_command
from newsclean.extraction.neighborhood import WINDOW, check_window
from newsclean.files import domain_busy
from newsclean.memory.database import (
    RAM,
    MemoryFileError,
    NoMemoryError,
    is_database_url,
    without_password,
)
from newsclean.memory.deliveries import Deliveries, Runs
from newsclean.memory.fetches import NO_FETCH, Fetches
from newsclean.memory.learned_sites import LearnedSites, UrlPatterns, note_model
from newsclean.memory.site_report import SiteRuns
from newsclean.memory.sqlite import SQLiteDatabase
from newsclean.memory.stored_pages import KeptPages, StoredPages, pack_page
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newsclean.extraction.neighborhood import Keying, PageKeys
    from newsclean.memory.database import Database
    from newsclean.memory.deliveries import FindDelivered, Run, State
    from newsclean.memory.fetches import Fetch
    from newsclean.memory.postgresql_schema import ArticleRow, ArticleTable
    from newsclean.memory.stored_pages import StoredPage


def _open_database(path: str, host: str | None = None, *, make: bool = True) -> Database:
    """Open a file or PostgreSQL database, and create it if needed; raises `MemoryFileError`.

    With `make=False`, a missing memory is an error. `host` names this machine among those that
    share a database.
    """
    if not is_database_url(path):
        if not make and not Path(path).is_file():
            raise NoMemoryError(f"there is no memory at {path}")
        return SQLiteDatabase(path)
    try:
        from newsclean.memory.postgresql import PostgresqlDatabase
    except ImportError as error:
        where = without_password(path)
        raise MemoryFileError(
            f"{where} needs {error.name}: {install_command('postgresql')}"
        ) from None
    return PostgresqlDatabase(path, host, make=make)


def _find_nothing(outputs: Sequence[str], pending: set[State]) -> set[State]:
    """Report that no pending article has reached the outputs."""
    return set()


class Arrival(NamedTuple):
    """The result of storing a page and learning from it."""

    #: the number of the stored page, None if it could not be stored
    number: int | None
    #: `site` or `category` if that has a new template, else empty
    relearned: str


class Memory:
    """The memory of all sites, in parts that share a database.

    Each part has its own tables; the methods here change several parts in one transaction. Safe to
    use from several threads and processes.

    `keying` is the kind of keys that the method needs: a memory with other keys is refused. Without
    it, the memory decides. `model` is the fingerprint of the model whose predictions are learned.
    `keep_pages` is how many pages of each site are kept after their articles were delivered. `host`
    names this machine if several share the database. With `make=False`, a missing memory is an
    error.
    """

    def __init__(
        self,
        path: str = RAM,
        *,
        keying: Keying | None = None,
        model: str | None = None,
        window: int = WINDOW,
        keep_pages: int = 0,
        host: str | None = None,
        make: bool = True,
    ) -> None:
        check_window(window)  # before a file is created
        self.database: Database = _open_database(path, host, make=make)
        self.runs = Runs(self.database)
        self.sites = LearnedSites(self.database, window=window)
        self.pages = StoredPages(self.database, self.runs)
        self.kept = KeptPages(self.database, keep_pages)
        self.deliveries = Deliveries(self.database, self.runs)
        self.fetches = Fetches(self.database)
        self.patterns = UrlPatterns(self.database)
        self.site_runs = SiteRuns(self.database)
        #: the table that receives the articles, if `NEWSCLEAN_TABLE` is set
        self.articles: ArticleTable | None = None
        self._closed = False
        try:
            if keying is not None:
                self.sites.require_keying(keying)
            if model is not None:
                note_model(self.database, model)
        except BaseException:
            self.database.close()
            raise

    def store_and_learn(self, page: StoredPage, name: str, keys: PageKeys) -> Arrival:
        """Store a page until its article is delivered, and learn from it."""
        packed = pack_page(page)  # outside the transaction, for which others wait

        def store() -> Arrival:
            number = None if packed is None else self.pages.add(packed)
            return Arrival(number, self.sites.learn(page.site, page.category, name, keys))

        return self.database.atomically(store, page.site)

    def start_run(
        self,
        job: str,
        outputs: Sequence[str] = (),
        find_delivered: FindDelivered = _find_nothing,
        sites: Iterable[str] = (),
    ) -> None:
        """Start a run, and take over what dead runs left.

        Only one run at a time may crawl a registered domain: raises `DomainBusyError` if another
        run has a domain of the `sites`.

        A run of the same job takes over everything. Other runs take over only the pages and pending
        articles of their `sites`, without third-party items, which belong to their own job.

        `outputs` are the absolute paths of the files to which the run appends lines. The pending
        articles of a dead run are looked up in its outputs with `find_delivered`: those that are
        missing are new again. A run whose outputs include those of the dead run does this for all
        sites, any other run for its own `sites`; the remaining articles stay pending.

        Exceptions:

        - Outputs that are not local files of lines (JSON or remote feeds, databases) or were moved
          can't be searched: their pending articles are new again, and are delivered twice if they
          had arrived.
        - Files on another machine can only be searched there: until then, the articles stay pending
          and their pages stay with the dead run.
        - An article that is pending for a table of this database is not in the table, because both
          are written in one transaction.
        """
        table = "" if self.articles is None else self.articles.name
        domains = {registered_domain(site) for site in sites}

        def is_ours(site: str | None) -> bool:
            return site is not None and registered_domain(site) in domains

        def matters(other: Run) -> bool:
            return (
                other.job == job
                or not domains.isdisjoint(other.domains)
                or any(map(is_ours, self.runs.sites_of(other.id)))
            )

        def start() -> int:
            run = self.runs.add(job, outputs, table, domains)
            for other in dead:
                if self.database.is_run_alive(other.id):
                    continue
                self.database.end_run(other.id)
                is_same = other.job == job
                is_visible = other.host is None or bool(other.table) or not other.outputs
                sees_all = bool(other.outputs) and set(other.outputs) <= set(outputs)
                if is_visible:
                    self.deliveries.reconcile_pending(
                        other.id,
                        other.outputs or outputs,
                        _find_nothing if other.table else find_delivered,
                        None if is_same or sees_all else is_ours,
                    )
                self.pages.take_over(
                    other.id, run, None if is_same else is_ours, with_pending=is_visible
                )
                self.runs.remove_if_empty(other.id)
            self.fetches.prune()
            return run

        self.runs.dead(matters)  # wait: a run that only lost its session takes its domains again
        if (busy := self.database.lock_domains(sorted(domains))) is not None:
            raise domain_busy(busy, self.database.path)
        dead = self.runs.dead(matters)  # again: a frozen run may just have lost its domains to us
        self.runs.current = self.database.atomically(start)

    def mark_delivered(
        self,
        name: str | None,
        number: int | None,
        *,
        published: float | None = None,
        is_article: bool = True,
        row: ArticleRow | None = None,
    ) -> None:
        """Confirm that a page has reached the output, and no longer store it.

        Write the `row` to the article table in the same transaction. Keep the page of an article
        for `reextract` (`keep_pages`); some crawls also output pages that are not articles.
        `published` is the time of publication, if known.
        """
        fetch = NO_FETCH if number is None else self.pages.fetch_of(number)

        def settle() -> None:
            if row is not None and self.articles is not None:
                self.articles.write(row)
            if name is not None:
                self.deliveries.confirm(name)
            if number is not None:
                if name is not None and is_article:
                    self.kept.add(number, name)
                self._record_fetch(fetch, published, is_article=is_article, is_delivered=True)
                self.pages.remove(number)

        self.database.atomically(settle, _site(name, fetch))

    def mark_known(self, number: int, published: float | None = None) -> None:
        """Remove a stored page whose article was delivered before in the same state."""
        fetch = self.pages.fetch_of(number)

        def settle() -> None:
            self._record_fetch(fetch, published, is_article=None, is_delivered=True)
            self.pages.remove(number)

        self.database.atomically(settle, _site(None, fetch))

    def mark_useless(self, fetch: Fetch, number: int | None = None) -> None:
        """Record that a response has no article, and remove its page if it is stored."""
        if number is not None and not fetch.urls:
            fetch = self.pages.fetch_of(number)

        def settle() -> None:
            if number is not None:
                self.pages.remove(number)
            self._record_fetch(fetch, None, is_article=False, is_delivered=False)

        self.database.atomically(settle, _site(None, fetch))

    def _record_fetch(
        self, fetch: Fetch, published: float | None, *, is_article: bool | None, is_delivered: bool
    ) -> None:
        """Record when a URL was fetched, and whether its URL pattern leads to articles.

        Each URL counts once, and once more when it becomes an article.
        """
        if not fetch.urls:
            return
        requested = fetch.urls[0]
        last = self.fetches.get(requested)
        if is_article is not None and (last is None or (is_article and not last.is_delivered)):
            self.patterns.count(requested, is_article=is_article)
        self.fetches.record(fetch, published, is_delivered=is_delivered)

    def forget(self, site: str, *, articles: bool = False) -> int:
        """Forget what was learned about a site, and return the number of learned pages.

        With `articles`, also forget the deliveries: the next crawl delivers everything again.
        """

        def forget() -> int:
            if articles:
                self.deliveries.forget(site)
                self.fetches.forget(site)
            self.patterns.forget(site)
            self.site_runs.forget(site)
            self.kept.forget(site)
            return self.sites.forget(site)

        return self.database.atomically(forget)

    def close(self) -> None:
        """End the run and close the database; a second call does nothing."""
        with self.database.lock:
            if self._closed:
                return
            self._closed = True
            try:
                self.sites.save_samples()
                if self.runs.current:
                    self.runs.remove_if_empty(self.runs.current)
            finally:
                self.database.close()


def _site(name: str | None, fetch: Fetch) -> str:
    """Return the site of an article or a fetched page, an empty string if it is unknown."""
    return site_of(name) or (site_of(fetch.urls[0]) if fetch.urls else None) or ""
