"""`newsclean site --discover`: a site file for each site of a list of domains."""

from __future__ import annotations

import re
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from newsclean.cli.site import PoliteDownloads, file_name, write_site_file
from newsclean.cli.terminal import (
    UNREADABLE,
    USAGE,
    CommandError,
    Progress,
    for_terminal,
    note,
    one_line,
)
from newsclean.discovery.site_files import checked_url, site_domains
from newsclean.discovery.site_survey import Survey, SurveyError, survey
from newsclean.extraction.corrections.site_corrections import domain_of
from newsclean.extraction.is_article.walls import wall_of_page
from newsclean.extraction.page import Page
from newsclean.extraction.text import counted
from newsclean.urls import same_site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    #: the body, final URL and content type of a page
    _Answer = tuple[bytes, str, str | None]

#: Exit codes: some sites of the list failed, all of them.
_SOME, _ALL, _INTERRUPTED = 5, 6, 130
#: Sites that are looked at side by side. Each mostly waits for the delay between its requests, and
#: no two of them share a host: a survey stays on its registered domain.
_SIDE_BY_SIDE = 8
#: Messages about the progress in a log.
_LINES = 20
#: The longest list, in bytes: more is no list of domains.
_MAX_LIST = 32 << 20
#: What pages say that registrars show in place of a site.
_PARKED = re.compile(
    rb"domain (?:name )?(?:is|may be|could be) (?:for sale|parked)|buy this domain"
    rb"|(?:parked|this) domain (?:is )?(?:parked|courtesy)|domain (?:has )?expired"
    rb"|sedoparking|parkingcrew|bodis\.com|hugedomains|parklogic",
    re.I,
)
#: What the message says if a home page was answered, but not with a page.
_REFUSAL = re.compile("HTTP Error|robots.txt forbids")
#: The longest name that DNS has, in bytes. The name of a file may be as long with its suffix, but
#: not while it is written.
_MAX_HOST = 235
_COMMENT = re.compile(r"(?:^|\s)#.*")


@dataclass
class _Site:
    """A site of the list."""

    #: the line of the list, and what it says
    line: int
    text: str
    url: str
    path: Path
    #: whether the list says http or https
    has_scheme: bool


def discover(listed: str, folder: Path, delay: float, force: bool) -> int:
    """Write a site file for each site of a list, and return the exit code."""
    if folder.suffix == ".toml":
        raise CommandError(f"--out {folder}: with --discover, it takes a folder", USAGE)
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"--out {folder}: it is a file, and not a folder", USAGE)
    sites, failures, repeated = _sites_of(_lines(listed), folder)
    if not sites and not failures:
        raise CommandError(f"--discover {listed}: no domain in the list", USAGE)
    present = set() if force else _domains_in(folder)
    wanted = [
        site
        for site in sites
        if force or not (site.path.exists() or domain_of(site.url) in present)
    ]
    skipped = len(sites) - len(wanted)
    written, is_interrupted = 0, False
    try:
        with Progress("sites", lines=_LINES) as progress:
            progress.update("looking at sites", 0, len(wanted))
            for site, result in _surveys(wanted, delay):
                if isinstance(result, Survey):
                    write_site_file(site.path, result)
                    written += 1
                else:
                    failures[site.line] = f"{site.text}: {result}"
                progress.advance("looking at sites", len(wanted))
    except KeyboardInterrupt:
        is_interrupted = True
    for _, failure in sorted(failures.items()):
        print(one_line(failure))
    counts = [f"{counted(written, 'site file')} written to {folder}"]
    counts += [f"{skipped:,} skipped that have a file"] if skipped else []
    counts += [f"{repeated:,} repeated in the list"] if repeated else []
    counts += [f"{len(failures):,} failed"] if failures else []
    print(for_terminal(", ".join(counts)))
    if is_interrupted:
        note("interrupted: run the same command again to complete the list")
        return _INTERRUPTED
    if written + skipped:
        print(for_terminal(f"crawl them: newsclean crawl --sites {folder}"))
    if not failures:
        return 0
    return _SOME if written + skipped else _ALL


def _domains_in(folder: Path) -> set[str]:
    """Return the registered domains of all site files of a folder."""
    return {domain for path in folder.glob("*.toml") for domain in site_domains(path)}


def _lines(listed: str) -> list[str]:
    """Return the lines of a list."""
    try:
        if listed == "-":
            content = sys.stdin.buffer.read(_MAX_LIST + 1)
        else:
            with open(listed, "rb") as file:
                content = file.read(_MAX_LIST + 1)
    except OSError as error:
        raise CommandError(
            f"--discover: cannot read {listed}: {error.strerror}", UNREADABLE
        ) from None
    if len(content) > _MAX_LIST:
        raise CommandError(f"--discover {listed}: larger than {_MAX_LIST:,} bytes", UNREADABLE)
    try:
        return content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise CommandError(f"--discover {listed}: it is not UTF-8 text", UNREADABLE) from None


def _sites_of(lines: Iterable[str], folder: Path) -> tuple[list[_Site], dict[int, str], int]:
    """Return the sites of a list, its bad lines, and how many lines repeat a registered domain."""
    sites: dict[str, _Site] = {}
    bad: dict[int, str] = {}
    repeated = 0
    for number, line in enumerate(lines, 1):
        words = _COMMENT.sub("", line).split()
        if not words:
            continue
        try:
            url, has_scheme = _url_of(words[0])
        except ValueError as error:
            bad[number] = f"line {number}: {error}"
            continue
        site = _Site(number, words[0], url, folder / file_name(url), has_scheme)
        domain = domain_of(url)
        repeated += domain in sites
        sites.setdefault(domain, site)
    return list(sites.values()), bad, repeated


def _url_of(word: str) -> tuple[str, bool]:
    """Return the URL of a domain or URL, and whether its scheme was given.

    >>> _url_of("example.org"), _url_of("http://example.org/news")
    (('https://example.org/', False), ('http://example.org/news', True))
    >>> _url_of("example.org?edition=no")
    ('https://example.org/?edition=no', False)
    """
    has_scheme = "://" in word
    url = checked_url(word if has_scheme else f"https://{word}")
    parts = urlsplit(url)
    if not _is_host(parts.hostname or "") or not file_name(url).isprintable():
        raise ValueError(f"{word!r} is not a domain or a URL")
    return (url if parts.path else parts._replace(path="/").geturl()), has_scheme


def _is_host(host: str) -> bool:
    """Whether a host may be asked for: a name with a dot, `localhost` or an IP address.

    >>> [_is_host(host) for host in ("example.org", "localhost", "::1", "news", "a..b", "a,b.org")]
    [True, True, True, False, False, False]
    """
    if host == "localhost":
        return True
    if len(host.encode()) > _MAX_HOST:
        return False
    try:
        return bool(ip_address(host))
    except ValueError:
        labels = host.rstrip(".").split(".")
        return len(labels) > 1 and all(re.fullmatch(r"[\w-]{1,63}", label) for label in labels)


def _surveys(sites: list[_Site], delay: float) -> Iterator[tuple[_Site, Survey | str]]:
    """Look at sites side by side; yield each with its survey, or with the reason why there is none.

    The threads are abandoned when the command ends: a survey under way has written nothing.
    """
    waiting: SimpleQueue[_Site] = SimpleQueue()
    done: SimpleQueue[tuple[_Site, Survey | str]] = SimpleQueue()
    for site in sites:
        waiting.put(site)

    def work() -> None:
        with suppress(Empty):
            while True:
                site = waiting.get_nowait()
                done.put((site, _result(site, delay)))

    for _ in range(min(_SIDE_BY_SIDE, len(sites))):
        threading.Thread(target=work, daemon=True).start()
    for _ in sites:
        yield done.get()


def _result(site: _Site, delay: float) -> Survey | str:
    try:
        return _survey(site, delay)
    except SurveyError as error:
        return str(error)
    except Exception as error:  # one odd site does not end the list
        return f"unexpected {type(error).__name__}: {error}"


def _survey(site: _Site, delay: float) -> Survey:
    """Look at a site; `SurveyError` says why it is of no use."""
    try:
        return _survey_at(site.url, delay)
    except _NoConnectionError:
        if site.has_scheme:
            raise
    try:
        return _survey_at(site.url.replace("https:", "http:", 1), delay)
    except _NoConnectionError as error:
        raise SurveyError(f"neither https nor http: {error}") from None


class _NoConnectionError(SurveyError):
    """The home page was not answered."""


def _survey_at(url: str, delay: float) -> Survey:
    polite = PoliteDownloads(url, delay)
    home: _Answer = b"", url, None

    def fetch(asked: str) -> _Answer:
        nonlocal home
        try:
            answer = polite(asked)
        except SurveyError as error:
            if asked == url and not _REFUSAL.search(str(error)):
                raise _NoConnectionError(str(error)) from None
            raise
        if asked == url:
            if not same_site(answer[1], url):
                raise SurveyError(f"it redirects to another site, {answer[1]}")
            home = answer
        return answer

    found = survey(url, fetch)
    if any(one.is_useful for one in found.tried):
        return found
    raise SurveyError(_why_useless(home, found))


def _why_useless(home: _Answer, found: Survey) -> str:
    """Return why nothing on a site leads to articles."""
    body, url, content_type = home
    if wall := wall_of_page(Page.from_html(body, url, content_type)):
        return f"in place of its home page: {wall}"
    if _PARKED.search(body):
        return "it looks like a parked domain"
    if not found.tried:
        return "its home page names no section, feed or sitemap"
    problems = ", ".join(dict.fromkeys(one.problem for one in found.tried[:3]))
    return f"nothing leads to articles, {len(found.tried)} tried: {problems}"
