"""Walls: what a site sends in place of a page because it wants something from the visitor first.

A browser check, a refusal, a request for consent, a log-in form, a price. They are recognised so
that no crawl takes them for pages or learns from them, and a blocked site does not look like an
empty one. Nothing here helps to get past one. docs/blocked.md names the sources of the marks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from lxml import etree

from newsclean.extraction.is_article.link_target import plain
from newsclean.extraction.page import Page, PageError
from newsclean.extraction.page.stated import is_app_shell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: The first part of the reason for which a wall is dropped; its kind is the second.
BLOCKED = "blocked"

CHALLENGE, DENIED, CONSENT, LOGIN, PAYMENT = "challenge", "denied", "consent", "login", "payment"
SAME_PAGE, NOT_REQUESTED = "same-page", "not-requested"


class Kind(NamedTuple):
    #: what it is
    text: str
    #: what a user can do about it
    advice: str


#: The kinds of walls, for logs, reports and docs/blocked.md.
KINDS = {
    CHALLENGE: Kind(
        "a browser check",
        "ask the publisher to let your crawler in, or use its feed or API",
    ),
    DENIED: Kind(
        "a refusal",
        "ask the publisher whether it allows crawlers, and set a longer delay",
    ),
    CONSENT: Kind(
        "a consent wall",
        "put the cookie of your own consent into the site file",
    ),
    LOGIN: Kind(
        "a log-in wall",
        "put the cookie or header of your own account into the site file",
    ),
    PAYMENT: Kind(
        "a price for crawlers",
        "ask the publisher for a licence",
    ),
    SAME_PAGE: Kind(
        "the same short page for every URL",
        "open one of the URLs in a browser to see what it asks for",
    ),
    NOT_REQUESTED: Kind(
        "pages that were not requested, because their host kept answering with browser checks",
        "see the browser checks of the same run",
    ),
}

#: Headers of walls: product, kind, name, a part of the value, and the statuses with which it
#: counts (without any: all).
_HEADERS: tuple[tuple[str, str, str, str, tuple[int, ...]], ...] = (
    ("Cloudflare", CHALLENGE, "cf-mitigated", "challenge", ()),
    ("AWS WAF", CHALLENGE, "x-amzn-waf-action", "challenge", ()),
    ("AWS WAF", CHALLENGE, "x-amzn-waf-action", "captcha", ()),
    ("Vercel", CHALLENGE, "x-vercel-mitigated", "challenge", ()),
    ("Vercel", DENIED, "x-vercel-mitigated", "deny", ()),
    # These two also have them on the pages of visitors whom they let in.
    ("DataDome", CHALLENGE, "x-datadome", "", (403,)),
    ("Kasada", CHALLENGE, "x-kpsdk-ct", "", (429,)),
    ("Sucuri", DENIED, "x-sucuri-block", "", ()),
    ("DDoS-Guard", CHALLENGE, "server", "ddos-guard", (403,)),
    ("Cloudflare", PAYMENT, "crawler-price", "", (402,)),
)
#: What a status says by itself: RFC 9110, 15.5.2 to 15.5.4, and RFC 7725.
_STATUSES = {401: LOGIN, 402: PAYMENT, 403: DENIED, 451: DENIED}
#: With these, too, a wall may come; its page is looked at, whatever its size below the maximum.
_LOOKED_AT = frozenset({202, 405, 406, 429, 503, *_STATUSES})
_MAX_BODY = 200_000  # bytes
#: Bytes of a page that does little else than to reload itself.
_MAX_RELOADING = 20_000

#: Parts of the source of a wall: product, kind, part. Not those of scripts that the same products
#: add to the pages of visitors whom they let in.
_MARKS = (
    ("Cloudflare", CHALLENGE, "_cf_chl_opt"),
    ("Cloudflare", DENIED, "Attention Required! | Cloudflare"),
    ("Cloudflare", DENIED, "used Cloudflare to restrict access"),
    ("DataDome", CHALLENGE, "captcha-delivery.com/"),
    ("Akamai", DENIED, "errors.edgesuite.net/"),
    ("Akamai", CHALLENGE, "/_sec/cp_challenge/"),
    ("Akamai", CHALLENGE, "bm-verify="),
    ("Imperva", CHALLENGE, "Incapsula incident ID"),
    ("HUMAN", CHALLENGE, 'id="px-captcha"'),
    ("HUMAN", CHALLENGE, "captcha.px-cdn.net/"),
    ("AWS WAF", CHALLENGE, "AwsWafIntegration."),
    ("AWS WAF", CHALLENGE, "captcha.awswaf.com/"),
    ("Kasada", CHALLENGE, "KPSDK"),
    ("Sucuri", CHALLENGE, "sucuri_cloudproxy_js"),
    ("Sucuri", DENIED, "Sucuri WebSite Firewall"),
    ("F5", DENIED, "The requested URL was rejected. Please consult with your administrator"),
    ("Vercel", CHALLENGE, "Vercel Security Checkpoint"),
    ("Anubis", CHALLENGE, "/.within.website/x/cmd/anubis/"),
    ("DDoS-Guard", CHALLENGE, "/.well-known/ddos-guard/"),
    ("Radware", CHALLENGE, "validate.perfdrive.com/"),
)
#: Parts of any form that is to keep robots out: a wall if the page is hardly more than that.
_WIDGETS = (
    ("reCAPTCHA", 'class="g-recaptcha'),
    ("hCaptcha", 'class="h-captcha'),
    ("Turnstile", 'class="cf-turnstile'),
)

#: Words of a page, all its text counted: hardly any, and the most that a wall has.
_HARDLY_ANY = 150
_MAX_WORDS = 600
#: A page with a mark has at most this many.
_MAX_MARKED = 300
#: Words of a block that is a sentence or more, and of a label.
_MIN_SENTENCE, _MAX_LABEL = 8, 6
#: The share of the sentences of a consent wall that are about consent.
_MIN_CONSENT_SHARE = 0.5
#: From this page on, the same short page under other URLs is a wall.
_MIN_SAME = 3

#: Whole segments of a path, or labels of a host, of the page to which a wall redirects.
_ADDRESSES = {
    LOGIN: frozenset(
        """
        login log-in logon signin sign-in sso auth oauth oauth2 saml authenticate authentication
        anmelden anmeldung einloggen connexion se-connecter identification iniciar-sesion
        inicio-de-sesion acceder entrar accedi accesso inloggen aanmelden logg-inn logginn
        logga-in loggain log-ind logind kirjaudu kirjautuminen zaloguj logowanie prihlaseni
        prihlasenie prijava bejelentkezes belepes autentificare giris vhod
        """.split()
    ),
    CONSENT: frozenset(
        """
        consent collectconsent cookie-consent cookieconsent cookiewall cookie-wall cookies-wall
        privacy-gate privacygate privacy-wall privacywall gdpr-consent gdpr consentwall
        consent-wall zustimmung einwilligung consentement consentimiento consenso toestemming
        samtykke samtycke suostumus zgoda souhlas
        """.split()
    ),
}
#: Beginnings of the words of consent, without accents.
_CONSENT_WORDS = tuple(
    """
    cookie consent einwillig zustimm datenschutz tracking personenbezog personaldata privacy
    confidentialit privacidad privacidade toestemming samtyk samtyck personvern suostum evast
    zgod ciasteczk souhlas cookies partner werbe advert datos donnees dati gegevens
    """.split()
)
#: Beginnings of the words on the button that gives it.
_ACCEPT_WORDS = tuple(
    """
    accept agree allow akzept zustimm einverstanden accord aceptar acepto aceitar accett
    akkoord godta godkan hyvaksy akcept zgadzam souhlas prijmout elfogad
    """.split()
)
_CONTROLS = ("button", "a", "input")


class Wall(NamedTuple):
    kind: str
    #: the product, or what else has shown it
    sign: str

    @property
    def reason(self) -> str:
        """The name for logs and stats."""
        return f"{BLOCKED}/{self.kind}"

    def __str__(self) -> str:
        return f"{KINDS[self.kind].text} ({self.sign})"


def wall_of_answer(
    status: int, headers: Mapping[str, str], body: bytes, url: str, start: str | None = None
) -> Wall | None:
    """Return the wall that an answer is, by its status and headers, or by its page if it is small.

    The names of `headers` are lower case. `start` is the URL that was requested, if another one has
    answered. A page of status 200 is left to `wall_of_page`, unless it reloads itself.

    >>> wall_of_answer(403, {"cf-mitigated": "challenge"}, b"", "https://example.org/")
    Wall(kind='challenge', sign='Cloudflare')
    >>> wall_of_answer(200, {"x-datadome": "protected"}, b"<p>It rains.", "https://example.org/")
    """
    for product, kind, name, part, statuses in _HEADERS:
        value = headers.get(name)
        if value is not None and part in value.lower() and (not statuses or status in statuses):
            return Wall(kind, product)
    if status not in _LOOKED_AT and not (status == 200 and _reloads(body)):
        return None
    if body and len(body) <= _MAX_BODY:
        try:
            wall = wall_of_page(Page.from_html(body, url, headers.get("content-type")), start)
        except PageError:
            wall = None
        if wall is not None:
            return wall
    kind = _STATUSES.get(status, "")
    return Wall(kind, f"status {status}") if kind else None


def wall_of_page(page: Page, start: str | None = None) -> Wall | None:
    """Return the wall that a page is, by its text, its source and its address.

    `start` is the URL that was requested, if it was redirected to that of the page. A page that
    calls itself an article is one, however little of it is shown, unless it has the mark of a
    product.

    >>> wall_of_page(Page.from_html("<form><input type=password></form>"))
    Wall(kind='login', sign='a form with a password')
    >>> wall_of_page(Page.from_html("<h1>Rain</h1><p>It has rained for a week."))
    """
    words = int(page.words.sum())
    if words >= _MAX_WORDS:
        return None
    if start and page.url and (kind := redirected_to(start, page.url)):
        return Wall(kind, "a redirect")
    source = ""
    if words < _MAX_MARKED:
        source = etree.tostring(page.root, encoding="unicode", method="html")
        for product, kind, mark in _MARKS:
            if mark in source:
                return Wall(kind, product)
    if _says_article(page):
        return None
    if words < _HARDLY_ANY:
        if _asks_for_password(page):
            return Wall(LOGIN, "a form with a password")
        for product, widget in _WIDGETS:
            if widget in source:
                return Wall(CHALLENGE, product)
    return Wall(CONSENT, "a page about consent alone") if _is_about_consent(page) else None


def _reloads(body: bytes) -> bool:
    """Tell whether a small page has a meta refresh, which Scrapy would follow."""
    return len(body) <= _MAX_RELOADING and b"http-equiv" in body and b"refresh" in body.lower()


def redirected_to(start: str, url: str) -> str | None:
    """Return the kind of wall to which a redirect leads, by the words of its address.

    >>> redirected_to("https://example.org/news/1", "https://consent.example.org/collect?to=1")
    'consent'
    >>> redirected_to("https://example.org/news/1", "https://example.org/news/1-login-data-stolen")
    """
    before = _address_words(start)
    after = _address_words(url)
    for kind, words in _ADDRESSES.items():
        if after & words and not before & words:
            return kind
    return None


def _address_words(url: str) -> set[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return set()
    return {plain(w) for w in (*parts.path.split("/"), *(parts.hostname or "").split("."))}


def _says_article(page: Page) -> bool:
    """Tell whether a page calls itself an article, as one with a teaser before a paywall does."""
    if page.elements("article"):
        return True
    for meta in page.elements("meta"):
        if meta.get("property") == "og:type" and "article" in (meta.get("content") or "").lower():
            return True
    return any(
        "ld+json" in (script.get("type") or "") and 'Article"' in (script.text or "")
        for script in page.elements("script")
    )


def _asks_for_password(page: Page) -> bool:
    """Tell whether a page shows a field for a password; forums have one for their scripts."""
    fields = [e for e in page.elements("input") if (e.get("type") or "").lower() == "password"]
    return any(not any(map(_is_hidden, (e, *e.iterancestors()))) for e in fields)


def _is_hidden(element: etree._Element) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return "display:none" in style or element.get("hidden") is not None


def _is_about_consent(page: Page) -> bool:
    """Tell whether most sentences of a page are about consent, and a button gives it."""
    sentences = about = 0
    for text, words in zip(page.blocks.text, page.blocks.sum(page.words).tolist(), strict=True):
        if words >= _MIN_SENTENCE:
            sentences += words
            about += words if _has_word(text, _CONSENT_WORDS) else 0
    if not about or about < sentences * _MIN_CONSENT_SHARE:
        return False
    return any(_has_word(label, _ACCEPT_WORDS) for label in _labels(page))


def _labels(page: Page) -> Iterator[str]:
    """Yield the short texts of buttons and links."""
    for tag in _CONTROLS:
        for element in page.elements(tag):
            text = element.get("value") if tag == "input" else "".join(map(str, element.itertext()))
            if text and len(text.split()) <= _MAX_LABEL:
                yield text


def _has_word(text: str, beginnings: tuple[str, ...]) -> bool:
    return any(plain(word).startswith(beginnings) for word in text.split())


@dataclass
class RepeatedPages:
    """The short pages with a form that a site sends under several URLs."""

    #: by the site and the text of a page, some of the URLs under which it came
    _urls: dict[tuple[str, bytes], set[str]] = field(default_factory=dict)

    def wall_of(self, page: Page, site: str, url: str) -> Wall | None:
        """Return the wall that a page is if it came under other URLs before.

        A shell that waits for its scripts is not one: it is the same for every article, too.
        """
        if int(page.words.sum()) >= _HARDLY_ANY or not page.elements("form"):
            return None
        if _says_article(page) or is_app_shell(page):
            return None
        text = "\n".join(page.blocks.text).encode("utf-8", "replace")
        urls = self._urls.setdefault((site, blake2b(text, digest_size=16).digest()), set())
        if len(urls) < _MIN_SAME:
            urls.add(url)
        return Wall(SAME_PAGE, "a form") if len(urls) >= _MIN_SAME else None
