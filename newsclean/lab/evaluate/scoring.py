"""One page through all systems: its scores and times."""

from __future__ import annotations

import gc
import random
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from newsclean.browser.saved_pages import SavedPageError
from newsclean.extraction import Extractor
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.measures import MEASURES, Agreement, best_agreement
from newsclean.lab.evaluate.neighbors import draw, neighborhood_of
from newsclean.lab.evaluate.peers import PEERS, Source, quiet
from newsclean.lab.evaluate.speed import lxml_parse, milliseconds, peak_memory
from newsclean.lab.evaluate.systems import System, article_text
from newsclean.lab.folds import method_for
from newsclean.lab.visual.snapshots import shared_cache
from newsclean.metadata import detected_language
from newsclean.metadata.language import primary_subtag

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from newsclean.lab.evaluate.corpus import Gold
    from newsclean.lab.evaluate.neighbors import Count


@dataclass(frozen=True)
class Task:
    gold: Gold
    others: tuple[Gold, ...]
    #: and the fingerprint of what each will make of the page
    systems: dict[System, str]
    #: the run, so that times of different runs are not mixed
    batch: str
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
    fingerprint: str
    batch: str
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

    @property
    def key(self) -> tuple[str, str, Count | None]:
        return self.page, self.system, self.neighbors

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Score:
        return cls(**{**fields, **{name: Agreement(*fields[name]) for name in MEASURES}})


@dataclass
class Attempt:
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


@dataclass
class Scored:
    scores: list[Score]
    memory: float | None = field(default_factory=peak_memory)


#: Systems that this process has called before; the first call also imports.
_warm: set[str] = set()


def score_page(task: Task) -> Scored:
    """The scores of a page, systems in an order that differs from page to page.

    A page of a site on which `hybrid` was trained is judged by a model that has not seen it.
    """
    gold = task.gold
    body = read_page(gold.path)
    attempts = {system: attempt(system, task, body) for system in task.systems}
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
                fingerprint=task.systems[system],
                batch=task.batch,
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
    return Scored(scores)


def attempt(system: System, task: Task, body: bytes) -> Attempt:
    """The call of a system, with all prepared that is not its own work."""
    if system.is_peer:
        source = Source(body)
        peer = PEERS[system.name]
        _ = source.html  # decoded here and not on the clock; so is the language, for the note
        return Attempt(lambda: peer.text(source), peer.note(source))
    method = method_for(system.name, task.gold.site)
    extractor = Extractor(method)
    hood = None
    if system.neighbors is not None:
        hood = neighborhood_of(draw(task.gold, task.others, system.neighbors), method)
    if not method.needs_rendering:
        return Attempt(lambda: article_text(body, extractor, hood, task.gold))
    try:
        snapshot = shared_cache(task.snapshots).snapshot(body, task.gold.url)
    except SavedPageError as error:
        return Attempt(partial(_refuse, error))
    return Attempt(
        lambda: article_text(body, extractor, hood, task.gold, snapshot),
        before_ms=snapshot.seconds * 1000,
    )


def _refuse(error: Exception) -> str:
    """A page that could not be rendered is one that was not extracted."""
    raise error
