"""Headline, kicker and lead of an article, and the visible lines around its headline.

The h1 is what readers see; the titles of the head are often cut, or reworded for search engines.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import itemgetter

from lxml.html import HtmlElement

from newsclean.extraction.metadata.dates import iso_date
from newsclean.extraction.metadata.page_sources import DESCRIPTION, HEADLINE, Lines, PageSources
from newsclean.extraction.text import comparison_key, single_line
from newsclean.urls import url_key

#: Class names of kickers and leads in the languages of news.
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

MAX_HEADLINE = 400
_MAX_H1 = 50  # more are a listing
_MAX_LINKS = 100  # searched for one to the front page, which is at the top
_MAX_NAME = 100  # of a site, in such a link
_MAX_LOGOS = 3
_MAX_PIECES = 20
#: How alike an h1 and a title of the head must be for the h1 to be the headline.
_MIN_AGREEMENT = 0.4
#: A single h1 with at least this many words is a headline, whatever the head says.
_MIN_LONG_H1_WORDS = 8
#: A shorter one may be the name of a section: it needs this many words, and twice the head's.
_MIN_SHORT_H1_WORDS = 4

_MAX_KICKER = 80
_MAX_KICKER_WORDS = 8
_MIN_LEAD_WORDS = 5
_MAX_LEAD = 1000
_MAX_DESCRIPTIONS = 5
#: Elements before and after an h1 that may be its kicker and its lead.
_MAX_SIBLINGS = 3
#: Lines below the headline among which the lead is.
_MAX_LINES_BELOW = 8
#: Letters that a description, which may be cut, and the lead have in common at least.
_MIN_SAME_LETTERS = 60
#: Letters that are compared first: most lines differ there.
_LETTERS_COMPARED_FIRST = 20

#: Lines above and below the headline that may belong to it, and those next to it.
_MAX_ABOVE = 4
_MAX_BELOW = 12
_MAX_NEAREST = 6
#: Characters of a line that may be a byline or a date; a longer one is running text.
_MAX_LINE = 160
#: The article has begun after this many lines with at least this many characters.
_MAX_PARAGRAPHS = 2
_MIN_PARAGRAPH = 250
#: Places of the headline: in the breadcrumbs, in a bar at the top, and itself.
_MAX_PLACES = 3
#: How much longer the visible headline may be, with a label or a mark.
_MAX_LONGER = 1.5

#: Between kicker and headline.
_SEPARATORS = " \t\n\r\xa0:|–—-/•·"
_SEPARATOR = re.compile(r"\s+(?:[|\-–—·•:»«/~]|::|\|\|)\s+|\s*[|»]\s*|:\s+")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}", re.I)


@dataclass(frozen=True)
class HeadlineArea:
    """Short lines around the headline, the nearest first."""

    below: tuple[str, ...] = ()
    above: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[str]:
        yield from self.below
        yield from self.above

    @property
    def nearest(self) -> Iterator[str]:
        """The lines that hardly belong to anything else."""
        yield from self.below[:_MAX_NEAREST]
        yield from self.above[: _MAX_NEAREST // 2]


@dataclass(frozen=True, eq=False)
class HeadlineFields:
    """Headline, kicker and lead of one page."""

    sources: PageSources

    @property
    def headline(self) -> str | None:
        return self._parts[1]

    @cached_property
    def kicker(self) -> str | None:
        glued = single_line(self._parts[0], _MAX_KICKER)
        above = _kicker_above(self._headings) if self.headline else iter(())
        kicker = glued or next((single_line(text, _MAX_KICKER) for text in above), "")
        if not kicker:
            return None
        others = {comparison_key(name) for name in (*self.sources.own_names, self.headline or "")}
        return None if comparison_key(kicker) in others else kicker

    @cached_property
    def lead(self) -> str | None:
        data, meta = self.sources.data, self.sources.meta
        described = [*data.strings(data.article.get("description")), *meta.each(*DESCRIPTION)]
        lines, descriptions = self.sources.lines(), described[:_MAX_DESCRIPTIONS]
        found = _visible_lead(lines, self.headline, descriptions, self._headings)
        return single_line(found, _MAX_LEAD) or None

    @cached_property
    def area(self) -> HeadlineArea:
        return _headline_area(self.sources.lines(), self.headline)

    @cached_property
    def _headings(self) -> list[HtmlElement]:
        return list(islice(self.sources.elements("h1"), _MAX_H1))

    @cached_property
    def _parts(self) -> tuple[str, str | None]:
        """Kicker and headline."""
        data, meta, elements = self.sources.data, self.sources.meta, self.sources.elements
        first, *others = HEADLINE
        named = [*data.strings(data.article.get("headline")), *meta.each(first)]
        named += [*data.strings(data.article.get("name")), *meta.each(*others)]
        parts = [_split_heading(heading) for heading in self._headings]
        title = next(("".join(element.itertext()) for element in elements("title")), "")
        sites = [*self.sources.own_names, *_front_page_names(elements("a"), self.sources.base)]
        chosen = _choose_headline(named, [rest for _, rest in parts], title, sites)
        if chosen is None:
            return "", single_line(title, MAX_HEADLINE) or None  # only the site's name
        kickers = {single_line(rest, MAX_HEADLINE): kicker for kicker, rest in parts if kicker}
        if chosen in kickers:
            return kickers[chosen], chosen
        return _without_kicker(chosen, [*named, title])


def _front_page_names(links: Iterable[HtmlElement], url: str | None) -> Iterator[str]:
    """Yield the texts of links to the site's front page: the logo gives the site's name."""
    labels = url_key(url).partition("/")[0].split(".")
    hosts = [".".join(labels[i:]) for i in range(len(labels) - 1)]
    hosts += [f"www.{host}" for host in hosts]
    homes = {"", *(f"{scheme}//{host}" for host in hosts for scheme in ("", "http:", "https:"))}
    for link in islice(links, _MAX_LINKS):
        href = link.get("href")
        if href and href.rstrip("/") in homes:
            texts = [link.get("title"), link.get("aria-label")]
            texts += [image.get("alt") for image in islice(link.iter("img"), _MAX_LOGOS)]
            texts.append("".join(islice(link.itertext(), _MAX_PIECES)))
            yield from (text for text in texts if text and len(text) <= _MAX_NAME)


def _choose_headline(
    named: Iterable[object], h1: Iterable[str], title: str, site_names: Iterable[str]
) -> str | None:
    """Return the h1 that agrees with the head, else what the head calls the page.

    The head may also say less than the h1: only "Bridge", or only the name of the site. `named` are
    the values of JSON-LD, OpenGraph and the like, the most trusted first.
    """
    sites = {key for key in map(comparison_key, site_names) if key}
    headings = [
        line
        for line in (single_line(text, MAX_HEADLINE + 100) for text in h1)
        if 0 < len(line) <= MAX_HEADLINE and comparison_key(line) not in sites
    ]
    for value in [*named, title]:
        line = _without_site(single_line(value, MAX_HEADLINE), headings, sites)
        if not line or comparison_key(line) in sites:
            continue
        likeness, best = max(
            ((_agreement(line, text), text) for text in headings),
            default=(0.0, ""),
            key=itemgetter(0),
        )
        if likeness >= _MIN_AGREEMENT:
            return best
        if len(headings) == 1 and _says_more(headings[0], line):
            return headings[0]
        return next((text for text in headings if _has_all_words_of(text, line)), line)
    return headings[0] if headings else None


def _without_site(line: str, headings: Sequence[str], sites: set[str]) -> str:
    """Return a title without the site's name, if that name is known or an h1 is the rest.

    An h1 at the end of a title with longer parts is the site's name, its logo. A host name or a
    date at either end is removed, too.

    >>> _without_site("Rain on Monday | Daily News", [], {"dailynews"})
    'Rain on Monday'
    >>> _without_site("Rain - a poem", [], {"dailynews"})
    'Rain - a poem'
    >>> _without_site("Rain on Monday - Weather", ["Rain on Monday"], set())
    'Rain on Monday'
    """
    keys = set(map(comparison_key, headings))
    if comparison_key(line) in keys:
        return line
    longest = max(map(len, _SEPARATOR.split(line)))
    separators = list(_SEPARATOR.finditer(line))
    for found in reversed(separators[:3] + separators[3:][-3:]):
        before, after = line[: found.start()].strip(), line[found.end() :].strip()
        if after and comparison_key(after) in keys and len(after) >= longest:
            return after
        if before and (comparison_key(before) in keys or comparison_key(after) in keys):
            return _without_site(before, headings, sites)
        for rest, part in ((before, after), (after, before)):
            if rest and _is_site(part, sites):
                return _without_site(rest, headings, sites)
    return line


def _is_site(part: str, sites: set[str]) -> bool:
    return (
        comparison_key(part) in sites or bool(_HOST.fullmatch(part)) or iso_date(part) is not None
    )


def _agreement(one: str, other: str) -> float:
    """Return how alike two lines are in any script, from 0 to 1: Dice over pairs of letters.

    >>> _agreement("Rain on Monday", "Rain on Monday!")
    1.0
    """
    a, b = _letter_pairs(one), _letter_pairs(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _letter_pairs(line: str) -> set[str]:
    letters = comparison_key(line)
    return {letters[i : i + 2] for i in range(len(letters) - 1)} or {letters} - {""}


def _says_more(text: str, line: str) -> bool:
    """Whether the only h1, rather than a title that is nothing like it, is the headline."""
    words = len(text.split())
    return words >= _MIN_LONG_H1_WORDS or words >= max(2 * len(line.split()), _MIN_SHORT_H1_WORDS)


def _has_all_words_of(text: str, line: str) -> bool:
    """Whether a longer text has all words of a line."""
    words = set(text.casefold().split())
    return len(line) < len(text) and words.issuperset(line.casefold().split())


def _split_heading(heading: HtmlElement) -> tuple[str, str]:
    """Return the kicker inside a heading, if any, and the rest of its text."""
    text = "".join(islice(heading.itertext(), 100))
    if heading.text and heading.text.strip():
        return "", text
    for element in islice(heading.iterdescendants(), _MAX_SIBLINGS):
        if isinstance(element.tag, str) and _is(_KICKER, element):
            kicker = "".join(element.itertext())
            rest = text.lstrip().removeprefix(kicker.lstrip()).lstrip(_SEPARATORS)
            if _is_kicker(kicker) and rest:
                return kicker, rest
    return "", text


def _without_kicker(headline: str, named: Iterable[object]) -> tuple[str, str]:
    """Split a visible headline from a kicker without markup, by what the head calls the article.

    >>> _without_kicker("Premier League Rovers win again", ["Rovers win again"])
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
        for n in range(1, min(_MAX_KICKER_WORDS, len(words) - 1) + 1):
            if comparison_key(" ".join(words[n:])) == key:
                before = " ".join(words[:n])
                kicker = before.rstrip(_SEPARATORS)
                # One word alone, "The", may belong to the headline.
                is_apart = kicker != before or n > 1
                if is_apart and len(words) - n > n and _is_kicker(kicker):
                    return kicker, " ".join(words[n:])
    return "", headline


def _kicker_above(headings: Iterable[HtmlElement]) -> Iterator[str]:
    """Yield the texts above headings whose class names call them kickers."""
    for heading in headings:
        for sibling in islice(heading.itersiblings(preceding=True), _MAX_SIBLINGS):
            if isinstance(sibling.tag, str) and _is(_KICKER, sibling):
                text = " ".join("".join(islice(sibling.itertext(), 20)).split())
                if _is_kicker(text):
                    yield text


def _is_kicker(text: str) -> bool:
    return 0 < len(text.strip()) <= _MAX_KICKER and len(text.split()) <= _MAX_KICKER_WORDS


def _is(pattern: re.Pattern[str], element: HtmlElement) -> bool:
    get = element.get
    return bool(pattern.search(f"{get('class', '')} {get('itemprop', '')} {get('id', '')}"))


def _visible_lead(
    lines: Lines, headline: str | None, descriptions: Sequence[str], headings: Sequence[HtmlElement]
) -> str | None:
    """Return the text below the headline that repeats a description or has the class of a lead."""
    keys = [key for text in dict.fromkeys(descriptions) if (key := comparison_key(text))]
    for line in _lines_below(lines, headline) if keys else ():
        begin = comparison_key(line[:_LETTERS_COMPARED_FIRST])
        if any(key.startswith(begin[: len(key)]) for key in keys):
            key = comparison_key(line)
            if len(line.split()) >= _MIN_LEAD_WORDS and any(_is_same(key, other) for other in keys):
                return line
    for heading in headings:
        for sibling in islice(heading.itersiblings(), _MAX_SIBLINGS):
            if isinstance(sibling.tag, str) and _is(_LEAD, sibling):
                text = single_line("".join(islice(sibling.itertext(), 50)), _MAX_LEAD + 1)
                if len(text.split()) >= _MIN_LEAD_WORDS and len(text) <= _MAX_LEAD:
                    return text
    return None


def _lines_below(lines: Lines, headline: str | None) -> Iterator[str]:
    key = comparison_key(headline or "") if lines.h1 else ""
    for place in lines.h1:
        if key and key in comparison_key(lines.text[place]):
            yield from lines.text[place + 1 : place + 1 + _MAX_LINES_BELOW]
            return


def _is_same(line: str, description: str) -> bool:
    """Whether a line says what a description says, which may be cut."""
    return line == description or (
        len(description) >= _MIN_SAME_LETTERS and line.startswith(description)
    )


def _headline_area(page_lines: Lines, headline: str | None) -> HeadlineArea:
    """Return the lines around the headline, if the page shows it.

    An h1 with the headline is its place, else any line with it.

    >>> lines = Lines(["Menu", "Rain again", "By Ann Lee", "It rained."])
    >>> _headline_area(lines, "Rain Again").below
    ('By Ann Lee', 'It rained.')
    """
    lines = page_lines.text
    key = comparison_key(headline or "")
    if not key or headline is None:
        return HeadlineArea()
    keys = {n: comparison_key(lines[n]) for n in page_lines.h1}
    places = [n for n in page_lines.h1 if keys[n] == key]
    if not places:
        shortest, longest = len(key), _MAX_LONGER * len(headline) + 10
        near = [n for n, line in enumerate(lines) if shortest <= len(line) <= longest]
        keys = {n: comparison_key(lines[n]) for n in near}
        places = [n for n in near if keys[n] == key] or [n for n in near if key in keys[n]]
    places = places[:_MAX_PLACES]
    below: dict[int, str] = {}
    above: dict[int, str] = {}
    for place in reversed(places):
        for n in _below(lines, place):
            below.setdefault(n, lines[n])
    for place in reversed(places):
        for n in range(place - 1, max(place - 1 - _MAX_ABOVE, -1), -1):
            if len(lines[n]) <= _MAX_LINE and n not in below and keys.get(n) != key:
                above.setdefault(n, lines[n])
    return HeadlineArea(tuple(below.values()), tuple(above.values()))


def _below(lines: Sequence[str], place: int) -> Iterator[int]:
    """Yield the short lines after a headline, up to where the article has begun."""
    paragraphs = 0
    for n in range(place + 1, min(place + 1 + _MAX_BELOW, len(lines))):
        paragraphs += len(lines[n]) >= _MIN_PARAGRAPH
        if paragraphs == _MAX_PARAGRAPHS:
            return
        if len(lines[n]) <= _MAX_LINE:
            yield n
