"""Make all pictures of the documentation in Chromium, from real crawls of the demo's sites.

make pictures                           needs Chromium; for all letters, fonts-noto-core and -cjk
python docs/pictures.py FOLDER --days 2  into another folder, in less time

The demo's pages are served under names instead of ports, by a proxy on this machine. The sites are
crawled once for each day, and publish in between; after each crawl, the runs in the memory are
moved back by a day. What the pictures show of sites in trouble is what the crawls found.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from newsclean.browser.chromium import chromium_arguments, find_chromium
from newsclean.browser.saved_pages import SavedPageRenderer
from newsclean.demo.demo_site import Site
from newsclean.demo.world import Publisher, build_world
from newsclean.extraction.methods.visual import CLASSES, classify, read_network
from newsclean.memory import Memory

FOLDER = Path(__file__).parent / "pictures"
COMMAND = [sys.executable, "-m", "newsclean"]
#: The sites are on this machine; those that do not answer are tried once.
HURRY = (
    "-sAUTOTHROTTLE_ENABLED=0",
    "-sDOWNLOAD_DELAY=0",
    "-sHTTPCACHE_ENABLED=0",
    "-sRETRY_TIMES=0",
)
SIZES = ((1280, 900, "light"), (390, 844, "dark"))
DAYS = 18
#: What the sites have published at the beginning: enough for lists and neighbors.
FIRST = 16
DAY = 86400.0
#: Colors of a PNG file.
COLORS = 192

#: What is looked for.
QUERY = "mayor votes"
#: A box that came through.
PROMO = "#page-frame >> internal:control=enter-frame >> .insert p"
#: Colors of main, mixed and noise; they differ in brightness, too.
BLOCK_COLORS = ("#1a7f37", "#e08e0b", "#b3261e")


@dataclass
class Host:
    """A site of the demo under a name of its own."""

    name: str
    publisher: Publisher
    has_promos: bool = False
    #: what happens to it, and how many days before the end
    redesign: int | None = None
    stops_publishing: int | None = None
    section_gone: int | None = None
    away: int | None = None

    #: its pages as they are now
    site: Site | None = None
    is_redesigned: bool = False
    is_gone: bool = False
    is_away: bool = False

    @property
    def url(self) -> str:
        return f"http://{self.name}"

    @property
    def section_urls(self) -> list[str]:
        return [f"{self.url}{section.path}" for section in self.publisher.sections]

    def publish(self, day: int, days: int) -> None:
        """Go on to a day of the story."""
        left = days - 1 - day
        self.is_redesigned = self.redesign is not None and left < self.redesign
        self.is_gone = self.section_gone is not None and left < self.section_gone
        self.is_away = self.away is not None and left < self.away
        if self.stops_publishing is not None:
            day = min(day, days - 1 - self.stops_publishing)
        oldest_first = sorted(self.publisher.articles, key=lambda article: article.published)
        count = FIRST + (len(oldest_first) - FIRST) * day // max(days - 1, 1)
        # Every section has some, which the lists of the demo need.
        known = {id(article) for article in oldest_first[:count]}
        for section in self.publisher.sections:
            known |= {id(article) for article in self.publisher.in_section(section)[-3:]}
        articles = tuple(a for a in self.publisher.articles if id(a) in known)
        published = replace(self.publisher, articles=articles).at(self.url)
        self.site = Site(published, promos=self.has_promos)

    def answer(self, target: str, rng: random.Random) -> tuple[int, str, bytes]:
        assert self.site is not None
        is_section = any(target.startswith(section.path) for section in self.publisher.sections)
        if self.is_gone and is_section:
            return 404, "text/html", b"<title>Not found</title><p>This page does not exist."
        found = self.site.respond(target, self.is_redesigned, rng)
        return found.status, found.content_type, found.body


def hosts() -> list[Host]:
    """The sites: three are well, one has a new design, three are in trouble at the end."""
    ledger, gazette = build_world(7)
    coast, valley = build_world(11)
    north, hill = build_world(23)
    _, river = build_world(31)
    return [
        Host("harbor-ledger.example", ledger, has_promos=True),
        Host("oldbridge-gazette.example", gazette),
        Host("coast-ledger.example", coast, redesign=7),
        Host("valley-gazette.example", valley),
        Host("north-ledger.example", north, stops_publishing=9),
        Host("hill-gazette.example", hill, section_gone=2),
        Host("river-gazette.example", river, away=3),
    ]


@contextmanager
def proxy_to(sites: Sequence[Host]) -> Iterator[str]:
    """Serve the sites under their names, by a proxy on a free port."""
    by_name, rng, lock = {site.name: site for site in sites}, random.Random(7), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            host = by_name.get(parts.hostname or "")
            if host is None or host.is_away:
                self.close_connection = True  # as a server that has crashed
                return
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            with lock:
                status, kind, body = host.answer(target, rng)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Be silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@dataclass(frozen=True)
class Studio:
    """A folder to work in, one for the pictures, and a browser."""

    work: Path
    folder: Path
    proxy: str
    browser: Browser

    def run(self, *arguments: str, cwd: Path | None = None) -> str:
        """Run `newsclean`; its exit code may say that sites are in trouble."""
        environment = os.environ | {"http_proxy": self.proxy, "no_proxy": "127.0.0.1"}
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=cwd or self.work,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 5):
            raise SystemExit(f"{' '.join(arguments)}: {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout

    def page(self, width: int, height: int, scheme: str) -> Page:
        return self.browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            proxy={"server": self.proxy},
        )

    def take(self, page: Page, name: str, selector: str = "") -> None:
        """Save a picture of a page, or of an element, with few colors."""
        page.wait_for_load_state("load")
        page.wait_for_timeout(200)
        path = self.folder / f"{name}.png"
        if selector:
            page.locator(selector).screenshot(path=path)
        else:
            page.screenshot(path=path)
        with Image.open(path) as picture:
            few = picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
        few.save(path, optimize=True)


def size_name(width: int, scheme: str) -> str:
    return f"{width}{'-dark' if scheme == 'dark' else ''}"


def crawl_days(studio: Studio, sites: Sequence[Host], days: int) -> None:
    """Crawl all sites once a day, until today."""
    urls = [url for site in sites for url in site.section_urls]
    for day in range(days):
        if day:
            with closing(Memory(str(studio.work / ".scrapy/newsclean/memory.sqlite"))) as memory:
                memory.database.execute("UPDATE site_run SET started = started - ?", (DAY,))
        for site in sites:
            site.publish(day, days)
        print(f"day {day + 1} of {days}: {studio.run('crawl', *urls, *HURRY).splitlines()[0]}")


def take_report(studio: Studio) -> None:
    studio.run("report", "--html", "report.html")
    for width, height, scheme in SIZES:
        page = studio.page(width, height, scheme)
        page.goto((studio.work / "report.html").as_uri())
        studio.take(page, f"report-{size_name(width, scheme)}")
        page.close()


@contextmanager
def serving(studio: Studio) -> Iterator[str]:
    """Start `newsclean serve`; its link."""
    serve = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0"], cwd=studio.work, stdout=subprocess.PIPE, text=True
    )
    assert serve.stdout is not None
    try:
        yield serve.stdout.readline().split()[1]
    finally:
        serve.terminate()
        serve.wait()


def take_serve(studio: Studio, link: str, width: int, height: int, scheme: str) -> None:
    """All steps from the overview to an accepted correction; then it is taken back."""
    page, name = studio.page(width, height, scheme), size_name(width, scheme)
    page.goto(link)
    page.wait_for_selector(".tiles")
    studio.take(page, f"serve-sites-{name}")
    page.get_by_role("link", name="harbor-ledger.example").click()
    page.wait_for_selector(".entries")
    studio.take(page, f"serve-site-{name}")
    page.click(".entries h3 a")
    map_is_ready(page)
    studio.take(page, f"look-{name}")
    page.get_by_role("button", name="Removed, and why").click()
    studio.take(page, f"look-removed-{name}")
    page.get_by_role("button", name="Article", exact=True).click()
    page.click(PROMO)
    studio.take(page, f"teach-why-{name}")
    page.get_by_role("button", name="This does not belong to the article").click()
    page.wait_for_selector("#accept")
    studio.take(page, f"teach-change-{name}")
    page.click("#accept")
    page.wait_for_selector(".banner")
    map_is_ready(page)
    page.locator(PROMO).scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, 0)")
    studio.take(page, f"teach-accepted-{name}")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(lambda url: "accepted" not in url)
    page.close()


def take_search(studio: Studio, link: str, width: int, height: int, scheme: str) -> None:
    """Results, and the article of the first one."""
    page, name = studio.page(width, height, scheme), size_name(width, scheme)
    page.goto(link)
    page.get_by_role("link", name="Search", exact=True).click()
    page.get_by_label("Words to look for").fill(QUERY)
    page.get_by_role("button", name="Search").click()
    page.wait_for_selector(".results")
    studio.take(page, f"search-{name}")
    page.click(".results h3 a")
    page.wait_for_selector(".reading")
    studio.take(page, f"search-article-{name}")
    page.close()


def map_is_ready(page: Page) -> None:
    page.wait_for_selector("html[data-map-ready]")


def take_read(studio: Studio) -> None:
    """The reading pages: a list and an article, and articles in two other scripts."""
    studio.run("read", "articles.jsonl", "--out", "site")
    for width, height, scheme in SIZES:
        page, name = studio.page(width, height, scheme), size_name(width, scheme)
        page.goto((studio.work / "site/index.html").as_uri())
        studio.take(page, f"read-list-{name}")
        page.click(".entries li:has(img) a")
        page.wait_for_selector("article")
        studio.take(page, f"read-article-{name}")
        page.close()
    for language, scheme in (("arabic", "light"), ("japanese", "dark")):
        (studio.work / f"{language}.html").write_text(PAGES[language], "utf-8")
        studio.run(
            "extract", f"{language}.html", "--url", f"http://news.example/{language}",
            "--format", "page", "--out", f"{language}.page.html",
        )  # fmt: skip
        page = studio.page(390, 844, scheme)
        page.goto((studio.work / f"{language}.page.html").as_uri())
        studio.take(page, f"read-{language}-{size_name(390, scheme)}")
        page.close()


def take_terminal(studio: Studio, site: Host) -> None:
    """A first crawl in an empty folder, and what comes out."""
    folder = studio.work / "terminal"
    folder.mkdir()
    crawled = studio.run("crawl", f"{site.url}/", *HURRY, cwd=folder)
    with (folder / "articles.jsonl").open(encoding="utf-8") as file:
        line = json.loads(next(each for each in file if '"role": "lead"' in each))
    shown = {
        name: line[name]
        for name in ("url", "headline", "authors", "date_published", "section", "language", "body")
    }
    shown["body"] = shown["body"][:160].rsplit(" ", 1)[0] + " …"
    keys = ", ".join(shown)
    listing = json.dumps(shown, indent=2, ensure_ascii=False)
    text = (
        f"<b>$</b> <i>newsclean crawl {escape(site.url)}/</i>\n{escape(crawled)}\n"
        f"<b>$</b> <i>head -1 articles.jsonl | jq '{{{escape(keys)}}}'</i>\n{escape(listing)}\n"
    )
    page = studio.page(1100, 800, "dark")
    page.set_content(f"<style>{TERMINAL_STYLE}</style><pre id=terminal>{text}</pre>")
    studio.take(page, "terminal", "#terminal")
    page.close()


def take_before_and_after(studio: Studio, site: Host) -> None:
    """A page of the demo beside its clean article."""
    assert site.site is not None
    article = next(a for a in site.site.publisher.articles if a.lead)
    with (studio.work / "articles.jsonl").open(encoding="utf-8") as file:
        line = next(each for each in file if json.loads(each)["url"] == article.url)
    (studio.work / "one.jsonl").write_text(line, "utf-8")
    studio.run("read", "one.jsonl", "--out", "one")
    (after,) = (studio.work / "one/articles").rglob("*.html")
    sides = []
    for url in (article.url, after.as_uri()):
        page = studio.page(620, 800, "light")
        page.goto(url)
        if url != article.url:
            page.evaluate("document.querySelectorAll('.top, .path').forEach(e => e.remove())")
        page.wait_for_timeout(200)
        sides.append(base64.b64encode(page.screenshot()).decode())
        page.close()
    pictures = "".join(
        f"<figure><figcaption>{title}</figcaption><img src='data:image/png;base64,{side}'></figure>"
        for title, side in zip(("The page", "The article"), sides, strict=True)
    )
    page = studio.page(1320, 900, "light")
    page.set_content(f"<style>{PAIR_STYLE}</style><div id=pair>{pictures}</div>")
    studio.take(page, "before-and-after", "#pair")
    page.close()


def visual_figures() -> list[str]:
    """Return pages of the demo with the blocks that `visual` found, outlined by class."""
    network, figures = read_network(), []
    with SavedPageRenderer() as renderer, TemporaryDirectory() as work:
        for publisher, is_redesigned in ((0, False), (0, True), (1, False)):
            site = Site(build_world(7)[publisher])
            article = site.publisher.articles[0]

            def saved(address: str, site: Site = site) -> bytes | None:
                path = "/" + address.split("/", 3)[3]
                is_picture = path.startswith("/images/")
                return site.respond(path, False, random.Random(1)).body if is_picture else None

            body = site.respond(article.path, is_redesigned, random.Random(0)).body
            file = Path(work) / "page.png"
            snapshot = renderer.render(body, article.url, resources=saved, picture=file)
            found = classify(snapshot, network)
            boxes = "".join(
                f"<rect x={left} y={top} width={right - left} height={bottom - top} "
                f"fill=none stroke='{BLOCK_COLORS[number]}' stroke-width=4 />"
                for (left, top, right, bottom), number in zip(
                    (block.box for block in found.blocks), found.classes.tolist(), strict=True
                )
            )
            with Image.open(file) as picture:
                width, height = picture.size
            data = base64.b64encode(file.read_bytes()).decode()
            when = "redesigned" if is_redesigned else "at first"
            figures.append(
                f"<figure><figcaption>{escape(site.publisher.name)}, {when}</figcaption>"
                f"<svg viewBox='0 0 {width} {min(height, 2400)}'>"
                f"<image href='data:image/png;base64,{data}' width={width} height={height} />"
                f"{boxes}</svg></figure>"
            )
    return figures


def take_visual_blocks(studio: Studio, figures: Sequence[str]) -> None:
    keys = "".join(
        f"<span style='border-color: {color}'>{name}</span>"
        for name, color in zip(CLASSES, BLOCK_COLORS, strict=True)
    )
    page = studio.page(1320, 900, "light")
    page.set_content(
        f"<style>{PAIR_STYLE}</style><div id=pair>{''.join(figures)}<p>{keys}</p></div>"
    )
    studio.take(page, "visual-blocks", "#pair")
    page.close()


TERMINAL_STYLE = """
body { margin: 0; background: #17191c; }
pre { margin: 0; width: 980px; padding: 22px 26px; background: #17191c; color: #d9dce1;
  font: 15px/1.55 "Noto Sans Mono", "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
b { color: #64c48f; } i { color: #fff; font-style: normal; font-weight: 600; }
"""
PAIR_STYLE = """
body { margin: 0; background: #fff; font: 600 17px/1.4 system-ui, sans-serif; color: #1d1f22; }
#pair { display: flex; flex-wrap: wrap; gap: 12px 24px; padding: 16px; width: 1288px; }
figure { margin: 0; flex: 1; min-width: 0; } figcaption { margin-bottom: 8px; }
img, svg { display: block; width: 100%; border: 1px solid #bbb7ae; border-radius: 4px; }
p { margin: 0; width: 100%; display: flex; gap: 28px; justify-content: center; }
span { border: 3px solid; border-radius: 3px; padding: 2px 14px; }
"""


def article_html(language: str, headline: str, author: str, *paragraphs: str) -> str:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return (
        f"<!DOCTYPE html><html lang={language}><head><title>{headline}</title>"
        f"<meta name=author content='{author}'>"
        "<meta property='article:published_time' content='2026-03-14T09:05:00+03:00'></head>"
        f"<body><nav><a href=/1>1</a> <a href=/2>2</a></nav><main><h1>{headline}</h1>"
        f"<article>{body}</article></main></body></html>"
    )


PAGES = {
    "arabic": article_html(
        "ar",
        "المطر يعود إلى المدينة القديمة بعد تسعة أيام من الجفاف",
        "ليلى حداد",
        "عاد المطر إلى المدينة القديمة في الصباح الباكر، وخرج الناس إلى الشوارع لرؤيته. "
        "هطل تسع ساعات دون توقف، وامتلأت القنوات التي بنيت قبل 120 عاما.",
        "قال رئيس البلدية إن السوق سيبقى مفتوحا، وإن الجسر سيفتح يوم الأحد. "
        "وتعود الحافلة رقم 7 إلى العمل في اليوم نفسه، كما قالت الشركة التي تديرها.",
        "وقالت امرأة تبيع الخبز قرب الجسر إنها لم تر مطرا كهذا منذ طفولتها، "
        "وإن أولادها لعبوا في الماء حتى المساء قبل أن يعودوا إلى البيت.",
    ),
    "japanese": article_html(
        "ja",
        "九日間の晴天のあと、古い港町に雨が戻る",
        "森田はるか",
        "十四日の早朝、古い港町に九日ぶりの雨が降った。住民は傘を持たずに通りへ出て、"
        "空を見上げた。雨は九時間続き、百二十年前に造られた水路は水で満たされた。",
        "町長は、市場は開いたままにし、橋は日曜日に通れるようになると述べた。"
        "七番のバスも同じ日に運転を再開すると、運行会社は発表している。",
        "橋のそばでパンを売る女性は、子どものころからこれほどの雨を見たことがないと話した。"
        "彼女の子どもたちは夕方まで水の中で遊び、それから家に帰ったという。",
    ),
}


def main(folder: Path, days: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sites, figures = hosts(), visual_figures()  # before, as two browsers need two event loops
    with TemporaryDirectory() as work, proxy_to(sites) as proxy, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(None), args=chromium_arguments()
        )
        studio = Studio(Path(work), folder, proxy, browser)
        crawl_days(studio, sites, days)
        studio.run("index", "articles.jsonl")
        take_report(studio)
        take_read(studio)
        with serving(studio) as link:
            for width, height, scheme in SIZES:
                take_serve(studio, link, width, height, scheme)
                take_search(studio, link, width, height, scheme)
        take_terminal(studio, sites[1])
        take_before_and_after(studio, sites[1])
        take_visual_blocks(studio, figures)
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--days", type=int, default=DAYS)
    options = parser.parse_args()
    main(options.folder, options.days)
