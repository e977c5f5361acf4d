"""The figures as pictures, PNG and SVG: quality, neighbors, quality against speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib
import matplotlib.ticker

matplotlib.use("Agg")

import matplotlib.pyplot as plt

from newsclean.lab.evaluate.correction_scores import COUNTS, RANDOM
from newsclean.lab.evaluate.summary import REFERENCE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from newsclean.lab.evaluate.correction_scores import Result
    from newsclean.lab.evaluate.summary import Summary, SystemSummary

_OURS, _PEER, _GRID = "#1b5e9b", "#b4561b", "#dddddd"
_LINES = ("#1b5e9b", "#3a923a", "#8a4fa3", "#c23b3b", "#7a6a1f", "#2b9aa0")
_STYLE: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "svg.hashsalt": "newsclean",
    "svg.fonttype": "none",
}


def draw_all(folder: Path, summary: Summary) -> None:
    """Draw what there is to draw."""
    pictures = {"quality": _draw_quality(summary), "speed": _draw_speed(summary)}
    if len(_counts(summary)) > 1:
        pictures["neighbors"] = _draw_neighbors(summary)
    save(folder, pictures)


def save(folder: Path, pictures: dict[str, Any]) -> None:
    """Write each picture as PNG and as SVG."""
    for name, figure in pictures.items():
        for ending in ("png", "svg"):
            metadata = {"Date": None} if ending == "svg" else None
            path = folder / f"{name}.{ending}"
            figure.savefig(path, dpi=150, bbox_inches="tight", metadata=metadata)
        plt.close(figure)


def _draw_quality(summary: Summary) -> Any:
    """F1 of words with its interval: a panel a collection, a line a system."""
    systems = summary.systems[::-1]
    columns = summary.columns
    with plt.rc_context(_STYLE):
        figure, panels = plt.subplots(
            1,
            len(columns),
            sharey=True,
            squeeze=False,
            figsize=(2.2 + 2.1 * len(columns), 1.3 + 0.32 * len(systems)),
            layout="constrained",
        )
        for panel, name in zip(panels[0], columns, strict=True):
            for place, one in enumerate(systems):
                if name not in one.collections:
                    continue
                mean, low, high = one.collections[name].words.f1
                colour = _colour(one)
                panel.plot([low, high], [place, place], color=colour, linewidth=2, alpha=0.45)
                panel.plot(mean, place, "o", color=colour, markersize=5.5)
                panel.annotate(
                    f"{mean:.3f}",
                    (mean, place),
                    xytext=(0, 5),
                    textcoords="offset points",
                    ha="center",
                    fontsize=7.5,
                    color=colour,
                )
            pages = summary.pages.get(name, sum(summary.pages.values()))
            panel.set_title(f"{name}\n{pages} pages")
            panel.set_ylim(-0.6, len(systems) - 0.3)
            panel.margins(x=0.12)
            panel.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(4))
            panel.grid(axis="x", color=_GRID, linewidth=0.7)
            panel.set_axisbelow(True)
        panels[0][0].set_yticks(range(len(systems)), [_label(summary, one) for one in systems])
        for tick, one in zip(panels[0][0].get_yticklabels(), systems, strict=True):
            tick.set_color(_colour(one))
        figure.supxlabel("F1 of words: mean over pages and 95 % interval", fontsize=9.5)
    return figure


def _draw_neighbors(summary: Summary) -> Any:
    """F1 of words by the number of neighbors; what looks at one page is a dashed line."""
    counts = _counts(summary)
    columns = summary.columns
    wide = min(len(columns), 3)
    high = -(-len(columns) // wide)
    with plt.rc_context(_STYLE):
        figure, panels = plt.subplots(
            high,
            wide,
            squeeze=False,
            figsize=(1 + 3.1 * wide, 1 + 2.6 * high),
            layout="constrained",
        )
        lines = {}
        for panel, collection in zip(panels.flat, columns, strict=False):
            for name, style in _line_styles(summary).items():
                found = {
                    one.system.neighbors: one.collections[collection].words.f1.mean
                    for one in summary.systems
                    if one.system.name == name and collection in one.collections
                }
                if None in found:
                    lines[name] = panel.axhline(found[None], **style)
                    continue
                places = [k for k, count in enumerate(counts) if count in found]
                means = [found[counts[k]] for k in places]
                lines[name] = panel.plot(places, means, marker="o", **style)[0]
            pages = summary.pages.get(collection, sum(summary.pages.values()))
            panel.set_title(f"{collection}, {pages} pages")
            panel.set_xticks(range(len(counts)), [str(count) for count in counts])
            panel.set_xlabel("neighbors, or as many as there are", fontsize=8.5)
            panel.margins(y=0.15)
            panel.grid(color=_GRID, linewidth=0.7)
        for panel in panels.flat[len(columns) :]:
            panel.set_visible(False)
        figure.supylabel("F1 of words, mean over pages", fontsize=9.5)
        names = list(lines)
        figure.legend(
            [lines[name] for name in names],
            names,
            loc="outside upper center",
            ncols=min(len(names), 2 * wide),
            frameon=False,
        )
    return figure


def draw_corrections(results: Sequence[Result]) -> Any:
    """F1 by the number of corrected pages: a panel for each collection, a line for each method."""
    names = list(results[0].figures(RANDOM, 1).collections)
    counts = (0, *COUNTS)
    with plt.rc_context(_STYLE):
        figure, panels = plt.subplots(
            1, len(names), squeeze=False, figsize=(3.1 * len(names), 3.0), constrained_layout=True
        )
        for panel, name in zip(panels[0], names, strict=True):
            for result, color in zip(results, _LINES, strict=False):
                found = [result.figures(RANDOM, count).collections[name] for count in COUNTS]
                # Without corrections: the mean of what the same pages had, draw by draw.
                start = sum(before for before, _ in found) / len(found)
                after = [start, *(start + after - before for before, after in found)]
                panel.plot(counts, after, marker="o", color=color, label=result.method)
            panel.set_title(name)
            panel.set_xticks(counts)
            panel.set_xlabel("corrected pages of the site")
            panel.grid(axis="y", color=_GRID)
        panels[0][0].set_ylabel("F1 of its other pages")
        panels[0][0].legend(frameon=False, fontsize=8)
    return figure


def _draw_speed(summary: Summary) -> Any:
    """F1 of words over the median time of a page; up and to the left is better."""
    name = summary.columns[-1]
    most = (_counts(summary) or [None])[-1]
    shown = [
        one
        for one in summary.systems
        if name in one.collections and one.system.neighbors in (None, most)
    ]
    with plt.rc_context(_STYLE):
        figure, panel = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
        points = []
        for one in shown:
            mean, low, high = one.collections[name].words.f1
            ms = one.speed[name].median
            colour = _colour(one)
            panel.plot([ms, ms], [low, high], color=colour, linewidth=2, alpha=0.3)
            panel.plot(ms, mean, "o", color=colour, markersize=7)
            points.append((ms, mean, one.system.name, colour))
        parse = summary.lxml[name].median
        panel.axvline(parse, color="#888888", linestyle=":", linewidth=1.2)
        panel.set_xscale("log")
        times = [parse, *(ms for ms, *_ in points)]
        panel.set_xlim(min(times) / 1.6, max(times) * 2.2)
        panel.margins(y=0.12)
        panel.xaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
        panel.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        panel.grid(color=_GRID, linewidth=0.7)
        panel.set_axisbelow(True)
        panel.set_xlabel("milliseconds a page, median (logarithmic); one core, parse included")
        panel.set_ylabel(f"F1 of words, {'all pages' if len(summary.pages) > 1 else name}")
        panel.annotate(
            "lxml parse",
            (parse, 0.01),
            xycoords=("data", "axes fraction"),
            xytext=(3, 0),
            textcoords="offset points",
            rotation=90,
            fontsize=8,
            color="#666666",
        )
        _label_points(figure, panel, points)
    return figure


#: Where a label may be beside its point: horizontal and vertical offset, alignment.
_PLACES = (
    (8, 0, "left", "center"),
    (-8, 0, "right", "center"),
    (0, 9, "center", "bottom"),
    (0, -9, "center", "top"),
    (8, 9, "left", "bottom"),
    (8, -9, "left", "top"),
    (-8, 9, "right", "bottom"),
    (-8, -9, "right", "top"),
    (8, 20, "left", "bottom"),
    (8, -20, "left", "top"),
)


def _label_points(figure: Any, panel: Any, points: Sequence[tuple[float, float, str, str]]) -> None:
    """Each label at the first place where it covers no point and no other label."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    marks = [panel.transData.transform(point[:2]) for point in points]
    taken: list[Any] = []
    frame = panel.get_window_extent(renderer)
    for place, (ms, f1, label, colour) in enumerate(points):
        best = None
        for dx, dy, across, up in _PLACES:
            text = panel.annotate(
                label,
                (ms, f1),
                xytext=(dx, dy),
                textcoords="offset points",
                ha=across,
                va=up,
                fontsize=9,
                color=colour,
            )
            box = text.get_window_extent(renderer)
            clashes = sum(box.overlaps(other) for other in taken)
            clashes += sum(box.contains(*mark) for k, mark in enumerate(marks) if k != place)
            clashes += not (frame.x0 <= box.x0 and box.x1 <= frame.x1)
            if best is None or clashes < best[0]:
                if best is not None:
                    best[1].remove()
                best = (clashes, text, box)
            else:
                text.remove()
            if not clashes:
                break
        assert best is not None
        taken.append(best[2])


def _counts(summary: Summary) -> list[Any]:
    """The numbers of neighbors that were asked for, `all` last."""
    found = {one.system.neighbors for one in summary.systems} - {None}
    return sorted(found, key=lambda count: (count == "all", 0 if count == "all" else count))


def _label(summary: Summary, one: SystemSummary) -> str:
    return one.system.label if len(_counts(summary)) > 1 else one.system.name


def _colour(one: SystemSummary) -> str:
    return _PEER if one.system.is_peer else _OURS


def _line_styles(summary: Summary) -> dict[str, dict[str, Any]]:
    """For the methods, and for the one peer that is the reference."""
    styles: dict[str, dict[str, Any]] = {}
    for one in summary.systems:
        name = one.system.name
        if one.system.is_peer:
            if name == REFERENCE:
                styles[name] = {"color": _PEER, "linestyle": ":", "linewidth": 1.8}
        elif name not in styles:
            colour = _LINES[len(styles) % len(_LINES)]
            line = "--" if one.system.neighbors is None else "-"
            styles[name] = {"color": colour, "linestyle": line, "linewidth": 1.6}
    return styles
