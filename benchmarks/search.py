"""How fast articles get into a search index, how large it is, and how fast it answers.

Makes articles (benchmarks/generated_articles.py), indexes them with `newsclean index`, indexes them
again, asks queries of several kinds, and looks whether near copies are one result. Then indexes
them into a second index, kills that in the midst, starts again, and counts.

python benchmarks/search.py --articles 100000
python benchmarks/search.py --target postgresql://…/one --second postgresql://…/two
"""

from __future__ import annotations

import argparse
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from generated_articles import LANGUAGES, MINUTES, SECTIONS, START, Generator, line_of
from rich.console import Console
from rich.table import Table

from newsclean.apps.search import IndexTargetError, SearchRequest, TargetDownError, open_search

#: Queries of each kind.
QUERIES = 60
#: The share of the articles after which indexing is killed.
KILL_AT = 0.4


class Made(NamedTuple):
    """What was made: a file, and what is known of it."""

    path: Path
    articles: int
    text_bytes: int
    #: for each near copy the article that it was made of
    copies: dict[str, str]
    #: some articles, for queries
    some: list[dict[str, Any]]


class Run(NamedTuple):
    seconds: float
    cpu_seconds: float
    said: str


def make(path: Path, count: int, generator: Generator) -> Made:
    copies: dict[str, str] = {}
    some: list[dict[str, Any]] = []
    text_bytes = 0
    with path.open("wb") as file:
        for number, article in enumerate(generator.articles(count)):
            file.write(line_of(article))
            text_bytes += len(article["headline"].encode()) + len(article["body"].encode())
            if article["copy_of"]:
                copies[article["id"]] = article["copy_of"]
            if number % max(1, count // 500) == 0:
                some.append(article)
    return Made(path, count, text_bytes, copies, some)


def index(made: Made, target: str) -> Run:
    """Run `newsclean index` to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command(made, target), check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(seconds, cpu, done.stderr.strip().removeprefix("newsclean: "))


def index_killed(made: Made, target: str) -> tuple[int, Run]:
    """Kill `newsclean index` in the midst, start it again; what was there, and the second run."""
    process = subprocess.Popen(command(made, target), stderr=subprocess.DEVNULL)
    while (count := articles_in(target)) < made.articles * KILL_AT:
        if process.poll() is not None:
            raise RuntimeError("it had ended before it could be killed")
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    count = articles_in(target)
    return count, index(made, target)


def command(made: Made, target: str) -> list[str]:
    return [sys.executable, "-m", "newsclean", "index", str(made.path), "--index", target]


def articles_in(target: str) -> int:
    """How many articles an index has; none if it is not there yet."""
    try:
        with closing(open_search(target)) as searched:
            return sum(count for _, count in searched.sites())
    except (IndexTargetError, TargetDownError):
        return 0


def queries(made: Made, generator: Generator) -> Iterator[tuple[str, SearchRequest]]:
    """Queries of each kind, from the words that the articles have."""
    random = generator.random
    spaced = [article for article in made.some if article["language"] != "zh"]
    for _ in range(QUERIES):
        article = spaced[int(random.integers(len(spaced)))]
        code = article["language"]
        words = article["words"]
        at = int(random.integers(len(words) - 5))
        rare = generator.words[code][int(random.integers(2000, 40_000))]
        yield "a rare word", SearchRequest(rare)
        yield "a common word", SearchRequest(generator.words[code][int(random.integers(20, 200))])
        yield "three words of an article", SearchRequest(" ".join(random.choice(words, 3)))
        yield "a phrase of four words", SearchRequest('"' + " ".join(words[at : at + 4]) + '"')
        yield "a beginning, as ver*", SearchRequest(f"{rare[:5]}*")
        month = START + timedelta(minutes=int(random.integers(MINUTES)))
        yield (
            "a word, one site, one month, the newest first",
            SearchRequest(
                words[at],
                sites=(article["site"],),
                since=month,
                until=month + timedelta(days=30),
                newest_first=True,
            ),
        )
        yield (
            "one of two words and not a third, in a section",
            SearchRequest(
                f"{words[at]} OR {rare} -{words[at + 1]}", sections=(str(random.choice(SECTIONS)),)
            ),
        )
    for _ in range(QUERIES):
        chinese = [article for article in made.some if article["language"] == "zh"]
        words = chinese[int(random.integers(len(chinese)))]["words"]
        at = int(random.integers(len(words) - 2))
        yield "three words of Chinese", SearchRequest("".join(words[at : at + 3])[:6])


class Answer(NamedTuple):
    milliseconds: float
    #: of this process; a server has its own
    cpu_milliseconds: float
    results: int


def ask(target: str, made: Made, generator: Generator) -> dict[str, list[Answer]]:
    """The answers to the queries of each kind."""
    asked: dict[str, list[Answer]] = {}
    with closing(open_search(target)) as searched:
        for kind, request in queries(made, generator):
            start, cpu_start = time.perf_counter(), time.process_time()
            results = searched.search(request)
            taken = 1000 * (time.perf_counter() - start)
            cpu_taken = 1000 * (time.process_time() - cpu_start)
            asked.setdefault(kind, []).append(Answer(taken, cpu_taken, results.total))
    return asked


def copies_found(target: str, made: Made) -> tuple[int, int, int]:
    """Of the near copies: those that are one result with their source; and how many articles are
    one result with something that they were not made of."""
    parents = {**made.copies}
    found, wrong, seen = 0, 0, 0
    with closing(open_search(target)) as searched:
        while True:
            hits = searched.search(SearchRequest("", limit=1000, offset=seen)).hits
            if not hits:
                break
            seen += len(hits)
            for hit in hits:
                names = [hit.id, *(copy.id for copy in hit.also_on)]
                found += sum(parents.get(name) in names for name in names)
                origins = {parents.get(name, name) for name in names}
                wrong += len(origins) - 1
    return found, len(made.copies), wrong


def size_of(target: str) -> int:
    """Bytes of an index."""
    if not target.startswith(("postgres://", "postgresql://")):
        return sum(
            Path(target + end).stat().st_size for end in ("", "-wal") if Path(target + end).exists()
        )
    import psycopg

    with psycopg.connect(target) as connection:
        row = connection.execute(
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = 'newsclean_search' AND c.relkind = 'r'"
        ).fetchone()
    return int(row[0]) if row else 0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--target", help="the index, new and empty (default: a file)")
    parser.add_argument("--second", help="the one that is killed (default: a file)")
    parser.add_argument("--no-kill", action="store_true", help="no second index")
    parser.add_argument("--folder", type=Path, help="for the articles and index files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        measure(options, Path(folder))


def measure(options: argparse.Namespace, folder: Path) -> None:
    console = Console(width=110)
    generator = Generator()
    made = make(folder / "articles.jsonl", options.articles, generator)
    target = options.target or str(folder / "one.sqlite")
    lines = made.path.stat().st_size
    console.print(
        f"{made.articles:,} articles in {len(LANGUAGES)} languages: {made.text_bytes / 1e6:,.0f} MB"
        f" of text, {lines / 1e6:,.0f} MB of lines; {len(made.copies):,} are near copies"
    )
    for title in ("first", "again"):
        run = index(made, target)
        console.print(
            f"{title}: {made.articles / run.seconds:,.0f} lines a second ({run.seconds:.1f} s, "
            f"{run.cpu_seconds:.1f} s of processor time): {run.said}"
        )
    size = size_of(target)
    console.print(f"index: {size / 1e6:,.0f} MB, {size / made.text_bytes:.2f} times the text")
    found, copies, wrong = copies_found(target, made)
    console.print(
        f"near copies: {found:,} of {copies:,} are one result with their source; {wrong:,} wrong"
    )
    asked = ask(target, made, generator)
    table = Table("query", "ms, median", "ms, 95th", "cpu ms, median", "cpu ms, 95th", "results")
    every = [each for kind in asked.values() for each in kind]
    for kind, answers in {**asked, "all": every}.items():
        times, cpu_times, totals = zip(*answers, strict=True)
        figures = (*np.percentile(times, (50, 95)), *np.percentile(cpu_times, (50, 95)))
        table.add_row(kind, *(f"{each:.1f}" for each in figures), f"{np.median(totals):,.0f}")
    console.print(table)
    if articles_in(target) != made.articles:
        sys.exit("not every article is there once")
    if not options.no_kill:
        kill(console, made, options.second or str(folder / "two.sqlite"))


def kill(console: Console, made: Made, target: str) -> None:
    killed_at, run = index_killed(made, target)
    count = articles_in(target)
    console.print(f"killed with {killed_at:,} articles, started again: {count:,}; {run.said}")
    if count != made.articles:
        sys.exit("not every article is there once")


if __name__ == "__main__":
    main()
