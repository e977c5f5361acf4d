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

#: Languages that are written in Latin letters, of those that pages declare by mistake or by habit.
LATIN = frozenset(
    "af az ca cs cy da de en es et eu fi fil fr ga gl ha hr hu id ig is it lt lv mg ms mt nb nl nn "
    "no pl pt ro sk sl so sq sv sw tl tr vi xh yo zu".split()
)
#: What a text in letters of one language only is written in.
BY_LETTERS = {
    "el": "\u0370-\u03ff", "hy": "\u0530-\u058f", "he": "\u0590-\u05ff", "bn": "\u0980-\u09ff",
    "pa": "\u0a00-\u0a7f", "gu": "\u0a80-\u0aff", "or": "\u0b00-\u0b7f", "ta": "\u0b80-\u0bff",
    "te": "\u0c00-\u0c7f", "kn": "\u0c80-\u0cff", "ml": "\u0d00-\u0d7f", "si": "\u0d80-\u0dff",
    "th": "\u0e00-\u0e7f", "lo": "\u0e80-\u0eff", "my": "\u1000-\u109f", "ka": "\u10a0-\u10ff",
    "km": "\u1780-\u17ff", "ja": "\u3040-\u30ff", "ko": "\uac00-\ud7af",
}  # fmt: skip

_NOT_LATIN = re.compile("[\u0370-\u1dff\u1f00-\u1fff\u2c80-\ua63f\ua8e0-\ud7ff\uf900-\ufaff]")
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


def language_of(declared: str | None, text: str) -> str | None:
    """The language of a text: the declared one, unless its letters are of another script.

    >>> language_of("en", "ঢাকায় আজ সকাল থেকে বৃষ্টি হচ্ছে। " * 3), language_of("en", "Rain.")
    ('bn', 'en')
    """
    if declared is None or (declared in LATIN and not is_latin(text[:MAX_SAMPLE])):
        return detected_language(text) or declared
    return declared


def is_latin(text: str) -> bool:
    """Whether at most half of the letters of a text are of other scripts.

    >>> is_latin("Αθήνα"), is_latin("Athens (Αθήνα)"), is_latin("Tromsø")
    (False, True, True)
    """
    if text.isascii():
        return True
    others = len(_NOT_LATIN.findall(text))
    return 2 * others <= sum(map(str.isalpha, text))


def detected_language(text: str) -> str | None:
    """The language that a text looks like, or None if there is too little of it."""
    sample = text[:MAX_SAMPLE].strip()
    if len(sample) < MIN_TEXT or not any(letter.isalpha() for letter in sample):
        return None
    with _LOADING:
        py3langid = _loaded_py3langid()
    found = str(py3langid.classify(sample)[0])
    if found in LATIN and not is_latin(sample):
        counts = {
            code: len(re.findall(f"[{letters}]", sample)) for code, letters in BY_LETTERS.items()
        }
        code = max(counts, key=counts.__getitem__)
        return code if 2 * counts[code] > len(_NOT_LATIN.findall(sample)) else None
    return found


@cache
def _loaded_py3langid() -> Any:
    """Imported late: it is slow to load, and most pages declare their language.

    py3langid loads its model at the first call, and without a lock: once in each thread that calls
    it meanwhile.
    """
    py3langid = import_module("py3langid")
    py3langid.classify("")
    return py3langid
