"""Sites for the queue: site files, and addresses of which site files are made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from newsclean.cli.errors import UNREADABLE, USAGE, CommandError
from newsclean.extraction.corrections import SUFFIX

if TYPE_CHECKING:
    from newsclean.cluster.queue import SiteJob

#: Names that are shown where one is not known.
MAX_SHOWN = 10


def job_of(text: str, every: str) -> SiteJob:
    """The job of a site file or of an address."""
    from newsclean.cluster.queue import SiteJob
    from newsclean.discovery.site_files import SiteFileError, read_site, section_at
    from newsclean.urls import registered_domain, site_of

    corrections = url = None
    try:
        if "://" in text:
            url = section_at(text).url
            name, file = name_of(url), f'[[section]]\nurl = "{url}"\n'
            addresses = [url]
        else:
            path = Path(text)
            if path.suffix != ".toml" or path.name.endswith(SUFFIX):
                raise CommandError(f"{text}: is neither a site file (.toml) nor a URL", USAGE)
            addresses = read_site(text, "").urls
            name, file = path.stem, path.read_text("utf-8")
            beside = path.with_name(f"{name}{SUFFIX}")
            corrections = beside.read_text("utf-8") if beside.is_file() else None
        domains = sorted({registered_domain(site_of(address) or "") for address in addresses})
        return SiteJob(name, file, every, corrections, url, tuple(domains))
    except SiteFileError as error:
        raise CommandError(str(error), UNREADABLE) from None
    except OSError as error:
        raise CommandError(f"cannot read {text}: {error.strerror}", UNREADABLE) from None
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def name_of(url: str) -> str:
    """The name of a site that has no file.

    >>> name_of("https://www.example.org/news/sport/"), name_of("http://127.0.0.1:8001/")
    ('example.org-news-sport', '127.0.0.1:8001')
    """
    from newsclean.urls import site_of

    path = urlsplit(url).path.strip("/").replace("/", "-").replace(",", "-")
    return "-".join(filter(None, (site_of(url), path)))


def names_in_queue(known: list[str]) -> str:
    """What there is, for somebody who has named something else.

    >>> names_in_queue(["a", "b"]), names_in_queue([])
    ('there are a, b', 'it is empty')
    """
    if not known:
        return "it is empty"
    more = f" and {len(known) - MAX_SHOWN:,} more" if len(known) > MAX_SHOWN else ""
    return f"there are {', '.join(known[:MAX_SHOWN])}{more}"
