"""The language of a page: what it declares, else what its text looks like."""

import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any

from newsclean.metadata.languages import LANGUAGES

MIN_TEXT = 60  # characters; below, the guess is a coin toss
MAX_SAMPLE = 1000  # as sure as with more, at a quarter of the time

_LOADING = Lock()
_TAG = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_,;\s]|$)")
_BY_NAME = {"english": "en", "deutsch": "de", "german": "de", "french": "fr", "spanish": "es"}


def primary_subtag(tag: object) -> str | None:
    """The language of a tag, or None if it does not name one.

    >>> primary_subtag("pt_BR"), primary_subtag("English"), primary_subtag("utf-8")
    ('pt', 'en', None)
    """
    if not isinstance(tag, str):
        return None
    if by_name := _BY_NAME.get(tag.strip().lower()):
        return by_name
    found = _TAG.match(tag)
    code = found[1].lower() if found else ""
    return code if code in LANGUAGES else None


def declared_language(tags: Iterable[object]) -> str | None:
    """The language of the first tag that names one."""
    return next((code for code in map(primary_subtag, tags) if code), None)


def detected_language(text: str) -> str | None:
    """The language that a text looks like, or None if there is too little of it."""
    sample = text[:MAX_SAMPLE].strip()
    if len(sample) < MIN_TEXT or not any(letter.isalpha() for letter in sample):
        return None
    with _LOADING:
        py3langid = _loaded_py3langid()
    return str(py3langid.classify(sample)[0])


@cache
def _loaded_py3langid() -> Any:
    """Imported late: it is slow to load, and most pages declare their language.

    py3langid loads its model at the first call, and without a lock: once in each thread that calls
    it meanwhile.
    """
    py3langid = import_module("py3langid")
    py3langid.classify("")
    return py3langid
