"""What of a page tells whether it is an article: its shape, its own words on itself, its address.

Little depends on which method chose the text: how many words, and what share of the page's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from newsclean.articles.link_target import Address
from newsclean.articles.reserved_words import ARTICLES, LISTS, MEDIA, SERVICES, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.articles.c45 import Value
    from newsclean.metadata import Metadata
    from newsclean.page import Page
    from newsclean.page.columns import Column, Mask

#: Words outside links that make a block a paragraph.
PARAGRAPH_WORDS = 20
#: Words that make a link a headline.
HEADLINE_WORDS = 4
HEADINGS = ("h2", "h3", "h4")
FIELDS = ("input", "select", "textarea", "button")
CODE = ("pre", "code")
CURRENCIES = "$€£¥₹"
#: Class names that are looked at: of a page with more, the rest is styling.
MOST_CLASSES = 60

#: What a page calls itself in og:type and JSON-LD; the first kind with a match counts.
SAID = {
    "forum": frozenset("discussionforumposting qapage".split()),
    "product": frozenset(
        "product productgroup product.group product.item og:product itempage offer".split()
    ),
    "posting": frozenset(
        """
        newsarticle Article blogposting reportagenewsarticle analysisnewsarticle opinionnewsarticle
        reviewnewsarticle backgroundnewsarticle askpublicnewsarticle liveblogposting report blog
        scholarlyarticle socialmediaposting
        """.split()
    ),
    "list": frozenset(
        """
        collectionpage searchresultspage itemlist imagegallery mediagallery videogallery
        profile profilepage aboutpage contactpage checkoutpage
        """.split()
    ),
    "media": frozenset(
        """
        video.other video.movie video.episode video.tv_show music.song podcastepisode
        radioepisode tvepisode
        """.split()
    ),
    "manual": frozenset("techarticle apireference".split()),
    "article": frozenset({"article"}),
    "website": frozenset({"website"}),
}
#: The same for the words in the class names of html, body, main and article.
TEMPLATES = {
    "forum": frozenset("thread threads forum forums topic discussion question questions".split()),
    "product": frozenset("product products shop store woocommerce cart".split()),
    "list": frozenset(
        """
        archive archives category categories listing list search tag tags home homepage frontpage
        front collection collections landing author
        """.split()
    ),
    "article": frozenset(
        "post posts article articles story news single blogpost entry hentry".split()
    ),
    "page": frozenset("page".split()),
}
#: And for the programs that made the page.
GENERATORS = {
    "forum": frozenset(
        "discourse phpbb xenforo vbulletin flarum mybb nodebb invision simplemachines".split()
    ),
    "manual": frozenset(
        "docusaurus sphinx mkdocs gitbook vitepress mediawiki doxygen starlight mdbook docutils"
        " asciidoctor".split()
    ),
    "shop": frozenset("shopify woocommerce prestashop magento bigcommerce opencart".split()),
    "blog": frozenset("wordpress blogger ghost typepad medium jekyll substack".split()),
}
_PARTS = re.compile(r"[^a-z]+")


def page_features(page: Page, chosen: Mask, metadata: Metadata) -> dict[str, Value]:
    """The features of a page whose text has been chosen and whose metadata has been read."""
    return {
        **_shape(page, chosen),
        **_marks(page),
        **_said(page, metadata),
        **_address(page.url or metadata.canonical_url),
    }


def _shape(page: Page, chosen: Mask) -> dict[str, Value]:
    """Where the words are: in paragraphs, in links, among what was chosen."""
    blocks = page.blocks
    free = page.words * ~page.in_link
    by_block = blocks.sum(page.words)
    plain_words = blocks.sum(free)
    total = int(by_block.sum())
    linked = total - int(plain_words.sum())
    long = np.flatnonzero((plain_words >= PARAGRAPH_WORDS) & (2 * plain_words > by_block))
    in_paragraphs = plain_words[long]
    chosen_words = int(page.words[chosen].sum())
    text_links = page.link[page.text_rows]
    per_link = np.bincount(text_links + 1, page.words[page.text_rows])[1:]
    whole = max(total, 1)
    return {
        "words": total,
        "blocks": len(blocks),
        "words a block": total / max(len(blocks), 1),
        "link share": linked / whole,
        "headline links": int(np.count_nonzero(per_link >= HEADLINE_WORDS)),
        "paragraphs": len(long),
        "paragraph words": int(in_paragraphs.sum()),
        "paragraph share": float(in_paragraphs.sum()) / whole,
        "longest paragraph": int(in_paragraphs.max(initial=0)),
        "paragraphs together": _together(page, blocks.row[long], in_paragraphs),
        "chosen words": chosen_words,
        "chosen share": chosen_words / whole,
        "chosen link share": int(page.words[chosen & page.in_link].sum()) / max(chosen_words, 1),
        "prices": sum(sum(map(text.count, CURRENCIES)) for text in (" ".join(page.text.values()),)),
    }


def _together(page: Page, rows: Column, words: Column) -> float:
    """The share of the words in paragraphs that stands in the box with most of them."""
    if not len(rows):
        return 0.0
    box = page.parent[np.maximum(page.parent[rows], 0)]
    return float(np.bincount(np.maximum(box, 0), words).max() / np.sum(words))


def _marks(page: Page) -> dict[str, Value]:
    """How often tags stand on the page that articles have few or many of."""

    def count(*tags: str) -> int:
        return sum(len(page.elements(tag)) for tag in tags)

    headings = page.rows(frozenset(HEADINGS))
    links = np.zeros(len(page), dtype=np.int64)
    links[page.rows(frozenset({"a"}))] = 1
    links_before = np.concatenate(([0], np.cumsum(links)))
    inside = links_before[page.end[headings] + 1] - links_before[headings]
    linked = int(np.count_nonzero((inside > 0) | page.in_link[headings]))
    h1 = page.rows(frozenset({"h1"}))
    return {
        "links": int(links.sum()),
        "headings": len(headings),
        "linked headings": linked,
        "h1": len(h1),
        "h1 words": int(page.words[h1[0] : page.end[h1[0]] + 1].sum()) if len(h1) else 0,
        "list items": count("li"),
        "pictures": count("img"),
        "fields": count(*FIELDS),
        "code": count(*CODE),
        "times": count("time"),
        "articles": count("article"),
        "rows": count("tr"),
        "paragraph tags": count("p"),
    }


def _said(page: Page, metadata: Metadata) -> dict[str, Value]:
    """What the page says of itself."""
    return {
        "type": kind_of(map(_short, metadata.types), SAID),
        "generator": kind_of(_generator(page), GENERATORS),
        "template": kind_of(_class_words(page), TEMPLATES),
        "date": float(metadata.date_published is not None),
        "authors": len(metadata.authors),
        "article tags": float(
            any((e.get("property") or "").startswith("article:") for e in page.elements("meta"))
        ),
        "headline words": len((metadata.headline or "").split()),
    }


def kind_of(names: Iterable[str], kinds: dict[str, frozenset[str]]) -> str:
    """The first of the kinds with one of these names, or `none`.

    >>> kind_of(["webpage", "newsarticle", "website"], SAID)
    'posting'
    """
    given = set(names)
    return next((kind for kind, words in kinds.items() if not words.isdisjoint(given)), "none")


def _short(name: str) -> str:
    """The name of a type without its vocabulary; `Article` is JSON-LD's, `article` og:type's.

    >>> _short("https://schema.org/NewsArticle"), _short("Article"), _short("article")
    ('newsarticle', 'Article', 'article')
    """
    name = name.rpartition("/")[2]
    return name if name == "Article" else name.lower()


def _generator(page: Page) -> set[str]:
    return {
        part
        for element in page.elements("meta")
        if (element.get("name") or "").lower() == "generator"
        for part in _PARTS.split((element.get("content") or "").lower())
    }


def _class_words(page: Page) -> set[str]:
    found: set[str] = set()
    for tag in ("html", "body", "main", "article"):
        for element in page.elements(tag)[:1]:
            classes = (element.get("class") or "").lower().split()[:MOST_CLASSES]
            found.update(part for name in classes for part in _PARTS.split(name))
    return found


def _address(url: str | None) -> dict[str, Value]:
    """The features of the page's address, missing where there is none."""
    address = Address.of(url or "")
    if not address.host:
        return dict.fromkeys(
            (
                "url steps",
                "url words",
                "url number",
                "url date",
                "url slash",
                "url reserved",
                "url article",
            )
        )
    steps = address.steps
    reserved = {plain(step) for step in address.reserved}
    return {
        "url steps": len(steps),
        "url words": len([word for word in re.split(r"[-_+. ,]+", steps[-1]) if word])
        if steps
        else 0,
        "url number": float(address.has_number),
        "url date": float(address.has_date),
        "url slash": float(address.path.endswith("/")),
        "url article": float(
            any(plain(step) in ARTICLES for step in (*address.host.split("."), *steps[:-1]))
        ),
        "url reserved": "media"
        if reserved & MEDIA
        else "list"
        if reserved & LISTS
        else "service"
        if reserved & SERVICES
        else "none",
    }
