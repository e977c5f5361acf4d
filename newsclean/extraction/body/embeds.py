"""Posts and players from elsewhere within an article: where they are from, and what they say.

They are known by the shapes in which platforms hand them out, oEmbed's: a `blockquote` with a link
to the post, a frame whose address is a player's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import numpy as np

from newsclean.text import visible_text
from newsclean.urls import MAX_URL, base_url, resolve_link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


QUOTES = frozenset({"blockquote"})
_FRAMES = frozenset({"iframe", "amp-iframe", "video", "lite-youtube", "amp-youtube"})
KINDS = QUOTES | _FRAMES
_MAX_EMBEDS = 100
#: A quote with more than this share of the chosen characters is not from elsewhere.
_MAX_SHARE = 0.3
_MAX_LINKS = 20  # of a post
#: A post or a player is at most this many words above the article's first or below its last ones.
_MAX_WORDS_OFF = 60
_MIN_SIDE = 50  # pixels; a smaller frame shows nothing

#: The address of a post, by platform.
_POST = re.compile(
    r"https?://(?:[\w-]+\.){0,4}(?:"
    r"(?P<Twitter>(?:twitter|x)\.com/(?:#!/)?\w+/status(?:es)?/\d+)|"
    r"(?P<Instagram>instagram\.com/(?:\w+/)?(?:p|reel|tv)/[\w-]+)|"
    r"(?P<TikTok>tiktok\.com/@[\w.-]+/video/\d+)|"
    r"(?P<Facebook>facebook\.com/"
    r"(?:[^?#]{1,200}/(?:posts|videos|photos)/|(?:story|photo|permalink)\.php))|"
    r"(?P<Bluesky>bsky\.app/profile/[^/]+/post/\w+)|"
    r"(?P<Threads>threads\.(?:net|com)/@[\w.-]+/post/[\w-]+)|"
    r"(?P<Reddit>reddit\.com/r/\w+/comments/\w+)|"
    r"(?P<Telegram>t\.me/\w+/\d+)|"
    r"(?P<Mastodon>[\w.-]+/@[\w@.-]+/\d{10,})"
    r")"
)
#: Names that platforms give what they hand out: `twitter-tweet`, `instagram-media` …
_POST_NAME = re.compile(r"(?:^|[\s_-])(?:tweet|embed|media|post|toot|status)(?:$|[\s_-])")
_PLAYER = re.compile(r"/(?:embed|player|plugins|widget|videos?|iframe)(?:[/.?]|$)|/player", re.I)
_YOUTUBE = re.compile(
    r"(?:youtube(?:-nocookie)?\.com/(?:embed/|watch\?v=|v/|shorts/)|youtu\.be/)([\w-]{6,20})"
)
_VIMEO = re.compile(r"player\.vimeo\.com/video/(\d+)")
_TWEET_FRAME = re.compile(r"platform\.(?:twitter|x)\.com/embed/.*[?&]id=(\d+)")
_ADVERT = re.compile(
    r"doubleclick|googlesyndication|adservice|googletagmanager|/ads?[/.?]|recaptcha"
)
#: Hosts whose second label is no name: `player.example.co.uk`.
_SECOND_LEVEL = frozenset("co com net org ac gov edu".split())


@dataclass(frozen=True)
class Embed:
    """One post or player and where it is shown."""

    row: int
    provider: str
    url: str
    #: what it says, as far as the page holds it
    text: str

    def to_dict(self) -> dict[str, str | None]:
        return {"provider": self.provider, "address": self.url, "text": self.text or None}


def find_embeds(page: Page, chosen: Mask) -> tuple[Embed, ...]:
    """The posts and players within the article whose rows are chosen, in document order."""
    if not any(map(page.elements, KINDS)):
        return ()
    texts = page.text_rows[chosen[page.text_rows]]
    if not len(texts):
        return ()
    rows = page.rows(KINDS)
    words = np.cumsum(page.words)
    first, last = int(texts[0]), int(texts[-1])
    rows = rows[
        (words[first] - words[page.end[rows]] <= _MAX_WORDS_OFF)
        & (words[rows] - words[last] <= _MAX_WORDS_OFF)
    ]
    base = base_url(page.elements("base"), page.url)
    found: dict[str, Embed] = {}
    reach = -1
    for row in rows[:_MAX_EMBEDS].tolist():
        if row <= reach or page.in_link[row]:  # within another one
            continue
        outside = not first < row < last
        embed = _post(page, row, base) if page.tag[row] in QUOTES else _player(page, row, base)
        if embed is None or (outside and not _shares_box(page, chosen, row)):
            continue
        if _holds_article(page, chosen, row):
            continue
        reach = int(page.end[row])
        found.setdefault(embed.url, embed)
    return tuple(found.values())


def _holds_article(page: Page, chosen: Mask, row: int) -> bool:
    """Whether a quote holds a good part of what is chosen: it is then the article's own text."""
    end = int(page.end[row]) + 1
    within = int(page.chars[row:end][chosen[row:end]].sum())
    return within > _MAX_SHARE * int(page.chars[chosen].sum())


def _shares_box(page: Page, chosen: Mask, row: int) -> bool:
    """Whether what is around a row, or around that, is chosen as the article's."""
    up = page.parents[row]
    return up >= 0 and bool(chosen[up] or (page.parent[up] >= 0 and chosen[page.parent[up]]))


def _post(page: Page, row: int, base: str | None) -> Embed | None:
    element = page.element[row]
    if element is None:
        return None
    named = _POST_NAME.search((element.get("class") or "").lower()) is not None
    stated = [
        str(value) for name, value in element.items() if name == "cite" or "link" in str(name)
    ]
    links = _links(element) if named or stated else _last_link(element)
    for address in (*stated, *links):
        if match := _POST.search(address):
            url = resolve_link(address.partition("?")[0], base)
            if url and len(url) <= MAX_URL:
                return Embed(row, str(match.lastgroup), url, _text(page, row))
    return None


def _links(element: etree._Element) -> Iterator[str]:
    """The addresses of the links in a post, the last first: it is the post's own."""
    links = [link.get("href") or "" for link in element.iter("a")]
    yield from reversed(links[-_MAX_LINKS:])


def _last_link(element: etree._Element) -> list[str]:
    """The last link of a quote that says nothing of itself, as posts end with theirs."""
    return list(_links(element))[:1]


def _player(page: Page, row: int, base: str | None) -> Embed | None:
    element = page.element[row]
    if element is None:
        return None
    if any(_is_small(element.get(side)) for side in ("width", "height")):
        return None
    if identity := element.get("videoid") or element.get("data-videoid"):
        held = [f"https://www.youtube.com/embed/{identity}"]
    else:
        held = [str(value) for name, value in element.items() if "src" in str(name)]
        if page.tag[row] == "video":
            held += [source.get("src") or "" for source in element.iter("source")]
    for address in filter(None, (resolve_link(value, base) for value in held)):
        if address.startswith("http") and len(address) <= MAX_URL and not _ADVERT.search(address):
            is_video = page.tag[row] == "video"
            if is_video or _PLAYER.search(urlsplit(address).path) or _TWEET_FRAME.search(address):
                provider, url = _source_of(address)
                title = visible_text(" ".join((element.get("title") or "").split()))[:300]
                return Embed(row, provider, url, title)
    return None


def _is_small(value: str | None) -> bool:
    return (
        bool(value)
        and str(value).isdecimal()
        and len(str(value)) < 6
        and int(str(value)) < _MIN_SIDE
    )


def _source_of(address: str) -> tuple[str, str]:
    """Who offers what a frame shows, and the address at which a reader finds it."""
    if match := _YOUTUBE.search(address):
        return "YouTube", f"https://www.youtube.com/watch?v={match[1]}"
    if match := _VIMEO.search(address):
        return "Vimeo", f"https://vimeo.com/{match[1]}"
    if match := _TWEET_FRAME.search(address):
        return "Twitter", f"https://twitter.com/i/status/{match[1]}"
    parts = urlsplit(address)
    for value in parse_qs(parts.query).get("href", [])[:1]:  # Facebook's plugins
        if (post := _POST.match(value)) and (url := resolve_link(value, None)):
            return str(post.lastgroup), url
    labels = (parts.hostname or "").split(".")
    place = -3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL else -2
    return labels[max(place, -len(labels))], address


def _text(page: Page, row: int) -> str:
    parts: list[str] = []
    block = -1
    for place in range(row, int(page.end[row]) + 1):
        if page.chars[place]:
            if block not in (-1, page.block[place]):
                parts.append("\n")
            block = int(page.block[place])
            parts.append(page.text[place])
    lines = visible_text("".join(parts)).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
