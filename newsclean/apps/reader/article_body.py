"""Sanitize the body of an article, and format its language and dates.

The body comes from a JSON line that is not trusted. Only the tags and attributes of newsclean's own
HTML are allowed. The tree is then made accessible: headings without gaps, valid lists, links with
text, tables that scroll. nh3 sanitizes both before and after.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from html import escape
from typing import TYPE_CHECKING

import nh3
from lxml import etree, html

from newsclean.extraction.body.html import ATTRIBUTES, TAGS
from newsclean.extraction.text import parse_iso_date, visible_text
from newsclean.urls import LINK_SCHEMES, resolve_link, resolve_url

if TYPE_CHECKING:
    from lxml.html import HtmlElement


#: The attributes of newsclean's own HTML, and picture sizes to avoid layout shifts.
_ALLOWED = {**ATTRIBUTES, "img": {"src", "alt", "width", "height"}}
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LISTS = {"ul": ("li",), "ol": ("li",), "dl": ("dt", "dd")}
_MAX_DEPTH = 200  # of nested tags
#: The box around a table, which scrolls by mouse and keyboard if the table is too wide.
_SCROLLING = {"class": "scroll", "tabindex": "0", "role": "group", "aria-label": "Table"}
_LOADING = {"loading": "lazy", "decoding": "async"}

_SAFE = nh3.Cleaner(
    tags=TAGS | {"h1"},
    attributes=_ALLOWED,
    url_schemes=set(LINK_SCHEMES),
    link_rel=None,
)
_SAFE_PAGE = nh3.Cleaner(
    tags=TAGS | {"div"},
    attributes=_ALLOWED,
    url_schemes=set(LINK_SCHEMES),
    url_relative="deny",
    link_rel="noopener noreferrer",
    # The tree already has them. If nh3 set them, their order would differ in each process, and each
    # run would write all pages with pictures again.
    tag_attribute_values={
        "div": {name: {value} for name, value in _SCROLLING.items()},
        "img": {name: {value} for name, value in _LOADING.items()},
    },
)
_NO_TAGS = nh3.Cleaner(tags=set())
_TAG = re.compile("<(/?)([a-z0-9]+)")
_BLANK_LINE = re.compile(r"\n\s*\n")

#: Languages written from right to left unless their tag names another script.
_RIGHT_TO_LEFT = frozenset(
    """
    aao ar ara arc arq ary arz azb bal ckb div dv fa fas glk he heb iw ji khw ks lrc luz
    mzn nqo pes pnb prs ps pus rhg sd sdh skr syr ug uig ur urd yi yid
    """.split()
)
_RIGHT_TO_LEFT_SCRIPTS = frozenset("adlm arab aran hebr mand mend nkoo rohg samr syrc thaa".split())

_ANY_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,8}")

MONTHS = (
    "January February March April May June July August September October November December".split()
)
NO_DATE = "Undated"


@dataclass(frozen=True, slots=True)
class Body:
    """Sanitized HTML, and the URLs in it."""

    html: str
    pictures: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()


def paragraphs_of(text: str) -> str:
    """Return plain text as HTML paragraphs, split at blank lines.

    >>> paragraphs_of("Rain.\\n\\nWind < storm.")
    '<p>Rain.</p><p>Wind &lt; storm.</p>'
    """
    found = filter(None, (part.strip() for part in _BLANK_LINE.split(text)))
    return "".join(f"<p>{escape(part, quote=False)}</p>" for part in found)


def clean_body(body_html: str, url: str | None, *, images: bool = True) -> Body:
    """Sanitize the body of the article at `url`.

    >>> clean_body("<p onclick=x()>Rain <a href='/now'>now</a><script>x()</script>", None).html
    '<p>Rain now</p>'
    """
    safe = _SAFE.clean(visible_text(body_html))
    if not safe.strip():
        return Body("")
    if _is_too_deep(safe):
        safe = f"<p>{_NO_TAGS.clean(safe)}</p>"
    root = html.fragment_fromstring(safe, create_parent="div")
    pictures = _pictures(root, url, images)
    links = _links(root, url)
    _repair_lists(root)
    _order_headings(root)
    _let_tables_scroll(root)
    inner = escape(root.text or "", quote=False) + "".join(
        html.tostring(child, encoding="unicode") for child in root
    )
    return Body(_SAFE_PAGE.clean(inner).strip(), frozenset(pictures), frozenset(links))


def _is_too_deep(safe: str) -> bool:
    """Whether tags are nested so deeply that the parser would lose text."""
    depth = 0
    for found in _TAG.finditer(safe):
        depth += -1 if found[1] else found[2] not in ("br", "img")
        if depth > _MAX_DEPTH:
            return True
    return False


def _pictures(root: HtmlElement, url: str | None, images: bool) -> list[str]:
    """Make the URLs of pictures absolute, or remove the pictures; captions stay."""
    found = []
    for picture in list(root.iter("img")):
        source = resolve_url(picture.get("src"), url) if images else None
        if source is None:
            picture.drop_tree()
            continue
        picture.set("src", source)
        picture.set("alt", picture.get("alt", ""))
        for name in ("width", "height"):
            if not re.fullmatch("[1-9][0-9]{0,4}", picture.get(name, "1")):
                del picture.attrib[name]
        for name, value in _LOADING.items():
            picture.set(name, value)
        found.append(source)
    return found


def _links(root: HtmlElement, url: str | None) -> list[str]:
    """Make links absolute; unwrap those without a valid target or without text."""
    found = []
    for link in list(root.iter("a")):
        target = resolve_link(link.get("href"), url)
        if target is None or not _words(link):
            link.drop_tag()
            continue
        link.set("href", target)
        found.append(target)
    return found


def _words(element: HtmlElement) -> str:
    alternatives = " ".join(picture.get("alt", "") for picture in element.iter("img"))
    return f"{element.text_content()} {alternatives}".strip()


def _repair_lists(root: HtmlElement) -> None:
    """Turn items outside lists, and lists with other content, into plain boxes."""
    for item in list(root.iter("li", "dt", "dd")):
        parent = item.getparent()
        if item.tag not in _LISTS.get(parent.tag, ()):
            item.tag = "div"
    for each in list(root.iter(*_LISTS)):
        kinds = _LISTS[each.tag]
        has_text = any(part and part.strip() for part in (each.text, *(c.tail for c in each)))
        if has_text or not len(each) or any(child.tag not in kinds for child in each):
            for child in each:
                if child.tag in kinds:
                    child.tag = "div"
            each.tag = "div"


def _order_headings(root: HtmlElement) -> None:
    """Renumber headings below the headline without gaps."""
    open_levels: list[int] = []
    for heading in list(root.iter(*_HEADINGS)):
        if not _words(heading):
            heading.drop_tag()
            continue
        level = _HEADINGS.index(heading.tag)
        while open_levels and open_levels[-1] >= level:
            open_levels.pop()
        open_levels.append(level)
        heading.tag = _HEADINGS[min(len(open_levels), len(_HEADINGS) - 1)]


def _let_tables_scroll(root: HtmlElement) -> None:
    for table in list(root.iter("table")):
        if next(table.iterancestors("table"), None) is not None:
            continue
        wrapper = etree.Element("div", _SCROLLING)
        parent = table.getparent()
        parent.replace(table, wrapper)
        wrapper.tail, table.tail = table.tail, None
        wrapper.append(table)


def language_tag(value: object) -> str:
    """Return a language tag for HTML, empty if the value is invalid.

    >>> language_tag("pt_BR"), language_tag("english, please"), language_tag(None)
    ('pt-BR', '', '')
    """
    tag = value.strip().replace("_", "-") if isinstance(value, str) else ""
    return tag if _ANY_TAG.fullmatch(tag) else ""


def direction(tag: str) -> str:
    """Return the writing direction of a language, `auto` if it is unknown.

    >>> direction("ar-EG"), direction("en"), direction("az-Arab"), direction("")
    ('rtl', 'ltr', 'rtl', 'auto')
    """
    if not tag:
        return "auto"
    primary, *subtags = tag.lower().split("-")
    script = next((part for part in subtags if len(part) == 4 and part.isalpha()), None)
    if script is not None:
        return "rtl" if script in _RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if primary in _RIGHT_TO_LEFT else "ltr"


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as the page states it, with or without a time and a time zone."""

    value: datetime
    has_time: bool = True

    @property
    def day(self) -> date:
        """The day in the time zone of the article."""
        return self.value.date()

    @property
    def instant(self) -> datetime:
        """The time for comparisons; UTC is assumed without a time zone."""
        return self.value if self.value.tzinfo else self.value.replace(tzinfo=UTC)

    @property
    def iso(self) -> str:
        """The value of a `datetime` attribute."""
        if not self.has_time:
            return self.day.isoformat()
        return self.value.isoformat(timespec="seconds")

    @property
    def rfc3339(self) -> str:
        """The format of Atom, with time and time zone."""
        return self.instant.isoformat(timespec="seconds").replace("+00:00", "Z")

    @property
    def words(self) -> str:
        """
        >>> moment("2026-03-14T09:05:00+02:00").words, moment("2026-03-14").words
        ('14 March 2026, 09:05 UTC+02:00', '14 March 2026')
        """
        if not self.has_time:
            return day_words(self.day)
        zone = self.value.strftime("%Z") if self.value.tzinfo else ""
        return f"{day_words(self.day)}, {self.value:%H:%M} {zone}".rstrip()


def moment(value: object) -> Moment | None:
    """Parse an ISO 8601 date, None if it is invalid.

    >>> moment("yesterday"), moment(20260314), moment("20260314")
    (None, None, None)
    """
    if not isinstance(value, str) or not value[:4].isdecimal() or value[4:5] != "-":
        return None
    parsed = parse_iso_date(value.strip())
    if parsed is None:
        return None
    try:
        parsed.astimezone(UTC)
    except OverflowError:  # outside the supported years
        return None
    return Moment(parsed, has_time=len(value.strip()) > len("2026-03-14"))


def day_words(day: date) -> str:
    """
    >>> day_words(date(2026, 3, 1))
    '1 March 2026'
    """
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
