"""How much processor time newsclean takes, beside trafilatura, bare Scrapy and another version.

    python benchmarks/bench.py [--pages FOLDER] [--against CHECKOUT] [--parts …] [--docs]
    python benchmarks/bench.py --quick --against CHECKOUT

`make bench` runs all of it. Pages are saved ones (`.html`, `.html.gz`, also in folders below), or
those of the demo. All systems take the same page in turn, in processes of their own, so that they
meet the same load of the machine; the best of some rounds counts. Ratios are medians over pages,
queries or rounds, with bootstrap intervals of 95 %. With --docs, the table and the plot of
docs/benchmarks.md are written. With --quick, only pages are compared, in less than a minute, and a
version that takes more than 5 % longer is reported; the exit code stays 0.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from statistics import median
from typing import IO, NamedTuple

from archive import demo_pages, write_warc
from generated_articles import Generator, line_of
from served_crawl import bare_crawl, crawl, served_sites

from newsclean.demo.world import build_world

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs" / "benchmarks.md"
PLOT = ROOT / "docs" / "plots" / "bench.png"
BEGIN, END = "<!-- bench: begin -->\n", "<!-- bench: end -->\n"
PARTS = ("pages", "stages", "first", "crawl", "archive", "search")
#: From here on, --quick reports that a version takes longer.
SLOWER = 1.05
DRAWS = 2000
FIRST_PAGES = {
    "with a declared language": "<html lang=en>",
    "whose language is guessed": "<html>",
}


class Ratio(NamedTuple):
    """A median of ratios, and the bounds between which it is with 95 % certainty."""

    middle: float
    low: float
    high: float

    @classmethod
    def of(cls, values: list[float]) -> Ratio:
        rng = random.Random(1)
        medians = sorted(median(rng.choices(values, k=len(values))) for _ in range(DRAWS))
        return cls(median(values), medians[int(0.025 * DRAWS)], medians[int(0.975 * DRAWS)])

    def __str__(self) -> str:
        if self.low == self.high:  # of a single run
            return f"{self.middle:.2f}"
        return f"{self.middle:.2f} ({self.low:.2f} to {self.high:.2f})"


class Row(NamedTuple):
    """A line of the table: milliseconds, and what they are of the others' milliseconds."""

    what: str
    milliseconds: float
    of_before: Ratio | None = None
    #: of a peer, which `what` names
    of_peer: Ratio | None = None


class Version:
    """A process that answers with one version of newsclean (`page_worker.py`)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).parent / "page_worker.py")],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if not Path(str(self._read())).is_relative_to(self.folder):
            raise SystemExit(f"{folder} has no newsclean")

    @property
    def environment(self) -> dict[str, str]:
        threads = {"OPENBLAS_NUM_THREADS": "1"}
        return os.environ | {"PYTHONPATH": str(self.folder), "PYTHONSAFEPATH": "1"} | threads

    def ask(self, *what: str) -> dict[str, float]:
        stdin: IO[str] | None = self.process.stdin
        assert stdin is not None
        stdin.write(json.dumps(what) + "\n")
        stdin.flush()
        answer = self._read()
        assert isinstance(answer, dict)
        return answer

    def seconds(self, *command: str) -> float:
        """Run `newsclean` with these arguments; return its processor time, its start included."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "newsclean", *command],
            env=self.environment,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def _read(self) -> object:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


class Bench:
    """This version, the one before if there is one, the pages, and a folder for files."""

    def __init__(self, versions: list[Version], pages: list[Path], folder: Path, rounds: int):
        self.versions = versions
        self.pages = pages
        self.folder = folder
        self.rounds = rounds

    def in_turn(self, measure: Callable[[Version], float], times: int) -> list[list[float]]:
        """Measure each version so many times, in turn; a list for each version."""
        found: list[list[float]] = [[] for _ in self.versions]
        for turn in range(times):
            order = range(len(self.versions)) if turn % 2 else reversed(range(len(self.versions)))
            for which in order:
                found[which].append(measure(self.versions[which]))
        return found

    def row(self, what: str, found: list[list[float]], per: int = 1) -> Row:
        before = [a / b for a, b in zip(*found, strict=True)] if len(found) > 1 else []
        ratio = Ratio.of(before) if before else None
        return Row(what, 1000 * median(found[0]) / per, ratio)

    def measure_pages(self, *, quick: bool = False) -> Iterator[Row]:
        """All of `extract` and the text alone, beside trafilatura."""
        ours: dict[str, list[list[float]]] = {"extract": [], "text": []}
        peers: dict[str, list[float]] = {"text": [], "metadata": []}
        for number, page in enumerate(self.pages):
            best: list[dict[str, float]] = [{} for _ in self.versions]
            peer: dict[str, float] = {}
            for turn in range(self.rounds):
                order = list(enumerate(self.versions))
                for which, version in order if (number + turn) % 2 else reversed(order):
                    _keep_best(best[which], version.ask("extract", str(page)))
                if not quick:
                    _keep_best(peer, self.versions[0].ask("trafilatura", str(page)))
            if not all(best):
                continue
            for name, values in ours.items():
                values.append([each[name] for each in best])
            for name, seconds in peer.items():
                peers[name].append(seconds)
        for title, name, other in (
            ("all of `extract`, of trafilatura's text", "extract", "text"),
            ("all of `extract`, of trafilatura's text with metadata", "extract", "metadata"),
            ("text alone, of trafilatura's text", "text", "text"),
        ):
            row = self.row(title, [list(column) for column in zip(*ours[name], strict=True)])
            if peers[other]:
                pairs = zip(ours[name], peers[other], strict=True)
                row = row._replace(of_peer=Ratio.of([times[0] / peer for times, peer in pairs]))
            yield row

    def measure_stages(self) -> Iterator[Row]:
        """The stages of a page, by this version."""
        pages: list[dict[str, float]] = []
        for page in self.pages:
            best: dict[str, float] = {}
            for _ in range(self.rounds):
                _keep_best(best, self.versions[0].ask("stages", str(page)))
            if best:
                pages.append(best)
        parse = next(iter(pages[0]))
        for name in pages[0]:
            of_parse = Ratio.of([page[name] / page[parse] for page in pages])
            yield Row(f"… {name}", 1000 * median(page[name] for page in pages), of_peer=of_parse)

    def measure_first(self) -> Iterator[Row]:
        """`newsclean extract page.html` from the start of the process, and `newsclean --help`."""
        article = build_world(1)[0].articles[0]
        paragraphs = "".join(f"<p>{text}</p>" for text in article.gold.split("\n\n"))
        for name, html in FIRST_PAGES.items():
            path = self.folder / "first.html"
            path.write_text(f"{html}<title>{article.headline}</title>{paragraphs}")
            found = self.in_turn(lambda v, p=path: v.seconds("extract", str(p)), 10)  # type: ignore[misc]
            yield self.row(f"first page, {name}", found)
        yield self.row("`newsclean --help`", self.in_turn(lambda v: v.seconds("--help"), 10))

    def measure_crawl(self) -> Iterator[Row]:
        """A crawl of 2,040 pages of 20 sites, beyond the same pages by bare Scrapy."""
        with served_sites(20, 34) as served:
            bare: list[float] = []

            def beyond(version: Version) -> float:
                bare.append(bare_crawl(served).seconds)
                found = crawl(version.folder, served)
                if found.articles != len(served.urls):
                    raise SystemExit(f"{found.articles} of {len(served.urls)} articles came out")
                return found.seconds - bare[-1]

            found = self.in_turn(beyond, 2)
            row = self.row("crawl, beyond bare Scrapy, per page", found, len(served.urls))
            ratio = Ratio.of([seconds / median(bare) for seconds in found[0]])
            yield row._replace(of_peer=ratio)

    def measure_archive(self) -> Iterator[Row]:
        """`newsclean extract` on a WARC file, per page."""
        warc, count = self.folder / "pages.warc.gz", 500
        write_warc(warc, count, 10)
        out = str(self.folder / "out.jsonl")
        found = self.in_turn(lambda v: v.seconds("extract", str(warc), "--out", out), self.rounds)
        yield self.row("`newsclean extract` on a WARC file, per page", found, count)

    def measure_search(self) -> Iterator[Row]:
        """`newsclean index` per article, and a query of two words."""
        generator, count = Generator(), 2000
        articles = list(generator.articles(count))
        lines = self.folder / "articles.jsonl"
        lines.write_bytes(b"".join(map(line_of, articles)))
        runs = iter(range(100))

        def index(version: Version) -> float:
            target = self.folder / f"{next(runs)}.sqlite"
            return version.seconds("index", str(lines), "--index", str(target))

        yield self.row("`newsclean index`, per article", self.in_turn(index, self.rounds), count)
        spaced = [each for each in articles if each["language"] != "zh"]
        queries = [" ".join(generator.random.choice(each["words"], 2)) for each in spaced[:60]]
        found: list[list[float]] = [[] for _ in self.versions]
        for query in queries:
            for which, version in enumerate(self.versions):
                target = str(self.folder / "0.sqlite")
                taken = [version.ask("search", target, query)["search"] for _ in range(3)]
                found[which].append(min(taken))
        yield self.row("a query of two words on 2,000 articles", found)


def _keep_best(best: dict[str, float], found: dict[str, float]) -> None:
    for name, seconds in found.items():
        best[name] = min(best.get(name, seconds), seconds)


def pages_in(folder: Path, sample: int) -> list[Path]:
    """Return a sample of the saved pages in a folder, always the same."""
    found = sorted([*folder.rglob("*.html"), *folder.rglob("*.html.gz")])
    if not found:
        raise SystemExit(f"no pages in {folder}")
    random.Random(1).shuffle(found)
    return [path.resolve() for path in found[:sample]]


def _demo_pages(folder: Path, sample: int) -> list[Path]:
    paths = []
    for number, (_, body) in enumerate(islice(demo_pages(10), sample)):
        paths.append(folder / f"{number}.html")
        paths[-1].write_bytes(body)
    return paths


@contextmanager
def open_bench(options: argparse.Namespace) -> Iterator[Bench]:
    folders = [ROOT] if options.against is None else [ROOT, options.against]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sample = 40 if options.quick else options.sample
        pages = _demo_pages(folder, sample)
        if options.pages is not None:
            pages = pages_in(options.pages, sample)
        versions = [Version(each) for each in folders]
        for version in versions:
            stack.callback(version.close)
            version.ask("extract", str(pages[0]))  # imports, and reads the models
        yield Bench(versions, pages, folder, options.rounds)


def table_of(rows: list[Row]) -> str:
    """Return the rows as Markdown."""
    lines = ["| | ms | of the version before | of the peer |", "| --- | ---: | ---: | ---: |"]
    for row in rows:
        ratios = (str(each) if each else "" for each in (row.of_before, row.of_peer))
        lines.append(f"| {row.what} | {row.milliseconds:.2f} | {' | '.join(ratios)} |")
    return "\n".join(lines) + "\n"


def write_docs(rows: list[Row]) -> None:
    """Write the table and the plot of docs/benchmarks.md."""
    before, _, rest = DOCS.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    DOCS.write_text(f"{before}{BEGIN}\n{table_of(rows)}\n{END}{after}", "utf-8")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(13, 5), sharey=True)
    names = [row.what.replace("`", "") for row in rows]
    for axis, title, ratios in (
        (axes[0], "of the version before", [row.of_before for row in rows]),
        (axes[1], "of the peer; of lxml's parse for the stages", [row.of_peer for row in rows]),
    ):
        for place, ratio in enumerate(ratios):
            if ratio is not None:
                errors = [[ratio.middle - ratio.low], [ratio.high - ratio.middle]]
                axis.barh(place, ratio.middle, xerr=errors, color="#4477aa", ecolor="#222222")
        axis.axvline(1, color="#222222", linewidth=0.8)
        axis.set_title(title, fontsize=10)
    axes[0].set_yticks(range(len(names)), names, fontsize=8)
    axes[0].invert_yaxis()
    figure.tight_layout()
    figure.savefig(PLOT, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pages", type=Path, help="a folder with saved pages (default: demo)")
    parser.add_argument("--against", type=Path, help="another checkout of newsclean")
    parser.add_argument("--sample", type=int, default=150, help="number of pages")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parts", default=",".join(PARTS), help="separated by commas")
    parser.add_argument("--docs", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--quick", action="store_true", help="only compare pages")
    options = parser.parse_args()
    if options.quick and options.against is None:
        raise SystemExit("--quick compares with another version: name it with --against")
    if unknown := set(options.parts.split(",")) - set(PARTS):
        raise SystemExit(f"no part named {', '.join(sorted(unknown))}; there are {PARTS}")
    rows: list[Row] = []
    with open_bench(options) as bench:
        if options.quick:
            row = next(bench.measure_pages(quick=True))
            assert row.of_before is not None
            print(f"extract, of the version before: {row.of_before}, {len(bench.pages)} demo pages")
            if row.of_before.middle > SLOWER:
                print(f"warning: extract takes {row.of_before.middle - 1:.0%} longer than before")
            return
        for part in options.parts.split(","):
            found: Iterator[Row] = getattr(bench, f"measure_{part}")()
            for row in found:
                rows.append(row)
                print(table_of([row]).splitlines()[-1], flush=True)
    if options.docs:
        write_docs(rows)


if __name__ == "__main__":
    main()
