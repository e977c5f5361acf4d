"""Pages that are no articles: about, contact, subscribe, log-in, search, galleries and videos."""

from dataclasses import dataclass
from html import escape

from newsclean.demo.page import Leaf, Teaser
from newsclean.demo.topics.topic import lines


@dataclass(frozen=True)
class Medium:
    """A gallery or a video, with the words that stand under its pictures."""

    label: str
    title: str
    path: str
    texts: tuple[str, ...]
    section: int

    def teaser(self) -> Teaser:
        return Teaser(self.title, self.path, self.texts[0], self.label, _image(self.path))

    def leaf(self) -> Leaf:
        if self.label == "Video":
            markup = (
                '<video controls width="640" poster="/images/2210.svg"></video>'
                f"<p>{escape(self.texts[0])}</p>"
            )
        else:
            markup = "\n".join(
                f'<figure><img src="/images/{3100 + i}.svg" alt="" width="640">'
                f"<figcaption>{i + 1}/{len(self.texts)} {escape(text)}</figcaption></figure>"
                for i, text in enumerate(self.texts)
            )
        return Leaf(self.title, self.path, markup)


@dataclass(frozen=True)
class Oddities:
    """Addresses that a crawler meets and that lead to no article."""

    missing: str
    pdf: str
    empty: str


MEDIA = {
    "ledger": (
        Medium(
            "Pictures",
            "Harbour lights in winter",
            "/gallery/harbour-lights-in-winter",
            lines("""
The quay at six in the morning, before the first boat
Ice on the ropes of the pilot cutter
A tug brings the grain ship in
Lamps on the customs house
The night watchman on his last round
Snow on the fish market
"""),
            0,
        ),
        Medium(
            "Video",
            "A day on the ferry",
            "/video/a-day-on-the-ferry",
            ("Eleven crossings, four hundred cars and a wedding. Watch it in 90 seconds.",),
            0,
        ),
        Medium(
            "Pictures",
            "The assembly hall, room by room",
            "/gallery/the-assembly-hall-room-by-room",
            lines("""
The staircase that no minister ever uses
A clock that has been slow since the flood
The press bench, with carved initials
Portraits of forgotten speakers
The kitchen, where most deals are made
"""),
            1,
        ),
    ),
    "gazette": (
        Medium(
            "Photos",
            "Derby day in pictures",
            "/photos/derby-day-in-pictures-104411.html",
            lines("""
The brass band arrives in the rain
Two cousins, two scarves
The pie stall before kick-off
A ball in the river, and four volunteers
The groundsman looks at his lawn
Home by the last bus
"""),
            0,
        ),
        Medium(
            "Video",
            "The bakers of Herring Lane",
            "/tv/the-bakers-of-herring-lane-104873.html",
            ("At three in the morning, the ovens are lit. Running time 2:14.",),
            2,
        ),
        Medium(
            "Photos",
            "Behind the curtain: a night at the theatre",
            "/photos/behind-the-curtain-a-night-at-the-theatre-105260.html",
            lines("""
Wigs wait for their heads
The prompter's tea
Thunder is made of tin
Applause, seen from the back
"""),
            1,
        ),
    ),
}

ODDITIES = {
    "ledger": Oddities(
        "/2026/01/09/withdrawn-story-on-the-dredger", "/files/media-kit.pdf", "/live"
    ),
    "gazette": Oddities("/local/notice-withdrawn-118204.html", "/files/rates.pdf", "/ticker.html"),
}

_ABOUT = """<p>We have reported from the coast of Arvonia for longer than anyone in the newsroom can
remember. Sixty people work for us, half of them before breakfast.</p>
<p>We belong to a foundation, we answer letters, and we correct our mistakes in print.</p>
<p>If you would like to see how a newspaper is made, join a tour on any first Monday.</p>"""

_CONTACT = """<p>Newsroom: 2 Quay Street, open from nine to five.</p>
<p>Telephone: 555 0142. For deliveries, please ring before noon.</p>
<ul><li><a href="mailto:news@paper.example">news@paper.example</a></li>
<li><a href="mailto:letters@paper.example">letters@paper.example</a></li></ul>"""

_SUBSCRIBE = """<p>Choose what suits you. You can cancel at any time.</p>
<ul><li>Digital: 9 crowns a month</li><li>Weekend: 14 crowns a month</li>
<li>Everything: 27 crowns a month</li></ul>
<div><input name="mail" placeholder="E-mail"> <button>Order now</button></div>"""

_LOGIN = """<div><label>E-mail <input name="user"></label>
<label>Password <input name="password" type="password"></label> <button>Log in</button></div>
<p><a href="#forgot">Forgot your password?</a></p>"""

_SEARCH = """<div><input name="q" placeholder="Search"> <button>Search</button></div>
<p>No results. Try fewer words.</p>"""

NOT_FOUND = "<p>There is nothing under this address, or not any more.</p>"


def fixed_leaves(key: str) -> dict[str, Leaf]:
    """The publisher's pages that are neither lists nor articles, by path."""
    suffix = "" if key == "ledger" else ".html"
    texts = (
        ("About us", f"/about{suffix}", _ABOUT),
        ("Contact", f"/contact{suffix}", _CONTACT),
        ("Subscribe", f"/subscribe{suffix}", _SUBSCRIBE),
        ("Log in", f"/login{suffix}", _LOGIN),
    )
    leaves = {path: Leaf(title, path, markup) for title, path, markup in texts}
    return leaves | {medium.path: medium.leaf() for medium in MEDIA[key]}


def search_leaf() -> Leaf:
    """The search page, which robots.txt forbids."""
    return Leaf("Search", "/search", _SEARCH)


def _image(path: str) -> str:
    return f"/images/{2000 + sum(map(ord, path)) % 900}.svg"
