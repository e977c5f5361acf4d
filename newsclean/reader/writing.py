"""How a language is written: its tag for `lang`, and its direction for `dir`."""

from __future__ import annotations

import re

#: Languages that are written from right to left unless their tag names another script.
_RIGHT_TO_LEFT = frozenset(
    """
    aao ar ara arc arq ary arz azb bal ckb div dv fa fas glk he heb iw ji khw ks lrc luz
    mzn nqo pes pnb prs ps pus rhg sd sdh skr syr ug uig ur urd yi yid
    """.split()
)
_RIGHT_TO_LEFT_SCRIPTS = frozenset("adlm arab aran hebr mand mend nkoo rohg samr syrc thaa".split())

_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,8}")


def language_tag(value: object) -> str:
    """A language as HTML names it, empty if it is not one.

    >>> language_tag("pt_BR"), language_tag("english, please"), language_tag(None)
    ('pt-BR', '', '')
    """
    tag = value.strip().replace("_", "-") if isinstance(value, str) else ""
    return tag if _TAG.fullmatch(tag) else ""


def direction(tag: str) -> str:
    """The direction in which a language is written; `auto` leaves it to the first letters.

    >>> direction("ar-EG"), direction("en"), direction("az-Arab"), direction("")
    ('rtl', 'ltr', 'rtl', 'auto')
    """
    if not tag:
        return "auto"
    primary, *subtags = tag.lower().split("-")
    script = next((part for part in subtags if len(part) == 4 and part.isalpha()), None)
    if script is not None:
        return "rtl" if script in _RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if primary in _RIGHT_TO_LEFT else "ltr"
