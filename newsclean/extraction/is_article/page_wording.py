"""The wording of a page: its words by where they appear, and what they show about its kind.

Offers address the reader, live blogs show times, missing pages say that they are missing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import compress
from sys import intern
from typing import TYPE_CHECKING

from newsclean.extraction.is_article.link_target import UrlParts
from newsclean.extraction.text import PIECE, comparison_key, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newsclean.extraction.metadata import PageMetadata
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask

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
_PARTS = re.compile(r"[\W_]+")


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
            if _NAMES.search(_PARTS.sub("", names)) and _entries(page, row) >= _MIN_ENTRIES:
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
