"""How much noise is in an index of articles: phrases of real pages, looked for in three indexes.

    python benchmarks/noise_in_index.py CORPUS --out FOLDER [--sample N] [--phrases 10]

Each article page of the corpus is indexed three times: with newsclean's text, with trafilatura's
and with all of its text. Then phrases of five words are looked for, in each index and on the page
that they are from: some of the gold text, which should be found, and some of what is on the page
and not in the gold, nor in the title and the headline, which should not.

As in `newsclean evaluate`, each page is read with the other pages of its site as neighbors, and by
a model that has not seen its publisher. FOLDER gets the three indexes; a run that was broken off
goes on there; with fewer phrases, the first of those that were drawn are looked for. With another
version of newsclean, take another folder.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from newsclean.apps.search import SearchRequest, open_search, open_target
from newsclean.apps.search.search_words import folded, letter_pattern, normalized, words_in
from newsclean.cli.terminal import Progress
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.extraction.page import Page, PageError
from newsclean.lab.evaluate.corpus import Corpus, Gold, read_corpus, read_page
from newsclean.lab.evaluate.measures import ratio
from newsclean.lab.evaluate.peers import PEERS, Source, quiet
from newsclean.lab.evaluate.systems import (
    System,
    article_text,
    cross_validation_warning,
    draw,
    neighborhood_of,
)
from newsclean.lab.folds import method_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from newsclean.apps.search import SearchIndex

NEWSCLEAN, TRAFILATURA, WHOLE_PAGE = TEXTS = ("newsclean", "trafilatura", "whole page")
KINDS = ("noise", "article")
#: Pages that are indexed at once.
BATCH = 20
#: Lines of progress in a log.
LOG_LINES = 20
#: Words of a phrase.
WORDS = 5
#: Letters that count as one word where a script puts no spaces between words.
LETTERS = 2
#: A longer phrase is an address or data and no text.
MAX_CHARACTERS = 300

_NO_PART_OF_A_PHRASE = re.compile(r'[\s"“”„«»]+')


@dataclass(frozen=True)
class Found:
    """The phrases of one page: of each kind how many there are, and how many each index finds."""

    collection: str
    asked: dict[str, int]
    found: dict[tuple[str, str], int]


def texts_of(gold: Gold, others: tuple[Gold, ...], body: bytes) -> dict[str, str]:
    """The three texts of a page; one that cannot be had is empty."""
    method = method_for(DEFAULT_METHOD, gold.site)
    hood = neighborhood_of(draw(gold, others, "all"), method)
    texts = dict.fromkeys(TEXTS, "")
    try:
        texts[NEWSCLEAN] = article_text(body, Extractor(method), hood, gold)
        texts[WHOLE_PAGE] = "\n".join(Page.from_html(body, gold.url).blocks.text)
    except PageError as error:
        print(f"{gold.name}: {error}", file=sys.stderr)
    with quiet():
        texts[TRAFILATURA] = PEERS[TRAFILATURA].text(Source(body))
    return texts


def headlines(gold: Gold, body: bytes) -> list[str]:
    """What is neither noise nor text: the title, and the headline wherever it is repeated."""
    page = Page.from_html(body, gold.url)
    elements = [*page.elements("title"), *page.elements("h1")]
    return [gold.title or "", *(" ".join(map(str, each.itertext())) for each in elements)]


def lines_of(gold: Gold, others: tuple[Gold, ...], count: int) -> dict[str, dict[str, Any]]:
    """The page as each index takes it; its phrases are kept with it."""
    body = read_page(gold.path)
    texts = texts_of(gold, others, body)
    # The optional paragraphs of a gold are neither.
    article = [*gold.versions, *headlines(gold, body)] if texts[WHOLE_PAGE] else []
    phrases = {
        "noise": noise_phrases(texts[WHOLE_PAGE], article, count, gold.name),
        "article": article_phrases(gold.versions[-1], count, gold.name),
    }
    about = {"id": gold.name, "language": gold.language, "phrases": phrases}
    return {name: {**about, "body": text, "site": site_of(gold)} for name, text in texts.items()}


def site_of(gold: Gold) -> str:
    """A site of its own for each page, by which a search is for that page alone."""
    return f"{gold.name}.invalid".lower()


def index_pages(corpus: Corpus, files: dict[str, Path], count: int) -> None:
    """Index the pages that the indexes do not have yet."""
    targets = {name: open_target(str(path)) for name, path in files.items()}
    # The last one written has a page only if the others have it.
    known = open_search(str(files[WHOLE_PAGE]))
    golds = sorted(corpus.golds, key=lambda gold: (gold.collection, gold.site))
    missing = [gold for gold in golds if known.article(gold.name) is None]
    known.close()
    with Progress(lines=LOG_LINES) as progress:
        done = len(golds) - len(missing)
        for start in range(0, len(missing), BATCH):
            some = missing[start : start + BATCH]
            lines = [lines_of(gold, corpus.others(gold), count) for gold in some]
            for name, target in targets.items():
                written = target.write([line[name] for line in lines])
                if written.refused:
                    raise SystemExit(f"refused: {written.refused[0].reason}")
            done += len(some)
            progress.update("indexing", done, len(golds))
    for target in targets.values():
        target.close()


def look_for(corpus: Corpus, files: dict[str, Path], count: int) -> list[Found]:
    """Look for the phrases of each page, or for the first of those that were drawn."""
    indexes = {name: open_search(str(path)) for name, path in files.items()}
    found = []
    with Progress(lines=LOG_LINES) as progress:
        for done, gold in enumerate(corpus.golds, 1):
            line = indexes[WHOLE_PAGE].article(gold.name)
            assert line is not None
            phrases: dict[str, list[str]] = {k: line["phrases"][k][:count] for k in KINDS}
            counts = {
                (kind, name): sum(has(index, gold, phrase) for phrase in phrases[kind])
                for kind in KINDS
                for name, index in indexes.items()
            }
            asked = {kind: len(phrases[kind]) for kind in KINDS}
            found.append(Found(gold.collection, asked, counts))
            progress.update("searching", done, len(corpus.golds))
    return found


def has(index: SearchIndex, gold: Gold, phrase: str) -> bool:
    """Whether a search for a phrase finds a page; hits after the last are counted, not shown."""
    request = SearchRequest(f'body:"{phrase}"', (site_of(gold),), limit=0, offset=1)
    return index.search(request).total > 0


def table(found: list[Found], kind: str, title: str) -> list[str]:
    """A row a collection: the share of the phrases that each index finds, with its interval."""
    lines = [
        f"| {title} | pages | phrases | {' | '.join(TEXTS)} |",
        "| --- | ---: | ---: |" + " ---: |" * len(TEXTS),
    ]
    for collection in [*dict.fromkeys(each.collection for each in found), "all"]:
        some = [each for each in found if collection in (each.collection, "all")]
        asked = [each.asked[kind] for each in some]
        cells = []
        for name in TEXTS:
            share = ratio([each.found[kind, name] for each in some], asked)
            cells.append("–" if share is None else f"{share.mean:.1%} ±{half(share):.1%}")
        lines.append(
            f"| {collection} | {len(some):,} | {sum(asked):,} | {' | '.join(cells)} |".replace(
                "%", " %"
            )
        )
    return lines


def half(share: Any) -> float:
    return float(share.high - share.low) / 2


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="a folder for the three indexes")
    parser.add_argument("--sample", type=int, help="pages of each collection; default: all")
    parser.add_argument("--phrases", type=int, default=10, help="of each kind and page")
    options = parser.parse_args()
    corpus = read_corpus(options.corpus)
    if options.sample:
        corpus = corpus.sample(options.sample)
    sites = [gold.site for gold in corpus.golds]
    if warning := cross_validation_warning([System(DEFAULT_METHOD)], sites):
        print(warning, file=sys.stderr)
    options.out.mkdir(parents=True, exist_ok=True)
    files = {name: options.out / f"{name.replace(' ', '-')}.sqlite" for name in TEXTS}
    index_pages(corpus, files, options.phrases)
    found = look_for(corpus, files, options.phrases)
    print("\n".join(table(found, "noise", "phrases outside the gold that are found")))
    print()
    print("\n".join(table(found, "article", "phrases of the gold that are found")))
    for name in TEXTS:
        pages = sum(each.found["noise", name] > 0 for each in found)
        print(f"\n{name}: noise is found on {pages:,} of {len(found):,} pages", end="")
    print()
    return 0


class Unit(NamedTuple):
    """A word of a text, or some letters of a script without spaces, and where it is."""

    first: int
    after: int
    plain: str


def units_of(text: str) -> list[Unit]:
    """The units of a normalized text, as an index compares them.

    >>> [unit.plain for unit in units_of("Rain in 北京市")]
    ['rain', 'in', '北京', '市']
    """
    return [unit for unit in _units(text) if unit.plain]


def article_phrases(gold: str, count: int, seed: str) -> list[str]:
    """Phrases of a gold text, each within one of its lines; always the same for a seed."""
    found: dict[tuple[str, ...], str] = {}
    for line in normalized(gold).splitlines():
        units = units_of(line)
        for place, words in enumerate(_runs(units)):
            found.setdefault(words, _written(line, units, place))
    return _drawn(found.values(), count, seed)


def noise_phrases(page: str, article: Iterable[str], count: int, seed: str) -> list[str]:
    """Phrases of a page's text that have nothing of its article in them; the same for a seed.

    None of their words is in a run of `WORDS` words that a text of `article` has as well. They may
    begin in one block and end in another, for the entries of a menu are shorter than a phrase.

    >>> noise_phrases("It rains all day long. Home News Sport Money Weather", ["It rains all day "
    ...               "long."], 3, "")
    ['Home News Sport Money Weather']
    """
    known = {words for text in article for words in _runs(units_of(normalized(text)))}
    text = normalized(page)
    units = units_of(text)
    runs = list(_runs(units))
    is_article = [False] * len(units)
    for place, words in enumerate(runs):
        if words in known:
            is_article[place : place + WORDS] = [True] * WORDS
    found: dict[tuple[str, ...], str] = {}
    for place, words in enumerate(runs):
        if not any(is_article[place : place + WORDS]):
            found.setdefault(words, _written(text, units, place))
    return _drawn(found.values(), count, seed)


def _units(text: str) -> Iterator[Unit]:
    for word in words_in(text):
        if not word.is_paired:
            yield Unit(word.first, word.after, folded(word.text))
            continue
        letters = list(letter_pattern().finditer(word.text))
        for place in range(0, len(letters), LETTERS):
            some = letters[place : place + LETTERS]
            first, after = some[0].start(), some[-1].end()
            yield Unit(word.first + first, word.first + after, folded(word.text[first:after]))


def _runs(units: Sequence[Unit]) -> Iterator[tuple[str, ...]]:
    """All phrases of a text, by their words."""
    words = [unit.plain for unit in units]
    for place in range(len(words) - WORDS + 1):
        yield tuple(words[place : place + WORDS])


def _written(text: str, units: Sequence[Unit], place: int) -> str:
    """A phrase as it is in its text, without what would end it in a query."""
    written = text[units[place].first : units[place + WORDS - 1].after]
    return _NO_PART_OF_A_PHRASE.sub(" ", written)


def _drawn(phrases: Iterable[str], count: int, seed: str) -> list[str]:
    fit = [phrase for phrase in phrases if len(phrase) <= MAX_CHARACTERS]
    return random.Random(seed).sample(fit, min(count, len(fit)))


if __name__ == "__main__":
    sys.exit(main())
