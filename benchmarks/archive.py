"""Pages a second of the spider `archive` and of `newsclean extract`, on pages of the demo world.

    python benchmarks/archive.py [--pages 5000 20000] [--sites 20] [--rounds 3] [--parts …]

Makes a WARC file, and measures in turn, each in a process of its own on one core: reading the file
alone, `extract` on its pages from RAM, and the spider `archive`. Then `newsclean extract FOLDER
--jobs 2` against two independent processes on half of the folder each. Speeds on one core are by
processor time, which other programs disturb least, without that of starting: a run on a few pages
is taken off. What uses two cores is by the clock. Ratios are medians over the rounds.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from newsclean import Extractor
from newsclean.archives.archive_index import build_index
from newsclean.archives.record_bodies import read_page
from newsclean.demo.demo_site import Site
from newsclean.demo.world import build_world
from newsclean.extraction.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

FEW = 40
#: After this many articles, the memory of the spider is said.
SAID_LINES = 1_000
HTML = [("Content-Type", "text/html; charset=utf-8")]


class Usage(NamedTuple):
    """What a process has used."""

    processor: float
    clock: float
    megabytes: float


def demo_pages(sites: int) -> Iterator[tuple[str, bytes]]:
    """Addresses and pages without end: the articles of one world after the other, on these sites.

    Worlds share their publishers' templates; a site has pages of one template, of many worlds.
    """
    for seed in count(1):
        rng = random.Random(seed)
        for place, publisher in enumerate(build_world(seed)):
            number = (2 * seed + place) % sites // 2 * 2 + place
            site = Site(publisher.at(f"https://www.site-{number}.example"))
            for article in site.publisher.articles:
                body = site.respond(article.path, False, rng).body
                yield f"{article.url}?world={seed}", body


def write_warc(path: Path, pages: int, sites: int) -> None:
    """A file as CC-NEWS has them: request and response in turn, a gzip member each."""
    chosen = list(islice(demo_pages(sites), pages))
    random.Random(pages).shuffle(chosen)  # an archive has the pages of all sites mixed
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, body in chosen:
            asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "demo")], is_http_request=True)
            answer = StatusAndHeaders("200 OK", HTML, protocol="HTTP/1.1")
            for kind, payload, headers in (("request", b"", asked), ("response", body, answer)):
                stream, length = io.BytesIO(payload), len(payload)
                record = writer.create_warc_record(url, kind, stream, length, http_headers=headers)
                writer.write_record(record)


def write_folder(path: Path, pages: int, sites: int) -> None:
    """The same pages as files, with their addresses in a list."""
    path.mkdir()
    lines = ["file,url"]
    for number, (url, body) in enumerate(islice(demo_pages(sites), pages)):
        (path / f"{number:06}.html").write_bytes(body)
        lines.append(f"{number:06}.html,{url}")
    (path / "urls.csv").write_text("\n".join(lines))


def read_all(warc: str) -> None:
    """Find each page and read it."""
    for position in build_index([warc], 50):
        read_page(position)


def extract_all(warc: str) -> None:
    """Extract each page from RAM; reading it is taken off."""
    extractor = Extractor()
    spent = 0.0
    for position in build_index([warc], 50):
        saved = read_page(position)
        start = time.process_time()
        extractor(Page.from_html(saved.body, saved.url, saved.content_type)).article().to_dict()
        spent += time.process_time() - start
    print(spent)


def one_core() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def measure(command: list[str], folder: Path, *, cores: int = 1) -> tuple[Usage, str]:
    """Run a command to its end."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | {"SCRAPY_SETTINGS_MODULE": "newsclean.settings"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=one_core if cores == 1 else None,
    )
    assert process.stdout is not None
    out = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    clock = time.perf_counter() - start
    return Usage(usage.ru_utime + usage.ru_stime, clock, usage.ru_maxrss / 1024), out


def step(name: str, warc: Path) -> Usage:
    """One of the steps of this script in a process of its own."""
    usage, out = measure([sys.executable, __file__, "--step", name, str(warc)], warc.parent)
    return usage._replace(processor=float(out)) if out.strip() else usage


def archive(warc: Path) -> Usage:
    """The spider, with a memory and an output of its own."""
    with tempfile.TemporaryDirectory() as folder:
        settings = ["-s", "LOG_LEVEL=WARNING", "-s", "HTTPCACHE_ENABLED=0"]
        command = [sys.executable, "-m", "scrapy", "crawl", "archive", "-a", f"file={warc}"]
        watched = [sys.executable, os.path.abspath(__file__), "--watch", "articles.jsonl"]
        usage, out = measure([*watched, *command, *settings], Path(folder))
        print(out, end="")
        return usage


def watch(output: str, command: list[str]) -> int:
    """Run the spider, and say its peak memory whenever it has written so many lines more."""
    process = subprocess.Popen(command)
    lines, position, said = 0, 0, 0
    while process.poll() is None:
        time.sleep(0.5)
        if not os.path.exists(output):
            continue
        with open(output, "rb") as file:
            file.seek(position)
            new = file.read()
        position += len(new)
        lines += new.count(b"\n")
        if lines // SAID_LINES > said:
            said = lines // SAID_LINES
            status = Path(f"/proc/{process.pid}/status").read_text()
            if peak := status.partition("VmHWM:")[2].split():  # it has not just ended
                print(f"{lines:,} articles: peak {int(peak[0]) // 1024} MB", flush=True)
    return process.returncode


def compare_archive(folder: Path, pages: int, sites: int, rounds: int) -> Table:
    warc, few = folder / f"{pages}.warc.gz", folder / "few.warc.gz"
    write_warc(warc, pages, sites)
    write_warc(few, FEW, sites)
    start_read, start_archive = step("read", few).processor, archive(few).processor
    reads, extracts, archives = [], [], []
    for _ in range(rounds):
        reads.append(step("read", warc))
        extracts.append(step("extract", warc))
        archives.append(archive(warc))
    more = pages - FEW
    read = [more / (usage.processor - start_read) for usage in reads]
    extract = [pages / usage.processor for usage in extracts]
    spider = [more / (usage.processor - start_archive) for usage in archives]
    table = Table(title=f"{pages:,} pages of {sites} sites", title_justify="left")
    for column in ("", "pages a second", "of extract's", "peak MB"):
        table.add_column(column, justify="right" if column else "left")
    for name, speeds, usages in (
        ("reading alone", read, reads),
        ("extract from RAM", extract, extracts),
        ("archive", spider, archives),
    ):
        ratio = statistics.median(a / b for a, b in zip(speeds, extract, strict=True))
        peak = max(usage.megabytes for usage in usages)
        table.add_row(name, f"{statistics.median(speeds):,.0f}", f"{ratio:.2f}", f"{peak:.0f}")
    return table


def compare_jobs(folder: Path, pages: int, sites: int, rounds: int) -> Table:
    whole = folder / "pages"
    write_folder(whole, pages, sites)
    halves = [folder / "half-0", folder / "half-1"]
    lines = (whole / "urls.csv").read_text().splitlines()
    for half, part in zip(halves, (lines[1::2], lines[2::2]), strict=True):
        half.mkdir()
        for line in part:
            name = line.partition(",")[0]
            os.link(whole / name, half / name)
        (half / "urls.csv").write_text("\n".join(lines[:1] + part))
    command = [sys.executable, "-m", "newsclean", "extract"]
    ratios, jobs_clocks, two_clocks = [], [], []
    for _ in range(rounds):
        begin = time.perf_counter()
        running = [
            subprocess.Popen(
                [*command, str(half), "--out", f"{half}.jsonl"], stderr=subprocess.DEVNULL
            )
            for half in halves
        ]
        for process in running:
            process.wait()
        two_clocks.append(time.perf_counter() - begin)
        options = ["--jobs", "2", "--out", str(folder / "jobs.jsonl")]
        usage, _ = measure([*command, str(whole), *options], folder, cores=2)
        jobs_clocks.append(usage.clock)
        ratios.append(two_clocks[-1] / usage.clock)
    measure([*command, str(whole), "--out", str(folder / "one.jsonl")], folder, cores=2)
    alike = (folder / "one.jsonl").read_bytes() == (folder / "jobs.jsonl").read_bytes()
    table = Table(title=f"a folder of {pages:,} pages", title_justify="left")
    for column in ("", "pages a second", "of two processes'"):
        table.add_column(column, justify="right" if column else "left")
    table.add_row("two processes", f"{pages / statistics.median(two_clocks):,.0f}", "1.00")
    speed = f"{pages / statistics.median(jobs_clocks):,.0f}"
    table.add_row("--jobs 2", speed, f"{statistics.median(ratios):.2f}")
    table.caption = f"lines of --jobs 2 and of one process {'alike' if alike else 'NOT ALIKE'}"
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--pages", type=int, nargs="+", default=[5_000, 20_000])
    parser.add_argument("--sites", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parts", default="archive,jobs")
    parser.add_argument("--step", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--watch", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        sys.exit(watch(options.watch[0], options.watch[1:]))
    if options.step:
        {"read": read_all, "extract": extract_all}[options.step[0]](options.step[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        if "archive" in options.parts:
            for pages in options.pages:
                table = compare_archive(Path(folder), pages, options.sites, options.rounds)
                Console().print(table)
        if "jobs" in options.parts:
            table = compare_jobs(Path(folder), options.pages[0], options.sites, options.rounds)
            Console().print(table)


if __name__ == "__main__":
    main()
