"""Pages of the demo's world, without a server: loaded again and again, and edited."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

from scrapy.http import HtmlResponse

from newsclean.demo.demo_site import Site
from newsclean.demo.world import DemoArticle, build_world
from newsclean.items import PageItem, UnusablePage

from .pages import Chain

SEED = 7


@dataclass(frozen=True)
class Press:
    """One publisher, in its old or its new template."""

    site: Site
    redesigned: bool

    @property
    def articles(self) -> tuple[DemoArticle, ...]:
        return self.site.publisher.articles

    def load(self, article: DemoArticle, seed: object) -> str:
        """The page of an article; adverts and related links come with the seed."""
        rng = random.Random(f"{article.path} {seed}")
        return self.site.respond(article.path, self.redesigned, rng).body.decode()


def presses(seed: int = SEED) -> Iterator[Press]:
    """Both publishers in both templates; another seed has other articles under the same hosts."""
    for publisher in build_world(seed):
        for is_new in (False, True):
            host = f"{'new-' * is_new}{publisher.key}.example"
            yield Press(Site(publisher.at(f"https://{host}")), redesigned=is_new)


class Reader:
    """Sends pages through the pipelines, and delivers what comes out."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.memory = chain.memory
        #: the bodies of each URL, delivered or not
        self.bodies: dict[str, list[str]] = {}

    def read(self, url: str, html: str) -> int | None:
        """The number of the revision, None if nothing has changed."""
        response = HtmlResponse(url, body=html.encode(), encoding="utf-8")
        item = PageItem(response, category="news")
        try:
            self.chain.deliver(item)
        except UnusablePage as drop:
            if drop.reason != "unchanged":
                raise
        assert item.article is not None
        self.bodies.setdefault(url, []).append(item.article.body)
        return item.article.revision if item.pending_name else None


#: A paragraph of an article as the templates show it: at least this long, and not the last.
_PARAGRAPHS = re.compile(r"(?:<p>|<br><br>\s*)((?!<)[^<>]{120,})(?=</p>|<br><br>)")


def paragraphs(html: str, article: DemoArticle) -> list[str]:
    """The paragraphs of the article without any markup inside, as they are in the page's HTML."""
    gold = article.gold
    found = (match[1] for match in _PARAGRAPHS.finditer(html))
    return [text for text in found if text.strip().replace("&#x27;", "'") in gold]


def edit_word(html: str, article: DemoArticle) -> str:
    text = paragraphs(html, article)[0]
    word = text.split()[5]
    return html.replace(text, text.replace(f" {word} ", " surprisingly ", 1), 1)


def add_paragraph(html: str, article: DemoArticle) -> str:
    text = paragraphs(html, article)[0]
    added = f"The council of {article.place} will hear of it on Thursday, the clerk said at noon."
    return with_paragraph_after(html, text, added)


def add_correction(html: str, article: DemoArticle) -> str:
    text = paragraphs(html, article)[-1]
    note = "Correction: An earlier version of this article gave a wrong number of visitors."
    return with_paragraph_after(html, text, note)


def with_paragraph_after(html: str, text: str, added: str) -> str:
    end = html.index(text) + len(text)
    after = "</p>\n<p>" if html[end:].startswith("</p>") else "<br><br>\n"
    return f"{html[:end]}{after}{added}{html[end:]}"


def remove_paragraph(html: str, article: DemoArticle) -> str:
    return html.replace(paragraphs(html, article)[0], "", 1)


def move_paragraph(html: str, article: DemoArticle) -> str:
    first, second, *_ = paragraphs(html, article)
    return html.replace(first, "@", 1).replace(second, first, 1).replace("@", second, 1)


def edit_headline(html: str, article: DemoArticle) -> str:
    """In all places but in the links of other pages' boxes, where the page itself is not."""
    shown = re.compile(rf"(?<=>){re.escape(escape(article.headline))}(?=<)")
    return shown.sub("Nobody had expected the second bell of Monday", html)


def edit_byline(html: str, article: DemoArticle) -> str:
    return html.replace(f">{escape(article.authors[0])}<", ">Henrike Solvang<")


def edit_menu(html: str, article: DemoArticle) -> str:
    return html.replace(">Politics<", ">State and Church<").replace(">Sport<", ">Games<")


def edit_json_ld(html: str, article: DemoArticle) -> str:
    head = '{"@context": "https://schema.org", "@type": "NewsArticle", '
    said = f'{head}"headline": "Quite another line", "author": {{"name": "Una Other"}}}}'
    without = re.sub(r'(?s)<script type="application/ld\+json">.*?</script>', "", html)
    return without.replace("</head>", f'<script type="application/ld+json">{said}</script></head>')


Edit = Callable[[str, DemoArticle], str]

EDITS: dict[str, Edit] = {
    "word": edit_word,
    "paragraph added": add_paragraph,
    "paragraph removed": remove_paragraph,
    "paragraph moved": move_paragraph,
    "headline": edit_headline,
    "byline": edit_byline,
    "correction note": add_correction,
}
