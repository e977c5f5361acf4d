"""Which links of a section page are worth a download, and which of them come first.

A wrong "no" costs an article for good, a wrong "yes" one download: only what is surely no article
is left out, and what is doubtful comes last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from newsclean.articles.link_target import LIKELY, SURELY_NOT, Address, article_likelihood
from newsclean.extraction import extract
from newsclean.page.words import count_words
from newsclean.site import same_site, site_of
from newsclean.spiders.links import Link, is_inside, is_same_page, links_of
from newsclean.spiders.paging import is_numbered

if TYPE_CHECKING:
    from newsclean.page import Page

#: A step of a path with one of these words never leads to an article, whatever else is in it.
NEVER = frozenset(
    """
    account author authors autor autoren auteur bookmark cart checkout comments contact contacto
    datenschutz donate feed feeds galeria galerie gallery galleries image images impressum imprint
    kontakt login logout newsletter newsletters photo photos picture pictures print
    privacy quiz register rss search shop signin sign-in signup sign-up sitemap subscribe
    subscription tag tags user users video videos widget wp-admin wp-login
    """.split()
)
#: Nor does one of these, unless the address has a date, a number or a headline's words, too: some
#: sites keep their articles in an archive or name a section so.
SELDOM = frozenset(
    """
    about ads advertise app apps archive archives careers category cookie cookies event events faq
    help jobs legal page pages podcast podcasts profile seite terms thema themen topic topics
    weather
    """.split()
)
OTHER_FILES = re.compile(
    r"\.(?:pdf|jpe?g|png|gif|webp|svg|mp[34]|m4a|webm|avi|mov|zip|gz|docx?|xlsx?|pptx?|xml|json"
    r"|rss|atom|css|js|ics|apk|exe|dmg)$",
    re.I,
)
ENDING = re.compile(r"[^/]\.[a-z]{2,5}$", re.I)
INDEX = re.compile(r"(?:index|default)\.\w{2,5}", re.I)
#: A step of so many words is the name of something, and not of a section.
NAME_WORDS = 3
#: From this probability on, a start page is surely an article.
SURELY_STORY = 0.9

#: Why a link is not followed: never, or as a section only.
OTHER_SITE, FILE, SECTION = NO_ARTICLES = "other-site", "file", "section"
#: Or because it surely is no article.
ADDRESS, LABEL, MENU = "address", "label", "menu"


@dataclass(frozen=True)
class Target:
    """A link with what is expected of the page behind it."""

    link: Link
    #: how likely it is an article, from 0 to 1, by its address
    likelihood: float
    #: why it is surely no article; empty if it may be one
    reason: str = ""

    @property
    def is_doubtful(self) -> bool:
        """Whether its words are no headline: it may be an entry of a menu."""
        return not self.link.is_headline

    @property
    def priority(self) -> int:
        """What likely is an article comes first; of two, the one that looks like a headline."""
        words = 0.2 * self.link.is_headline + 0.1 * self.link.place
        return round(100 * (self.likelihood + words)) - 200 * bool(self.reason)


def targets(page: Page, section: str) -> list[Target]:
    """The links of a section page to other pages, the likeliest articles first."""
    found = [
        target_of(link, section) for link in links_of(page) if not is_same_page(link.url, section)
    ]
    return sorted(found, key=lambda target: -target.priority)


def target_of(link: Link, section: str) -> Target:
    """What a link of a section's page leads to.

    >>> front = "https://a.org/news"
    >>> target_of(Link("https://a.org/2026/03/14/mayor-opens-bridge", "Bridge opens"), front).reason
    ''
    >>> target_of(Link("https://a.org/login?back=/news", "Log in to read this"), front).reason
    'address'
    """
    if not same_site(link.url, section):
        return Target(link, 0.0, OTHER_SITE)
    url = without_own_words(link.url, section)
    likelihood = article_likelihood(url)
    address = Address.of(url)
    return Target(link, likelihood, _reason(link, section, address, likelihood))


def _reason(link: Link, section: str, address: Address, likelihood: float) -> str:
    if OTHER_FILES.search(address.path):
        return FILE
    if not address.steps or is_numbered(link.url) or is_inside(section, link.url):
        return SECTION
    steps = {step.lower() for step in address.steps}
    named = address.has_date or address.has_number
    longest = max(map(words_of, address.steps))
    titled = link.is_headline and longest >= NAME_WORDS
    lone = link.is_headline and is_lone_story(address)
    if steps & NEVER or (steps & SELDOM and not (named or titled)):
        return ADDRESS
    if likelihood < SURELY_NOT and not (lone or (named and link.is_headline)):
        return ADDRESS
    if len(address.steps) == longest == 1 and not (lone or named):  # a section, like /culture
        return ADDRESS
    if longest < NAME_WORDS and not named and not link.is_headline:
        return LABEL
    return ""


def is_lone_story(address: Address) -> bool:
    """Whether an address of a single step may be a story's: a file, or one with a digit in it.

    >>> [is_lone_story(Address.of(f"https://a.org/{step}")) for step in ("x.html", "x7", "culture")]
    [True, True, False]
    """
    if len(address.steps) != 1 or address.reserved:
        return False
    return bool(ENDING.search(address.path)) or any(map(str.isdigit, address.steps[0]))


def is_story(page: Page, url: str) -> bool:
    """Whether a page surely is an article, by its address and by its text."""
    if article_likelihood(url) < LIKELY:
        return False
    return extract(page, url, html_body=False).article_probability >= SURELY_STORY


def words_of(step: str) -> int:
    """How many words a step of a path has.

    >>> words_of("mayor-opens-bridge"), words_of("culture")
    (3, 1)
    """
    words = " ".join(word for word in re.split(r"[-_+. ]", step) if word)
    return count_words(words) if words else 0


def without_own_words(url: str, section: str) -> str:
    """A URL in which the section's own host and steps say nothing for or against an article.

    Nor does the name of a folder's own page.

    >>> without_own_words("https://a.org/video/culture/x-17/index.html", "https://a.org/video/")
    'https://a.org/own/culture/x-17/'
    """
    parts = urlsplit(url)
    own = {step.lower() for step in unquote(urlsplit(section).path).split("/") if step}
    steps = ["own" if unquote(step).lower() in own else step for step in parts.path.split("/")]
    if INDEX.fullmatch(steps[-1]):
        steps[-1] = ""
    if not any(steps) and parts.query:  # all that it tells is in the query
        steps = ["", "own"]
    host = "a.org" if site_of(url) == site_of(section) else parts.netloc
    return urlunsplit((parts.scheme, host, "/".join(steps), parts.query, ""))


class Menus:
    """Remembers on which section pages a link stands: on all of them, it belongs to a menu."""

    #: Fewer pages have something in common by chance.
    fewest_pages = 3

    def __init__(self) -> None:
        self._pages: dict[str | None, int] = {}
        self._links: dict[str, int] = {}

    def read(self, section: str, found: list[Target]) -> None:
        """Remember the links of one more section page."""
        site = site_of(section)
        self._pages[site] = self._pages.get(site, 0) + 1
        for target in found:
            url = target.link.url
            self._links[url] = self._links.get(url, 0) + 1

    def has(self, target: Target, section: str) -> bool:
        """Whether a link stands on every page of the section's site, and nothing speaks for it:
        no headline, no date, no number."""
        pages = self._pages.get(site_of(section), 0)
        everywhere = self._links.get(target.link.url, 0) >= pages >= self.fewest_pages
        address = Address.of(target.link.url)
        named = address.has_date or address.has_number
        return everywhere and target.is_doubtful and not named
