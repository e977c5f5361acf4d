"""What the size, the names and the address of a picture say of it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from newsclean.render.picture_sources import Source, pixels

if TYPE_CHECKING:
    from lxml import etree

MIN_SIDE = 32  # pixels; below are icons and counters
#: A picture whose two sides are both known and below is a portrait or a button.
MIN_AREA_SIDE = 100
MAX_NAME = 300  # characters of a class, an id or a file's name

#: What a picture's own class or file name says.
_NO_PICTURE = re.compile(
    r"(?:^|[^a-z])(?:logos?|icons?|avatars?|gravatar|headshots?|authors?|byline|emojis?|badges?|"
    r"sprites?|beacon|adverts?|advertisement|favicon|smil(?:ey|ies))(?:$|[^a-z])"
)
#: And what the names around it say, up to the text.
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


def is_named_as_site(element: etree._Element) -> bool:
    """Whether an element around a picture is named as the site's: a teaser, an advert, a bio …"""
    names = (element.get("class"), element.get("id"))
    return any(_matches(_NOT_OURS, name[:MAX_NAME]) for name in names if name)


@lru_cache(20_000)
def _matches(words: re.Pattern[str], name: str) -> bool:
    return words.search(_CAMEL.sub(" ", name).lower()) is not None


def is_named_otherwise(element: etree._Element, source: Source) -> bool:
    """Whether a picture's own names say that it is a logo, a portrait, a button …"""
    file = unquote(_path(source.url).rpartition("/")[2])
    names = (element.get("class"), element.get("id"), file)
    if any(_matches(_NO_PICTURE, name[:MAX_NAME]) for name in names if name):
        return True
    return _LOGO.search(element.get("alt") or "") is not None


def is_tiny(element: etree._Element) -> bool:
    sizes = [pixels(element.get(name)) for name in ("width", "height")]
    known = [size for size in sizes if size is not None]
    return any(size < MIN_SIDE for size in known) or (
        len(known) == 2 and max(known) < MIN_AREA_SIDE
    )


def file_key(url: str) -> str:
    """The name of a picture's file: the same for the sizes in which it is kept.

    >>> file_key("https://a.example/2024/rain-1024x683.jpg?w=9") == file_key("/x/rain.jpg")
    True
    """
    return _SIZE.sub("", _path(url).rpartition("/")[2])


def address_key(url: str) -> str:
    """The address without size: of two pictures with the same, one is a copy for other screens."""
    path = _path(url)
    return _SIZE.sub("", path) if _SIZE.search(path) else url


def _path(url: str) -> str:
    return url.partition("?")[0].partition("#")[0]
