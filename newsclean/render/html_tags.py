"""The tags and attributes of clean HTML, and the sanitizer that lets through nothing else."""

from __future__ import annotations

import nh3

from newsclean.metadata.urls import LINK_SCHEMES
from newsclean.page.tags import ANNOTATIONS

INLINE = frozenset(
    "a abbr b cite code del em i ins kbd mark q ruby s small strong sub sup u".split()
)
#: They hold words directly; words anywhere else become a paragraph.
HOLDERS = frozenset("li dd dt td th caption figcaption h2 h3 h4 h5 h6 pre".split())
#: Of these, the ones that may hold a figure.
FIGURE_HOLDERS = frozenset("li dd td th".split())
CONTAINERS = frozenset(["ul", "ol", "dl", "blockquote", "figure"])
#: What a list may hold; around anything else it is only indentation.
LISTS = {"ul": {"li"}, "ol": {"li"}, "dl": {"dt", "dd"}}
TABLE = frozenset("table thead tbody tfoot tr td th caption".split())
STRUCTURE = HOLDERS | CONTAINERS | TABLE

TAGS = set(INLINE | STRUCTURE | ANNOTATIONS | {"p", "br", "img"})
ATTRIBUTES = {
    "a": {"href"},
    "abbr": {"title"},
    "blockquote": {"cite"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
#: Attributes that must be whole numbers.
NUMBERS = {"ol": ("start",), "td": ("colspan", "rowspan"), "th": ("colspan", "rowspan")}

CLEANER = nh3.Cleaner(
    tags=TAGS,
    attributes=ATTRIBUTES,
    url_schemes=set(LINK_SCHEMES),
    link_rel="noopener noreferrer",
)
