"""Pages through all systems: scores and times, page by page.

Timed is the processor time of one call, on one core, from the page's bytes to the article's text,
with all systems in turn on the same page:

- a method: decoding, parsing, the walk, what an already learned neighborhood knows, the choice,
  the metadata that the body needs (headline, authors), the text;
- a peer: its own call with the page's bytes, or with the decoded page where it takes no bytes (the
  decoding, and jusText's choice of a language, are then not counted);
- `lxml parse`: the bytes to a tree and nothing more.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from lxml import etree

from newsclean.browser.saved_pages import SavedPageError
from newsclean.cli.extract_many import processes
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.metadata.language import detected_language, primary_subtag
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.measures import MEASURES, Agreement, best_agreement
from newsclean.lab.evaluate.peers import PEERS, Source, quiet
from newsclean.lab.evaluate.systems import System, article_text, draw, neighborhood_of
from newsclean.lab.folds import method_for
from newsclean.lab.training.rendered_blocks import shared_cache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from newsclean.lab.evaluate.corpus import Corpus, Gold
    from newsclean.lab.evaluate.systems import Count


@dataclass(frozen=True)
class Task:
    gold: Gold
    others: tuple[Gold, ...]
    systems: tuple[System, ...]
    #: where rendered pages are kept, None to render them each time
    snapshots: Path | None = None


@dataclass(frozen=True)
class Score:
    """What one system made of one page."""

    collection: str
    id: str
    site: str
    language: str
    system: str
    neighbors: Count | None
    ms: float
    lxml_ms: float
    #: characters of its text, and of the gold's
    size: int
    gold_size: int
    words: Agreement
    characters: Agreement
    shingles: Agreement
    #: pages that it was given as neighbors
    found: int = 0
    error: str | None = None
    note: str | None = None

    @property
    def page(self) -> str:
        return f"{self.collection}/{self.id}"


@dataclass
class Scores:
    """All scores, and the largest size of a process in MB."""

    scores: list[Score] = field(default_factory=list)
    memory: float | None = None


def score_pages(
    corpus: Corpus,
    systems: Sequence[System],
    jobs: int = 1,
    progress: Callable[[int, int], object] = lambda done, total: None,
    snapshots: Path | None = None,
) -> Scores:
    """Score all pages, in one process or several; the pages of a site follow each other."""
    tasks = [
        Task(gold, corpus.others(gold), tuple(systems), snapshots)
        for gold in sorted(corpus.golds, key=lambda gold: (gold.collection, gold.site))
    ]
    progress(0, len(tasks))
    if min(jobs, len(tasks)) <= 1:
        return _collect(map(score_page, tasks), len(tasks), progress)
    with processes(min(jobs, len(tasks))) as pool:
        return _collect(pool.map(score_page, tasks), len(tasks), progress)


def _collect(pages: Iterable[Scores], total: int, progress: Callable[[int, int], object]) -> Scores:
    found = Scores()
    for done, page in enumerate(pages, 1):
        found.scores += page.scores
        found.memory = max(found.memory or 0, page.memory or 0) or None
        progress(done, total)
    return found


#: Systems that this process has called before; the first call also imports.
_warm: set[str] = set()


def score_page(task: Task) -> Scores:
    """The scores of a page, systems in an order that differs from page to page.

    A page of a site on which `hybrid` was trained is judged by a model that has not seen it.
    """
    gold = task.gold
    body = read_page(gold.path)
    attempts = {system: _attempt(system, task, body) for system in task.systems}
    language = primary_subtag(gold.language) or detected_language(gold.text) or "?"
    with quiet():
        for system, call in attempts.items():
            if system.name not in _warm:
                _warm.add(system.name)
                call()
                gc.freeze()  # what has been imported is no garbage, and need not be looked at
        order = list(attempts)
        random.Random(gold.name).shuffle(order)
        parse = milliseconds(lambda: lxml_parse(body))
        times = {system: milliseconds(attempts[system]) for system in order}
        parse = min(parse, milliseconds(lambda: lxml_parse(body)))
    scores = []
    for system, done in attempts.items():
        drawn = 0 if system.neighbors is None else len(draw(gold, task.others, system.neighbors))
        scores.append(
            Score(
                collection=gold.collection,
                id=gold.id,
                site=gold.site,
                language=language,
                system=system.name,
                neighbors=system.neighbors,
                ms=round(times[system] + done.before_ms, 4),
                lxml_ms=round(parse, 4),
                size=len(done.text),
                gold_size=len(gold.text),
                found=drawn,
                error=done.error,
                note=done.note,
                **{
                    name: best_agreement(measure, done.text, gold.versions)
                    for name, measure in MEASURES.items()
                },
            )
        )
    return Scores(scores, _peak_memory())


@dataclass
class _Attempt:
    """A call that may be timed, and what came of it."""

    call: Callable[[], str]
    note: str | None = None
    text: str = ""
    error: str | None = None
    #: processor time of what was done before the call, and is part of it: the rendering
    before_ms: float = 0.0

    def __call__(self) -> None:
        try:
            self.text = self.call()
            self.error = None
        except Exception as error:  # a peer may raise anything: the page counts as not extracted
            self.error = " ".join(f"{type(error).__name__}: {error}".split())[:200]


def _attempt(system: System, task: Task, body: bytes) -> _Attempt:
    """The call of a system, with all prepared that is not its own work."""
    if system.is_peer:
        source = Source(body)
        peer = PEERS[system.name]
        _ = source.html  # decoded here and not on the clock; so is the language, for the note
        return _Attempt(lambda: peer.text(source), peer.note(source))
    method = method_for(system.name, task.gold.site)
    extractor = Extractor(method)
    hood = None
    if system.neighbors is not None:
        hood = neighborhood_of(draw(task.gold, task.others, system.neighbors), method)
    if not method.needs_rendering:
        return _Attempt(lambda: article_text(body, extractor, hood, task.gold))
    try:
        snapshot = shared_cache(task.snapshots).snapshot(body, task.gold.url)
    except SavedPageError as error:
        return _Attempt(partial(_refuse, error))
    return _Attempt(
        lambda: article_text(body, extractor, hood, task.gold, snapshot),
        before_ms=snapshot.seconds * 1000,
    )


def _refuse(error: Exception) -> str:
    """A page that could not be rendered is one that was not extracted."""
    raise error


def milliseconds(call: Callable[[], object]) -> float:
    """The processor time of a call; garbage of earlier calls is collected before."""
    gc.collect()
    start = time.process_time()
    call()
    return (time.process_time() - start) * 1000


def lxml_parse(body: bytes) -> None:
    """The bare parse to which all else is compared."""
    parser = etree.HTMLParser(recover=True, huge_tree=True)
    try:
        etree.fromstring(body, parser)
    except etree.XMLSyntaxError:
        return


def _peak_memory() -> float | None:
    """The largest size that this process has had, in MB."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
