"""The pages of a section or of an article: which one comes next, and which URLs have a number.

In: a section page and its URL. Out: the URL of the next page, by `rel=next`, by a number in URL or
label, by a word such as "older" in many languages, or by an arrow. For an article, the evidence has
to be stronger: `article_pages` finds the pages that continue it, and the one with all of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args
from urllib.parse import unquote, urlsplit

from newsclean.urls import MAX_URL, article_url, resolve_link, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml import etree

    from newsclean.extraction.page import Page


#: What distinguishes two pages of a section: a number named as that of a page or of an entry,
#: another number at the end of the path or inside it, or a cursor, which does not count.
_Kind = Literal["page", "offset", "number", "inner", "cursor"]
_KINDS = get_args(_Kind)

#: "Page", in paths, parameters and labels.
_PAGE = (
    r"pages?|pg|pn|pag|p[áàa]gin[ae]s?|paged|seite|sid[ae]|sivu|strona|str[áa]nka|stran[ai]|stranica"
    r"|sayfa|oldal|halaman|trang|страница|стр|сторінка|σελίδα|หน้า|第|页|頁|ページ|페이지"
)
_PAGE_WORD = re.compile(_PAGE)
#: Words that do not name a place in a site: Blogger has the older posts of `/` in `/search`.
_NO_PLACE = re.compile(rf"{_PAGE}|index|default|search|offset|start|s?html?|php|aspx?|jsp|cfm")
_LAST_NUMBER = re.compile(r"(?<![0-9])[0-9]{1,3}(?:\.[a-z]{2,5})?/*$")
_LABEL_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_NUMBER = re.compile(r"[0-9]{1,15}")
#: A number with more digits in a path may be that of an article, and belongs to the place.
_SMALL_NUMBER = re.compile(r"[0-9]{1,3}")
_HAS_DIGIT = re.compile(r"[0-9]")
_NO_LETTERS = re.compile(r"[^a-z]")
_TOKEN = re.compile(r"[^\W\d_]{2,}|\d+")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d([/_-]?)(?:1[0-2]|0?[1-9])(?:\1[0-3]?\d)?(?!\d)")
_PATH_NUMBER = re.compile(
    rf"(?:(?<!comment)[/_,;.-](?!pages|p[gn])(?:{_PAGE})[/:=_,-]?|/p|/\(?(?:offset|start)\)?[/:=_,-])"
    r"([0-9]{1,3})(?=\.\w+$|/*$)"
)

#: Parameters, by the letters of their names: page number, number of the first entry (apart: those
#: that articles may have too), cursor, comments, and those that do not matter.
_PAGE_KEY = re.compile(
    rf"p|pi|{_PAGE}|pgn|page(?:n|no|nr|num|number|index|idx)|(?!cpage|\w*(?:comment|per))\w+page"
)
_OFFSET_KEY = re.compile(r"\w*(?:start|startat|startint|startindex|startrow|offset|pointer|skip)")
_ENTRY_KEY = re.compile(r"from|first|begin")
_CURSOR_KEY = re.compile(r"\w*(?:cursor|token|after|before|until|updatedmax|maxid|next|continue)")
_COMMENT_KEY = re.compile(r"comment|^cpage$", re.I)
_IDLE_KEY = re.compile(
    r"s|sid|phpsessid|srsltid|ref|n|count|limit|size|sz|ps|num|rows|maxresults|pagesize|\w*perpage"
)

_NEXT = re.compile(
    r"\b(?:next|older|earlier|weiter|n[äa]chste[nrs]?|[äa]ltere[nrs]?|suivante?s?|anciens|anciennes"
    r"|siguientes?|anteriores|antigu[ao]s|següent|seguinte|pr[óo]xim[ao]s?|antig[ao]s|successiv[aoi]"
    r"|avanti|prossim[ao]|volgende|oudere|n[äe]sta|[äa]ldre|n[eæ]ste|eldre|seuraava|vanhemmat"
    r"|j[äa]rgmine|dalej|nast[ęe]pn[aey]|starsze|dal[šs][ií]|[ďd]al[šs]ie|star[šs]í|n[áa]sleduj[íi]c[íi]"
    r"|k[öo]vetkez[őo]|urm[ăa]to(?:rul|area)|s(?:lj|l)ede[ćc]a|naslednja|sonraki|berikutnya"
    r"|selanjutnya|след\w*|дальше|далее|наступн\w*|επόμεν\w*|παλαιότερ\w*)\b"
    r"|下一|下页|次[のへペ]|다음|ถัดไป|التالي|הבא|अगला",
    re.I,
)
_MORE = re.compile(
    r"(?:(?:load|show|view|see)?\s*more(?:\s+(?:posts|articles|stories|news|results|entries))?"
    r"|(?:weitere|mehr)(?: laden| anzeigen)?|(?:voir|afficher|charger) plus|(?:ver|cargar) m[áa]s"
    r"|(?:ver|carregar) mais|(?:mostra|carica) altr[oi]|meer(?: laden)?|(?:показать )?ещ[её]"
    r"|(?:加载|查看)?更多|もっと見る|더\s?보기)\W*",
    re.I,
)
_ARROWS = re.compile(r"[\s>›»→⟩❯▶►⇒]+")
_AFTER_ARROW = re.compile(r"[›»→]\s*$")
#: Classes and ids of links to the next page; Blogger and WordPress say "older".
_NEXT_NAME = re.compile(r"(?<![a-z])(?:next|older)(?![a-z])|[a-z]Next(?![a-z])|nextposts?link")

#: The second page of an article, in its source: after the name of its file, or as a query alone.
_QUERY_2 = re.compile(rb"href=[\"']?\?[^\"'>\s]{0,60}=2[\"'&\s>]")
_THEN_2 = re.compile(rb"[\w./?&;=,_~-]{0,24}(?<!\d)2(?!\w)")
_QUERY_ALONE = (b'href="?', b"href='?", b"href=?")
_FILE_EXTENSION = re.compile(r"\.\w{2,5}$")
_MIN_NAME = 3
#: An article with more pages is a list.
_MAX_ARTICLE_PAGES = 20
#: The URL of an article has fewer small numbers in its path.
_MAX_NUMBERS = 16
#: Parameters of the pages of an article; those of lists beside it have longer names.
_SINGLE_KEY = re.compile(rf"p|{_PAGE}|page(?:n|no|nr|num|number)", re.I)
#: WordPress adds a number to the name of an article that it has already.
_REPEATED_SLUG = re.compile(r"-[0-9]+/*$")
_OF_PAGES = re.compile(
    rf"\W*(?:{_PAGE})?\W*[0-9]{{1,2}}\s*(?:of|von|sur|de|di|van|av|z|из|/)\s*([0-9]{{1,2}})\W*"
    rf"(?:{_PAGE})?\W*"
)
#: A page with all of an article.
_WHOLE_HINT = re.compile(r"all|print|single|full|komplett|druck|einseitig", re.I)
_WHOLE_PATH = re.compile(
    r"/(?:all|full|print|single(?:-?page)?|printable|print-?version|komplettansicht|druckansicht"
    r"|druckversion)(?:\.html?)?"
)
_WHOLE_QUERY = re.compile(
    r"(?:^|&)(?:(?:view|display|show|mode|output|pages?|pagewanted|seite)=(?:all|full|single|print)"
    r"|(?:print|printable|singlepage|all|fullpage)=(?:1|true|yes|y))(?:&|$)"
)

#: A label with more characters is a headline.
_MAX_LABEL = 40
#: In WordPress, a number with at least this many digits is that of an article, not of a page.
_MIN_ARTICLE_DIGITS = 3


class ArticlePages(NamedTuple):
    """The pages of an article, as far as one of them tells."""

    #: by number
    urls: dict[int, str]
    #: how many there are
    total: int
    #: a page with all of it, if one is linked: a view without pages, or a print version
    whole: str | None = None


def may_have_pages(body: bytes, url: str) -> bool:
    """Tell whether the source of an article may link to its second page, without parsing it.

    >>> may_have_pages(b'<a href="/rain-in-oslo?page=2">2</a>', "https://a.org/rain-in-oslo")
    True
    >>> may_have_pages(b'<a href="/rain-in-oslo">Rain</a>', "https://a.org/rain-in-oslo")
    False
    """
    # `in` and `find` are many times faster than a pattern, and most articles have one page.
    if any(start in body for start in _QUERY_ALONE) and _QUERY_2.search(body):
        return True
    name = _FILE_EXTENSION.sub("", urlsplit(url).path.rstrip("/").rpartition("/")[2]).encode()
    place = body.find(name) if len(name) >= _MIN_NAME else -1
    while place >= 0:
        if _THEN_2.match(body, place + len(name)):
            return True
        place = body.find(name, place + 1)
    return False


def article_pages(page: Page, url: str, start: str | None = None) -> ArticlePages | None:
    """Return the other pages of an article that one of its pages links to, None if there are none.

    `start` is the URL of the first page, if the page is a later one. Only numbers that are added to
    the URL of the first page count, with a label that says so: lists that a page has beside its
    article are paged, too.
    """
    first = _PageUrl.of(start or url)
    if first is None or not first.place or first.path_page is not None:
        return None
    urls: dict[int, str] = {}
    for link in _links(page, first):
        number = _article_page(link, first)
        if number is not None and number not in urls:
            urls[number] = link.target.url
    if not urls:
        return None
    total = max([*urls, *_stated_totals(page)])
    if total > _MAX_ARTICLE_PAGES or (start is None and 2 not in urls):
        return None
    return ArticlePages(urls, total, _whole(page, first.url) if start is None else None)


class PageKeys(NamedTuple):
    """What connects the URLs of the pages of an article, if only the URLs are known."""

    #: that of an article which may have further pages, None if it may not
    own: str | None
    #: those of the articles of which this may be a further page, or a view of all pages
    firsts: frozenset[str] = frozenset()


def page_keys(url: str) -> PageKeys:
    """Return the keys by which the pages of an article may find each other.

    Pages with the same key need not belong together: `article_pages` tells.

    >>> page_keys("https://a.org/rain?page=2").firsts == {page_keys("https://a.org/rain").own}
    True
    >>> page_keys("https://a.org/rain").firsts
    frozenset()
    """
    parts = _PageUrl.of(url) if len(url) <= MAX_URL else None
    if parts is None or not parts.place or len(parts.numbers) > _MAX_NUMBERS:
        return PageKeys(None)
    whole_of = _first_of_whole(parts.url)
    whole = None if whole_of is None else _PageUrl.of(whole_of)
    keys = {_article_key(parts, numbers) for numbers in _numbers_of_first(parts)}
    keys |= {_article_key(whole, whole.numbers)} if whole is not None and whole.place else set()
    is_first = parts.path_page is None and not _named_pages(parts)
    return PageKeys(_article_key(parts, parts.numbers) if is_first else None, frozenset(keys))


def _article_key(parts: _PageUrl, numbers: tuple[int, ...]) -> str:
    """Return what the URLs of the pages of an article have in common."""
    kept = [
        (name, value)
        for name, value in sorted(parts.parameters.items())
        if _kind(name, value) is None and not _IDLE_KEY.fullmatch(_NO_LETTERS.sub("", name.lower()))
    ]
    return f"{parts.site} {parts.place} {kept} {numbers}"


def _named_pages(parts: _PageUrl) -> list[int]:
    """Return the numbers of further pages that parameters have."""
    pages = (int(v) for name, v in parts.parameters.items() if _kind(name, v) == "page")
    return [page for page in pages if page > 1]


def _numbers_of_first(parts: _PageUrl) -> Iterator[tuple[int, ...]]:
    """Yield the numbers that the path of the first page may have, if this is a further one."""
    possible = range(2, _MAX_ARTICLE_PAGES + 1)
    if named := _named_pages(parts):
        if any(page in possible for page in named):
            yield parts.numbers
    elif parts.path_page is not None or parts.ends_with_number:
        for place, number in enumerate(parts.numbers):
            if number in possible:
                before, after = parts.numbers[:place], parts.numbers[place + 1 :]
                yield before + after
                yield (*before, 1, *after)


def _first_of_whole(url: str) -> str | None:
    """Return the URL of the article of which this is a view without pages, by its URL."""
    if not _WHOLE_HINT.search(url):
        return None
    parts = urlsplit(url)
    path, query = parts.path.rstrip("/"), parts.query
    kept = [part for part in query.split("&") if not _WHOLE_QUERY.search(part.lower())]
    end = path[path.rfind("/") :]
    if end and _WHOLE_PATH.fullmatch(end.lower()):
        path = path.removesuffix(end)
    elif "&".join(kept) == query:
        return None
    return parts._replace(path=path, query="&".join(kept)).geturl()


def _article_page(link: _Link, first: _PageUrl) -> int | None:
    """Return the number of the page of an article to which a link leads, None if it does not."""
    step, target = link.step, link.target
    if step is None or step.number is None or step.before not in (None, 1) or step.number < 2:
        return None
    added = target.parameters.keys() - first.parameters.keys()
    is_path = step.kind == "number" and target.parameters == first.parameters
    is_page = step.kind == "page" and all(map(_SINGLE_KEY.fullmatch, added))
    if not is_page and (not is_path or _REPEATED_SLUG.search(target.url)):
        return None
    if link.is_in_comments:
        return None
    is_named = link.number == step.number or (
        step.number == 2 and link.number is None and (link.is_declared or link.says_next)
    )
    return step.number if is_named else None


def _stated_totals(page: Page) -> Iterator[int]:
    """Yield the numbers of pages that short lines such as "page 1 of 5" state."""
    for text in page.blocks.text:
        if len(text) <= _MAX_LABEL and (found := _OF_PAGES.fullmatch(text.lower())):
            yield int(found[1])


def _whole(page: Page, url: str) -> str | None:
    """Return the page that has all of an article; a print version if there is no other."""
    base = page.base_url
    path, found = urlsplit(url).path.rstrip("/"), {}
    for element in page.elements("a"):
        href = element.get("href") or ""
        if not _WHOLE_HINT.search(href):
            continue
        target = resolve_link(href, base)
        if target is None or site_of(target) != site_of(url):
            continue
        parts = urlsplit(target)
        added = parts.path.rstrip("/").removeprefix(path)
        is_same_path = parts.path.rstrip("/").startswith(path)
        if (is_same_path and _WHOLE_PATH.fullmatch(added.lower())) or (
            is_same_path and not added and _WHOLE_QUERY.search(parts.query.lower())
        ):
            found["print" in target.lower() or "druck" in target.lower()] = target
    return found.get(False) or found.get(True)


def next_page(page: Page, url: str) -> str | None:
    """Return the URL of the section's next page, if it has one."""
    current = _PageUrl.of(url)
    if current is None:
        return None
    links = list(_links(page, current))
    declared = (link.target.url for link in links if link.is_declared and _follows(link, current))
    steps = [link for link in links if link.step is not None and not link.is_in_comments]
    return (
        next(declared, None)
        or _next_by_number(steps)
        or _next_by_words(steps)
        or _next_elsewhere(links, current)
    )


def is_numbered(url: str) -> bool:
    """Tell whether a URL has the number of a section page.

    >>> is_numbered("https://a.org/sport?p=2"), is_numbered("https://a.org/?p=4711")  # an article
    (True, False)
    """
    return page_number(url) is not None


def page_number(url: str) -> int | None:
    """Return the number of a section page, or of its first entry, that a URL has.

    >>> page_number("https://a.org/sport?page=3"), page_number("https://a.org/sport/seite-2.html")
    (3, 2)
    >>> page_number("https://a.org/sport/2")
    """
    parts = _PageUrl.of(url)
    return None if parts is None else parts.page


@dataclass(frozen=True)
class _PageUrl:
    """A URL, taken apart into what distinguishes one page from another."""

    url: str
    site: str
    #: the words, dates and large numbers of its path, and the other numbers in it
    place: tuple[str, ...]
    numbers: tuple[int, ...]
    parameters: dict[str, str]
    #: the page number in its path, and whether the path ends with any number
    path_page: int | None
    ends_with_number: bool

    @classmethod
    def of(cls, url: str) -> _PageUrl | None:
        site = site_of(url)
        if site is None:
            return None
        url = article_url(url)
        parts = urlsplit(url)
        path, parameters = unquote(parts.path).lower(), {}
        for number, part in enumerate(filter(None, parts.query.split("&"))):
            name, mark, value = part.partition("=")
            if mark or number:
                parameters[unquote(name)] = unquote(value)
            else:  # some forums have a path here
                path += f"/{unquote(name).lower()}"
        tokens = _TOKEN.findall(_DATE.sub("/", path))
        numbers = tuple(int(token) for token in tokens if _SMALL_NUMBER.fullmatch(token))
        words = (t for t in tokens if not _SMALL_NUMBER.fullmatch(t) and not _NO_PLACE.fullmatch(t))
        place = (*(date[0] for date in _DATE.finditer(path)), *words)
        found = _PATH_NUMBER.search(path)
        page = int(found[1]) if found else None
        last = _LAST_NUMBER.search(path) is not None
        return cls(url, site, place, numbers, parameters, page, last)

    @property
    def page(self) -> int | None:
        """The number of the page, or of its first entry."""
        for key, value in self.parameters.items():
            if _kind(key, value) in ("page", "offset") and not _ENTRY_KEY.fullmatch(key.lower()):
                return int(value)
        return self.path_page


@dataclass(frozen=True)
class _Step:
    """How the URL of a page differs from the current one."""

    #: the number of the page, and that of the current one if its URL has it
    number: int | None
    before: int | None
    kind: _Kind


def _kind(key: str, value: str) -> _Kind | None:
    """Return what a parameter means for paging; None if it says what is on the page."""
    letters = _NO_LETTERS.sub("", key.lower())
    if _NUMBER.fullmatch(value):
        # WordPress has articles at "?p=4711".
        if _PAGE_KEY.fullmatch(letters) and (letters != "p" or len(value) < _MIN_ARTICLE_DIGITS):
            return "page"
        is_entry = _ENTRY_KEY.fullmatch(letters) and _SMALL_NUMBER.fullmatch(value)
        if _OFFSET_KEY.fullmatch(letters) or is_entry:
            return "offset"
    return "cursor" if _CURSOR_KEY.fullmatch(letters) else None


def _step(link: _PageUrl, current: _PageUrl) -> _Step | None:
    """Return the step from the current page to a link's; None if there is none or it goes back."""
    if (link.site, link.place) != (current.site, current.place):
        return None
    found: dict[_Kind, _Step] = {}
    if link.numbers != current.numbers:
        changed = _changed_number(current.numbers, link.numbers)
        if changed is None:
            return None
        unnamed: _Kind = "number" if link.ends_with_number else "inner"
        kind = unnamed if link.path_page is None else "page"
        found[kind] = _Step(*changed, kind)
    for key in {**current.parameters, **link.parameters}:
        old, new = current.parameters.get(key), link.parameters.get(key)
        if old == new or _IDLE_KEY.fullmatch(_NO_LETTERS.sub("", key.lower())):
            continue
        if new is None or _COMMENT_KEY.search(key):
            return None
        named = _kind(key, new)
        if named is None and old is not None:
            return None
        if named is not None or _HAS_DIGIT.search(new):
            kind = named or ("number" if _SMALL_NUMBER.fullmatch(new) else "cursor")
            found[kind] = _Step(_number(new), _number(old), kind)
    step = next((found[kind] for kind in _KINDS if kind in found), None)
    if step is None or (step.kind != "cursor" and (step.number or 0) <= (step.before or 0)):
        return None
    return step


def _number(value: str | None) -> int | None:
    return int(value) if value is not None and _NUMBER.fullmatch(value) else None


def _changed_number(
    current: tuple[int, ...], link: tuple[int, ...]
) -> tuple[int, int | None] | None:
    """Return the number in which a path differs, new and old; None if more has changed.

    >>> _changed_number((7,), (7, 2)), _changed_number((7, 2), (7, 3)), _changed_number((7,), ())
    ((2, None), (3, 2), None)
    """
    if len(link) == len(current) + 1:
        places = range(len(current), -1, -1)
        added = (link[n] for n in places if link[:n] + link[n + 1 :] == current)
        return next(((number, None) for number in added), None)
    if len(link) != len(current):
        return None
    changed = [(new, old) for new, old in zip(link, current, strict=True) if new != old]
    return changed[-1] if all(new > old for new, old in changed) else None


@dataclass(frozen=True)
class _Link:
    element: etree._Element
    target: _PageUrl
    step: _Step | None

    @property
    def is_declared(self) -> bool:
        return "next" in (self.element.get("rel") or "").lower().split()

    @property
    def is_in_comments(self) -> bool:
        return any("comment" in _names(e).lower() for e in self.element.iterancestors())

    @property
    def labels(self) -> list[str]:
        """Its short texts."""
        texts = ["".join(map(str, self.element.itertext()))]
        texts += [self.element.get("aria-label") or "", self.element.get("title") or ""]
        texts += [image.get("alt") or "" for image in self.element.iter("img")]
        labels = (" ".join(text.split()) for text in texts)
        return [label for label in labels if 0 < len(label) <= _MAX_LABEL]

    @property
    def number(self) -> int | None:
        """The page number in its text."""
        for label in self.labels:
            tokens = [t for t in _LABEL_TOKEN.findall(label.lower()) if not _PAGE_WORD.fullmatch(t)]
            if len(tokens) == 1 and _NUMBER.fullmatch(tokens[0]):
                return int(tokens[0])
        return None

    @property
    def says_next(self) -> bool:
        return any(_NEXT.search(label) for label in self.labels)

    @property
    def looks_like_next(self) -> bool:
        """Whether an arrow, or the name of its element, says that it leads to the next page."""
        if any(_ARROWS.fullmatch(text) or _MORE.fullmatch(text) for text in self.labels):
            return True
        parent = self.element.getparent()
        names = _names(self.element) + ("" if parent is None else f" {_names(parent)}")
        return _NEXT_NAME.search(names) is not None


def _names(element: etree._Element) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''}"


def _links(page: Page, current: _PageUrl) -> Iterator[_Link]:
    """Yield the links of a page to its own site, visible or not."""
    base = page.base_url
    declared = (e for e in page.elements("link") if "next" in (e.get("rel") or "").lower())
    for element in (*declared, *page.elements("a")):
        href = element.get("href") or ""
        if "?" not in href and not _HAS_DIGIT.search(
            href
        ):  # most links: no page of a section has such a URL
            continue
        url = resolve_link(href, base)
        if url is not None and url.startswith("http"):
            target = _PageUrl.of(url)
            if target is not None and target.site == current.site:
                yield _Link(element, target, _step(target, current))


def _follows(link: _Link, current: _PageUrl) -> bool:
    """Tell whether a declared next page is one, and not the next article."""
    if link.step is not None:
        return True
    if current.place and not link.target.place:
        return False
    number, before = link.target.page, current.page
    return number is not None and number > (before or 0)


def _next_by_number(links: Iterable[_Link]) -> str | None:
    """Return the page with the next number, by its URL or its label."""
    for link in links:
        step, label = link.step, link.number
        if step is None or step.number is None or step.kind in ("inner", "cursor"):
            continue
        if label is None:
            if step.kind == "page" and step.number == (step.before or 1) + 1:
                return link.target.url
        elif step.before is None:
            if label == 2:
                return link.target.url
        elif step.number == step.before + 1 or (
            # The number of the first entry, counted from 0 or from 1.
            step.number * (label - 2) == step.before * (label - 1)
            or (step.number - 1) * (label - 2) == (step.before - 1) * (label - 1)
        ):
            return link.target.url
    return None


def _next_by_words(links: Iterable[_Link]) -> str | None:
    """Return the nearest of the pages whose links say "next" or "older"."""
    found: list[tuple[int, int, str]] = []
    for link in links:
        step = link.step
        if step is None or step.kind == "inner" or link.number is not None:
            continue
        if step.kind == "number" and step.number != (step.before or 1) + 1 and step.number != 1:
            continue
        is_page = step.kind in ("page", "offset")
        points_on = is_page and any(map(_AFTER_ARROW.search, link.labels))
        if link.says_next or link.looks_like_next or points_on:
            found.append((_KINDS.index(step.kind), step.number or 0, link.target.url))
    return min(found, key=lambda each: each[:2])[-1] if found else None


def _next_elsewhere(links: Iterable[_Link], current: _PageUrl) -> str | None:
    """Return the next page of a section whose pages have another path, as front pages do."""
    number = (current.page or 1) + 1
    for link in links:
        if link.target.page != number or not set(current.place) <= set(link.target.place):
            continue
        is_comment = link.is_in_comments or any("comment" in word for word in link.target.place)
        if link.says_next and not is_comment:
            return link.target.url
    return None
