"""The lines of articles as an index file keeps them."""

from __future__ import annotations

import json
import zlib
from typing import Any

#: Twice the speed of the usual level, for a tenth more of space.
LEVEL = 3


def packed(line: str) -> bytes:
    return zlib.compress(line.encode(), LEVEL)


def unpacked(stored: bytes) -> dict[str, Any]:
    """
    >>> unpacked(packed('{"headline": "Rain"}'))
    {'headline': 'Rain'}
    """
    line: dict[str, Any] = json.loads(zlib.decompress(stored))
    return line
