"""Whether 3/4/2024 is in April or in March: by language and country, where the page is silent."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from newsclean.metadata.language import primary_subtag

#: Countries of the English language that write the day first, by the end of an address.
DAY_FIRST_DOMAINS = frozenset("uk ie au nz in za pk ng ke gh sg my hk mt bd lk".split())
MONTH_FIRST_DOMAINS = frozenset("us gov edu mil ph".split())
#: Languages whose dates begin with the year, so that one which ends with it tells nothing.
YEAR_FIRST = frozenset("zh ja ko hu lt mn".split())


def day_first_by_language(tags: Iterable[object], urls: Iterable[str | None]) -> bool | None:
    """What language and country say of the order of day and month; None if they do not.

    >>> day_first_by_language(["de"], []), day_first_by_language(["en-US"], [])
    (True, False)
    >>> day_first_by_language(["en-US"], ["https://example.co.uk/"])
    True
    """
    named = [tag for tag in tags if isinstance(tag, str) and primary_subtag(tag)]
    tag = named[0] if named else ""
    language = primary_subtag(tag)
    if language not in (None, "en"):
        return None if language in YEAR_FIRST else True
    for url in urls:
        end = _top_level_domain(url)
        if end in DAY_FIRST_DOMAINS:
            return True  # many sites leave the language as their system came: en-US
        if end in MONTH_FIRST_DOMAINS:
            return False
    region = tag.strip().replace("_", "-").partition("-")[2].lower()
    if not region:
        return None
    return region not in ("us", "ph")


def _top_level_domain(url: str | None) -> str:
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return ""
    return host.rpartition(".")[2]
