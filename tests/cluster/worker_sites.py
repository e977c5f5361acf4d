"""Sites for workers to crawl: their servers, their site files, and all that they publish."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from newsclean.demo import DemoServer
from newsclean.demo.server import Visit
from tests.crawl.small_site import Answer, section, serve, story

#: Of each of the articles of a small site.
YEARS = range(1901, 1913)


class Sites(NamedTuple):
    """The addresses of all articles, and what each server has been asked for, up to now."""

    articles: set[str]
    visits: Callable[[], list[list[Visit]]]


@contextmanager
def small_sites(folder: Path, count: int, delay: float) -> Iterator[Sites]:
    """Sites with a few short articles, and a site file for each."""
    articles: set[str] = set()
    with ExitStack() as stack:
        sites = []
        for number in range(count):
            titles = {f"/{number}/fair-of-{year}-{year}.html": f"Fair {year}" for year in YEARS}
            answers = {path: Answer(story(title)) for path, title in titles.items()}
            site = stack.enter_context(serve(answers | {"/news": Answer(section(titles))}))
            sites.append(site)
            text = f'delay = {delay}\n[[section]]\nurl = "{site.url}/news"\n'
            (folder / f"small-{number:02}.toml").write_text(text)
            articles |= {site.url + path for path in titles}
        yield Sites(articles, lambda: [[Visit(s.url, *v) for v in s.visits] for s in sites])


@contextmanager
def demo_sites(folder: Path, count: int, delay: float) -> Iterator[Sites]:
    """The demo's sites, each two with another seed, and a site file for each."""
    articles: set[str] = set()
    with ExitStack() as stack:
        servers = []
        for seed in range((count + 1) // 2):
            server = stack.enter_context(DemoServer(seed))
            servers.append(server)
            for publisher in server.publishers[: count - 2 * seed]:
                lines = [f"delay = {delay}\n"]
                lines += [f'[[section]]\nurl = "{url}"\n' for url in publisher.section_urls]
                (folder / f"{publisher.key}-{seed:02}.toml").write_text("".join(lines))
                articles |= {article.url for article in publisher.articles}
        yield Sites(articles, lambda: [server.visits for server in servers])


#: Sites by the folder for their files, their number, and the seconds between two requests.
MakeSites = Callable[[Path, int, float], AbstractContextManager[Sites]]
