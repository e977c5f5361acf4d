"""What a request costs under a robots.txt of many rules: Protego and newsclean's index over it.

python benchmarks/robots.py [RULES]
"""

from __future__ import annotations

import sys
import time

from rich.console import Console
from rich.table import Table
from scrapy.robotstxt import ProtegoRobotParser

from newsclean.robotstxt import MAX_SIZE, IndexedRobotParser

AGENT = "newsclean"
URLS = [f"https://example.org/news/2024/05/a-story-about-it-{n}.html" for n in range(200)]

#: A rule of each kind, by its number. They are short: all of them are to be within MAX_SIZE.
KINDS = {
    "prefixes": "Disallow: /p/{}",
    "prefixes, one matches": "Disallow: /p/{}",
    "* in the middle": "Disallow: /*/p{}/",
    "* and $": "Disallow: /n*-{}x$",
    "query": "Disallow: /*?q={}",
}


def seconds(parser: type[ProtegoRobotParser], body: bytes) -> tuple[float, float]:
    """For reading the rules with the first request, and for each request after it."""
    start = time.perf_counter()
    rules = parser(body, None)
    rules.allowed(URLS[0], AGENT)
    read = time.perf_counter()
    for url in URLS:
        rules.allowed(url, AGENT)
    return read - start, (time.perf_counter() - read) / len(URLS)


def main(count: int) -> None:
    table = Table("rules", "KiB", "parser", "read, ms", "a request, ms", title=f"{count:,} rules")
    for kind, rule in KINDS.items():
        lines = [rule.format(n) for n in range(count)]
        if "matches" in kind:
            lines.append("Disallow: /n")
        body = "\n".join(["User-agent: *", *lines]).encode()
        if len(body) > MAX_SIZE:
            raise SystemExit(f"{count:,} rules are more than {MAX_SIZE:,} bytes: try fewer")
        for parser in (ProtegoRobotParser, IndexedRobotParser):
            read, request = seconds(parser, body)
            figures = f"{read * 1e3:.0f}", f"{request * 1e3:.3f}"
            table.add_row(kind, f"{len(body) // 1024}", parser.__name__, *figures)
    Console().print(table)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
