"""Runs `scrapy` as a user does, in a process and a folder of its own."""

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.crawl.fork_server import Forked, assert_no_warning
from tests.crawl.in_process import run_here

ROOT = Path(__file__).parents[2]

#: The servers of the tests stand on this machine: no need to be gentle with them.
HURRY: dict[str, Any] = {
    "AUTOTHROTTLE_ENABLED": 0,
    "DOWNLOAD_DELAY": 0,
    "HTTPCACHE_ENABLED": 0,
    "NEWSCLEAN_RECHECK_ALL": 1,
}
TIMEOUT = 60


@dataclass(frozen=True)
class Run:
    """A command that has ended."""

    folder: Path
    exit_code: int
    output: str
    log: str

    def __post_init__(self) -> None:
        assert_no_warning(self.log)

    @property
    def stats(self) -> dict[str, int]:
        """The numbers among the stats that Scrapy logs at the end."""
        return {name: int(n) for name, n in re.findall(r"'([\w/.-]+)': (\d+)[,}]", self.log)}

    @property
    def dropped(self) -> dict[str, int]:
        """How many pages newsclean has dropped, by reason."""
        prefix = "newsclean/dropped/"
        found = {k.removeprefix(prefix): n for k, n in self.stats.items() if k.startswith(prefix)}
        return dict(sorted(found.items()))

    @property
    def complaints(self) -> list[str]:
        """What the log has of warnings and worse."""
        pattern = r"^.*(?:\] (?:WARNING|ERROR|CRITICAL):|Traceback|Warning:).*$"
        return re.findall(pattern, self.log, re.MULTILINE)

    def lines(self, name: str = "articles.jsonl") -> list[dict[str, Any]]:
        """The JSON lines that were written."""
        path = self.folder / name
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def command(*arguments: str, **overrides: Any) -> list[str]:
    """`scrapy …`; `overrides` are settings for the command line."""
    return [sys.executable, "-m", "scrapy", *arguments, *options_of(overrides)]


def options_of(overrides: dict[str, Any]) -> list[str]:
    return [f"--set={name}={value}" for name, value in overrides.items()]


def environment(settings: str | None) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}
    return clean if settings is None else clean | {"SCRAPY_SETTINGS_MODULE": settings}


def scrapy(folder: Path, *arguments: str, settings: str | None = None, **overrides: Any) -> Run:
    """Run `scrapy …` in a folder to its end, in this process."""
    options = options_of(overrides)
    ended = run_here(
        "scrapy", *arguments, *options, folder=folder, environment=environment(settings)
    )
    return Run(folder, ended.exit_code, ended.output, ended.errors)


def start_crawl(folder: Path, *arguments: str, **overrides: Any) -> Forked:
    """Start `scrapy crawl news -a …`, as `crawl_news` does, and do not wait for its end."""
    with open(os.devnull, "wb") as nowhere:
        return Forked(
            "scrapy",
            *news_arguments(arguments, overrides),
            folder=folder,
            environment=environment("newsclean.settings"),
            out=nowhere,
            err=nowhere,
        )


def crawl_news(folder: Path, *arguments: str, **overrides: Any) -> Run:
    """Run `scrapy crawl news -a …` with newsclean's own settings, in a hurry, in this process."""
    ended = run_here(
        "scrapy",
        *news_arguments(arguments, overrides),
        folder=folder,
        environment=environment("newsclean.settings"),
    )
    return Run(folder, ended.exit_code, ended.output, ended.errors)


def news_arguments(arguments: tuple[str, ...], overrides: dict[str, Any]) -> list[str]:
    given = [f"-a{argument}" for argument in arguments]
    return ["crawl", "news", *given, *options_of(HURRY | overrides)]


#: All that a project needs; the rest is as Scrapy has it.
PLAIN_SETTINGS = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["newsclean.spiders"]
FEEDS = {"articles.jsonl": {"format": "jsonlines"}}
"""


def crawl_plainly(folder: Path, url: str, **overrides: Any) -> Run:
    """A crawl with Scrapy's default settings."""
    (folder / "plain.py").write_text(PLAIN_SETTINGS)
    return scrapy(folder, "crawl", "news", f"-aurl={url}", settings="plain", **overrides)
