"""How a memory behaves over many pages: time a page, process memory, size of the file.

    python benchmarks/memory.py [--pages 100000] [--sites 1000] [--out DIR]

First all pages of one site through learning, then 100 pages of each of many sites, interleaved.
The pages are made up: keys of a template that all pages share, of blocks that come and go, and of
texts that stand on one page only. Times are processor time, which other programs on the machine
disturb least. Draws a plot of each figure over the number of pages.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from newsclean.extraction.neighborhood import PageKeys
from newsclean.memory import Memory

TEMPLATE, CHANGING, OWN = 120, 40, 60  # keys of a page
POOL = 2_000  # texts of which the changing blocks show some
CATEGORIES = 8
STEP = 1_000
ENOUGH = 5


@dataclass
class Course:
    """The figures along the way."""

    pages: list[int] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    file_megabytes: list[float] = field(default_factory=list)

    def note(self, pages: int, seconds: float, path: Path) -> None:
        self.pages.append(pages)
        self.milliseconds.append(1000 * seconds / STEP)
        self.megabytes.append(resident())
        files = path.parent.glob(f"{path.name}*")
        self.file_megabytes.append(sum(file.stat().st_size for file in files) / 1e6)


def resident() -> float:
    """The memory of this process, in MB."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return pages * resource.getpagesize() / 1e6


def made_up_page(rng: random.Random, site: int) -> PageKeys:
    template = [(site << 32) + n for n in range(TEMPLATE)]
    changing = [(site << 32) + (1 << 20) + rng.randrange(POOL) for _ in range(CHANGING)]
    own = [rng.getrandbits(64) for _ in range(OWN)]
    hashes = np.array(template + changing + own, dtype=np.uint64)
    return PageKeys(
        texts=hashes,
        samples=[f"text {key}" for key in hashes.tolist()],
        chars=np.full(len(hashes), 40, dtype=np.int64),
        of_text=np.arange(len(hashes)),
        label_of_text=np.full(len(hashes), -1, dtype=np.int64),
    )


def run(pages: int, sites: int, folder: Path, title: str) -> Course:
    """Learn and ask page after page, the sites in turn."""
    rng = random.Random(1)
    path = folder / f"{sites}.sqlite"
    memory = Memory(str(path))
    course = Course()
    seconds = 0.0
    for number in track(range(1, pages + 1), title):
        site = number % sites
        keys = made_up_page(rng, site)
        place = f"site-{site}.example", f"section-{rng.randrange(CATEGORIES)}"
        name = f"https://{place[0]}/{number}"
        start = time.process_time()
        memory.sites.learn(*place, name, keys)
        memory.sites.support_for(*place, name, keys, ENOUGH)
        seconds += time.process_time() - start
        if number % STEP == 0:
            course.note(number, seconds, path)
            seconds = 0.0
    memory.close()
    return course


def summary(course: Course, title: str) -> Table:
    table = Table("pages", "ms a page", "process MB", "file MB", title=title, title_justify="left")
    marks = [m for m in (1_000, 10_000, 25_000, 50_000, 75_000, 100_000) if m <= course.pages[-1]]
    for mark in sorted({*marks, course.pages[-1]}):
        last = course.pages.index(mark)
        first = max(0, last - 4)  # the mean of the last five steps: the machine is not alone
        table.add_row(
            f"{mark:,}",
            f"{np.mean(course.milliseconds[first : last + 1]):.3f}",
            f"{course.megabytes[last]:.1f}",
            f"{course.file_megabytes[last]:.2f}",
        )
    return table


def draw(courses: dict[str, Course], out: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(3, len(courses), figsize=(11, 8), squeeze=False, sharex="col")
    for column, (title, course) in enumerate(courses.items()):
        for row, (values, label) in enumerate(
            (
                (course.milliseconds, "ms a page"),
                (course.megabytes, "process, MB"),
                (course.file_megabytes, "file, MB"),
            )
        ):
            axis = axes[row][column]
            axis.plot(course.pages, values, linewidth=1.2)
            axis.set_ylim(0, 1.25 * max(values))
            axis.set_ylabel(label)
            axis.grid(alpha=0.3)
        axes[0][column].set_title(title)
        axes[2][column].set_xlabel("pages learned")
    figure.tight_layout()
    out.mkdir(parents=True, exist_ok=True)
    figure.savefig(out / "memory.svg")
    figure.savefig(out / "memory.png", dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--sites", type=int, default=1_000)
    parser.add_argument("--out", type=Path, default=Path("docs/plots"))
    options = parser.parse_args()
    courses = {}
    with tempfile.TemporaryDirectory() as folder:
        for sites in (1, options.sites):
            title = "one site" if sites == 1 else f"{sites:,} sites, 100 pages each"
            pages = options.pages if sites == 1 else 100 * sites
            courses[title] = run(pages, sites, Path(folder), title)
            Console().print(summary(courses[title], title))
    draw(courses, options.out)


if __name__ == "__main__":
    main()
