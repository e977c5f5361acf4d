"""Pages that are neither articles nor lists: about, contact, privacy, shop, log-in, search."""

from dataclasses import dataclass

from newsclean.demo.kinds import Kind
from newsclean.demo.media import MEDIA
from newsclean.demo.page import Leaf, Teaser


@dataclass(frozen=True)
class Oddities:
    """Addresses that a crawler meets and that lead to no article."""

    missing: str
    pdf: str
    empty: str


@dataclass(frozen=True)
class Promoted:
    """A page that a section shows among its articles."""

    teaser: Teaser
    #: the section's number
    section: int
    #: None if it is the log-in page
    leaf: Leaf | None = None


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

_PRIVACY = """<p>When you read our pages, we count you, and we forget you after thirty days.</p>
<p>We pass nothing on to third parties unless a judge asks us to, which has happened once.</p>
<p>Write to the office if you want to know what we have stored. It will be a short letter.</p>"""

_MAP = """<p>The whole bay on 60 by 80 centimetres of washable linen.</p>
<ul><li>Price: 32 crowns</li><li>Delivery: three days</li><li>In stock: 14</li></ul>
<div><button>Add to basket</button></div>"""

_MUG = """<p>Holds a quarter of a litre and one opinion.</p>
<ul><li>Price: 11 crowns</li><li>Colours: red, more red</li></ul>
<div><button>Add to basket</button></div>"""

_MORNING_TIDE = """<p>Five stories before breakfast, every day but Sunday.</p>
<div><input name="mail" placeholder="E-mail"> <button>Send it to me</button></div>"""

_SMALL_ADS = """<ul><li>Bicycle, blue, hardly fallen off. 40 crowns.</li>
<li>Cat, answers to nothing. Free to a patient home.</li>
<li>Sofa for two, or for one and a dog. 75 crowns.</li></ul>"""

_WALL = """<p>The harbour master of Velmouth earns more than the mayor, and until now nobody has
asked why.</p>
<div><b>This story is for members.</b> Log in or join to read on. <button>Log in</button>
<button>Join for one crown</button></div>"""

NOT_FOUND = "<p>There is nothing under this address, or not any more.</p>"


#: Only the menu leads there, and neither the address nor a word in it says what it is.
_MENU_ONLY = {
    "ledger": Leaf(
        "The Morning Tide", "/the-morning-tide-at-six", _MORNING_TIDE, Kind.SUBSCRIPTION
    ),
    "gazette": Leaf("Small ads", "/bicycles-cats-and-sofas.html", _SMALL_ADS, Kind.SHOP),
}

_SHOP_IMAGE, _WALL_IMAGE = "/images/1871.svg", "/images/1872.svg"

#: What is for sale and what is for members, as teasers show it between the articles.
_OFFERS = {
    "ledger": (
        Promoted(
            Teaser(
                "The harbour on your table: our map on linen",
                "/shop/harbour-map-on-linen",
                "Order until Friday, and we pay the postage.",
                "Shop",
                _SHOP_IMAGE,
            ),
            0,
            Leaf("Harbour map on linen", "/shop/harbour-map-on-linen", _MAP, Kind.SHOP),
        ),
        Promoted(
            Teaser(
                "What the harbour master earns, and who decides it",
                "/2026/04/16/what-the-harbour-master-earns",
                "For members: the papers that the council did not want to show.",
                "Members",
                _WALL_IMAGE,
            ),
            1,
            Leaf(
                "What the harbour master earns, and who decides it",
                "/2026/04/16/what-the-harbour-master-earns",
                _WALL,
                Kind.WALL,
            ),
        ),
        Promoted(
            Teaser(
                "The secret life of the tide gauge at Corrin Bay",
                "/login?next=/2026/04/11/the-secret-life-of-the-tide-gauge",
                "For members: a machine that never sleeps.",
                "Members",
                _WALL_IMAGE,
            ),
            2,
        ),
    ),
    "gazette": (
        Promoted(
            Teaser(
                "Still thirsty? The Gazette mug is back",
                "/shop.php?item=3817",
                "In two colours, both of them red.",
                "Shop",
                _SHOP_IMAGE,
            ),
            1,
            Leaf("The Gazette mug", "/shop.php?item=3817", _MUG, Kind.SHOP),
        ),
        Promoted(
            Teaser(
                "The man who painted every door in Oldbridge",
                "/login.html?back=/local/the-man-who-painted-every-door-156003.html",
                "For subscribers only.",
                "Plus",
                _WALL_IMAGE,
            ),
            2,
        ),
    ),
}


def promoted(key: str) -> tuple[Promoted, ...]:
    """What the publisher's sections show among their articles."""
    media = (Promoted(medium.teaser(), medium.section, medium.leaf()) for medium in MEDIA[key])
    return (*media, *_OFFERS[key])


def fixed_leaves(key: str) -> tuple[Leaf, ...]:
    """The publisher's pages that are neither lists nor articles."""
    suffix = "" if key == "ledger" else ".html"
    leaves = (
        Leaf("About us", f"/about{suffix}", _ABOUT, Kind.ABOUT),
        Leaf("Contact", f"/contact{suffix}", _CONTACT, Kind.ABOUT),
        Leaf("Privacy", f"/privacy{suffix}", _PRIVACY, Kind.ABOUT),
        Leaf("Subscribe", f"/subscribe{suffix}", _SUBSCRIBE, Kind.SUBSCRIPTION),
        Leaf("Log in", f"/login{suffix}", _LOGIN, Kind.LOGIN),
        _MENU_ONLY[key],
    )
    return leaves + tuple(shown.leaf for shown in promoted(key) if shown.leaf)


def search_leaf() -> Leaf:
    """The search page, which robots.txt forbids."""
    return Leaf("Search", "/search", _SEARCH, Kind.SEARCH)
