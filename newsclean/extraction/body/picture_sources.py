"""Read one picture's own markup: its best URL, its size, and what its names say.

Pages that load pictures late keep a placeholder in `src` and the URL in an attribute of their
own. So attributes are read by the form of their values, not by a list of names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from newsclean.urls import MAX_URL, resolve_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml import etree


#: Attributes that never hold the picture, whatever they look like.
_NO_SOURCES = frozenset("alt class id title style sizes type media href longdesc usemap".split())
_MAX_VALUE = 20_000  # characters of an attribute
_MAX_CANDIDATES = 100
#: The width in pixels if neither markup nor address gives it.
_UNKNOWN_WIDTH = 500
#: A picture that is not wider than this is a preview or an icon.
_MAX_PREVIEW = 99

_IMAGE = re.compile(r"\.(?:jpe?g|png|webp|gif|avif|jfif|bmp|tiff?|svg)(?![a-z0-9])", re.I)
_PREVIEW = re.compile(r"placeholder|fallback|error|default|thumb|preview|lqip|blur|tiny|low", re.I)
_STAND_IN = re.compile(
    r"(?:^|[\W_])(?:blank|spacer|placeholder|loading|loader|lazy|lazyload|transparent|transp|1x1|"
    r"default[-_]?image|no[-_]?image)(?:$|[\W_])"
    r"|^(?:pixel|px|clear|trans|empty|dummy|gr[ae]y|white|dot)\.\w{3,4}$|^[a-z]\.gif$",
    re.I,
)
_DESCRIPTOR = re.compile(r"(\d{1,5}(?:\.\d{1,4})?)([wxh])(?:,(.*))?", re.S)
#: A URL and its width; a `srcset` of these alone is read at once.
_WIDE = re.compile(r"(?<!\S)(\S++)(\s++)(\d{1,5})(w(?:,\s+|,?\s*$))")
_QUOTED = re.compile(r"(?:https?:)?//[^\"'\s\\<>]{4,2000}")
_WIDTH_IN_URL = re.compile(
    r"[?&;,/_](?:w|width|wid|imwidth|resize|maxwidth)[=_:](\d{1,4})(?!\d)"
    r"|[-_/=](\d{2,4})x(?:\d{2,4})?(?![\da-z])",
    re.I,
)

_MIN_SIDE = 32  # pixels; smaller are icons and counters
#: A picture with both sides known and smaller is a portrait or a button.
_MIN_AREA_SIDE = 100
_MAX_NAME = 300  # characters of a class, an id or a file's name

#: In a picture's own class, id or file name: it is not a picture of the article.
_NO_PICTURE = re.compile(
    r"(?:^|[^a-z])(?:logos?|icons?|avatars?|gravatar|headshots?|authors?|byline|emojis?|badges?|"
    r"sprites?|beacon|adverts?|advertisement|favicon|smil(?:ey|ies))(?:$|[^a-z])"
)
#: The same in the names of the elements around it.
_NOT_OURS = re.compile(
    r"(?:^|[^a-z])(?:logos?|icons?|avatars?|authors?|byline|bio|headshots?|profile|emojis?|badges?|"
    r"share|sharing|social|tracking|beacon|adverts?|advertisement|ads?|advertorial|sponsors?|"
    r"sponsored|banners?|promos?|newsletter|related|recommend(?:ed|ations?)|teasers?|signup|"
    r"subscribe|outbrain|taboola|popular|trending|comments?|rating|flags?|buttons?|btn|paywall|"
    r"readmore|seealso)(?:$|[^a-z])"
)
_SIZE = re.compile(r"(?:[-_@]\d{2,4}x\d{2,4}|@\dx|-scaled)?\.(?:jpe?g|png|webp|gif|avif)$", re.I)
_LOGO = re.compile(r"\b(?:logo|avatar|headshot)\b", re.I)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Source(NamedTuple):
    """The URL of a picture and its size, as far as the page gives it."""

    url: str
    width: int | None
    height: int | None


class _Candidate(NamedTuple):
    address: str
    width: int | None
    is_preview: bool


def best_source(elements: Sequence[etree._Element], base: str | None) -> Source | None:
    """Return the largest real URL of a picture; None if it has placeholders only.

    `elements` are the `img`, then the `source` elements of its `picture` and its copies in
    `noscript`.

    >>> from lxml import html
    >>> image = html.fromstring('<img src=/blank.gif data-late="/r-300.jpg 300w, /r.jpg 900w">')
    >>> best_source([image], "https://example.org/")
    Source(url='https://example.org/r.jpg', width=900, height=None)
    """
    shown = _size(elements[0])
    found = [one for element in elements for one in _candidates(element, shown[0])]
    best = sorted(found, key=lambda one: (one.is_preview, -(one.width or _UNKNOWN_WIDTH)))
    for address, width, _ in best[:_MAX_CANDIDATES]:
        if _is_stand_in(address):
            continue
        url = resolve_link(address.replace(" ", "%20"), base)
        if url and url.startswith("http") and len(url) <= MAX_URL:
            return Source(url, *_scaled(width, *shown))
    return None


def _candidates(element: etree._Element, shown: int | None) -> Iterator[_Candidate]:
    """Yield the URLs in all attributes of an element, whatever their names."""
    held: list[_Candidate] = []
    for name, raw in element.items():
        name = str(name)
        if name == "src" or name in _NO_SOURCES:
            continue
        value = str(raw).strip()
        if not 4 <= len(value) <= _MAX_VALUE:
            continue
        if value[:5].lower() == "data:" or ("/" not in value and "." not in value):
            continue
        is_named = "src" in name or "original" in name
        if value[0] in "{[":
            preview = _is_preview(name)
            quoted = _QUOTED.findall(value.replace("\\/", "/"))
            held += [_candidate(url, None, preview) for url in quoted if _IMAGE.search(url)]
        elif is_named or (_IMAGE.search(value) and not name.startswith("on")):
            preview = _is_preview(name)
            held += [
                _candidate(url, width, preview)
                for url, width in _listed(value, shown)
                if is_named or _IMAGE.search(url)
            ]
    yield from held
    if source := (element.get("src") or "").strip():
        # Beside another URL, `src` is a placeholder until that one is loaded.
        late = any(not one.is_preview for one in held) and any(
            str(name).startswith("data-") for name in element.attrib
        )
        yield _candidate(source, None if late else shown, late)


@lru_cache(1000)
def _is_preview(name: str) -> bool:
    return _PREVIEW.search(name) is not None


def _candidate(address: str, width: int | None, is_preview: bool) -> _Candidate:
    if width is None and (match := _WIDTH_IN_URL.search(address)):
        width = int(match[1] or match[2])
    small = width is not None and width <= _MAX_PREVIEW
    return _Candidate(address, width or None, is_preview or small)


def _listed(value: str, shown: int | None) -> Iterator[tuple[str, int | None]]:
    """Yield the URLs of a `srcset`, or the single URL, with their widths."""
    if " " not in value and "," not in value:
        yield value, None
        return
    wide = _WIDE.findall(value)
    if wide and sum(map(len, chain.from_iterable(wide))) == len(value):  # most of them
        yield from ((address.strip(","), int(width)) for address, _, width, _ in wide)
        return
    address = ""
    tokens = value.split()
    for number, token in enumerate(tokens):
        match = _DESCRIPTOR.fullmatch(token)
        if match and address:
            amount, unit, rest = float(match[1]), match[2], match[3]
            width = amount if unit == "w" else amount * (shown or _UNKNOWN_WIDTH)
            yield address, int(width) if unit != "h" else None
            address = (rest or "").strip(",")
        elif address and number and not tokens[number - 1].endswith(","):
            address += f" {token}"  # a space in a file's name
        else:
            if address:
                yield address, None
            address = token.strip(",")
    if address:
        yield address.strip(","), None


def _is_stand_in(address: str) -> bool:
    """Return whether a URL is that of a placeholder, or none at all."""
    if address[:5].lower() in ("data:", "about", "blob:", "javas") or "{" in address:
        return True
    path = address.partition("?")[0].partition("#")[0]
    return bool(_STAND_IN.search(path.rpartition("/")[2][:200])) or path in ("", "/")


def _size(element: etree._Element) -> tuple[int | None, int | None]:
    width, height = (_pixels(element.get(name)) for name in ("width", "height"))
    return width, height


def _pixels(value: str | None) -> int | None:
    """Return a length in pixels; None for percent, other units and what is beyond any screen.

    >>> _pixels("640px"), _pixels("100%"), _pixels("0")
    (640, None, 0)
    """
    if value is None:
        return None
    number = value.strip().lower().removesuffix("px").partition(".")[0]
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 6 else None


def _scaled(
    width: int | None, shown_width: int | None, shown_height: int | None
) -> tuple[int | None, int | None]:
    """Return the size of the picture at a URL, in the proportions shown on the page."""
    if not width or not shown_width:
        return width or shown_width or None, None if width else shown_height or None
    return width, round(shown_height * width / shown_width) if shown_height else None


def is_named_as_site(element: etree._Element) -> bool:
    """Return whether an element around a picture is named as a teaser, an advert, a bio …"""
    names = (element.get("class"), element.get("id"))
    return any(_matches(_NOT_OURS, name[:_MAX_NAME]) for name in names if name)


@lru_cache(20_000)
def _matches(words: re.Pattern[str], name: str) -> bool:
    return words.search(_CAMEL.sub(" ", name).lower()) is not None


def is_named_otherwise(element: etree._Element, source: Source) -> bool:
    """Return whether a picture is named as a logo, a portrait, a button …"""
    file = unquote(_path(source.url).rpartition("/")[2])
    names = (element.get("class"), element.get("id"), file)
    if any(_matches(_NO_PICTURE, name[:_MAX_NAME]) for name in names if name):
        return True
    return _LOGO.search(element.get("alt") or "") is not None


def is_tiny(element: etree._Element) -> bool:
    known = [size for size in _size(element) if size is not None]
    return any(size < _MIN_SIDE for size in known) or (
        len(known) == 2 and max(known) < _MIN_AREA_SIDE
    )


def file_key(url: str) -> str:
    """Return the name of a picture's file, the same for all its sizes.

    >>> file_key("https://a.example/2024/rain-1024x683.jpg?w=9") == file_key("/x/rain.jpg")
    True
    """
    return _SIZE.sub("", _path(url).rpartition("/")[2])


def address_key(url: str) -> str:
    """Return the URL without a size: two pictures with the same one are the same picture."""
    path = _path(url)
    return _SIZE.sub("", path) if _SIZE.search(path) else url


def _path(url: str) -> str:
    return url.partition("?")[0].partition("#")[0]
