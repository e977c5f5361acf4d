"""Texts as PostgreSQL takes them: it knows neither NUL nor half of a surrogate pair."""

from __future__ import annotations

import math
from typing import Any


def storable_text(text: str) -> str:
    """A text without what PostgreSQL refuses.

    >>> storable_text("a\\x00b\\ud800")
    'a\\ufffdb?'
    """
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def storable(value: Any) -> Any:
    """Plain data with all its texts and numbers storable.

    >>> storable({"a\\x00": ["b", 1, None]})
    {'a\\ufffd': ['b', 1, None]}
    """
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, dict):
        return {storable(key): storable(inner) for key, inner in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list | tuple):
        return [storable(inner) for inner in value]
    return value
