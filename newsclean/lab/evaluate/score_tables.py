"""The figures as tables, for the terminal and for Markdown alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsclean.lab.evaluate.measures import MEASURES
from newsclean.lab.evaluate.summary import ALL, REFERENCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newsclean.lab.evaluate.measures import Mean
    from newsclean.lab.evaluate.page_scores import Score
    from newsclean.lab.evaluate.summary import Group, Speed, Summary, SystemSummary
    from newsclean.lab.evaluate.systems import System

#: Sites and languages with fewer pages are left to `results.json`.
_MIN_PAGES = 2
NOTHING = "–"


@dataclass(frozen=True)
class Table:
    title: str
    header: list[str]
    rows: list[list[str]]
    note: str = ""

    def markdown(self, level: int = 2) -> str:
        """The table under a heading of its own."""
        lines = [f"{'#' * level} {self.title}", ""]
        if self.note:
            lines += [self.note, ""]
        lines.append(f"| {' | '.join(self.header)} |")
        lines.append(f"| --- |{' ---: |' * (len(self.header) - 1)}")
        lines += [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in self.rows]
        return "\n".join(lines) + "\n"


def f1_table(summary: Summary) -> Table:
    """F1 of words by collection, with half the width of its interval."""
    rows = []
    for one in summary.systems:
        figures = _f1(one, summary.columns, "words")
        cells = [f"{f.mean:.3f} ±{(f.high - f.low) / 2:.3f}" if f else NOTHING for f in figures]
        rows.append([*_names(one.system), *cells])
    return Table(
        "F1 of words, mean over pages",
        ["", "neighbors", *(_column(summary, name) for name in summary.columns)],
        rows,
        "± is half of the 95 % bootstrap interval over pages.",
    )


def precision_recall_table(summary: Summary, measure: str = "words") -> Table:
    """Precision, recall and F1 by collection."""
    rows = []
    for one in summary.systems:
        groups = [one.collections.get(name) for name in summary.columns]
        cells = [
            " / ".join(f"{part.mean:.3f}" for part in group.by_measure[measure])
            if group
            else NOTHING
            for group in groups
        ]
        rows.append([*_names(one.system), *cells])
    return Table(
        f"Precision / recall / F1 of {measure}",
        ["", "neighbors", *(_column(summary, name) for name in summary.columns)],
        rows,
    )


def difference_table(summary: Summary) -> Table | None:
    """How much better than the reference a system is on the same pages, if that was measured."""
    rows = []
    for one in summary.systems:
        if one.system.name == REFERENCE or not one.difference:
            continue
        cells = []
        for name in summary.columns:
            found = one.difference.get(name)
            cells.append(_signed(found) if found else NOTHING)
        rows.append([*_names(one.system), *cells])
    if not rows:
        return None
    return Table(
        f"F1 of words minus that of {REFERENCE}, page by page",
        ["", "neighbors", *(_column(summary, name) for name in summary.columns)],
        rows,
        "With its 95 % interval: where it holds zero, these pages do not show which is better.",
    )


def _benchmark_table(summary: Summary) -> Table:
    rows = [
        [*_names(one.system), *(_number(one.benchmark_f1.get(c)) for c in summary.columns)]
        for one in summary.systems
    ]
    return Table(
        "F1 of shingles, as article-extraction-benchmark sums it up",
        ["", "neighbors", *(_column(summary, name) for name in summary.columns)],
        rows,
        "F1 of the mean precision (over pages with a text) and the mean recall; to compare with "
        "the figures that others publish.",
    )


def _interval_table(summary: Summary, measure: str) -> Table:
    """F1 by collection with both ends of its interval."""
    rows = []
    for one in summary.systems:
        figures = _f1(one, summary.columns, measure)
        cells = [f"{f.mean:.3f} ({f.low:.3f}–{f.high:.3f})" if f else NOTHING for f in figures]
        rows.append([*_names(one.system), *cells])
    return Table(
        f"F1 of {measure}, with 95 % intervals",
        ["", "neighbors", *(_column(summary, name) for name in summary.columns)],
        rows,
    )


def speed_table(summary: Summary, collection: str | None = None) -> Table:
    """Milliseconds a page over all collections, or in one."""
    name = collection or summary.columns[-1]
    rows = [["lxml parse", NOTHING, *_speeds(summary.lxml[name])]]
    rows += [
        [*_names(one.system), *_speeds(one.speed[name])]
        for one in summary.systems
        if name in one.speed
    ]
    return Table(
        "Speed" + (f", {name}" if collection and collection != ALL else ""),
        ["", "neighbors", "median ms", "95th pct. ms", "× lxml parse", f"× {REFERENCE}"],
        rows,
    )


def _site_table(summary: Summary, collection: str) -> Table | None:
    """Precision, recall and F1 of words site by site, as Table 2 of the StaDyNoT paper."""
    groups: dict[str, list[Group | None]] = {}
    for place, one in enumerate(summary.systems):
        for (of, site), group in one.sites.items():
            if of == collection and group.pages >= _MIN_PAGES:
                groups.setdefault(site, [None] * len(summary.systems))[place] = group
    if not groups:
        return None
    overall = [one.collections.get(collection) for one in summary.systems]
    return _grouped(
        f"Site by site: {collection}",
        "site",
        summary.systems,
        [*sorted(groups.items()), ("**all pages**", overall)],
        f"Sites with fewer than {_MIN_PAGES} pages are in `results.json` only.",
    )


def _language_table(summary: Summary) -> Table:
    """Precision, recall and F1 of words by language, the most frequent first."""
    pages: dict[str, int] = {}
    for one in summary.systems:
        for language, group in one.languages.items():
            pages[language] = max(pages.get(language, 0), group.pages)
    order = sorted(pages, key=lambda language: (-pages[language], language))
    groups = [(name, [one.languages.get(name) for one in summary.systems]) for name in order]
    return _grouped(
        "By language",
        "language",
        summary.systems,
        groups,
        "As the gold declares it, else as py3langid reads the gold text.",
    )


def worst_table(worst: Sequence[Score], scores: Iterable[Score], system: System) -> Table:
    """The pages on which a system did worst, and whether another did better there."""
    best: dict[str, Score] = {}
    for score in scores:
        if score.system != system.name:
            best[score.page] = max(best.get(score.page, score), score, key=lambda s: s.words.f1)
    rows = []
    for score in worst:
        cells = [f"{part:.3f}" for part in score.words]
        sizes = [f"{score.size:,}", f"{score.gold_size:,}"]
        other = best.get(score.page)
        beside = NOTHING if other is None else f"{other.words.f1:.3f} {other.system}"
        rows.append([score.page, *cells, *sizes, beside])
    return Table(
        f"Where {system.label} did worst",
        ["page", "P", "R", "F1", "characters", "in the gold", "best other F1"],
        rows,
        "Look at one with --explain ID.",
    )


def all_tables(summary: Summary) -> list[Table]:
    """What the Markdown report holds."""
    tables = [f1_table(summary)]
    if difference := difference_table(summary):
        tables.append(difference)
    for measure in MEASURES:
        tables += [precision_recall_table(summary, measure), _interval_table(summary, measure)]
    tables += [_benchmark_table(summary), speed_table(summary)]
    if len(summary.pages) > 1:
        tables += [speed_table(summary, name) for name in summary.pages]
    tables.append(_language_table(summary))
    tables += [table for name in summary.pages if (table := _site_table(summary, name))]
    return tables


def _grouped(
    title: str,
    what: str,
    systems: Sequence[SystemSummary],
    groups: Iterable[tuple[str, Sequence[Group | None]]],
    note: str,
) -> Table:
    rows = []
    for name, found in groups:
        pages = max(group.pages for group in found if group)
        cells: list[str] = []
        for group in found:
            cells += [f"{part.mean:.3f}" for part in group.words] if group else [NOTHING] * 3
        rows.append([name, str(pages), *cells])
    header = [f"{one.system.label} {part}" for one in systems for part in ("P", "R", "F1")]
    return Table(title, [what, "pages", *header], rows, note)


def _names(system: System) -> list[str]:
    return [system.name, NOTHING if system.neighbors is None else str(system.neighbors)]


def _column(summary: Summary, name: str) -> str:
    return f"{name} ({summary.pages.get(name, sum(summary.pages.values()))})"


def _f1(one: SystemSummary, columns: Iterable[str], measure: str) -> list[Mean | None]:
    groups = [one.collections.get(name) for name in columns]
    return [group.by_measure[measure].f1 if group else None for group in groups]


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


def _speeds(speed: Speed) -> list[str]:
    peer = NOTHING if speed.to_trafilatura is None else f"{speed.to_trafilatura:.2f}"
    return [f"{speed.median:.1f}", f"{speed.p95:.1f}", f"{speed.to_lxml:.2f}", peer]


def _signed(found: Mean) -> str:
    return f"{found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f})"
