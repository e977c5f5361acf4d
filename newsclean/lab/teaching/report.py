"""The figures of teachings as a table, as JSON, and as a curve."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from newsclean.lab.teaching.measure import COUNTS, DRAWS, RANDOM, SEED, SUGGESTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.lab.teaching.measure import Figures, Result


def table(results: Sequence[Result]) -> str:
    """A table in Markdown: a row for each method, choice of pages and number of them."""
    names = list(results[0].figures(RANDOM, 1).collections)
    head = ["method", "pages corrected", "gain (95 %)", *names]
    head += ["sites worse", "teachings worse", "least gain of a site"]
    lines = [_row(head), _row(["---", "---", *["---:"] * (len(head) - 2)])]
    for result in results:
        for choice in (RANDOM, SUGGESTED):
            for count in COUNTS:
                found = result.figures(choice, count)
                lines.append(_row([f"`{result.method}`", f"{count} {choice}", *_cells(found)]))
    return "\n".join(lines)


def _cells(found: Figures) -> list[str]:
    gain = found.gain
    cells = [f"{gain.mean:+.4f} ({gain.low:+.4f} to {gain.high:+.4f})"]
    cells += [f"{before:.4f} → {after:.4f}" for before, after in found.collections.values()]
    cells += [str(found.worse_sites), f"{found.worse_teachings:.1%}", f"{found.least:+.4f}"]
    return cells


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def to_dict(results: Sequence[Result]) -> dict[str, Any]:
    """All that was measured."""
    return {
        "draws": DRAWS,
        "seed": SEED,
        "methods": [
            {
                "method": result.method,
                "sites": result.sites,
                "cost_in_parses": {"median": result.cost[0], "p95": result.cost[1]},
                "teachings": [asdict(each) for each in result.teachings],
            }
            for result in results
        ],
    }


def draw_curve(results: Sequence[Result]) -> Any:
    """F1 by the number of corrected pages: a panel for each collection, a line for each method."""
    import matplotlib.pyplot as plt  # of the extra `bench`

    from newsclean.lab.evaluate.plots import GRID, LINES, STYLE

    names = list(results[0].figures(RANDOM, 1).collections)
    counts = (0, *COUNTS)
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(
            1, len(names), squeeze=False, figsize=(3.1 * len(names), 3.0), constrained_layout=True
        )
        for panel, name in zip(panels[0], names, strict=True):
            for result, color in zip(results, LINES, strict=False):
                found = [result.figures(RANDOM, count).collections[name] for count in COUNTS]
                # Without corrections: the mean of what the same pages had, draw by draw.
                start = sum(before for before, _ in found) / len(found)
                after = [start, *(start + after - before for before, after in found)]
                panel.plot(counts, after, marker="o", color=color, label=result.method)
            panel.set_title(name)
            panel.set_xticks(counts)
            panel.set_xlabel("corrected pages of the site")
            panel.grid(axis="y", color=GRID)
        panels[0][0].set_ylabel("F1 of its other pages")
        panels[0][0].legend(frameon=False, fontsize=8)
    return figure
