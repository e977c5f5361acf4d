"""Where a memory is: the path of a file, or the address of a PostgreSQL database."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

SCHEMES = ("postgresql", "postgres")

#: Parts of an address that say who one is.
SECRETS = ("password", "sslpassword", "passfile", "sslkey")


def is_database_address(path: str) -> bool:
    """Whether a memory is in PostgreSQL.

    >>> is_database_address("postgresql://db.example/news"), is_database_address("a.sqlite")
    (True, False)
    """
    return path.partition("://")[0].lower() in SCHEMES and "://" in path


def without_password(address: str) -> str:
    """An address as it may be shown.

    >>> without_password("postgresql://ann:secret@db.example:5433/news?password=x&sslmode=require")
    'postgresql://ann@db.example:5433/news?sslmode=require'
    """
    try:
        parts = urlsplit(address)
        options = [pair for pair in parse_qsl(parts.query) if pair[0] not in SECRETS]
    except ValueError:
        return f"{address.partition('://')[0]}://…"
    user, at, place = parts.netloc.rpartition("@")
    where = f"{parts.scheme}://{user.partition(':')[0]}{at}{place}{parts.path}"
    return f"{where}?{urlencode(options)}" if options else where


def hide_password(text: str, address: str) -> str:
    """A message of a library without the password of an address, and without the address.

    >>> hide_password('no "s%20t" in postgresql://a:s%20t@db/x', "postgresql://a:s%20t@db/x")
    'no "…" in postgresql://a@db/x'
    """
    text = text.replace(address, without_password(address))
    # What is before the last @ may hold one itself.
    written = re.match(r"\w+://[^:/?#]*:(.*)@", address)
    words = {written[1]} if written else set()
    words.update(value for name, value in _options(address) if name in SECRETS)
    for word in sorted({*words, *map(unquote, words)}, key=len, reverse=True):
        if word:
            text = text.replace(word, "…")
    return text


def _options(address: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(address).query)
    except ValueError:
        return []
