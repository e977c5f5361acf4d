"""Is this version slower than another one? The same pages through both, one after the other.

    benchmarks/compare.py OTHER PAGES [--sample 200] [--rounds 3] [--text]

OTHER is the folder of another checkout of newsclean, PAGES a folder with saved pages (`.html`,
`.html.gz`, also in folders below). A process for each version; each page goes through both of them
in turn, so that both meet the same load of the machine. Printed is the median over pages of this
version's processor time divided by the other's, with its bootstrap interval of 95 %. Timed is all
of `newsclean.extract`; with --text the way from bytes to the text, without metadata and HTML.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import IO

WORKER = """
import gc, sys, time
from pathlib import Path
import gzip
import newsclean
from newsclean import Page
print(newsclean.__file__, flush=True)
extractor = newsclean.Extractor()
def text(body, url):
    return extractor(Page.from_html(body, url)).text
timed = text if sys.argv[1:] == ["text"] else newsclean.extract
for line in sys.stdin:
    path = Path(line.rstrip("\\n"))
    body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    gc.collect()
    start = time.process_time()
    try:
        timed(body, "https://example.org/" + path.name)
    except newsclean.PageError:
        pass
    print(time.process_time() - start, flush=True)
"""

DRAWS = 2000


class Version:
    """A process that extracts with one version of newsclean."""

    def __init__(self, folder: Path, *, text: bool) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder.resolve()), "PYTHONSAFEPATH": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER, *(["text"] if text else [])],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        used = self._read()
        if not Path(used).is_relative_to(folder.resolve()):
            raise SystemExit(f"{folder} has no newsclean: {used} would be measured")

    def seconds(self, page: Path) -> float:
        stdin: IO[str] | None = self.process.stdin
        assert stdin is not None
        stdin.write(f"{page}\n")
        stdin.flush()
        return float(self._read())

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


def pages_in(folder: Path, sample: int) -> list[Path]:
    found = [*folder.rglob("*.html"), *folder.rglob("*.html.gz")]
    random.Random(1).shuffle(found := sorted(found))
    return [path.resolve() for path in found[:sample]]


def interval(values: list[float]) -> tuple[float, float, float]:
    """The median of values, and the bounds between which it is with 95 % certainty."""
    rng = random.Random(1)
    medians = sorted(median(rng.choices(values, k=len(values))) for _ in range(DRAWS))
    return median(values), medians[int(0.025 * DRAWS)], medians[int(0.975 * DRAWS)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("other", type=Path)
    parser.add_argument("pages", type=Path)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--text", action="store_true", help="only the way to the text")
    options = parser.parse_args()
    pages = pages_in(options.pages, options.sample)
    if not pages:
        raise SystemExit(f"no pages in {options.pages}")
    folders = Path(__file__).parent.parent, options.other
    versions = [Version(folder, text=options.text) for folder in folders]
    for version in versions:
        version.seconds(pages[0])  # imports, and reads the model
    ratios = []
    for number, page in enumerate(pages):
        times: tuple[list[float], list[float]] = ([], [])
        for turn in range(options.rounds):
            for which in (0, 1) if (number + turn) % 2 else (1, 0):
                times[which].append(versions[which].seconds(page))
        ratios.append(min(times[0]) / min(times[1]))
    middle, low, high = interval(ratios)
    print(f"{len(pages)} pages, this version / the other: {middle:.3f} ({low:.3f} to {high:.3f})")


if __name__ == "__main__":
    main()
