"""How the code base is built: modules, lines, names, imports, and the way of one page.

    python benchmarks/house.py

Counts what a reader has to open and follow. The last three rows are traced: `extract` on one page,
and each article of a crawl of the demo sites, from its download to its line (the median).
"""

from __future__ import annotations

import ast
import statistics
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from scrapy import signals  # noqa: E402
from scrapy.crawler import Crawler, CrawlerProcess  # noqa: E402
from scrapy.settings import Settings  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from types import FrameType

PACKAGE = ROOT / "newsclean"
SMALL = 60

PAGE = (
    "<title>Rain</title><h1>Rain in Bergen</h1>" + "<p>It has rained for nine days here.</p>" * 20
)


def modules() -> dict[str, Path]:
    """Return each module of newsclean with its file."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def lines_before_code(path: Path) -> int:
    """Return how many lines of a file come before its first line of code."""
    for node in ast.parse(path.read_text("utf-8")).body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        if not (is_docstring or is_typing or isinstance(node, ast.Import | ast.ImportFrom)):
            return node.lineno - 1
    return len(path.read_text("utf-8").splitlines())


def imports_at_start(path: Path, known: Collection[str]) -> set[str]:
    """Return the modules of newsclean that a file imports when it is itself imported."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else node.module)
    return found & set(known)


def longest_chain(files: dict[str, Path]) -> int:
    """Return how many modules the longest chain of imports at start has."""
    imports = {name: imports_at_start(path, files.keys()) for name, path in files.items()}
    length: dict[str, int] = {}

    def measure(name: str) -> int:
        if name not in length:
            length[name] = 0  # a package that is being imported
            length[name] = 1 + max(map(measure, sorted(imports[name])), default=0)
        return length[name]

    return max(map(measure, files))


class Trace:
    """The modules that run, and how often calls change the entry of newsclean/ they are in."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.changes = 0
        self._package: list[str] = []

    def call(self, name: str) -> None:
        self.modules.add(name)
        package = name.split(".")[1:2]
        if package != self._package:
            self.changes += 1
            self._package = package


#: The trace that calls are added to.
_current: Trace | None = None


def _profile(frame: FrameType, event: str, _: Any) -> None:
    if event == "call" and _current is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("newsclean") and not name.startswith("newsclean.demo"):
            _current.call(name)


def trace_all_threads() -> None:
    """Trace calls in this thread and in those that begin from now on."""
    threading.setprofile(_profile)
    sys.setprofile(_profile)


def begin_trace() -> Trace:
    global _current
    _current = Trace()
    return _current


def end_trace() -> None:
    global _current
    _current = None


def traced_extract() -> Trace:
    """Trace `extract` on one page, after a first one."""
    from newsclean import extract

    extract(PAGE, "https://example.org/weather/rain-1.html")
    trace = begin_trace()
    extract(PAGE, "https://example.org/weather/rain-2.html")
    end_trace()
    return trace


class PageTraces:
    """An extension that traces each page from its download to its line; one page at a time."""

    found: ClassVar[list[Trace]] = []

    def __init__(self, crawler: Crawler) -> None:
        self.trace = Trace()
        crawler.signals.connect(self.begin, signals.request_reached_downloader)
        crawler.signals.connect(self.end, signals.item_scraped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PageTraces:
        return cls(crawler)

    def begin(self) -> None:
        self.trace = begin_trace()

    def end(self) -> None:
        end_trace()
        self.found.append(self.trace)


def traced_crawl() -> list[Trace]:
    """Crawl the demo sites with one request at a time; return the trace of each article."""
    from newsclean.demo import DemoServer

    settings = Settings()
    settings.setmodule("newsclean.settings")
    with tempfile.TemporaryDirectory() as folder, DemoServer() as server:
        own = {
            "NEWSCLEAN_MEMORY": f"{folder}/memory.sqlite",
            "NEWSCLEAN_MIN_NEIGHBORS": 0,
            "NEWSCLEAN_ALLOWED_HOSTS": ["127.0.0.0/8"],
            "FEEDS": {f"{folder}/articles.jsonl": {"format": "jsonlines"}},
            "EXTENSIONS": {PageTraces: 950},
            "AUTOTHROTTLE_ENABLED": False,
            "CONCURRENT_REQUESTS": 1,
            "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 1,
            "LOG_LEVEL": "ERROR",
        }
        settings.update(own, priority="cmdline")
        process = CrawlerProcess(settings)
        urls = [url for publisher in server.publishers for url in publisher.section_urls]
        process.crawl("news", url=",".join(urls))
        process.start()
    return PageTraces.found


def main() -> None:
    files = modules()
    texts = {name: path.read_text("utf-8").splitlines() for name, path in files.items()}
    lines = {name: len(text) for name, text in texts.items()}
    names = Counter(path.name for path in files.values() if path.stem != "__init__")
    entries = [path for path in PACKAGE.iterdir() if path.name != "__pycache__"]
    before = sum(map(lines_before_code, files.values()))
    trace_all_threads()
    page, pages = traced_extract(), traced_crawl()

    def middle(values: Iterable[int]) -> int:
        return round(statistics.median(values))

    rows = {
        "entries at the top of newsclean/": len(entries),
        "modules": len(files),
        f"modules under {SMALL} lines": sum(1 for n in lines.values() if n < SMALL),
        "lines": sum(lines.values()),
        "median module, in lines": middle(lines.values()),
        "lines before the first line of code, in %": round(100 * before / sum(lines.values()), 1),
        "longest import chain": longest_chain(files),
        "file names that occur twice or more": sum(1 for n in names.values() if n > 1),
        "modules that `extract` runs through": len(page.modules),
        "modules that a crawled page runs through": middle(len(t.modules) for t in pages),
        "changes of package on that way": middle(t.changes for t in pages),
    }
    for label, value in rows.items():
        print(f"{label:<45}{value:>9,}")
    print("twice:", *sorted(name for name, n in names.items() if n > 1))


if __name__ == "__main__":
    main()
