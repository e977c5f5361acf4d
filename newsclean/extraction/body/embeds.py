"""Find posts and players of other sites within an article: their source and their text.

They are recognised by the markup that platforms offer for embedding (oEmbed): a `blockquote` with a
link to the post, a frame with the URL of a player.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, TypedDict
from urllib.parse import parse_qs, urlsplit

import numpy as np

from newsclean.extraction.text import fold_spaces, visible_text
from newsclean.urls import MAX_URL, resolve_link

if TYPE_CHECKING:
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


QUOTES = frozenset({"blockquote"})
_FRAMES = frozenset({"iframe", "amp-iframe", "video", "lite-youtube", "amp-youtube"})
_KINDS = QUOTES | _FRAMES
_MAX_EMBEDS = 100
#: A quote with more than this share of the chosen characters is the article's own text.
_MAX_SHARE = 0.3
_MAX_LINKS = 20  # of a post
_MAX_TITLE = 300  # characters of a player's title
#: An embed is at most this many words above the article's first text, or below its last.
_MAX_WORDS_OFF = 60
_MIN_SIDE = 50  # pixels; a smaller frame shows nothing

#: The URL of a post, by platform.
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
#: Class names of embeds: `twitter-tweet`, `instagram-media` …
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
#: Second-level labels that are not a name: `player.example.co.uk`.
_SECOND_LEVEL = frozenset("co com net org ac gov edu".split())


class EmbedFields(TypedDict):
    """What an article says of an embedded post or player."""

    provider: str
    address: str
    text: str | None


@dataclass(frozen=True)
class Embed:
    """One post or player and its row."""

    row: int
    provider: str
    url: str
    #: its text, as far as the page has it
    text: str

    def to_dict(self) -> EmbedFields:
        return {"provider": self.provider, "address": self.url, "text": self.text or None}


def find_embeds(page: Page, chosen: Mask) -> tuple[Embed, ...]:
    """Return the posts and players in the article whose rows are chosen, in document order."""
    if not any(map(page.elements, _KINDS)):
        return ()
    texts = page.text_rows[chosen[page.text_rows]]
    if not len(texts):
        return ()
    rows = page.rows(_KINDS)
    words = np.cumsum(page.words)
    first, last = int(texts[0]), int(texts[-1])
    rows = rows[
        (words[first] - words[page.end[rows]] <= _MAX_WORDS_OFF)
        & (words[rows] - words[last] <= _MAX_WORDS_OFF)
    ]
    base = page.base_url
    found: dict[str, Embed] = {}
    reach = -1
    for row in rows[:_MAX_EMBEDS].tolist():
        if row <= reach or page.in_link[row]:  # inside another embed, or a link
            continue
        embed = _post(page, row, base) if page.tag[row] in QUOTES else _player(page, row, base)
        if embed is None or _holds_article(page, chosen, row):
            continue
        if not first < row < last and not _shares_box(page, chosen, row):
            continue
        reach = int(page.end[row])
        found.setdefault(embed.url, embed)
    return tuple(found.values())


def _holds_article(page: Page, chosen: Mask, row: int) -> bool:
    """Return whether an element holds a good part of the chosen text."""
    end = int(page.end[row]) + 1
    within = int(page.chars[row:end][chosen[row:end]].sum())
    return within > _MAX_SHARE * int(page.chars[chosen].sum())


def _shares_box(page: Page, chosen: Mask, row: int) -> bool:
    """Return whether the parent of a row, or the parent's parent, is chosen."""
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
    # A post ends with its own link; a quote that does not look like a post needs that one.
    last = _MAX_LINKS if named or stated else 1
    links = [link.get("href") or "" for link in element.iter("a")][-last:]
    for address in (*stated, *reversed(links)):
        if match := _POST.search(address):
            url = resolve_link(address.partition("?")[0], base)
            if url and len(url) <= MAX_URL:
                return Embed(row, str(match.lastgroup), url, _text(page, row))
    return None


def _player(page: Page, row: int, base: str | None) -> Embed | None:
    element = page.element[row]
    if element is None:
        return None
    if any(_is_small(element.get(side, "")) for side in ("width", "height")):
        return None
    is_video = page.tag[row] == "video"
    if identity := element.get("videoid") or element.get("data-videoid"):
        held = [f"https://www.youtube.com/embed/{identity}"]
    else:
        held = [str(value) for name, value in element.items() if "src" in str(name)]
        if is_video:
            held += [source.get("src") or "" for source in element.iter("source")]
    for address in filter(None, (resolve_link(value, base) for value in held)):
        if not address.startswith("http") or len(address) > MAX_URL or _ADVERT.search(address):
            continue
        if is_video or _PLAYER.search(urlsplit(address).path) or _TWEET_FRAME.search(address):
            provider, url = _source_of(address)
            title = visible_text(fold_spaces(element.get("title") or ""))
            return Embed(row, provider, url, title[:_MAX_TITLE])
    return None


def _is_small(value: str) -> bool:
    return value.isdecimal() and len(value) < 6 and int(value) < _MIN_SIDE


def _source_of(address: str) -> tuple[str, str]:
    """Return the provider of a player, and the URL at which a reader finds it."""
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
    """Return the text of an element, a line for each block."""
    find = page.text_rows.searchsorted
    rows = page.text_rows[find(row) : find(page.ends[row] + 1)].tolist()
    blocks = groupby(filter(page.chars.__getitem__, rows), page.block.__getitem__)
    text = "\n".join("".join(map(page.text.__getitem__, texts)) for _, texts in blocks)
    return "\n".join(filter(None, map(fold_spaces, visible_text(text).split("\n"))))
