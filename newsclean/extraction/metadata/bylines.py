"""Bylines: from the words of many languages for "by" to a list of names.

In go a value from the head, or visible lines; out come the names of people, or else of the team or
house that signed.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from newsclean.extraction.metadata.dates import find_date
from newsclean.extraction.metadata.label_words import AUTHOR, pattern_of
from newsclean.extraction.text import comparison_key, single_line

# The words of bylines by language, as parts of patterns.

#: Before "by" in a byline,
_BEFORE_BY = "written|posted|published|reported|words|story|article|interview|compiled|created"
#: and where it is stripped from a name but does not make a line a byline: "Reviewed by Ann Lee".
_BEFORE_BY_IN_NAMES = "reviewed|text|analysis|opinion"
_AUTHOR_LABELS = pattern_of(AUTHOR)
#: "By" in other languages; these words also begin sentences and names.
_BY_ELSEWHERE = "von|par|por|di|door|av|af|przez|от|від"
_BY_PHRASES_ELSEWHERE = (
    "por el|publicado por|publié par|écrit par|scritto da|geschrieben von|escrito por|"
    "geschreven door|yazan|על ידי|توسط"
)
#: "And"; the second group only between whole names, because it means other things as well.
AND = "and|und|et|y|og|och"
_AND_BETWEEN_NAMES = "e|i|en|ja|ve|и|та"
#: Who is presented: "Ann Lee is a writer".
_PRESENTS = "is|was|has been|has|writes|covers|works|worked|lives|joined|holds|serves|leads|founded"

#: News agencies; other short words in capitals after a name are degrees.
_AGENCIES = frozenset(
    "AP AFP DPA APA SDA ATS AWP SID KNA EPD ANSA EFE PTI ANI IANS AAP PA UPI CP NTB TT STT RITZAU "
    "LUSA TASS RIA AA DHA IHA BTA MTI CTK PAP BNS ELTA LETA ANP BELGA KYODO JIJI BERNAMA".split()
)
_NOBODY = frozenset(
    ["admin", "administrator", "administrador", "root", "user", "guest", "unknown", "anonymous",
     "author", "editor", "webmaster", "wordpress", "null", "none", "undefined", "nan"]
)  # fmt: skip
_PARTICLES = frozenset(
    ["van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "le",
     "bin", "ibn", "al", "el", "y", "e"]
)  # fmt: skip
_ROLE = re.compile(
    r"\b(?:editor|reporter|correspondent|writer|journalist|columnist|producer|contributor|"
    r"photographer|author|bureau chief|director|manager|coordinator|consultant|analyst|"
    r"expert|specialist|strategist|founder|ceo|professor|educator|head of|"
    r"redakteur(?:in)?|redacteur|journaliste|periodista|"
    r"giornalista|staff|attorney|lawyer|physician|coach|officer|president|chief|advisor|"
    r"adviser|engineer|developer|researcher|intern|fellow)s?\b",
    re.I,
)
_DEGREE = re.compile(
    r"^(?:m\.?d|ph\.?d|d\.?phil|j\.?d|m\.?b\.?a|m\.?p\.?h|r\.?n|r\.?d\.?n?|m\.?sc?|b\.?sc?|"
    r"m\.?a|b\.?a|d\.?d\.?s|d\.?o|l\.?c\.?s\.?w|c\.?f\.?[ap]|c\.?p\.?a|esq|f\.?a\.?n\.?d)\.?$",
    re.I,
)
_OF_HOUSE = re.compile(
    r"\b(?:team|staff|editors?|editorial|desk|newsroom|redaktion|rédaction|redacción|redazione|"
    r"admin|blog|magazine|media|group|inc|llc|ltd|gmbh|company|association|institute|foundation|"
    r"university|center|centre|agency|network|press|institut|verlag|online|marketing|software|"
    r"solutions|services|society|council|committee|department)\b|[@_\d]|(?<!\b\w)\.(?=\w)",
    re.I,
)
_NOT_IN_NAME = re.compile(
    r"[\d?!:|©]|['’]s\b|\b(?:by|posts?|more|read|view|follow|share|about|all|the|news|team|contact|"
    r"our|published|posted|updated|checked|policy|agreement|this|articles?)\b",
    re.I,
)
_NOT_IN_SIGNATURE = re.compile(
    r"[?!:|©.,;]|\b(?:posts?|more|read|view|follow|share|about|all|contact|our|published|posted|"
    r"updated|checked|policy|agreement|min|minutes?|your|you|this|that|category|get|app|sign|search|written|articles)\b",
    re.I,
)
_SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv)\.?$", re.I)
_TITLE = re.compile(r"^(?:(?:dr|prof|professor|mr|mrs|ms)\b\.?\s+)+", re.I)

_MAX_AUTHORS = 30
_MAX_NAME = 80
_MAX_NAME_WORDS = 7
_MAX_VISIBLE_WORDS = 5
_MAX_BYLINE = 1000
_MAX_SIGNATURE = 40
_MAX_DEGREE = 6
#: Characters of a line that begins with "by" in another language.
_MAX_ELSEWHERE = 70
#: Characters of a byline signed by a team or house.
_MAX_SIGNED = 60
#: Characters of a line, anywhere on the page, that tells who wrote it, and of such a heading.
_MAX_WRITTEN_BY = 160
_MAX_HEADING = 20
#: Characters of a line whose names come after something else, such as a date or a place.
_MAX_INNER = 100

_NOISE = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]"
    r"|(?:https?://|www\.)\S+|\b[\w.-]+\.\w{2,3}/\S*"
    r"|[^\s<>@]+@[^\s<>@]+\.\w+"  # e-mail
    r"|(?<!\w)@\w+"  # handle
)
_BY_BEFORE_NAME = re.compile(
    rf"^(?:(?:{_BEFORE_BY}|{_BEFORE_BY_IN_NAMES})\s+)?by\b[:\s]+|^(?:{_AUTHOR_LABELS})\s*:\s*", re.I
)
# Also parts of names (Von Miller), so only stripped from a whole name.
_BY_ELSEWHERE_BEFORE_NAME = re.compile(rf"^(?:{_BY_ELSEWHERE}|od|de)\s+(?=\S+\s+\S)", re.I)
_TRAILING_CLAUSE = re.compile(r"(?<=\w)\s+(?:for|in|at|on|updated|published|posted)\s.*$")
_LIST = re.compile(r"\s*[,;|•·、،\n\t]\s*|\s+[/–—-]\s+|\s+(?:with|mit|avec)\s+")
_BETWEEN_NAMES = re.compile(rf"\s+(?:{AND}|{_AND_BETWEEN_NAMES})\s+|\s*&\s*", re.I)
_AND_AT_START = re.compile(rf"^(?:{AND})\s+|^&\s*")
# Before the last of several people; without it, a role may follow a name.
_AND_INSIDE = re.compile(rf"\s(?:{AND}|&)\s")
#: Two words that a template joined, unlike McNally, DeVito, LeBron or O'Neill.
_GLUED = re.compile(r"(?!(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|Al|El|Jo|Ma)[A-Z])[A-Z][a-z]+[A-Z]")
_DOTTED = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+")  # an account or a host
_BY = re.compile(rf"(?:(?:{_BEFORE_BY})\s+by|by|words|{_AUTHOR_LABELS})\b\s*:?\s*", re.I)
_BY_IN_OTHER_LANGUAGE = re.compile(rf"(?:{_BY_ELSEWHERE}|{_BY_PHRASES_ELSEWHERE})\s*:?\s+", re.I)
# After a date, a place or a sign: "London | By Ann Lee", "03/01/2017 by Ann Lee".
_INNER = re.compile(
    rf"(?:[|•·–—]|(?<=\d))\s*(?i:(?:(?:{_BEFORE_BY})\s+)?by|{_BY_ELSEWHERE})\s+(?=[^\W\d_a-z])"
)
# Anywhere on the page: "This post was written by Ann Lee, …"; a heading "Author".
_WRITTEN_BY = re.compile(
    r"(?:(?:this|the)\s+(?:post|article|story|piece|blog)\s+(?:was\s+|is\s+)?)?"
    r"(?:written|authored)\s+by\b\s*:?\s*",
    re.I,
)
_AUTHOR_HEADING = re.compile(r"(?:about the )?authors?(?:\(s\))?:?|written by:?", re.I)
#: The first letters of the two.
_LABEL_LETTERS = frozenset("aAtTwW")
_GLUED_BY = re.compile(r"By(?=[A-Z][a-z]+\s[A-Z])")
_NOT_AFTER_BY = re.compile(r"(?i:by)\s+(?:the|a|an|using|this|clicking|continuing)\b")
_SIGN = re.compile(r"\s*[|•·–—]\s*|\s+-\s+")
_SECTION_AFTER_NAME = re.compile(r"\s+in\s.*$")
_BIOGRAPHY = re.compile(rf"(?:{_PRESENTS})\b")
_END = re.compile(r"\s*(?:[|•·–—]|\s-\s|\bat\b|\bon\b|\bin\b|\bfor\b|\bPublished\b|\bUpdated\b)")


@dataclass(slots=True)
class Byline:
    """An author as the page gives it; the name of an organisation is not split."""

    text: str
    organisation: bool = False


def author_names(bylines: Iterable[Byline], site_names: Iterable[str] = ()) -> list[str]:
    """Return the names in bylines, each once; the site's own name only if there is no other.

    >>> author_names([Byline("By Ann Lee and Bob Ray, Daily News")], ["Daily News"])
    ['Ann Lee', 'Bob Ray']
    """
    names = [name for byline in bylines for name in names_in(byline.text, byline.organisation)]
    if not names:
        return []
    site = {comparison_key(name) for name in site_names}
    found: dict[str, str] = {}
    for name in names:
        key = comparison_key(name)
        nobody = key in _NOBODY or ":" in name or (_DOTTED.fullmatch(name) and key not in site)
        if key and not nobody and len(found) < _MAX_AUTHORS:
            found.setdefault(key, name)
    people = [name for key, name in found.items() if key not in site]
    return people or list(found.values())


def names_in(byline: str, organisation: bool = False) -> list[str]:
    """Return the names in one byline, without roles, degrees, addresses and handles."""
    text = _NOISE.sub(" ", single_line(byline, _MAX_BYLINE))
    text = _BY_ELSEWHERE_BEFORE_NAME.sub("", _BY_BEFORE_NAME.sub("", " ".join(text.split())))
    if organisation:
        return [name for name in [_trimmed(text)] if name]
    parts: list[str] = []
    for piece in _LIST.split(text):
        piece = _stripped(piece)
        if not piece:
            continue
        if parts and _SUFFIX.match(piece):
            parts[-1] += f" {piece}"
        elif not (parts and (_is_degree(piece) or _ROLE.search(piece))):
            parts += _split_at_and(piece)
    return [part for part in map(_trimmed, parts) if part]


def _split_at_and(piece: str) -> list[str]:
    """Split "Ann Lee and Bob Ray", but neither "Ann and Bob Ray" nor "Ramón y Cajal"."""
    piece = _AND_AT_START.sub("", piece)
    sides = _BETWEEN_NAMES.split(piece)
    if len(sides) > 1 and all(len(side.split()) > 1 for side in sides):
        return sides
    return [piece]


def _is_degree(piece: str) -> bool:
    """Whether what follows a name is a degree, a licence or a short title."""
    bare = piece.strip("®™.")
    if bare.upper() in _AGENCIES:
        return False
    is_short = bare.isupper() and bare.isascii() and len(bare) <= _MAX_DEGREE and " " not in bare
    return bool(_DEGREE.match(piece)) or is_short


def _stripped(piece: str) -> str:
    piece = _BY_BEFORE_NAME.sub("", piece.strip(" \t,;:|/-–—•·*\"'“”")).strip()
    before = _TRAILING_CLAUSE.sub("", piece)
    return before if len(before.split()) > 1 else piece


def _trimmed(name: str) -> str:
    name = _stripped(name)
    words = name.split()
    if len(name) > _MAX_NAME or len(words) > _MAX_NAME_WORDS:
        return ""
    return name if any(letter.isalpha() for letter in name) else ""


def looks_like_name(text: str) -> bool:
    """Whether a visible text can be a person's name.

    >>> looks_like_name("Ludwig van Beethoven"), looks_like_name("Read more"), looks_like_name("By")
    (True, False, False)
    """
    words = text.split()
    if not 2 <= len(words) <= _MAX_VISIBLE_WORDS or _ROLE.search(text) or _NOT_IN_NAME.search(text):
        return False
    if any(map(_GLUED.match, words)):
        return False
    return not any(word[0].islower() and word not in _PARTICLES for word in words)


def looks_like_signature(text: str) -> bool:
    """Whether a text after "by" can be who signed: a first name, a team or a house.

    >>> looks_like_signature("The Harbour Team"), looks_like_signature("clicking here")
    (True, False)
    """
    words = text.split()
    if not 1 <= len(words) <= _MAX_VISIBLE_WORDS or len(text) > _MAX_SIGNATURE:
        return False
    if not text[0].isalnum() or text[0].islower() or _NOT_IN_SIGNATURE.search(text):
        return False
    return any(letter.isalpha() for letter in text) and comparison_key(text) not in _NOBODY


def is_person(name: str) -> bool:
    """Whether a name is a person's rather than that of a team, a house or an account.

    >>> is_person("Ann Lee"), is_person("Harbour Team"), is_person("annlee")
    (True, False, False)
    """
    if _OF_HOUSE.search(name):
        return False
    has_no_case = name.upper() == name.lower() and any(map(str.isalpha, name))
    return has_no_case or looks_like_name(name)


def _is_plain_name(line: str) -> bool:
    words = line.split()
    return (
        2 <= len(words) <= 3
        and all(word[0].isupper() and not word.isupper() for word in words)
        and looks_like_name(line)
    )


def without_title(name: str) -> str:
    """Return a name without its title, as another source may have it.

    >>> without_title("Prof. Dr. Ann Lee")
    'Ann Lee'
    """
    return _TITLE.sub("", name)


def first_name_first(name: str) -> str:
    """Return the "Lee, Ann" of library catalogues as "Ann Lee"."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and "," not in first else name


def signed_names(lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the people who signed beside a headline and, if there are none, who else signed.

    A line that only says "By" belongs to the next line.

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
        names = names_at_start(text)
        if names:
            return names, []
        if not others:
            others = _signature(text)
    return [], others


def _after_by(line: str) -> str | None:
    """Return what follows the word for "by" in a line, or None if there is none."""
    if (found := _BY.match(line)) and not _NOT_AFTER_BY.match(line):
        is_word = found[0][-1:].isspace() or found[0].rstrip().endswith(":") or (
            found.end() == len(line)
        )  # fmt: skip
        return line[found.end() :] if is_word else None
    if found := _GLUED_BY.match(line):
        return line[found.end() :]
    if len(line) <= _MAX_ELSEWHERE and (found := _BY_IN_OTHER_LANGUAGE.match(line)):
        return line[found.end() :] or None
    if len(line) <= _MAX_INNER and (found := _INNER.search(line)):
        return line[found.end() :]
    return None


def names_at_start(text: str) -> list[str]:
    """Return the names at the start of a text; a role, a date or a place may follow them."""
    start, _ = find_date(text)
    return list(takewhile(looks_like_name, names_in(text[:start])))


def _signature(text: str) -> list[str]:
    start, _ = find_date(text)
    found = _END.search(text)
    text = text[: min(start, found.start() if found else start)].strip(" ,")
    return [text] if looks_like_signature(text) else []


def names_of_line(line: str) -> list[str]:
    """Return the people at the start of a line, after a word for "by" or without one.

    >>> names_of_line("By Ann Lee, 1 March 2024"), names_of_line("Ann Lee"), names_of_line("Rain")
    (['Ann Lee'], ['Ann Lee'], [])
    """
    return names_at_start(_after_by(line) or line)


def signed_by(line: str) -> list[str]:
    """Return the people, else the team or house, in a line that is known to be the byline.

    >>> signed_by("By Ann Lee, 1 March 2024"), signed_by("By Reuters")
    (['Ann Lee'], ['Reuters'])
    """
    if names := names_of_line(line):
        return names
    return _signature(_after_by(line) or line) if len(line) <= _MAX_SIGNED else []


def names_beside(lines: Iterable[str], names: Sequence[str]) -> list[str]:
    """Return the people in a line that has only names, all of `names` among them.

    >>> names_beside(["Rain again", "Ann Lee, Bob Ray & Cy Fox", "It rains."], ["Ann Lee"])
    ['Ann Lee', 'Bob Ray', 'Cy Fox']
    """
    for line in lines:
        if names[0] in line and len(line) <= _MAX_WRITTEN_BY and _AND_INSIDE.search(line):
            found = names_in(line)
            if {*names} < {*found} and all(map(looks_like_name, found)):
                return found
    return []


def labelled_names(lines: Iterable[str]) -> list[str]:
    """Return the people in lines, anywhere on the page, that tell who wrote it.

    A page that names several, each in another place, lists other articles: it has none.

    >>> labelled_names(["Rain again", "It rains.", "Author", "Ann Lee", "Ann Lee sails."])
    ['Ann Lee']
    """
    groups: list[list[str]] = []
    is_below_heading = is_of_several = False
    for line in lines:
        if not is_below_heading and line[:1] not in _LABEL_LETTERS:
            continue
        is_heading = len(line) <= _MAX_HEADING and bool(_AUTHOR_HEADING.fullmatch(line))
        if is_heading:
            groups.append([])
            is_of_several = line.rstrip(":)").endswith("s")
        elif is_below_heading:
            names = names_at_start(line) if len(line) <= _MAX_ELSEWHERE else []
            groups[-1] += names
            is_heading = bool(names) and is_of_several  # the next line may have another name
        elif len(line) <= _MAX_WRITTEN_BY and (found := _WRITTEN_BY.match(line)):
            groups.append(names_at_start(line[found.end() :]))
        is_below_heading = is_heading
    named = [group for group in groups if group]
    if not named or any({*group} != {*named[0]} for group in named):
        return []
    return named[0]


def name_beside_date(lines: Iterable[str]) -> list[str]:
    """Return a name in a line of its own next to one with a date, or in the line with the date.

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
    """Return a name that shares a line with a date, separated by a sign."""
    parts = _SIGN.split(line) if len(line) <= _MAX_INNER else []
    if len(parts) > 2:  # "Ann Lee | Reporter | 1 March 2024"
        parts = [part for part in parts if not _ROLE.search(part)]
    dated = [find_date(part)[1] is not None for part in parts]
    for place, part in enumerate(parts):
        is_beside = any(dated[max(place - 1, 0) : place + 2])
        name = _SECTION_AFTER_NAME.sub("", part).strip()
        if is_beside and not dated[place] and _is_plain_name(name):
            return name
    return None


def name_with_biography(lines: Sequence[str], below: Iterable[str]) -> list[str]:
    """Return a name below the headline if the page presents that person further down.

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
