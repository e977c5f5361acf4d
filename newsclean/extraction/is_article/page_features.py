"""The features by which trees and rules predict whether a page is an article.

In go a page, the text that a method chose and the metadata. Out comes a dictionary of features: how
the text is laid out, how sure the method was (on a page without an article it seldom is), what the
page says about itself, and its URL.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.is_article.link_target import UrlParts, url_features
from newsclean.extraction.is_article.page_wording import (
    HEADLINES,
    count_kinds,
    frame_words,
    says_not_found,
    word_shares,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.extraction.is_article.page_wording import PageWords
    from newsclean.extraction.is_article.trees import Value
    from newsclean.extraction.metadata import PageMetadata
    from newsclean.extraction.methods import Choice
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

#: Types of `_TYPES` that articles give themselves; a page with one is left to the trees.
ARTICLE_TYPES = ("posting", "article")
#: Fewer words are a caption or a notice.
MIN_WORDS = 40
#: A block with this many words outside links is a paragraph.
_PARAGRAPH_WORDS = 20
#: Smaller values of these features count as this much: a brief is an article, too.
_MIN_TEXT_WORDS = 100
_MIN_LONGEST_PARAGRAPH = 30
#: A "page not found" has at most this many words, with what it offers instead.
_MAX_NOTICE_WORDS = 400
#: A link with this many words is a headline.
_HEADLINE_WORDS = 4
_HEADINGS = frozenset({"h2", "h3", "h4"})
FIELDS = ("input", "select", "textarea", "button")
CODE = ("pre", "code")
_CURRENCIES = "$€£"

_LAYOUT_FEATURES = (
    "words per block",
    "link share",
    "headline links",
    "paragraphs",
    "paragraph words",
    "paragraph share",
    "longest paragraph",
    "paragraphs together",
    "chosen words",
    "chosen share",
    "chosen link share",
)
_URL_NAMES = ("path segments", "words", "number", "date", "slash", "article", "reserved")
URL_FEATURES = tuple(f"url {name}" for name in _URL_NAMES)

#: What og:type and JSON-LD call a page, by kind; the first kind with a match counts.
_TYPES = {
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
#: The same for the words in the class names of html, body, main and article,
_TEMPLATES = {
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
#: and for the programs that generated the page.
_GENERATORS = {
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
_PHONE = re.compile(r"(?<!\d)\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\d)")
#: Maps digits, and characters that may be one, to 0 and separators to a space.
_DIGITS = bytes.maketrans(b"123456789?.-", b"0000000000  ")
_PHONE_SHAPES = (b"000 000 0000", b"000) 000 0000")
_PARTS = re.compile(r"[^a-z]+")


def page_features(
    page: Page, chosen: Mask, metadata: PageMetadata, choice: Choice, words: PageWords
) -> dict[str, Value]:
    """Return the features of a page."""
    text = " ".join(page.text.values())
    chosen_kinds, margin_kinds = count_kinds(words.chosen), count_kinds(words.margin)
    layout, said = _layout(page, chosen), _said(page, metadata)
    # A published page has a date, and an author or the type of an article.
    is_published = said["date"] and (said["authors"] or said["type"] in ARTICLE_TYPES)
    is_long = layout["chosen words"] > _MAX_NOTICE_WORDS  # type: ignore[operator]
    return {
        "confidence": choice.confidence,
        "last resort": float(choice.last_resort),
        "prices": sum(map(text.count, _CURRENCIES)),
        "phone numbers": _count_phone_numbers(text),
        "offers": word_shares(chosen_kinds + margin_kinds)["offer"],
        "not found": float(not (is_published or is_long) and says_not_found(page)),
        **layout,
        **{f"{kind} words": share for kind, share in word_shares(chosen_kinds).items()},
        **_marks(page),
        **said,
        **_url_features(page.url or metadata.canonical_url),
    }


def _count_phone_numbers(text: str) -> int:
    """Count what looks like a telephone number; most texts need no search.

    >>> _count_phone_numbers("Call (555) 010 2030 or 555-010-2031, not 4555-010-2032.")
    2
    """
    shape = text.encode("ascii", "replace").translate(_DIGITS)
    return len(_PHONE.findall(text)) if any(one in shape for one in _PHONE_SHAPES) else 0


def _layout(page: Page, chosen: Mask) -> dict[str, Value]:
    """Return where the words are: in paragraphs, in links, in the chosen text."""
    rows = page.text_rows
    starts = page.blocks.start
    if not len(rows):
        return dict.fromkeys(_LAYOUT_FEATURES, 0)
    words = page.words[rows]
    link = page.link[rows]
    is_chosen = chosen[rows]
    in_links = np.where(link >= 0, words, 0)
    by_block = np.add.reduceat(words, starts)
    free = by_block - np.add.reduceat(in_links, starts)
    long = np.flatnonzero((free >= _PARAGRAPH_WORDS) & (2 * free > by_block))
    in_paragraphs = free[long]
    per_link = np.bincount(link + 1, words)[1:]
    total = int(words.sum())
    paragraph_words = int(in_paragraphs.sum())
    chosen_words = int(words[is_chosen].sum())
    figures = (
        total / len(starts),
        int(in_links.sum()) / max(total, 1),
        int(np.count_nonzero(per_link >= _HEADLINE_WORDS)),
        len(long),
        paragraph_words,
        paragraph_words / max(total, 1),
        max(int(in_paragraphs.max(initial=0)), _MIN_LONGEST_PARAGRAPH),
        _together(page, rows[starts[long]], in_paragraphs),
        chosen_words if chosen_words < MIN_WORDS else max(chosen_words, _MIN_TEXT_WORDS),
        chosen_words / max(total, 1),
        int(in_links[is_chosen].sum()) / max(chosen_words, 1),
    )
    return dict(zip(_LAYOUT_FEATURES, figures, strict=True))


def _together(page: Page, rows: Column, words: Column) -> float:
    """Return the largest share of the words in paragraphs that one box holds."""
    if not len(rows):
        return 0.0
    box = page.parent[np.maximum(page.parent[rows], 0)]
    return float(np.bincount(np.maximum(box, 0), words).max() / words.sum())


def _marks(page: Page) -> dict[str, Value]:
    """Count the tags of which articles have few or many."""

    def count(*tags: str) -> int:
        return sum(len(page.elements(tag)) for tag in tags)

    links = np.flatnonzero(page.link == np.arange(len(page)))
    headings = page.rows(_HEADINGS)
    # The first link after the start of a heading may still be inside it.
    following = np.append(links, len(page))[np.searchsorted(links, headings)]
    linked = (following <= page.end[headings]) | page.in_link[headings]
    h1 = page.rows(HEADLINES)[:1].tolist()
    return {
        "links": len(links),
        "headings": len(headings),
        "linked headings": int(np.count_nonzero(linked)),
        "h1": count("h1"),
        "h1 words": sum(int(page.words[row : page.end[row] + 1].sum()) for row in h1),
        "list items": count("li"),
        "fields": count(*FIELDS),
        "code": count(*CODE),
        "times": count("time"),
        "articles": count("article"),
    }


def _said(page: Page, metadata: PageMetadata) -> dict[str, Value]:
    """Return what the page says about itself."""
    article_tags = 0.0
    generator: list[str] = []
    for element in page.elements("meta"):
        if (element.get("property") or "").startswith("article:"):
            article_tags = 1.0
        elif (element.get("name") or "").lower() == "generator":
            generator += _PARTS.split((element.get("content") or "").lower())
    return {
        "type": kind_of(map(_short_type, metadata.types), _TYPES),
        "template": kind_of(frame_words(page), _TEMPLATES),
        "generator": kind_of(generator, _GENERATORS),
        "date": float(metadata.date_published is not None),
        "authors": len(metadata.authors),
        "article tags": article_tags,
        "headline words": len((metadata.headline or "").split()),
    }


def kind_of(names: Iterable[str], kinds: dict[str, frozenset[str]]) -> str:
    """Return the first kind that has one of these names, or `none`.

    >>> kind_of(["webpage", "newsarticle", "website"], _TYPES)
    'posting'
    """
    given = set(names)
    return next((kind for kind, words in kinds.items() if not words.isdisjoint(given)), "none")


def _short_type(name: str) -> str:
    """Return a type without its vocabulary; `Article` is JSON-LD's, `article` og:type's.

    >>> _short_type("https://schema.org/NewsArticle"), _short_type("Article")
    ('newsarticle', 'Article')
    """
    name = name.rpartition("/")[2]
    return name if name == "Article" else name.lower()


def _url_features(url: str | None) -> dict[str, Value]:
    """Return the features of the page's URL, None for each if it has none."""
    parts = UrlParts.of(url or "")
    if not parts.host:
        return dict.fromkeys(URL_FEATURES)
    features = url_features(parts)
    return {f"url {name}": features[name] for name in _URL_NAMES}
