"""Pages that say that there is no page: "Page not found", sent as if it were one.

Title and headline of such a page say nothing else, in whatever language, or its frame is named
after the error. An article about errors has more to say, and says when it was published.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from newsclean.articles.page_words import FRAMES, HEADLINES
from newsclean.metadata.text import comparison_key
from newsclean.methods.page_title import SEPARATOR, title_of

if TYPE_CHECKING:
    from newsclean.page import Page

#: As such pages say it in the main languages of news.
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
#: Words that stand with the number, and nothing else does: "Error 404", "404 Not Found".
BESIDE_NUMBER = """
404 error http status code page not found oops sorry fehler fehlerseite seite erreur página error
errore erro fout fel feil fejl virhe błąd chyba hiba eroare hata ошибка помилка грешка greška σφάλμα
خطأ שגיאה エラー 错误 錯誤 오류 lỗi kesalahan
"""
#: What else is said with a phrase: "Sorry, the … you are looking for", at most so many characters.
MAX_BESIDE_PHRASE = 40
MAX_LINE = 150  # characters of a title or headline
MAX_NAME = 50  # characters of a class or id

_PHRASES = frozenset(
    comparison_key(phrase, " ") for phrase in re.split("[;\n]", PHRASES) if phrase.strip()
)
_BESIDE_NUMBER = frozenset(comparison_key(BESIDE_NUMBER, " ").split())
#: A name of the frame, as WordPress's `error404`.
_NAME = re.compile(
    r"(?:page|template|type|is|single)?[-_]*(?:error|err)?[-_]*404[-_]*(?:error|page|template\S*)?"
    r"|(?:page|error)?[-_]*not[-_]?found[-_]*(?:page|error)?",
    re.I,
)


def says_not_found(page: Page) -> bool:
    """Whether title, headline or frame of a page say that there is no such page.

    >>> from newsclean.page import Page
    >>> says_not_found(Page.from_html("<title>Seite nicht gefunden | Beispiel</title><p>Suche"))
    True
    >>> says_not_found(Page.from_html("<title>Why a page is not found</title><h1>404</h1>"))
    True
    >>> says_not_found(Page.from_html("<title>Peugeot 404: a car and its time</title><p>In"))
    False
    """
    headlines = [_text_below(page, row) for row in page.rows(HEADLINES)[:1].tolist()]
    return (
        any(map(_is_error, SEPARATOR.split(title_of(page))))
        or any(map(_is_error, headlines))
        or any(map(_NAME.fullmatch, _frame_names(page)))
    )


def _is_error(text: str) -> bool:
    if len(text) > MAX_LINE:
        return False
    key = comparison_key(text, " ")
    words = key.split()
    if "404" in words and _BESIDE_NUMBER.issuperset(words):
        return True
    return any(phrase in key and len(key) <= len(phrase) + MAX_BESIDE_PHRASE for phrase in _PHRASES)


def _text_below(page: Page, row: int) -> str:
    low, high = page.blocks.row.searchsorted((row, page.end[row] + 1)).tolist()
    return " ".join(page.blocks.text[low:high])


def _frame_names(page: Page) -> list[str]:
    """The classes and ids of the page's frame."""
    elements = [element for tag in FRAMES for element in page.elements(tag)[:1]]
    named = (element.get(key) or "" for element in elements for key in ("class", "id"))
    return [name for name in " ".join(named).split() if len(name) <= MAX_NAME]
