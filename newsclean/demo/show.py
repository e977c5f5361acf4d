"""The demo: serve the world, crawl it, and show people what happened."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

from newsclean.cli.terminal import UNREADABLE, CommandError, Progress
from newsclean.demo.demo_site import Kind
from newsclean.demo.server import DemoServer
from newsclean.demo.world import DemoArticle, Publisher
from newsclean.extraction.methods.stadynot import TUNED
from newsclean.extraction.page import Page
from newsclean.extraction.text import counted
from newsclean.lab.evaluate.measures import Agreement, word_bag_agreement
from newsclean.memory import Memory
from newsclean.urls import site_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from scrapy.http import Response

    from newsclean.article import Article
    from newsclean.extraction.body.pictures import PictureFields

#: The demo's server runs on this machine: no need to be gentle with it.
_HURRY = {
    "AUTOTHROTTLE_ENABLED": False,
    "HTTPCACHE_ENABLED": False,
    "LOG_LEVEL": "WARNING",
    "LOG_INSTALL_ROOT_HANDLER": True,
}
GOOD_F1 = 0.98
_NOT_FOLLOWED = "newsclean/links/not_followed/"
_NOISE = ("static_chars", "dynamic_chars")
_SAMPLE = 48
_EXCERPT = 900  # characters


@dataclass(frozen=True)
class Result:
    """The demo's outcome: every line that was exported, against what the world knows."""

    lines: list[dict[str, Any]]
    articles: dict[str, DemoArticle]

    @property
    def agreements(self) -> list[Agreement]:
        return [
            word_bag_agreement(line["body"], self.articles[line["url"]].gold)
            for line in self.lines
            if line["url"] in self.articles
        ]

    @property
    def strangers(self) -> list[str]:
        return [line["url"] for line in self.lines if line["url"] not in self.articles]

    @property
    def complete(self) -> bool:
        """Whether each article was exported exactly once, and nothing else."""
        return sorted(line["url"] for line in self.lines) == sorted(self.articles)

    @property
    def f1(self) -> float:
        return mean(agreement.f1 for agreement in self.agreements) if self.agreements else 0.0


def serve(port: int, *, promos: bool = False) -> int:
    """Serve the demo sites from this port on until interrupted; 0 picks free ports."""
    console = Console()
    ports = (port, port + 1, port + 2) if port else None
    server = DemoServer(ports=ports, scripted=True, promos=promos)
    try:
        server.start()
    except (OSError, OverflowError) as error:
        message = f"cannot listen on the ports from {port} on: {error}; try another --port"
        raise CommandError(message, UNREADABLE) from None
    try:
        for publisher in server.publishers:
            is_scripted = publisher.key == "courier"
            note = ", whose pages are made by a script: needs Chromium" if is_scripted else ""
            console.print(f"[bold]{publisher.name}[/]  {publisher.base_url}{note}")
            option = " -s NEWSCLEAN_RENDER=empty" if is_scripted else ""
            for url in publisher.section_urls:
                console.print(f"  newsclean crawl{option} {url}", soft_wrap=True)
        console.print("Press Ctrl-C to stop.")
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        return 0
    finally:
        server.stop()


def show(output: Path) -> int:
    """Crawl the demo sites and print the story; 0 if all went as it should."""
    console = Console()
    output.mkdir(parents=True, exist_ok=True)
    feed = output / "articles.jsonl"
    memory_file = output / "memory.sqlite"
    for old in (feed, *output.glob(f"{memory_file.name}*")):
        old.unlink(missing_ok=True)
    with DemoServer() as server:
        console.print(_introduction(server.publishers))
        skipped = _crawl(server.publishers, feed, memory_file, console)
        fetched = server.fetched()
        with feed.open("rb") as file:
            lines = [json.loads(line) for line in file]
        articles = {a.url: a for publisher in server.publishers for a in publisher.articles}
        result = Result(lines, articles)
        memory = Memory(str(memory_file))
        console.print(_fetched_table(fetched, skipped))
        console.print(_learned_table(memory, result))
        console.print(_noise_table(memory))
    console.print(_quality_table(result, server.publishers))
    return _verdict(console, result, feed)


def _introduction(publishers: tuple[Publisher, ...]) -> Panel:
    rows = [
        f"[bold]{p.name}[/] {p.base_url}: "
        f"{counted(len(p.articles), 'article')} in {counted(len(p.sections), 'section')}"
        for p in publishers
    ]
    return Panel("\n".join(rows), title="two news sites on this machine", title_align="left")


def _crawl(
    publishers: tuple[Publisher, ...], feed: Path, memory_file: Path, console: Console
) -> int:
    """Crawl all sections; the number of links that were not worth a download."""
    settings = get_project_settings()
    settings.setmodule("newsclean.settings", priority="project")
    settings.setdict(_HURRY, priority="cmdline")
    form = {"format": "jsonlines", "encoding": "utf-8", "overwrite": True}
    settings.set("FEEDS", {str(feed): form}, priority="cmdline")
    settings.set("NEWSCLEAN_MEMORY", str(memory_file), priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler("news")
    panels: list[Panel] = []
    with Progress("articles") as progress:
        total = sum(len(publisher.articles) for publisher in publishers)

        def advance(item: Article, response: Response) -> None:
            progress.advance("crawling", total)
            if not panels and lead_picture(item):
                panels.extend(before_and_after(item, response))

        crawler.signals.connect(advance, signals.item_scraped)
        urls = [url for publisher in publishers for url in publisher.section_urls]
        process.crawl(crawler, url=",".join(urls))
        process.start()
    console.print(*panels)
    assert crawler.stats is not None
    stats = crawler.stats.get_stats()
    return sum(n for name, n in stats.items() if name.startswith(_NOT_FOLLOWED))


def lead_picture(article: Article) -> PictureFields | None:
    return next((image for image in article.images if image["role"] == "lead"), None)


def before_and_after(article: Article, response: Response) -> list[Panel]:
    """The page as it was fetched, and what was made of it."""
    page = Page.from_html(response.body, response.url)
    before = " · ".join(page.blocks.text)
    after = Group(_fields(article), Text(), excerpt(article.body))
    return [
        panel("before", response.url, excerpt(before)),
        panel("after", article.headline or "", after),
    ]


def _fields(article: Article) -> Table:
    """Who wrote it and when, its lead picture, and what is embedded."""
    picture = lead_picture(article)
    rows = [
        ("kicker", article.kicker),
        ("authors", ", ".join(article.authors)),
        ("published", article.date_published),
        ("lead picture", picture and picture["url"]),
        ("caption", picture and picture["caption"]),
        ("credit", picture and picture["credit"]),
        *(("embed", f"{embed['provider']} {embed['address']}") for embed in article.embeds),
    ]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        if value:
            table.add_row(name, Text(value))
    return table


def panel(when: str, name: str, content: RenderableType) -> Panel:
    return Panel(content, title=escape(f"{when}: {name}"), title_align="left")


def excerpt(text: str) -> Text:
    return Text(text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]} …")


def _fetched_table(fetched: dict[str, Counter[Kind]], skipped: int) -> Table:
    table = Table(
        title="What was fetched",
        title_justify="left",
        caption=f"{counted(skipped, 'link')} not fetched: surely no articles",
        caption_justify="left",
    )
    table.add_column("kind of page")
    for name in fetched:
        table.add_column(name, justify="right")
    for kind in Kind:
        counts = [kinds[kind] for kinds in fetched.values()]
        if any(counts):
            table.add_row(kind.value, *(str(count) for count in counts))
    return table


def _learned_table(memory: Memory, result: Result) -> Table:
    table = Table(title="What was learned and removed", title_justify="left")
    table.add_column("site", no_wrap=True)
    table.add_column("category")
    for name in ("pages", "repeated texts", "static chars", "dynamic chars", "kept chars"):
        table.add_column(name, justify="right")
    rows: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in result.lines:
        rows[line["site"], line["category"]].append(line)
    for (site, category), lines in sorted(rows.items()):
        hood = memory.sites.neighborhood(site, category)
        table.add_row(
            Text(site),
            Text(category),
            str(len(hood)),
            str(len(hood.repeated(TUNED.support))),
            *(f"{sum(line['extraction'][k] for line in lines):,}" for k in _NOISE),
            f"{sum(len(line['body']) for line in lines):,}",
        )
    return table


def _noise_table(memory: Memory) -> Table:
    table = Table(title="Some of the texts that the sites repeat", title_justify="left")
    table.add_column("site", no_wrap=True)
    table.add_column("pages", justify="right", no_wrap=True)
    table.add_column("text")
    for site in memory.sites.names():
        repeated = memory.sites.neighborhood(site).repeated(TUNED.support)
        for text, count in sorted(repeated, key=lambda pair: -len(pair[0]))[:5]:
            table.add_row(Text(site), str(count), Text(shorten(text, _SAMPLE, placeholder=" …")))
    return table


def _quality_table(result: Result, publishers: tuple[Publisher, ...]) -> Table:
    table = Table(title="Against the gold texts", title_justify="left")
    table.add_column("publisher")
    for name in ("articles", "precision", "recall", "F1"):
        table.add_column(name, justify="right")
    for publisher in publishers:
        own = [line for line in result.lines if line["site"] == site_of(publisher.base_url)]
        part = Result(own, {a.url: a for a in publisher.articles})
        figures = part.agreements
        table.add_row(
            publisher.name,
            f"{len(own)} of {len(publisher.articles)}",
            *(f"{mean(f[k] for f in figures):.3f}" if figures else "–" for k in range(3)),
        )
    return table


def _verdict(console: Console, result: Result, feed: Path) -> int:
    good = result.complete and result.f1 >= GOOD_F1
    colour = "green" if good else "red"
    console.print(
        f"[{colour}]F1 {result.f1:.3f}[/], {counted(len(result.lines), 'article')} "
        f"({'each exactly once' if result.complete else 'not as they should be'}), "
        f"not articles: {counted(len(result.strangers), 'page')}"
    )
    console.print(f"The JSON lines are in {feed}", soft_wrap=True, markup=False)
    console.print("newsclean demo --serve: these sites, and one that is made by a script")
    return 0 if good else 1
