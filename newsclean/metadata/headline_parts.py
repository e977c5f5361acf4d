"""What is printed with a headline: the kicker above or before it, and the lead below it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from lxml.html import HtmlElement

from newsclean.metadata.headline_area import Lines
from newsclean.metadata.text import comparison_key, single_line

MAX_KICKER = 80
MAX_KICKER_WORDS = 8
MIN_LEAD_WORDS = 5
MAX_LEAD = 1000
#: Elements before and after an h1 that may be its kicker and its lead.
MAX_SIBLINGS = 3
#: Lines below the headline among which the lead is.
MAX_LINES_BELOW = 8
#: A description that is cut says at least this many letters of the lead.
MIN_SAME_LETTERS = 60
#: By these most lines are told from a description without a look at all of them.
LETTERS_COMPARED_FIRST = 20

#: What is between kicker and headline.
SEPARATORS = " \t\n\r\xa0:|–—-/•·"

_KICKER = re.compile(
    r"kicker|overline|eyebrow|topline|top-line|roofline|dachzeile|spitzmarke|supertitle|surtitle|"
    r"pretitle|pre-title|preheadline|antetitulo|antetítulo|occhiello|surtitre|stikktittel|vignette",
    re.I,
)
_LEAD = re.compile(
    r"standfirst|(?:^|[\s_-])(?:lead|lede|dek|deck|intro|ingress|chapo|excerpt|summary)(?:[\s_-]|$)|"
    r"sub-?(?:title|head|headline)|vorspann|bajada|sottotitolo|sommario|entradilla",
    re.I,
)


def split_heading(heading: HtmlElement) -> tuple[str, str]:
    """The kicker within a heading, empty if there is none, and the rest of its text."""
    text = "".join(islice(heading.itertext(), 100))
    if heading.text and heading.text.strip():
        return "", text
    for element in islice(heading.iterdescendants(), MAX_SIBLINGS):
        if isinstance(element.tag, str) and _is(_KICKER, element):
            kicker = "".join(element.itertext())
            rest = text.lstrip().removeprefix(kicker.lstrip())
            rest = rest.lstrip(SEPARATORS)
            if _is_kicker(kicker) and rest:
                return kicker, rest
    return "", text


def without_kicker(headline: str, named: Iterable[object]) -> tuple[str, str]:
    """A shown headline without the kicker that is glued on, by what the head calls the article.

    >>> without_kicker("Premier League Rovers win again", ["Rovers win again"])
    ('Premier League', 'Rovers win again')
    """
    words = headline.split()
    whole = comparison_key(headline)
    for line in dict.fromkeys(single_line(value, len(headline)) for value in named):
        if not line or line == headline:
            continue
        key = comparison_key(line)
        if not key or key == whole or not whole.endswith(key):
            continue
        for n in range(1, min(MAX_KICKER_WORDS, len(words) - 1) + 1):
            if comparison_key(" ".join(words[n:])) == key:
                before = " ".join(words[:n])
                kicker = before.rstrip(SEPARATORS)
                # One word alone, "The", may belong to the headline.
                is_apart = kicker != before or n > 1
                if is_apart and len(words) - n > n and _is_kicker(kicker):
                    return kicker, " ".join(words[n:])
    return "", headline


def kicker_above(headings: Iterable[HtmlElement]) -> Iterator[str]:
    """The texts above headings, in elements whose class says that they are kickers."""
    for heading in headings:
        for sibling in islice(heading.itersiblings(preceding=True), MAX_SIBLINGS):
            if isinstance(sibling.tag, str) and _is(_KICKER, sibling):
                text = " ".join("".join(islice(sibling.itertext(), 20)).split())
                if _is_kicker(text):
                    yield text


def shown_lead(
    lines: Lines, headline: str | None, descriptions: Sequence[str], headings: Sequence[HtmlElement]
) -> str | None:
    """The lead below the headline: what the description says too, or what its class calls so."""
    keys = [key for text in dict.fromkeys(descriptions) if (key := comparison_key(text))]
    for line in _lines_below(lines, headline) if keys else ():
        begin = comparison_key(line[:LETTERS_COMPARED_FIRST])
        if any(key.startswith(begin[: len(key)]) for key in keys):
            key = comparison_key(line)
            if len(line.split()) >= MIN_LEAD_WORDS and any(_is_same(key, other) for other in keys):
                return line
    for heading in headings:
        for sibling in islice(heading.itersiblings(), MAX_SIBLINGS):
            if isinstance(sibling.tag, str) and _is(_LEAD, sibling):
                text = single_line("".join(islice(sibling.itertext(), 50)), MAX_LEAD + 1)
                if len(text.split()) >= MIN_LEAD_WORDS and len(text) <= MAX_LEAD:
                    return text
    return None


def _lines_below(lines: Lines, headline: str | None) -> Iterator[str]:
    key = comparison_key(headline or "") if lines.h1 else ""
    for place in lines.h1:
        if key and key in comparison_key(lines.text[place]):
            yield from lines.text[place + 1 : place + 1 + MAX_LINES_BELOW]
            return


def _is_same(line: str, description: str) -> bool:
    """Whether a line says what a description says, which may be cut."""
    return line == description or (
        len(description) >= MIN_SAME_LETTERS and line.startswith(description)
    )


def _is(pattern: re.Pattern[str], element: HtmlElement) -> bool:
    get = element.get
    return bool(pattern.search(f"{get('class', '')} {get('itemprop', '')} {get('id', '')}"))


def _is_kicker(text: str) -> bool:
    return 0 < len(text.strip()) <= MAX_KICKER and len(text.split()) <= MAX_KICKER_WORDS
