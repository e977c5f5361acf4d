"""Redis by its address, whose password is never shown."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redis import Redis

#: Where the address is looked for: unlike an argument, other users of the machine cannot see it.
VARIABLE = "NEWSCLEAN_REDIS"
ADDRESS = "redis://127.0.0.1:6379/0"
HOW_TO_GET = "pip install 'newsclean[cluster]'"
SCHEMES = ("redis", "rediss", "unix")
#: Seconds until an answer is given up.
TIMEOUT = 5.0


class QueueError(Exception):
    """The queue cannot be used; what it holds is whole."""


class MissingExtraError(QueueError):
    """The library for Redis is not installed."""


class AddressError(QueueError):
    """An address that is not one of Redis."""


def address_of(given: str | None) -> str:
    """The address that was given, or that of the environment, or the usual one."""
    return given or os.environ.get(VARIABLE) or ADDRESS


def without_password(address: str) -> str:
    """An address as it may be shown: no user, no password, no query.

    >>> without_password("redis://crawler:secret@db.example.org:6380/2?password=secret")
    'redis://db.example.org:6380/2'
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "redis://…"
    if ":" in host:
        host = f"[{host}]"
    # In an address that was written wrongly, a part of the password may be anywhere.
    path = parts.path if re.fullmatch(r"/\d+", parts.path) else ""
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{path}"


def connect(address: str, timeout: float = TIMEOUT) -> Redis:
    """A client; it connects when it is first used, and again after each broken connection."""
    try:
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ModuleNotFoundError as error:
        raise MissingExtraError(f"queue needs {error.name}: {HOW_TO_GET}") from None
    shown = without_password(address)
    if urlsplit(address).scheme not in SCHEMES:
        raise AddressError(f"{shown} is not an address of Redis: it takes redis://HOST:PORT/0")
    try:
        # Every step of the queue may be repeated, so that one broken connection does no harm.
        return Redis.from_url(
            address,
            decode_responses=True,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), 1),
        )
    except ValueError:
        raise AddressError(f"{shown} is not an address of Redis: redis://HOST:PORT/0") from None


@contextmanager
def redis_errors(address: str) -> Iterator[None]:
    """Turn what Redis or its client reports into a `QueueError` of one line."""
    from redis.exceptions import AuthenticationError, RedisError

    shown = without_password(address)
    try:
        yield
    except AuthenticationError:
        raise QueueError(f"Redis at {shown} refuses the user or the password") from None
    except (RedisError, OSError) as error:
        words = str(error).strip().rstrip(".") or type(error).__name__
        raise QueueError(
            f"cannot use Redis at {shown}: {words}; start it, or name another by --redis or "
            f"{VARIABLE}"
        ) from None
