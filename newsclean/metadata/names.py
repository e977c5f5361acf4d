"""Authors: from bylines as sites write them to a list of names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from newsclean.metadata.text import comparison_key, single_line

MAX_AUTHORS = 30
MAX_NAME = 80
MAX_NAME_WORDS = 7
MAX_SHOWN_WORDS = 5
MAX_BYLINE = 1000
MAX_SIGNATURE = 40
MAX_DEGREE = 6
#: News agencies; other short words in capitals after a name are degrees.
AGENCIES = frozenset(
    "AP AFP DPA APA SDA ATS AWP SID KNA EPD ANSA EFE PTI ANI IANS AAP PA UPI CP NTB TT STT RITZAU "
    "LUSA TASS RIA AA DHA IHA BTA MTI CTK PAP BNS ELTA LETA ANP BELGA KYODO JIJI BERNAMA".split()
)

_NOISE = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]"
    r"|(?:https?://|www\.)\S+|\b[\w.-]+\.\w{2,3}/\S*"
    r"|[^\s<>@]+@[^\s<>@]+\.\w+"  # e-mail
    r"|(?<!\w)@\w+"  # handle
)
_BY = re.compile(
    r"^(?:(?:written|posted|published|reported|reviewed|story|words|text|analysis|opinion)\s+)?"
    r"by\b[:\s]+|^(?:authors?|autor(?:a|es|en)?|auteure?s?|autore|автор|text|texte?o?)\s*:\s*",
    re.I,
)
# These are also parts of names (Von Miller): stripped only in front of a whole name.
_BY_ELSEWHERE = re.compile(r"^(?:von|par|por|di|door|av|af|od|przez|de)\s+(?=\S+\s+\S)", re.I)
_TRAILING_CLAUSE = re.compile(r"(?<=\w)\s+(?:for|in|at|on|updated|published|posted)\s.*$")
_LIST = re.compile(r"\s*[,;|•·、،\n\t]\s*|\s+[/–—-]\s+|\s+(?:with|mit|avec)\s+")
_AND = re.compile(r"\s+(?:and|und|et|y|e|i|en|og|och|ja|ve|и|та)\s+|\s*&\s*", re.I)
_SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv)\.?$", re.I)
_DEGREE = re.compile(
    r"^(?:m\.?d|ph\.?d|d\.?phil|j\.?d|m\.?b\.?a|m\.?p\.?h|r\.?n|r\.?d\.?n?|m\.?sc?|b\.?sc?|"
    r"m\.?a|b\.?a|d\.?d\.?s|d\.?o|l\.?c\.?s\.?w|c\.?f\.?[ap]|c\.?p\.?a|esq|f\.?a\.?n\.?d)\.?$",
    re.I,
)
_ROLE = re.compile(
    r"\b(?:editor|reporter|correspondent|writer|journalist|columnist|producer|contributor|"
    r"photographer|author|bureau chief|director|manager|coordinator|consultant|analyst|"
    r"expert|specialist|strategist|founder|ceo|professor|educator|head of|"
    r"redakteur(?:in)?|redacteur|journaliste|periodista|"
    r"giornalista|staff|attorney|lawyer|physician|coach|officer|president|chief|advisor|"
    r"adviser|engineer|developer|researcher|intern|fellow)s?\b",
    re.I,
)
_PARTICLES = frozenset(
    ["van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "le",
     "bin", "ibn", "al", "el", "y", "e"]
)  # fmt: skip
_NOT_IN_NAME = re.compile(
    r"[\d?!:|©]|['’]s\b|\b(?:by|posts?|more|read|view|follow|share|about|all|the|news|team|contact|"
    r"our|published|posted|updated|checked|policy|agreement|this|articles?)\b",
    re.I,
)
#: Two words that a template has put side by side, and not McNally, DeVito, LeBron or O'Neill.
_GLUED = re.compile(r"(?!(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|Al|El|Jo|Ma)[A-Z])[A-Z][a-z]+[A-Z]")
_NOT_IN_SIGNATURE = re.compile(
    r"[?!:|©.,;]|\b(?:posts?|more|read|view|follow|share|about|all|contact|our|published|posted|"
    r"updated|checked|policy|agreement|min|minutes?|your|you|this|that|category|get|app|sign|search|written|articles)\b",
    re.I,
)
_OF_HOUSE = re.compile(
    r"\b(?:team|staff|editors?|editorial|desk|newsroom|redaktion|rédaction|redacción|redazione|"
    r"admin|blog|magazine|media|group|inc|llc|ltd|gmbh|company|association|institute|foundation|"
    r"university|center|centre|agency|network|press|institut|verlag|online|marketing|software|"
    r"solutions|services|society|council|committee|department)\b|[@_\d]|(?<!\b\w)\.(?=\w)",
    re.I,
)
_TITLE = re.compile(r"^(?:(?:dr|prof|professor|mr|mrs|ms)\b\.?\s+)+", re.I)
_DOTTED = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+")  # an account or a host
_NOBODY = frozenset(
    ["admin", "administrator", "administrador", "root", "user", "guest", "unknown", "anonymous",
     "author", "editor", "webmaster", "wordpress", "null", "none", "undefined", "nan"]
)  # fmt: skip


@dataclass(slots=True)
class Byline:
    """An author as the page gives it; an organisation's name is never taken apart."""

    text: str
    organisation: bool = False


def author_names(bylines: Iterable[Byline], site_names: Iterable[str] = ()) -> list[str]:
    """The names in some bylines, each once; the site's own name only if it is alone.

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
        if key and not nobody and len(found) < MAX_AUTHORS:
            found.setdefault(key, name)
    people = [name for key, name in found.items() if key not in site]
    return people or list(found.values())


def names_in(byline: str, organisation: bool = False) -> list[str]:
    """The names of one byline, without roles, degrees, addresses and handles."""
    text = _NOISE.sub(" ", single_line(byline, MAX_BYLINE))
    text = _BY_ELSEWHERE.sub("", _BY.sub("", " ".join(text.split())))
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


def _is_degree(piece: str) -> bool:
    """Whether a piece after a name is a degree, a licence or a title in short."""
    bare = piece.strip("®™.")
    if bare.upper() in AGENCIES:
        return False
    is_short = bare.isupper() and bare.isascii() and len(bare) <= MAX_DEGREE and " " not in bare
    return bool(_DEGREE.match(piece)) or is_short


def has_role(text: str) -> bool:
    """Whether a text says what somebody does: `Senior Reporter`."""
    return _ROLE.search(text) is not None


def looks_like_name(text: str) -> bool:
    """Whether a text from the page itself can be a person's name.

    >>> looks_like_name("Ludwig van Beethoven"), looks_like_name("Read more"), looks_like_name("By")
    (True, False, False)
    """
    words = text.split()
    if not 2 <= len(words) <= MAX_SHOWN_WORDS or _ROLE.search(text) or _NOT_IN_NAME.search(text):
        return False
    if any(map(_GLUED.match, words)):
        return False
    return not any(word[0].islower() and word not in _PARTICLES for word in words)


def looks_like_signature(text: str) -> bool:
    """Whether a text after "by" can be who signed, be it a first name, a team or a house.

    >>> looks_like_signature("The Harbour Team"), looks_like_signature("clicking here")
    (True, False)
    """
    words = text.split()
    if not 1 <= len(words) <= MAX_SHOWN_WORDS or len(text) > MAX_SIGNATURE:
        return False
    if not text[0].isalnum() or text[0].islower() or _NOT_IN_SIGNATURE.search(text):
        return False
    return any(letter.isalpha() for letter in text) and comparison_key(text) not in _NOBODY


def is_person(name: str) -> bool:
    """Whether a name is rather a person's than that of a team, a house or an account.

    >>> is_person("Ann Lee"), is_person("Harbour Team"), is_person("annlee")
    (True, False, False)
    """
    if _OF_HOUSE.search(name):
        return False
    has_no_case = name.upper() == name.lower() and any(map(str.isalpha, name))
    return has_no_case or looks_like_name(name)


def without_title(name: str) -> str:
    """A name without what is put before it: `Dr. Ann Lee` is the `Ann Lee` of another source.

    >>> without_title("Prof. Dr. Ann Lee")
    'Ann Lee'
    """
    return _TITLE.sub("", name)


def _split_at_and(piece: str) -> list[str]:
    """Two names of "Ann Lee and Bob Ray", but one of "Ann and Bob Ray" and of "Ramón y Cajal"."""
    piece = re.sub(r"^(?:and|und|et|og|och)\s+|^&\s*", "", piece)
    sides = _AND.split(piece)
    if len(sides) > 1 and all(len(side.split()) > 1 for side in sides):
        return sides
    return [piece]


def _stripped(piece: str) -> str:
    piece = _BY.sub("", piece.strip(" \t,;:|/-–—•·*\"'“”")).strip()
    before = _TRAILING_CLAUSE.sub("", piece)
    return before if len(before.split()) > 1 else piece


def _trimmed(name: str) -> str:
    name = _stripped(name)
    words = name.split()
    if len(name) > MAX_NAME or len(words) > MAX_NAME_WORDS:
        return ""
    return name if any(letter.isalpha() for letter in name) else ""


def host_names(url: str | None) -> list[str]:
    """`dailynews.co.uk` and `dailynews`: sites sign with their host, too."""
    try:
        host = (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        return []
    labels = [label for label in host.split(".")[:-1] if len(label) > 3]
    return [host, *labels] if host else []


def first_name_first(name: str) -> str:
    """The "Lee, Ann" of library catalogues as "Ann Lee"."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and "," not in first else name
