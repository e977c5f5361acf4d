"""What a run leaves in its folder: `results.json`, `results.md` and the plots."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lxml import etree

from newsclean import __version__
from newsclean.error_hints import install_command
from newsclean.lab.evaluate.measures import LEVEL, RESAMPLES
from newsclean.lab.evaluate.score_tables import all_tables
from newsclean.lab.evaluate.systems import cross_validation_warning, missing_message

if TYPE_CHECKING:
    from pathlib import Path

    from newsclean.lab.evaluate.page_scores import Scores
    from newsclean.lab.evaluate.summary import Group, Summary, SystemSummary


@dataclass(frozen=True)
class Circumstances:
    """How the figures came about."""

    command: str
    corpus: str
    jobs: int
    #: peers that were asked for and are not installed
    missing: list[str]


def write_report(folder: Path, run: Scores, summary: Summary, how: Circumstances) -> None:
    """Write all files; no plots where they cannot be drawn."""
    results = {**_circumstances(run, summary, how), **figures(run, summary)}
    _write(folder / "results.json", json.dumps(results, ensure_ascii=False, indent=1))
    _write(folder / "results.md", markdown(run, summary, how))
    if why_no_plots() is None:
        from newsclean.lab.evaluate.score_plots import draw_all  # slow to import

        draw_all(folder, summary)


def why_no_plots() -> str | None:
    """Why plots cannot be drawn, None if they can."""
    if find_spec("matplotlib") is None:
        return f"no plots, matplotlib is not installed: {install_command('bench')}"
    return None


def _circumstances(run: Scores, summary: Summary, how: Circumstances) -> dict[str, Any]:
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": how.command,
        "corpus": how.corpus,
        "pages": summary.pages,
        "cross_validated": _warning(run, summary) is None,
        "missing_peers": how.missing,
        "versions": versions(summary),
        "machine": {"system": platform.platform(), "processor": processor()},
        "jobs": how.jobs,
        "peak_memory_mb": run.memory,
        "interval": {"level": LEVEL, "resamples": RESAMPLES, "kind": "bootstrap percentile"},
    }


def figures(run: Scores, summary: Summary) -> dict[str, Any]:
    return {
        "lxml_parse": {name: asdict(speed) for name, speed in summary.lxml.items()},
        "systems": [_system(one) for one in summary.systems],
        "scores": [asdict(score) for score in run.scores],
    }


def versions(summary: Summary) -> dict[str, str]:
    found = {"newsclean": __version__, "python": platform.python_version()}
    found["lxml"] = ".".join(map(str, etree.LXML_VERSION))
    peers = [one.system for one in summary.systems if one.system.is_peer]
    return found | {peer.name: peer.version for peer in peers}


def markdown(run: Scores, summary: Summary, how: Circumstances) -> str:
    """The report for people."""
    known = _circumstances(run, summary, how)
    lines = ["# newsclean evaluate", "", f"    {how.command}", ""]
    lines.append(
        f"- {known['date']}, {known['machine']['processor']}, {known['machine']['system']}"
    )
    lines.append("- " + ", ".join(f"{name} {number}" for name, number in versions(summary).items()))
    lines += [f"- {remark}" for remark in remarks(run, summary, how)]
    parts = ["\n".join(lines) + "\n", *(table.markdown() for table in all_tables(summary))]
    return "\n".join(parts)


def remarks(run: Scores, summary: Summary, how: Circumstances) -> list[str]:
    """What a reader of the figures has to know."""
    found = [warning] if (warning := _warning(run, summary)) else []
    found += [missing_message(name) for name in how.missing]
    for one in summary.systems:
        for what, counted in (("raised", one.errors), ("", one.notes)):
            for message, count in counted.most_common(5):
                said = f"{what} {message}" if what else message
                found.append(f"{one.system.label}: {said} ({_pages(count)})")
            if len(counted) > 5:
                rest = counted.total() - sum(count for _, count in counted.most_common(5))
                found.append(f"{one.system.label}: and other such messages ({_pages(rest)})")
    timing = "times are processor time of one call, from bytes to text"
    if how.jobs > 1:
        timing += f"; {how.jobs} processes ran at once: --jobs 1 gives steadier times"
    found.append(timing)
    if run.memory:
        found.append(f"peak memory of a process, all systems loaded: {run.memory:.0f} MB")
    return found


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            names = [
                line.split(":", 1)[1].strip() for line in file if line.startswith("model name")
            ]
        return names[0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def _warning(run: Scores, summary: Summary) -> str | None:
    sites = {score.page: score.site for score in run.scores}
    return cross_validation_warning([one.system for one in summary.systems], sites.values())


def _pages(count: int) -> str:
    return f"{count} page{'s' if count != 1 else ''}"


def _system(one: SystemSummary) -> dict[str, Any]:
    return {
        "name": one.system.name,
        "kind": "peer" if one.system.is_peer else "method",
        "neighbors": one.system.neighbors,
        "version": one.system.version,
        "collections": {name: _group(group) for name, group in one.collections.items()},
        "languages": {name: _group(group) for name, group in one.languages.items()},
        "sites": [
            {"collection": collection, "site": site, **_group(group)}
            for (collection, site), group in one.sites.items()
        ],
        "speed": {name: asdict(speed) for name, speed in one.speed.items()},
        "f1_minus_trafilatura": {name: mean._asdict() for name, mean in one.difference.items()},
        "shingles_f1_of_means": one.benchmark_f1,
        "errors": one.errors,
        "notes": one.notes,
    }


def _group(group: Group) -> dict[str, Any]:
    measures = {
        measure: {name: mean._asdict() for name, mean in found._asdict().items()}
        for measure, found in group.by_measure.items()
    }
    return {"pages": group.pages, **measures}


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "replace"))
