"""Writes the tables and plots of the README and docs/results.md, all of one model and one run.

    python benchmarks/results.py CORPUS MORE --kept FOLDER [--sample N] [--jobs N]

`make results CORPUS=… MORE=…` does the same. Measured are newsclean's methods and the other tools
on each collection of CORPUS, and `hybrid` beside trafilatura on some collections of MORE. The
scores of each part are kept in FOLDER, and measured again only if the model, the code of newsclean
or the version of a tool has changed. `--parts NAMES` measures only parts whose names begin so, and
writes nothing; `--measured` writes with what has been measured, and – for the rest. The tables are
written between the lines `<!-- results NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections import defaultdict
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

import xxhash

import newsclean
from newsclean.cli.terminal import Progress
from newsclean.extraction.methods.hybrid.network import read_model
from newsclean.lab.evaluate.corpus import check_pages, read_corpus
from newsclean.lab.evaluate.evaluation_report import versions
from newsclean.lab.evaluate.measures import MEASURES, Agreement
from newsclean.lab.evaluate.page_scores import Score, score_pages
from newsclean.lab.evaluate.score_plots import draw_all
from newsclean.lab.evaluate.score_tables import (
    NOTHING,
    Table,
    difference_table,
    f1_table,
    precision_recall_table,
    speed_table,
)
from newsclean.lab.evaluate.summary import ALL, Summary, summarise
from newsclean.lab.evaluate.systems import System, cross_validation_warning, systems_of

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "results.md")
PLOTS = ROOT / "docs" / "plots"

METHODS = ("hybrid", "stadynot+coreex", "stadynot", "coreex", "stadynot:paper", "coreex:paper")
#: Those in the README, with all neighbors.
IN_README = ("hybrid", "stadynot+coreex")
PEERS = ("trafilatura", "readability", "resiliparse", "justext", "boilerpy3")
SLOW_PEERS = ("newspaper4k", "goose3")
#: Collections of MORE whose golds say what the article of a page is much as those of CORPUS do.
BY_LANGUAGE = ("chinese", "daniel", "wwwxmu")
#: A page fails below this F1; of each language so many are listed.
FAILS = 0.8
MAX_LISTED = 5
MIN_PAGES = 5

_REGION = re.compile(r"(<!-- results (\S+) -->\n)(.*?)(<!-- end -->)", re.S)


@dataclass(frozen=True)
class Part:
    kind: str
    folder: Path
    collection: str
    systems: tuple[System, ...]

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.collection}"

    def state(self, sample: int | None) -> dict[str, object]:
        """What its scores depend on."""
        peers = {system.name: system.version for system in self.systems if system.is_peer}
        own = [system.label for system in self.systems if not system.is_peer]
        return {
            "systems": own,
            "peers": peers,
            "sample": sample,
            "newsclean": code_digest() if own else None,
        }


def code_digest() -> str:
    """A hash of newsclean's code and models, without the laboratory and the applications."""
    digest = xxhash.xxh3_64()
    package = Path(newsclean.__file__).parent
    for folder in (package / "extraction", package / "lab" / "evaluate"):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".npz", ".json"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


def measured_before(part: Part, kept: Path, sample: int | None) -> list[Score] | None:
    path = kept / f"{part.name}.json"
    if not path.exists():
        return None
    found = json.loads(path.read_text("utf-8"))
    if found["state"] != part.state(sample):
        return None
    return [_score(one) for one in found["scores"]]


def measure(part: Part, kept: Path, sample: int | None, jobs: int) -> list[Score]:
    corpus = read_corpus(part.folder, [part.collection])
    corpus = check_pages(corpus.sample(sample) if sample else corpus)
    with Progress(lines=10) as progress:
        scores = score_pages(
            corpus, part.systems, jobs, lambda done, of: progress.update(part.name, done, of)
        ).scores
    kept.mkdir(parents=True, exist_ok=True)
    data = {"state": part.state(sample), "scores": [asdict(score) for score in scores]}
    (kept / f"{part.name}.json").write_text(json.dumps(data), "utf-8")
    return scores


def _score(data: dict[str, object]) -> Score:
    """A score as it was before it became JSON."""
    known = {field.name: data[field.name] for field in fields(Score)}
    return Score(**known | {name: Agreement(*known[name]) for name in MEASURES})  # type: ignore[arg-type, misc]


def readme_table(summary: Summary) -> str:
    """F1 by collection and the time beside trafilatura; the best of a column in bold."""
    names = list(summary.pages)
    rows = []
    for one in summary.systems:
        is_shown = one.system.name in IN_README and one.system.neighbors == "all"
        if not (is_shown or one.system.is_peer or one.system == System("hybrid", neighbors=0)):
            continue
        groups = [one.collections.get(name) for name in names]
        figures = [round(group.words.f1.mean, 3) if group else None for group in groups]
        speed = one.speed.get(ALL)
        rows.append((_readme_name(one.system), figures, speed and speed.to_trafilatura))
    best = [max(row[1][column] or 0 for row in rows) for column in range(len(names))]
    head = [f"{name} ({summary.pages[name]})" for name in names]
    lines = [f"| | {' | '.join(head)} | time |", f"| --- |{' ---: |' * (len(names) + 1)}"]
    for name, figures, time in rows:
        cells = [
            NOTHING if figure is None else f"**{figure:.3f}**" if figure == top else f"{figure:.3f}"
            for figure, top in zip(figures, best, strict=True)
        ]
        cells.append(f"{time:.2f}" if time else NOTHING)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _readme_name(system: System) -> str:
    if system.name == "hybrid":
        return "newsclean, no neighbors" if system.neighbors == 0 else "**newsclean** (`hybrid`)"
    return system.name if system.is_peer else f"newsclean, `{system.name}`"


def language_table(ours: list[Score], peers: list[Score]) -> Table:
    """`hybrid` on pages by themselves beside trafilatura, by collection and language."""
    beside = {score.page: score.words.f1 for score in peers if score.system == "trafilatura"}
    groups: dict[tuple[str, str], list[Score]] = defaultdict(list)
    for score in _alone(ours):
        groups[score.language, score.collection].append(score)
        groups[score.language, ALL].append(score)
    rows = []
    for language in sorted({name for name, _ in groups}, key=lambda n: (-len(groups[n, ALL]), n)):
        of = sorted((key for key in groups if key[0] == language and key[1] != ALL), key=str)
        for key in of if len(of) == 1 else [(language, ALL), *of]:
            if len(found := groups[key]) < MIN_PAGES:
                continue
            figures = [f"{mean(score.words[part] for score in found):.3f}" for part in range(3)]
            known = [beside[score.page] for score in found if score.page in beside]
            other = f"{mean(known):.3f}" if len(known) == len(found) else NOTHING
            fails = sum(score.words.f1 < FAILS for score in found)
            rows.append([language, key[1], str(len(found)), *figures, other, str(fails)])
    return Table(
        "By language",
        ["language", "collection", "pages", "P", "R", "F1", "trafilatura F1", f"below {FAILS}"],
        rows,
        f"Pages by themselves. Languages with fewer than {MIN_PAGES} pages are left out. Texts in "
        "scripts without spaces are compared by characters.",
    )


def failure_table(ours: list[Score], peers: list[Score]) -> Table:
    """The pages of each language with the lowest F1."""
    beside = {score.page: score.words.f1 for score in peers if score.system == "trafilatura"}
    by_language: dict[str, list[Score]] = defaultdict(list)
    for score in _alone(ours):
        if score.words.f1 < FAILS:
            by_language[score.language].append(score)
    rows = []
    for language, found in sorted(by_language.items()):
        for score in sorted(found, key=lambda score: score.words.f1)[:MAX_LISTED]:
            figures = [f"{figure:.3f}" for figure in score.words]
            other = beside.get(score.page)
            name = f"{score.collection}/{score.id[:40]}"
            rows.append([language, name, *figures, NOTHING if other is None else f"{other:.3f}"])
    return Table(
        "Where it fails",
        ["language", "page", "P", "R", "F1", "trafilatura F1"],
        rows,
        f"Of each language the {MAX_LISTED} pages with the lowest F1, below {FAILS}.",
    )


def _alone(scores: list[Score]) -> list[Score]:
    return [score for score in scores if (score.system, score.neighbors) == ("hybrid", 0)]


def write(regions: dict[str, str]) -> None:
    """Put the texts into their places; a place or a text without the other is an error."""
    placed = set()

    def put(found: re.Match[str]) -> str:
        placed.add(found[2])
        return f"{found[1]}\n{regions[found[2]].strip()}\n\n{found[4]}"

    texts = {path: _REGION.sub(put, path.read_text("utf-8")) for path in PAGES}
    if missing := regions.keys() - placed:
        raise SystemExit(f"no place for {', '.join(sorted(missing))}")
    for path, text in texts.items():
        path.write_text(text, "utf-8")


def run_note(summary: Summary, sample: int | None) -> str:
    known = ", ".join(f"{name} {number}" for name, number in versions(summary).items())
    pages = sum(summary.pages.values())
    some = f", at most {sample} of each collection" if sample else ""
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with the model {read_model().fingerprint}, on "
        f"{pages:,} pages{some}, by `make results CORPUS=… MORE=…`: {known}.\n"
    )


def body(table: Table) -> str:
    """A table without its heading, which the page has already."""
    return table.markdown().split("\n", 2)[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("more", type=Path)
    parser.add_argument("--kept", type=Path, required=True, help="folder for the scores")
    parser.add_argument("--sample", type=int, help="at most so many pages of each collection")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--parts", metavar="A,B", help="measure these, and write nothing")
    parser.add_argument("--measured", action="store_true", help="measure nothing, and write")
    options = parser.parse_args()
    own, _ = systems_of(METHODS, (), (0, "all"))
    peers, missing = systems_of((), PEERS, ())
    slow, missing_slow = systems_of((), SLOW_PEERS, ())
    languages, _ = systems_of(("hybrid",), ("trafilatura",), (0, "all"))
    if missing or missing_slow:
        names = ", ".join([*missing, *missing_slow])
        print(f"not installed: {names} (pip install '.[bench]')", file=sys.stderr)
        return 2
    collections = sorted({gold.collection for gold in read_corpus(options.corpus).golds})
    parts = [Part("languages", options.more, name, tuple(languages)) for name in BY_LANGUAGE]
    for kind, systems in (("ours", own), ("peers", peers), ("slow-peers", slow)):
        parts += [Part(kind, options.corpus, name, tuple(systems)) for name in collections]
    found: dict[str, list[Score]] = defaultdict(list)
    for part in parts:
        if options.parts and not part.name.startswith(tuple(options.parts.split(","))):
            continue
        scores = measured_before(part, options.kept, options.sample)
        if scores is None and not options.measured:
            scores = measure(part, options.kept, options.sample, options.jobs)
        found[part.kind] += scores or []
    if options.parts:
        return 0
    of_corpus = [*found["ours"], *found["peers"], *found["slow-peers"]]
    sites = [score.site for scores in found.values() for score in scores]
    if warning := cross_validation_warning(own, sites):
        print(warning, file=sys.stderr)
        return 2
    summary = summarise(of_corpus, [*own, *peers, *slow])
    by_language = [*found["ours"], *found["languages"]]
    of_peers = [*found["peers"], *found["languages"]]
    difference = difference_table(summary)
    note = run_note(summary, options.sample)
    write(
        {
            "readme": f"{readme_table(summary)}\n{note}",
            "run": note,
            "quality": body(f1_table(summary)),
            "difference": body(difference) if difference else "",
            "precision": body(precision_recall_table(summary)),
            "characters": body(precision_recall_table(summary, "characters")),
            "speed": body(speed_table(summary)),
            "languages": body(language_table(by_language, of_peers)),
            "failures": body(failure_table(by_language, of_peers)),
        }
    )
    drawn = options.kept / "plots"
    drawn.mkdir(exist_ok=True)
    draw_all(drawn, summary)
    for path in sorted(drawn.glob("*.png")):
        if (PLOTS / path.name).exists():
            shutil.copy(path, PLOTS / path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
