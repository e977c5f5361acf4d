"""The same archives on one process, on two, and on Spark: lines, speed and memory.

    python benchmarks/cluster.py [--pages 20000] [--sites 200] [--files 40] [--rounds 1]

Makes WARC files of pages of the demo world, the pages of all sites mixed. Measures in turn, by the
clock and by processor time, `newsclean extract`, `newsclean extract --jobs 2` and the job for Spark
on two cores, and compares the lines. Then Spark once more, with one of the files damaged and one
of its Python processes killed in the midst: the lines must be those of `newsclean extract` on the
damaged files. Memory is the sum over all processes of a run, as the system shares it (PSS): of the
second and of the last quarter, to see whether it grows. Memory and processor time are looked up
every two seconds.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

sys.path.insert(0, str(Path(__file__).parent))

from archive import HTML, demo_pages

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLE_SECONDS = 2.0
#: The exit code of `newsclean extract` for an input that is damaged.
DAMAGED = 3
DATE = {"WARC-Date": "2026-03-14T12:00:00Z"}


class Run(NamedTuple):
    """What a run has used, and the memory of all its processes in MB, every two seconds."""

    clock: float
    processor: float
    memory: list[float]

    def quarter(self, number: int) -> float:
        """The median memory of a quarter of the run."""
        size = max(len(self.memory) // 4, 1)
        return statistics.median(self.memory[number * size :][:size] or self.memory)


def write_warcs(folder: Path, pages: int, sites: int, files: int) -> list[Path]:
    """Pages of all sites, mixed and divided among files."""
    chosen = list(islice(demo_pages(sites), pages))
    random.Random(pages).shuffle(chosen)
    folder.mkdir()
    paths = []
    for number in range(files):
        path = folder / f"{number:03}.warc.gz"
        with path.open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            for url, body in chosen[number * pages // files : (number + 1) * pages // files]:
                headers = StatusAndHeaders("200 OK", HTML, protocol="HTTP/1.1")
                record = writer.create_warc_record(
                    url,
                    "response",
                    io.BytesIO(body),
                    len(body),
                    warc_headers_dict=DATE,
                    http_headers=headers,
                )
                writer.write_record(record)
        paths.append(path)
    return paths


def family(process: int) -> list[int]:
    """A process, and those that it has started."""
    found = [process]
    for each in found:
        for task in Path(f"/proc/{each}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:
                continue
    return found


def memory_of(process: int) -> float:
    """MB of a process and its children, what they share counted once."""
    total = 0
    for each in family(process):
        try:
            text = Path(f"/proc/{each}/smaps_rollup").read_text()
        except OSError:
            continue
        total += int(text.partition("\nPss:")[2].split()[0]) if "\nPss:" in text else 0
    return total / 1024


def processor_times(process: int) -> dict[int, float]:
    """Seconds of processor time of a process and its children, each by itself."""
    times = {}
    for each in family(process):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        times[each] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return times


def measure(
    command: list[str],
    log: Path,
    during: Callable[[int], None] | None = None,
    codes: tuple[int, ...] = (0,),
) -> Run:
    """Run a command to its end; `during` is called at each look, with the process."""
    start = time.perf_counter()
    processor: dict[int, float] = {}
    memory = []
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
        while True:
            try:
                process.wait(SAMPLE_SECONDS)
                break
            except subprocess.TimeoutExpired:
                memory.append(memory_of(process.pid))
                processor |= processor_times(process.pid)
                if during is not None:
                    during(process.pid)
    clock = time.perf_counter() - start
    if process.returncode not in codes:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {log}")
    return Run(clock, sum(processor.values()), memory or [0.0])


def extract(paths: list[Path], out: Path, jobs: int) -> list[str]:
    command = [sys.executable, "-m", "newsclean", "extract", *map(str, paths)]
    return [*command, "--jobs", str(jobs), "--out", str(out)]


def spark(paths: list[Path], out: Path, form: str) -> list[str]:
    listed = out.with_suffix(".paths")
    listed.write_text("\n".join(map(str, paths)))
    command = [sys.executable, "-m", "newsclean.cluster.spark", "--input", str(listed)]
    return [*command, "--output", str(out), "--format", form, "--master", "local[2,4]"]


def lines_of(out: Path) -> list[bytes]:
    """The lines of a job, in the order of its output files."""
    parts = sorted(out.glob("articles/part-*"))
    return [line for part in parts for line in part.read_bytes().splitlines(keepends=True)]


class Killer:
    """Kills one of Spark's Python processes, once the articles are being extracted."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.killed = 0

    def __call__(self, process: int) -> None:
        steps = (path.read_text("utf-8") for path in self.out.glob("_job/steps/*.json"))
        if self.killed or not any('"step":"learn"' in step for step in steps):
            return
        for each in reversed(family(process)):
            command = Path(f"/proc/{each}/cmdline").read_bytes()
            parent = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[1]
            # the daemon's children are the workers
            if b"pyspark" in command and b"daemon" in command and int(parent) != process:
                above = Path(f"/proc/{parent}/cmdline").read_bytes()
                if b"daemon" in above:
                    os.kill(each, signal.SIGKILL)
                    self.killed = each
                    return


def damage(paths: list[Path], folder: Path) -> list[Path]:
    """The same files, one of them with some bytes changed, and cut at its end."""
    folder.mkdir()
    for path in paths:
        os.link(path, folder / path.name)
    damaged = folder / paths[len(paths) // 2].name
    data = bytearray(damaged.read_bytes())
    damaged.unlink()
    for place in (len(data) // 5, len(data) // 2):
        data[place : place + 64] = bytes(64)
    damaged.write_bytes(data[: len(data) * 9 // 10])
    return sorted(folder.glob("*.warc.gz"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--sites", type=int, default=200)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--no-damage", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER", help="for what is made and written")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(options.keep or made)
        folder.mkdir(exist_ok=True)
        paths = write_warcs(folder / "warcs", options.pages, options.sites, options.files)
        Console().print(compare(paths, folder, options.pages, options.rounds))
        if not options.no_damage:
            compare_damaged(paths, folder)


def compare(paths: list[Path], folder: Path, pages: int, rounds: int) -> Table:
    runs: dict[str, list[Run]] = {"one process": [], "--jobs 2": [], "Spark": []}
    outs = {"one process": folder / "one.jsonl", "--jobs 2": folder / "two.jsonl"}
    alike = True
    for number in range(rounds):
        out = folder / f"spark-{number}"
        for name, command in (
            ("--jobs 2", extract(paths, outs["--jobs 2"], 2)),
            ("Spark", spark(paths, out, "jsonl")),
            ("one process", extract(paths, outs["one process"], 1)),
        ):
            run = measure(command, folder / f"{name.replace(' ', '-')}.log")
            runs[name].append(run)
            print(f"{name}: {run.clock:.0f} s, processor {run.processor:.0f} s", flush=True)
        expected = outs["one process"].read_bytes().splitlines(keepends=True)
        two = outs["--jobs 2"].read_bytes().splitlines(keepends=True)
        alike = alike and expected == two == lines_of(out)
    table = Table(title=f"{pages:,} pages in {len(paths)} files", title_justify="left")
    for column in ("", "pages a second", "of --jobs 2", "processor s", "MB, 2nd to last quarter"):
        table.add_column(column, justify="right" if column else "left")
    for name, measured in runs.items():
        clock = statistics.median(run.clock for run in measured)
        pairs = zip(runs["--jobs 2"], measured, strict=True)
        ratio = statistics.median(two.clock / run.clock for two, run in pairs)
        processor = statistics.median(run.processor for run in measured)
        memory = f"{measured[-1].quarter(1):,.0f} to {measured[-1].quarter(3):,.0f}"
        table.add_row(name, f"{pages / clock:,.1f}", f"{ratio:.2f}", f"{processor:,.0f}", memory)
    table.caption = f"{len(expected):,} lines, {'all identical' if alike else 'NOT IDENTICAL'}"
    return table


def compare_damaged(paths: list[Path], folder: Path) -> None:
    damaged = damage(paths, folder / "damaged")
    expected, out = folder / "damaged.jsonl", folder / "spark-damaged"
    measure(extract(damaged, expected, 2), folder / "damaged.log", codes=(0, DAMAGED))
    killer = Killer(out)
    measure(spark(damaged, out, "jsonl"), folder / "spark-damaged.log", killer)
    lines = expected.read_bytes().splitlines(keepends=True)
    same = lines == lines_of(out)
    (written,) = out.glob("report/part-*")
    report = json.loads(written.read_text("utf-8"))
    said = (folder / "damaged.log").read_text().strip().splitlines()[-1]
    print(f"one file damaged, one worker killed ({bool(killer.killed)}):")
    print(f"  {len(lines):,} lines, {'all identical' if same else 'NOT IDENTICAL'}")
    print(f"  newsclean extract: {said}")
    print(f"  Spark: left out {report['left_out']}, failed files {report['failed_files']}")


if __name__ == "__main__":
    main()
