"""A memory: what was learned of the sites, the pages at work, and what was delivered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from newsclean.extraction.neighborhood import WINDOW, check_window
from newsclean.files import domain_busy
from newsclean.memory.database import is_database_address, without_password
from newsclean.memory.deliveries import Deliveries, Runs
from newsclean.memory.fetches import NO_FETCH, Fetches
from newsclean.memory.learned_sites import LearnedShapes, LearnedSites, note_model
from newsclean.memory.schema import RAM, MemoryFileError, NoMemoryError
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
    from newsclean.memory.records import StoredPage


# Opens the database of a memory, of whichever kind it is.

HOW_TO_GET = "pip install 'newsclean[postgresql]'"


def _open_database(path: str, host: str | None = None, *, make: bool = True) -> Database:
    """The database at a path or address, made where there is none; raises `MemoryFileError`.

    Without `make`, one that is not there is an error, too. `host` is the name of this machine
    among those that share a database.
    """
    if not is_database_address(path):
        if not make and not Path(path).is_file():
            raise NoMemoryError(f"there is no memory at {path}")
        return SQLiteDatabase(path)
    try:
        from newsclean.memory.postgresql import PostgresqlDatabase
    except ImportError as error:
        where = without_password(path)
        raise MemoryFileError(f"{where} needs {error.name}: {HOW_TO_GET}") from None
    return PostgresqlDatabase(path, host, make=make)


def _find_nothing(outputs: Sequence[str], pending: set[State]) -> set[State]:
    """Of what was pending, nothing has reached these outputs."""
    return set()


class Arrival(NamedTuple):
    """What became of a page that was stored and learned."""

    #: the number under which the page is stored, None if it could not be
    number: int | None
    #: `site` or `category` if that has a new template, else empty
    relearned: str


class Memory:
    """All that is remembered of all sites, in parts that share a database.

    The parts do what concerns them alone; the memory does what concerns several of them, in one
    transaction. Safe to use from several threads and processes.

    A memory of one kind of keys is refused where `keying` asks for the other; without it, the file
    decides. `model` is the fingerprint of the model whose verdicts are learned. `keep_pages` is how
    many pages of each site are kept after their articles were delivered. `host` is the name of this
    machine where several share a database; without `make`, a memory that is not there is refused.
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
        check_window(window)  # before a file is made
        self.database: Database = _open_database(path, host, make=make)
        self.runs = Runs(self.database)
        self.sites = LearnedSites(self.database, window=window)
        self.pages = StoredPages(self.database, self.runs)
        self.kept = KeptPages(self.database, keep_pages)
        self.deliveries = Deliveries(self.database, self.runs)
        self.fetches = Fetches(self.database)
        self.shapes = LearnedShapes(self.database)
        self.site_runs = SiteRuns(self.database)
        #: the table to which articles go, if that is their output
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
        packed = pack_page(page)  # before other processes have to wait

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
        """Start a run, and take over what ended runs have left.

        Of each registered domain of the `sites` there is one run at a time: `DomainBusyError` if
        another has one of them.

        A run of the same job takes over everything, any other run what is of the `sites` that it
        crawls; items of somebody else's spider are only for their own job.

        `outputs` are the files to which the run appends lines, by their absolute paths. Articles
        that were pending when a run ended are looked up in the outputs of that run, by
        `find_delivered`; those that are not there are new again. A run whose outputs include those
        of the ended run does so for all its articles. To a run that crawls other sites, the
        articles stay pending.

        Nobody can look into an output that is not a local file of lines (a JSON or remote feed, a
        database), or that was moved: what was pending there is new again, and is delivered a second
        time if it had arrived. Into files of another machine one can look there: until then the
        articles stay pending, and their pages where they are. What was pending for a table of the
        memory's database is not in it.
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

        self.runs.dead(matters)  # one that has only lost its session comes back, with its domains
        if (busy := self.database.lock_domains(sorted(domains))) is not None:
            raise domain_busy(busy, self.database.path)
        dead = self.runs.dead(matters)  # one of them may have been frozen with a domain of ours
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
        """A page has reached the output; of an article it is kept, as long as there is room.

        `published` is the time of its publication, if that is known. Some crawls hand on pages
        that are not articles, too. The `row` of an article reaches its table at the same moment.
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
        """A stored page holds what was delivered before."""
        fetch = self.pages.fetch_of(number)

        def settle() -> None:
            self._record_fetch(fetch, published, is_article=None, is_delivered=True)
            self.pages.remove(number)

        self.database.atomically(settle, _site(None, fetch))

    def mark_useless(self, fetch: Fetch, number: int | None = None) -> None:
        """A page is not an article, or not even a page; a stored one is let go of."""
        if number is not None and not fetch.addresses:
            fetch = self.pages.fetch_of(number)

        def settle() -> None:
            if number is not None:
                self.pages.remove(number)
            self._record_fetch(fetch, None, is_article=False, is_delivered=False)

        self.database.atomically(settle, _site(None, fetch))

    def _record_fetch(
        self, fetch: Fetch, published: float | None, *, is_article: bool | None, is_delivered: bool
    ) -> None:
        """Remember when a page was fetched, and what its address has turned out to be.

        An address counts once, and once more if it was not an article and has become one.
        """
        if not fetch.addresses:
            return
        requested = fetch.addresses[0]
        last = self.fetches.get(requested)
        if is_article is not None and (last is None or (is_article and not last.is_delivered)):
            self.shapes.count(requested, is_article=is_article)
        self.fetches.record(fetch, published, is_delivered=is_delivered)

    def forget(self, site: str, *, articles: bool = False) -> int:
        """Forget what was learned of a site; the number of pages.

        With `articles`, also what has been delivered: the next crawl delivers everything anew.
        """

        def forget() -> int:
            if articles:
                self.deliveries.forget(site)
                self.fetches.forget(site)
            self.shapes.forget(site)
            self.site_runs.forget(site)
            self.kept.forget(site)
            return self.sites.forget(site)

        return self.database.atomically(forget)

    def close(self) -> None:
        """End the run and let go of the database; a second call does nothing."""
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
    """The site of an article or a page; an empty string if neither says it."""
    return site_of(name) or (site_of(fetch.addresses[0]) if fetch.addresses else None) or ""
