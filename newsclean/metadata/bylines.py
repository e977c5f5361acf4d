"""Bylines in the lines beside a headline: who signed, in the words of many languages."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from newsclean.metadata.dates import find_date
from newsclean.metadata.names import has_role, looks_like_name, looks_like_signature, names_in

#: Characters of a line that begins with a word for "by" in a language in which that begins
#: sentences, too.
MAX_FOREIGN = 70
#: Characters of a byline that is signed by a team or house.
MAX_SIGNED = 60
#: Characters of a line, anywhere on the page, that says who has written it, and of a heading.
MAX_WRITTEN_BY = 160
MAX_HEADING = 20
#: Characters of a line that has its names after something else, a date or a place.
MAX_INNER = 100

_BEFORE = r"(?:written|posted|published|reported|words|story|article|interview|compiled|created)"
_BY = re.compile(
    rf"(?:{_BEFORE}\s+by|by|words|authors?|author\(s\)|contributors?|autor(?:es|en|as?)?|"
    r"auteure?s?|autor[ei]|автор|автори|yazar|författare|forfatter|text[eo]?|tekst)\b"
    r"\s*:?\s*",
    re.I,
)
_BY_ELSEWHERE = re.compile(
    r"(?:von|par|por|di|door|av|af|przez|от|від|por el|publicado por|publié par|écrit par|"
    r"scritto da|geschrieben von|escrito por|geschreven door|yazan)\s*:?\s+",
    re.I,
)
# After a date, a place or a sign: "London | By Ann Lee", "03/01/2017 by Ann Lee".
_INNER = re.compile(
    rf"(?:[|•·–—]|(?<=\d))\s*(?i:(?:{_BEFORE}\s+)?by|von|par|por|door|av|af)\s+(?=[^\W\d_a-z])"
)
# Anywhere on the page: "This post was written by Ann Lee, …"; a heading "Author".
_WRITTEN_BY = re.compile(
    r"(?:(?:this|the)\s+(?:post|article|story|piece|blog)\s+(?:was\s+|is\s+)?)?"
    r"(?:written|authored)\s+by\b\s*:?\s*",
    re.I,
)
_AUTHOR_HEADING = re.compile(r"(?:about the )?authors?(?:\(s\))?:?|written by:?", re.I)
#: With which the two begin.
_LABEL_LETTERS = frozenset("aAtTwW")
_GLUED_BY = re.compile(r"By(?=[A-Z][a-z]+\s[A-Z])")
_NOT_AFTER_BY = re.compile(r"(?i:by)\s+(?:the|a|an|using|this|clicking|continuing)\b")
_SIGN = re.compile(r"\s*[|•·–—]\s*|\s+-\s+")
# Before the last of several people; without it, what follows a name may be what the person does.
_AND = re.compile(r"\s(?:and|und|et|y|og|och|&)\s")
_SECTION_AFTER_NAME = re.compile(r"\s+in\s.*$")
#: What follows a name where somebody is presented.
_BIOGRAPHY = re.compile(
    r"(?:is|was|has been|has|writes|covers|works|worked|lives|joined|holds|serves|leads|founded)\b"
)
_END = re.compile(r"\s*(?:[|•·–—]|\s-\s|\bat\b|\bon\b|\bin\b|\bfor\b|\bPublished\b|\bUpdated\b)")


def signed_names(lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """The people who signed beside a headline; and, if there are none, what else signed.

    A line that only says "By" belongs to the line after it.

    >>> signed_names(["Sport", "By Ann Lee and Bob Ray, 1 March 2024"])
    (['Ann Lee', 'Bob Ray'], [])
    >>> signed_names(["Written by", "The Harbour Team"])
    ([], ['The Harbour Team'])
    """
    others: list[str] = []
    is_label = False
    for line in lines:
        text = line if is_label else _after_by(line)
        is_label = text == ""
        if not text:
            continue
        names = _names_at_start(text)
        if names:
            return names, []
        if not others:
            others = _signature(text)
    return [], others


def names_beside(lines: Iterable[str], names: Sequence[str]) -> list[str]:
    """The people in a line that has nothing but names, all of these among them.

    >>> names_beside(["Rain again", "Ann Lee, Bob Ray & Cy Fox", "It rains."], ["Ann Lee"])
    ['Ann Lee', 'Bob Ray', 'Cy Fox']
    """
    for line in lines:
        if names[0] in line and len(line) <= MAX_WRITTEN_BY and _AND.search(line):
            found = names_in(line)
            if {*names} < {*found} and all(map(looks_like_name, found)):
                return found
    return []


def labelled_names(lines: Iterable[str]) -> list[str]:
    """The people in lines, anywhere on the page, that say who has written it.

    Pages that name several, each in a place of its own, list other articles: those have none.

    >>> labelled_names(["Rain again", "It rains.", "Author", "Ann Lee", "Ann Lee sails."])
    ['Ann Lee']
    """
    groups: list[list[str]] = []
    is_below_heading = is_of_several = False
    for line in lines:
        if not is_below_heading and line[:1] not in _LABEL_LETTERS:
            continue
        is_heading = len(line) <= MAX_HEADING and bool(_AUTHOR_HEADING.fullmatch(line))
        if is_heading:
            groups.append([])
            is_of_several = line.rstrip(":)").endswith("s")
        elif is_below_heading:
            names = _names_at_start(line) if len(line) <= MAX_FOREIGN else []
            groups[-1] += names
            is_heading = bool(names) and is_of_several  # the next line may have another name
        elif len(line) <= MAX_WRITTEN_BY and (found := _WRITTEN_BY.match(line)):
            groups.append(_names_at_start(line[found.end() :]))
        is_below_heading = is_heading
    named = [group for group in groups if group]
    if not named or any({*group} != {*named[0]} for group in named):
        return []
    return named[0]


def names_of_line(line: str) -> list[str]:
    """The people with whose names a line begins, after a word for "by" or without one.

    >>> names_of_line("By Ann Lee, 1 March 2024"), names_of_line("Ann Lee"), names_of_line("Rain")
    (['Ann Lee'], ['Ann Lee'], [])
    """
    return _names_at_start(_after_by(line) or line)


def signed_by(line: str) -> list[str]:
    """The people, else the team or house, in a line of which somebody knows that it is the byline.

    >>> signed_by("By Ann Lee, 1 March 2024"), signed_by("By Reuters")
    (['Ann Lee'], ['Reuters'])
    """
    if names := names_of_line(line):
        return names
    return _signature(_after_by(line) or line) if len(line) <= MAX_SIGNED else []


def _after_by(line: str) -> str | None:
    """What follows the word for "by" in a line; None if the line has none."""
    if (found := _BY.match(line)) and not _NOT_AFTER_BY.match(line):
        is_word = found[0][-1:].isspace() or found[0].rstrip().endswith(":") or (
            found.end() == len(line)
        )  # fmt: skip
        return line[found.end() :] if is_word else None
    if found := _GLUED_BY.match(line):
        return line[found.end() :]
    if len(line) <= MAX_FOREIGN and (found := _BY_ELSEWHERE.match(line)):
        return line[found.end() :] or None
    if len(line) <= MAX_INNER and (found := _INNER.search(line)):
        return line[found.end() :]
    return None


def _names_at_start(text: str) -> list[str]:
    """The names with which a text begins; what follows them is a role, a date or a place."""
    start, _ = find_date(text)
    return list(takewhile(looks_like_name, names_in(text[:start])))


def _signature(text: str) -> list[str]:
    start, _ = find_date(text)
    found = _END.search(text)
    text = text[: min(start, found.start() if found else start)].strip(" ,")
    return [text] if looks_like_signature(text) else []


def name_beside_date(lines: Iterable[str]) -> list[str]:
    """A line that is a name and nothing else, next to one with a date; or a name in one with it.

    >>> name_beside_date(["Rain again", "Ann Lee", "1 March 2024", "It rains."])
    ['Ann Lee']
    >>> name_beside_date(["Rain again", "1 March 2024 • Ann Lee in Weather"])
    ['Ann Lee']
    """
    before = ""
    before_has_date = False
    for line in lines:
        has_date = find_date(line)[1] is not None
        if has_date and (name := _name_in_dateline(line)):
            return [name]
        for name, is_beside in ((line, before_has_date), (before, has_date)):
            if is_beside and _is_plain_name(name):
                return [name]
        before, before_has_date = line, has_date
    return []


def _name_in_dateline(line: str) -> str | None:
    """A name that shares a line with a date, with a sign between them."""
    parts = _SIGN.split(line) if len(line) <= MAX_INNER else []
    if len(parts) > 2:  # "Ann Lee | Reporter | 1 March 2024"
        parts = [part for part in parts if not has_role(part)]
    dated = [find_date(part)[1] is not None for part in parts]
    for place, part in enumerate(parts):
        is_beside = any(dated[max(place - 1, 0) : place + 2])
        name = _SECTION_AFTER_NAME.sub("", part).strip()
        if is_beside and not dated[place] and _is_plain_name(name):
            return name
    return None


def name_with_biography(lines: Sequence[str], below: Iterable[str]) -> list[str]:
    """A name below the headline of whom the page tells further down who that is.

    >>> lines = ["Rain again", "Ann Lee", "It rains.", "Ann Lee is a writer in Bergen."]
    >>> name_with_biography(lines, lines[1:3])
    ['Ann Lee']
    """
    for name in filter(_is_plain_name, below):
        start = f"{name} "
        told = (line[len(start) :] for line in lines if line.startswith(start))
        if any(map(_BIOGRAPHY.match, told)):
            return [name]
    return []


def _is_plain_name(line: str) -> bool:
    words = line.split()
    return (
        2 <= len(words) <= 3
        and all(word[0].isupper() and not word.isupper() for word in words)
        and looks_like_name(line)
    )
