"""What a site file says about the requests to its site and about its articles.

user_agent = "example-bot/1.0 (+https://example.net/bot)"
proxy = "http://user:${PROXY_PASSWORD}@proxy.example.net:3128"
render = "empty"                              # never, empty or always
method = "stadynot+coreex"
language = "de"                               # of all articles
timezone = "Europe/Berlin"                    # of times without a zone

[headers]
X-Api-Key = "${EXAMPLE_KEY}"

[cookies]
session = "${EXAMPLE_SESSION}"

`${NAME}` stands for a variable of the environment, which is read when a crawl starts. Values of
headers, cookies and proxy are in no message and no `repr`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from newsclean.error_hints import nearest
from newsclean.extraction.metadata.language import primary_subtag
from newsclean.extraction.metadata.page_sources import has_offset
from newsclean.extraction.methods.registry import method_named
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from newsclean.article import Article

RENDER_MODES = ("never", "empty", "always")

#: A variable, or the beginning of something that was meant to be one.
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{")
#: RFC 9110, 5.6.2: the characters of a name.
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
#: What neither a header nor a cookie may have: it would be another header.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
#: Headers that newsclean sets, and the key of a site file that sets each, if one does.
_OWN_HEADERS = {
    "cookie": "[cookies]",
    "user-agent": "user_agent",
    "proxy-authorization": "proxy",
    "host": "",
    "connection": "",
    "content-length": "",
    "transfer-encoding": "",
    "accept-encoding": "",
}


@dataclass(frozen=True)
class Proxy:
    """A proxy without its credentials, and these."""

    url: str
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


@dataclass(frozen=True)
class SiteSettings:
    """The settings of one site; None or empty: as for all sites."""

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    cookies: Mapping[str, str] = field(default_factory=dict, repr=False)
    proxy: str | None = field(default=None, repr=False)
    user_agent: str | None = None
    render: str | None = None
    method: str | None = None
    language: str | None = None
    timezone: str | None = None

    def resolved(self, environment: Mapping[str, str]) -> SiteSettings:
        """Return the settings with the values of their variables; ValueError if one is missing."""

        def resolve(key: str, text: str) -> str:
            value = _resolved(key, text, environment)
            if _CONTROLS.search(value):
                raise ValueError(f"{key}: it has a line break or another control character")
            return value

        headers = {name: resolve(f"headers.{name}", v) for name, v in self.headers.items()}
        cookies = {name: resolve(f"cookies.{name}", v) for name, v in self.cookies.items()}
        for name, value in cookies.items():
            if re.search(r"[\s;,]", value):
                raise ValueError(f"cookies.{name}: its value has a space, a comma or a semicolon")
        proxy = self.proxy and resolve("proxy", self.proxy)
        settings = replace(self, headers=headers, cookies=cookies, proxy=proxy)
        _ = settings.proxy_parts  # raises ValueError
        return settings

    @property
    def proxy_parts(self) -> Proxy | None:
        if not self.proxy:
            return None
        try:
            parts = urlsplit(self.proxy)
            port = parts.port
        except ValueError:
            raise ValueError("proxy: it is not a URL") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("proxy: it is not the URL of a proxy, as in http://host:3128")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        url = f"{parts.scheme}://{host}" + (f":{port}" if port else "")
        return Proxy(url, unquote(parts.username or ""), unquote(parts.password or ""))

    def complete(self, article: Article) -> None:
        """Set the language of an article of the site, and the zone of its dates without one."""
        if self.language:
            article.language = self.language
        if not self.timezone:
            return
        zone, extraction = ZoneInfo(self.timezone), article.extraction
        published = article.date_published
        if published and extraction.get("date_zone"):  # that of the neighbors
            published = published[:-6]
        published, modified = _in_zone(published, zone), _in_zone(article.date_modified, zone)
        if published != article.date_published:
            extraction["date_zone"] = "site-file"
        article.date_published, article.date_modified = published, modified


def _in_zone(date: str | None, zone: ZoneInfo) -> str | None:
    """Return a date with the offset of a zone if it has a time and no offset.

    >>> _in_zone("2026-07-01T12:00:00", ZoneInfo("Europe/Oslo"))
    '2026-07-01T12:00:00+02:00'
    >>> _in_zone("2026-07-01", ZoneInfo("Europe/Oslo"))
    '2026-07-01'
    """
    if date is None or "T" not in date or has_offset(date):
        return date
    try:
        offset = datetime.fromisoformat(date).replace(tzinfo=zone).isoformat()[-6:]
    except ValueError:
        return date
    return date + offset


def _resolved(key: str, text: str, environment: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        if match[1] is None:
            raise ValueError(f"{key}: a variable is written ${{NAME}}")
        if match[1] not in environment:
            raise ValueError(f"{key}: the environment has no variable {match[1]}")
        return environment[match[1]].strip()

    return _VARIABLE.sub(value, text)


# How the values of a site file are read; messages name a value only if it is no secret.


def _pairs(value: object, known: Iterable[str] = ()) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError("it takes a table of names and texts")
    for name, text in value.items():
        if name in known:
            raise ValueError(f"{name!r} is no header: move it above the first [table]")
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a name")
        if not isinstance(text, str) or not text:
            raise ValueError(f"the value of {name} is not a text")
    return dict(value)


def _headers(value: object) -> dict[str, str]:
    headers = _pairs(value, _KEYS)
    for name in headers:
        if name.lower() in _OWN_HEADERS:
            key = _OWN_HEADERS[name.lower()]
            raise ValueError(f"{name} is set " + (f"by {key}" if key else "by newsclean"))
    return headers


def _proxy(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("it takes a URL, as in http://host:3128")
    return value.strip()


def _user_agent(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{value!r} is not a text")
    if _CONTROLS.search(value.strip()):
        raise ValueError("it has a line break or another control character")
    if "${" in value:
        raise ValueError("it is sent, logged and stored unchanged: ${…} has no meaning here")
    return value.strip()


def _render(value: object) -> str:
    if value not in RENDER_MODES:
        raise ValueError(f"{value!r} is not one of {', '.join(RENDER_MODES)}")
    return str(value)


def _method(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not the name of a method")
    if method_named(value).needs_rendering:
        raise ValueError(
            f"{value!r} needs rendered pages: set NEWSCLEAN_METHOD for a crawl with it"
        )
    return value


def _language(value: object) -> str:
    if not isinstance(value, str) or primary_subtag(value) != value:
        raise ValueError(f"{value!r} is not the code of a language, such as de")
    return value


def _timezone(value: object) -> str:
    zones = available_timezones()
    if not isinstance(value, str) or value not in zones:
        hint = f"; did you mean {nearest(str(value), zones)!r}?" if zones else ""
        raise ValueError(f"{value!r} is not the name of a time zone{hint}")
    return value


#: How each key is read.
READERS: dict[str, Any] = {
    "headers": _headers,
    "cookies": _pairs,
    "proxy": _proxy,
    "user_agent": _user_agent,
    "render": _render,
    "method": _method,
    "language": _language,
    "timezone": _timezone,
}
#: The keys that stand above the tables of a site file.
_KEYS = frozenset(READERS) | set("name feeds sitemaps allow deny links since delay section".split())

assert set(READERS) == {each.name for each in fields(SiteSettings)}

NO_SETTINGS = SiteSettings()


class SettingsOfSites:
    """The settings of the sites of a crawl, by registered domain."""

    def __init__(self) -> None:
        self._sites: dict[str, tuple[SiteSettings, bool]] = {}

    def add(self, urls: Iterable[str], settings: SiteSettings) -> None:
        """Add the settings for the sites of these URLs; ValueError if they contradict others."""
        for url in urls:
            domain = registered_domain(site_of(url) or "")
            known, allows_http = self._sites.get(domain, (settings, False))
            if known != settings:
                raise ValueError(f"two site files have different settings for {domain}")
            self._sites[domain] = settings, allows_http or url.startswith("http:")

    def __iter__(self) -> Iterator[SiteSettings]:
        return (settings for settings, _ in self._sites.values())

    def of(self, url: str) -> SiteSettings:
        """Return the settings for a URL."""
        return self._found(url)[0]

    def secrets_for(self, url: str) -> SiteSettings:
        """Return the settings for a URL, none for plain HTTP if the site file names only HTTPS."""
        settings, allows_http = self._found(url)
        return settings if allows_http or url.startswith("https:") else NO_SETTINGS

    def _found(self, url: str) -> tuple[SiteSettings, bool]:
        site = site_of(url) if self._sites else None
        return self._sites.get(registered_domain(site), _NOTHING) if site else _NOTHING


_NOTHING = (NO_SETTINGS, False)
