"""What of a page shows whether it is an article: its shape, its own words on itself, its address.

Of the method that chose the text counts how many words it chose, what share of the page's they are,
and how sure it was of them, if it can say: on a page without an article it seldom is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.is_article.link_target import Address, address_features
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
    from newsclean.extraction.is_article.trees import Case, Value
    from newsclean.extraction.metadata import PageMetadata
    from newsclean.extraction.methods import Choice
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask


# Rules beside the trees, for pages of which a corpus has hardly any.

#: Why a page is surely not an article, as short names for logs and stats.
TOO_SHORT = "too-short"
NOT_SURE = "not-sure"
URL = "url"
NOT_FOUND = "not-found"

#: Fewer words than this are a caption or a notice.
_MIN_WORDS = 40
#: The same for words of which the method was not sure, or that appear where the address says that
#: the page is something else.
_MIN_WORDS_IF_DOUBTFUL = 150
#: A method that is less sure than this of what it chose is not sure.
_MIN_CONFIDENCE = 0.9
#: What articles call themselves; a page that says so is left to the trees.
_ARTICLES = ("posting", "article")
#: A page with at most this beside its text, and at least this of it in paragraphs, is bare text.
_MAX_LINKS = 25
_MAX_FIELDS = 3
_MAX_LINK_SHARE = 0.3
_MIN_CHOSEN_SHARE = 0.4
_MIN_PARAGRAPH_SHARE = 0.3
#: Above this, a method is sure of what it chose, as far as a signed and dated page is concerned.
_MIN_CONFIDENCE_OF_SIGNED = 0.95
#: A page with all signs of an article is one, whatever its address says, if it is at least this
#: likely by all else.
MIN_PROBABILITY_ANYWHERE = 0.9
#: What a rule calls an article is one with at least this probability: enough for every threshold.
MIN_PROBABILITY = 0.5


def surely_not(case: Case) -> str | None:
    """Why a page is surely no article, whatever the trees say of it; None if it may be one."""
    words: float = case["chosen words"]  # type: ignore[assignment]
    says_so = case["type"] in _ARTICLES
    if words < _MIN_WORDS:
        return TOO_SHORT
    if case["not found"]:
        return NOT_FOUND
    few = words < _MIN_WORDS_IF_DOUBTFUL
    if case["last resort"] and (few or not says_so):
        return NOT_SURE
    if few and not says_so and not _is_bare_text(case):
        confidence: float | None = case["confidence"]  # type: ignore[assignment]
        if confidence is not None and confidence < _MIN_CONFIDENCE:
            return NOT_SURE
        if case["url reserved"] not in (None, "none") and not _is_signed_or_dated_twice(case):
            return URL
    return None


def with_rules(case: Case, probability: float) -> float:
    """The probability of the trees, as far as no rule knows better."""
    if surely_not(case):
        return 0.0
    return max(probability, MIN_PROBABILITY) if _surely_one(case) else probability


def _surely_one(case: Case) -> str | None:
    """Why a page is an article, whatever the trees say of it; None if a rule does not know."""
    if _is_bare_text(case):
        return "little else than running text"
    if is_signed_and_dated(case):
        return "an author and a date, the date in the address too, and a text that is sure"
    return None


def is_clear(case: Case) -> bool:
    """Whether a page has all signs of an article but for its address."""
    confidence: float | None = case["confidence"]  # type: ignore[assignment]
    return _is_signed_or_dated_twice(case) or bool(
        case["date"]
        and case["type"] in _ARTICLES
        and case["chosen words"] >= _MIN_WORDS_IF_DOUBTFUL  # type: ignore[operator]
        and confidence is not None
        and confidence >= _MIN_CONFIDENCE
    )


def rule_in_words(case: Case, probability: float) -> str | None:
    """The rule that overruled the trees' probability for a case, if one did."""
    reason = surely_not(case)
    if reason == TOO_SHORT:
        return f"fewer than {_MIN_WORDS} words"
    if reason == NOT_FOUND:
        return "it says that there is no such page"
    if reason == NOT_SURE and case["last resort"]:
        return "text found as a last resort"
    if reason == NOT_SURE:
        return f"fewer than {_MIN_WORDS_IF_DOUBTFUL} words, of which the method was not sure"
    if reason == URL:
        return f"fewer than {_MIN_WORDS_IF_DOUBTFUL} words at an address of something else"
    return _surely_one(case) if with_rules(case, probability) != probability else None


def _is_bare_text(case: Case) -> bool:
    """Whether a page is little else than running text; trees learned from pages with menus."""
    return bool(
        case["links"] <= _MAX_LINKS  # type: ignore[operator]
        and case["fields"] <= _MAX_FIELDS  # type: ignore[operator]
        and case["link share"] <= _MAX_LINK_SHARE  # type: ignore[operator]
        and case["chosen share"] >= _MIN_CHOSEN_SHARE  # type: ignore[operator]
        and case["paragraph share"] >= _MIN_PARAGRAPH_SHARE  # type: ignore[operator]
        and case["type"] in (*_ARTICLES, "none")
    )


def is_signed_and_dated(case: Case) -> bool:
    """Whether a page has an author and a date, which its address repeats, over a sure text."""
    return bool(case["url date"] and case["authors"]) and _is_sure_and_dated(case)


def _is_signed_or_dated_twice(case: Case) -> bool:
    """Whether a page has a date, and an author or the date in its address, over a sure text."""
    return bool(case["url date"] or case["authors"]) and _is_sure_and_dated(case)


def _is_sure_and_dated(case: Case) -> bool:
    confidence: float | None = case["confidence"]  # type: ignore[assignment]
    return bool(
        case["date"]
        and confidence is not None
        and confidence >= _MIN_CONFIDENCE_OF_SIGNED
        and case["type"] in (*_ARTICLES, "none", "website")
    )


#: Words outside links that make a block a paragraph.
_PARAGRAPH_WORDS = 20
#: Below these, fewer words say no more: a brief is an article, too.
_MIN_TEXT_WORDS = 100
_MIN_LONGEST_PARAGRAPH = 30
#: A page that says that there is none has at most this many, with what it offers instead.
_MAX_NOTICE_WORDS = 400
#: Words that make a link a headline.
_HEADLINE_WORDS = 4
_HEADINGS = frozenset({"h2", "h3", "h4"})
FIELDS = ("input", "select", "textarea", "button")
CODE = ("pre", "code")
_CURRENCIES = "$€£"

SHAPE = (
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
_ADDRESS_NAMES = ("path segments", "words", "number", "date", "slash", "article", "reserved")
ADDRESS = tuple(f"url {name}" for name in _ADDRESS_NAMES)

#: What a page calls itself in og:type and JSON-LD; the first kind with a match counts.
_SAID = {
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
#: And for the programs that made the page.
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
#: Digits as 0, and what is not ASCII, which may be one; what parts them as a space.
_SHAPE = bytes.maketrans(b"123456789?.-", b"0000000000  ")
_PHONE_SHAPES = (b"000 000 0000", b"000) 000 0000")
_PARTS = re.compile(r"[^a-z]+")


def page_features(
    page: Page, chosen: Mask, metadata: PageMetadata, choice: Choice, words: PageWords
) -> dict[str, Value]:
    """The features of a page whose text has been chosen and whose metadata has been read."""
    text = " ".join(page.text.values())
    chosen_kinds, margin_kinds = count_kinds(words.chosen), count_kinds(words.margin)
    shape, said = _shape(page, chosen), _said(page, metadata)
    # What is published says when, and who wrote it or that it is an article.
    is_published = said["date"] and (said["authors"] or said["type"] in _ARTICLES)
    is_long = shape["chosen words"] > _MAX_NOTICE_WORDS  # type: ignore[operator]
    return {
        "confidence": choice.confidence,
        "last resort": float(choice.last_resort),
        "prices": sum(map(text.count, _CURRENCIES)),
        "phone numbers": _count_phone_numbers(text),
        "offers": word_shares(chosen_kinds + margin_kinds)["offer"],
        "not found": float(not (is_published or is_long) and says_not_found(page)),
        **shape,
        **{f"{kind} words": share for kind, share in word_shares(chosen_kinds).items()},
        **_marks(page),
        **said,
        **_address(page.url or metadata.canonical_url),
    }


def _count_phone_numbers(text: str) -> int:
    """How many numbers of a text look like a telephone's; most texts show at once to have none.

    >>> _count_phone_numbers("Call (555) 010 2030 or 555-010-2031, not 4555-010-2032.")
    2
    """
    shape = text.encode("ascii", "replace").translate(_SHAPE)
    return len(_PHONE.findall(text)) if any(one in shape for one in _PHONE_SHAPES) else 0


def _shape(page: Page, chosen: Mask) -> dict[str, Value]:
    """Where the words are: in paragraphs, in links, among what was chosen."""
    rows = page.text_rows
    starts = page.blocks.start
    if not len(rows):
        return dict.fromkeys(SHAPE, 0)
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
        chosen_words if chosen_words < _MIN_WORDS else max(chosen_words, _MIN_TEXT_WORDS),
        chosen_words / max(total, 1),
        int(in_links[is_chosen].sum()) / max(chosen_words, 1),
    )
    return dict(zip(SHAPE, figures, strict=True))


def _together(page: Page, rows: Column, words: Column) -> float:
    """The share of the words in paragraphs that is in the box with most of them."""
    if not len(rows):
        return 0.0
    box = page.parent[np.maximum(page.parent[rows], 0)]
    return float(np.bincount(np.maximum(box, 0), words).max() / words.sum())


def _marks(page: Page) -> dict[str, Value]:
    """How often tags appear on the page that articles have few or many of."""

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
    """What the page says of itself."""
    article_tags = 0.0
    generator: list[str] = []
    for element in page.elements("meta"):
        if (element.get("property") or "").startswith("article:"):
            article_tags = 1.0
        elif (element.get("name") or "").lower() == "generator":
            generator += _PARTS.split((element.get("content") or "").lower())
    return {
        "type": kind_of(map(_short, metadata.types), _SAID),
        "template": kind_of(frame_words(page), _TEMPLATES),
        "generator": kind_of(generator, _GENERATORS),
        "date": float(metadata.date_published is not None),
        "authors": len(metadata.authors),
        "article tags": article_tags,
        "headline words": len((metadata.headline or "").split()),
    }


def kind_of(names: Iterable[str], kinds: dict[str, frozenset[str]]) -> str:
    """The first of the kinds with one of these names, or `none`.

    >>> kind_of(["webpage", "newsarticle", "website"], _SAID)
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


def _address(url: str | None) -> dict[str, Value]:
    """The features of the page's address, missing where there is none."""
    address = Address.of(url or "")
    if not address.host:
        return dict.fromkeys(ADDRESS)
    features = address_features(address)
    return {f"url {name}": features[name] for name in _ADDRESS_NAMES}
