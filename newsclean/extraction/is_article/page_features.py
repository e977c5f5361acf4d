"""The features by which trees and rules predict whether a page is an article.

In go a page, the text that a method chose and the metadata. Out comes a dictionary of features: how
the text is laid out, how sure the method was (on a page without an article it seldom is), what the
page says about itself, its URL; and its words by where they appear, with what they show about its
kind: offers address the reader, live blogs show times, missing pages say that they are missing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import compress
from sys import intern
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.is_article.link_target import UrlParts, url_features
from newsclean.extraction.text import PIECE, comparison_key, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newsclean.extraction.is_article.trees import Value
    from newsclean.extraction.metadata.page_metadata import PageMetadata
    from newsclean.extraction.methods.chain import Choice
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

#: English words whose share differs between reports, offers and guides.
_WORDING = {
    "reader": frozenset("you your yours yourself".split()),
    "house": frozenset("we our ours us".split()),
    "report": frozenset("said says told according".split()),
    "past": frozenset("was were had did".split()),
    "offer": frozenset(
        """
        contact call quote quotes free book schedule pricing service services customer customers
        client clients request demo solution solutions
        """.split()
    ),
}
_KIND_OF_WORD = {word: kind for kind, words in _WORDING.items() for word in words}

#: Names of the boxes of live blogs, without separators.
_NAMES = re.compile(
    r"live(?:blog|ticker|story|stream|update|report|feed)|newsticker|minuto?aminuto?"
)
#: A live blog has at least this many entries with a time.
_MIN_ENTRIES = 3
#: Characters of a line that shows the time of an entry and hardly anything else.
_MAX_TIME_LINE = 40
_TIME = re.compile(r"^\D{0,20}\b[012]?\d[:.h][0-5]\d(?!\d)")

#: What the title or headline of a missing page says, in the main languages of news.
PHRASES = """
page not found; page cannot be found; page can't be found; page could not be found
page was not found; page doesn't exist; page does not exist; page no longer exists
page isn't available; page is not available; page unavailable; content not found
article not found; story not found
seite nicht gefunden; seite wurde nicht gefunden; seite konnte nicht gefunden werden
seite existiert nicht; seite ist nicht verfügbar; artikel nicht gefunden
page introuvable; page non trouvée; page inexistante; page n'existe pas; page n'existe plus
página no encontrada; página no existe; no se encontró la página; no encontramos la página
página não encontrada; página não existe; página não foi encontrada; página inexistente
pagina non trovata; pagina inesistente; pagina non esiste; pàgina no trobada
pagina niet gevonden; pagina bestaat niet; pagina kan niet worden gevonden
sidan hittades inte; sidan kunde inte hittas; sidan finns inte; sidan du söker finns inte
siden blev ikke fundet; siden findes ikke; siden kunne ikke findes; siden finnes ikke
siden ble ikke funnet; fant ikke siden; sivua ei löytynyt; sivua ei löydy; síðan fannst ekki
strona nie została znaleziona; nie znaleziono strony; strona nie istnieje
stránka nenalezena; stránka nebyla nalezena; stránka neexistuje; stránka sa nenašla
stránka nebola nájdená; stran ni bila najdena; strani ni mogoče najti
stranica nije pronađena; stranica ne postoji; страница није пронађена; страната не е пронајдена
oldal nem található; pagina nu a fost găsită; pagina nu există; faqja nuk u gjet
sayfa bulunamadı; σελίδα δεν βρέθηκε; puslapis nerastas; lapa nav atrasta; lehte ei leitud
страница не найдена; страница не существует; страницу не найдено; сторінку не знайдено
сторінка не знайдена; старонка не знойдзена; страницата не е намерена
الصفحة غير موجودة; لم يتم العثور على الصفحة; הדף לא נמצא; העמוד לא נמצא; صفحه یافت نشد
पृष्ठ नहीं मिला; पेज नहीं मिला; পৃষ্ঠাটি পাওয়া যায়নি; ไม่พบหน้า; không tìm thấy trang
trang không tồn tại; halaman tidak ditemukan; halaman tidak dijumpai; laman tidak dijumpai
页面不存在; 页面未找到; 找不到页面; 找不到网页; 頁面不存在; 找不到頁面; 找不到網頁
ページが見つかりません; ページは見つかりません; ページは存在しません; 페이지를 찾을 수 없습니다
"""
#: Words beside the number: "Error 404", "404 Not Found". With any other word it is no error.
BESIDE_NUMBER = """
404 error http status code page not found oops sorry fehler fehlerseite seite erreur página error
errore erro fout fel feil fejl virhe błąd chyba hiba eroare hata ошибка помилка грешка greška σφάλμα
خطأ שגיאה エラー 错误 錯誤 오류 lỗi kesalahan
"""
#: Characters beside a phrase: "Sorry, the … you are looking for".
_MAX_BESIDE_PHRASE = 40
_MAX_LINE = 150  # characters of a title or headline
_MAX_NAME = 50  # characters of a class or id
_PHRASES = frozenset(
    comparison_key(phrase, " ") for phrase in re.split("[;\n]", PHRASES) if phrase.strip()
)
_BESIDE_NUMBER = frozenset(comparison_key(BESIDE_NUMBER, " ").split())
#: Class names and ids of a missing page's frame, such as WordPress's `error404`.
_NAME = re.compile(
    r"(?:page|template|type|is|single)?[-_]*(?:error|err)?[-_]*404[-_]*(?:error|page|template\S*)?"
    r"|(?:page|error)?[-_]*not[-_]?found[-_]*(?:page|error)?",
    re.I,
)

HEADLINES = frozenset({"h1"})
#: The page's frame: elements whose class names say what kind of page it is.
_FRAMES = ("html", "body", "main", "article")
#: Class names that are read; the rest of a longer list is styling.
_MAX_CLASSES = 60
#: Prefix of a JSON-LD type or og:type, to tell it from a word.
_TYPE = "@"

#: Maps every byte except lower-case letters to a space.
_LETTERS = bytes(byte if chr(byte).islower() else ord(" ") for byte in range(128)).ljust(256)
_BETWEEN_WORDS = re.compile(r"[\W_]+")


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


@dataclass(frozen=True)
class PageWords:
    """The words of a page by where they appear."""

    #: the chosen text, in order
    chosen: list[str]
    #: all other text, in order
    margin: list[str]
    #: title and first h1
    title: frozenset[str] = frozenset()
    #: path of the URL
    address: frozenset[str] = frozenset()
    #: class names of the frame, and the types that the page gives itself
    frame: frozenset[str] = frozenset()

    @property
    def distinct(self) -> PageWords:
        """Return the same with each word once, which takes less memory."""
        chosen, margin = (sorted(map(intern, set(words))) for words in (self.chosen, self.margin))
        return replace(self, chosen=chosen, margin=margin)


def page_words(page: Page, chosen: Mask, metadata: PageMetadata) -> PageWords:
    """Return the words of a page, given its chosen text and its metadata."""
    texts = page.text.values()
    is_chosen = chosen[page.text_rows]
    titles = ["".join(map(str, title.itertext())) for title in page.elements("title")[:1]]
    inside = page.below(page.rows(HEADLINES)[:1])[page.text_rows]
    headline = compress(texts, inside.tolist())
    path = UrlParts.of(page.url or metadata.canonical_url or "").path
    return PageWords(
        chosen=words_of(" ".join(compress(texts, is_chosen.tolist()))),
        margin=words_of(" ".join(compress(texts, (~is_chosen).tolist()))),
        title=frozenset(words_of(" ".join([*titles, *headline]))),
        address=frozenset(words_of(path)),
        frame=frozenset([*frame_words(page), *_types(metadata.types)]),
    )


def words_of(text: str) -> list[str]:
    """Return the words in Latin letters, in lower case; accented letters separate words.

    >>> words_of("It's 9 o'clock: Café")
    ['it', 's', 'o', 'clock', 'caf']
    """
    if len(text) <= PIECE:
        return _words(text)
    known: dict[str, str] = {}  # in a long text, each word is stored once
    return [known.setdefault(word, word) for piece in pieces(text) for word in _words(piece)]


def _words(text: str) -> list[str]:
    return text.lower().encode("ascii", "replace").translate(_LETTERS).decode().split()


def frame_words(page: Page) -> list[str]:
    """Return the words in the class names of the page's frame."""
    names: list[str] = []
    for tag in _FRAMES:
        for element in page.elements(tag)[:1]:
            names += (element.get("class") or "").split()[:_MAX_CLASSES]
    return words_of(" ".join(names))


def _types(types: Iterable[str]) -> list[str]:
    """Return the types of a page, marked as types and without their vocabularies."""
    return [_TYPE + name.rpartition("/")[2].lower() for name in types]


def count_kinds(words: Sequence[str]) -> Counter[str]:
    """Count the words of each kind of `_WORDING`, and all words under "".

    >>> sorted(count_kinds(["we", "call", "you"]).items())
    [('', 3), ('house', 1), ('offer', 1), ('reader', 1)]
    """
    counts = Counter(filter(None, map(_KIND_OF_WORD.get, words)))
    counts[""] = len(words)
    return counts


def word_shares(counts: Counter[str]) -> dict[str, float]:
    """Return the share of each kind among all counted words.

    >>> word_shares(count_kinds(["we", "call", "you"]))["house"]
    0.3333333333333333
    """
    return {kind: counts[kind] / max(counts[""], 1) for kind in _WORDING}


def is_live_blog(page: Page, text: Mask, types: Iterable[str]) -> bool:
    """Whether the page calls its article a live blog, or the box around its entries is named so.

    `types` are the page's JSON-LD types.
    """
    if any(name.endswith("LiveBlogPosting") for name in types):
        return True
    rows = page.text_rows[text[page.text_rows]]
    if not len(rows):
        return False
    row = int(page.parent[rows[len(rows) // 2]])
    while row > 0:
        element = page.element[row]
        if element is not None:
            names = f"{element.get('class', '')} {element.get('id', '')}".lower()
            if _NAMES.search(_BETWEEN_WORDS.sub("", names)) and _entries(page, row) >= _MIN_ENTRIES:
                return True
        row = int(page.parent[row])
    return False


def _entries(page: Page, row: int) -> int:
    """Count the lines with a time in a box."""
    lines = (line for line in _lines_below(page, row) if len(line) <= _MAX_TIME_LINE)
    return sum(_TIME.search(line) is not None for line in lines)


def _lines_below(page: Page, row: int) -> Sequence[str]:
    low, high = page.blocks.row.searchsorted((row, page.end[row] + 1)).tolist()
    return page.blocks.text[low:high]


def says_not_found(page: Page) -> bool:
    """Whether title, headline or frame say that the page does not exist.

    The title or headline says nothing else, or the frame is named after the error; an article about
    errors says more.

    >>> from newsclean.extraction.page import Page
    >>> says_not_found(Page.from_html("<title>Seite nicht gefunden | Beispiel</title><p>Suche"))
    True
    >>> says_not_found(Page.from_html("<title>Why a page is not found</title><h1>404</h1>"))
    True
    >>> says_not_found(Page.from_html("<title>Peugeot 404: a car and its time</title><p>In"))
    False
    """
    headlines = [" ".join(_lines_below(page, row)) for row in page.rows(HEADLINES)[:1].tolist()]
    return (
        any(map(_is_error, page.title_parts))
        or any(map(_is_error, headlines))
        or any(map(_NAME.fullmatch, _frame_names(page)))
    )


def _is_error(text: str) -> bool:
    if len(text) > _MAX_LINE:
        return False
    key = comparison_key(text, " ")
    words = key.split()
    if "404" in words and _BESIDE_NUMBER.issuperset(words):
        return True
    return any(
        phrase in key and len(key) <= len(phrase) + _MAX_BESIDE_PHRASE for phrase in _PHRASES
    )


def _frame_names(page: Page) -> list[str]:
    """Return the classes and ids of the page's frame."""
    elements = [element for tag in _FRAMES for element in page.elements(tag)[:1]]
    named = (element.get(key) or "" for element in elements for key in ("class", "id"))
    return [name for name in " ".join(named).split() if len(name) <= _MAX_NAME]


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
