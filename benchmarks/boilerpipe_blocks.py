"""`boilerpipe:paper` against boilerpy3's ArticleExtractor, block by block, and why they differ.

    python benchmarks/boilerpipe_blocks.py CORPUS [--sample N]

A block of ours is compared with what boilerpy3 has decided on the same words. Where the two differ,
our filters run once more on the blocks that boilerpy3 has made of the page: if they then decide as
it did, the blocks are the cause (cut or counted otherwise, here or elsewhere on the page); if not,
the end marks or the title are, found by taking over boilerpy3's own ones. Needs `newsclean[bench]`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from boilerpy3 import filters
from boilerpy3.document import DefaultLabels
from boilerpy3.extractors import ArticleExtractor, Extractor
from rich.console import Console
from rich.table import Table
from sampled_corpus import sampled_corpus

from newsclean.lab.cli.results import result_console
from newsclean.lab.evaluate.alignment import align, tokens
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.peers import Source, quiet
from newsclean.lab.evaluate.progress import shown
from newsclean.methods import boilerpipe
from newsclean.methods.ignored_tags import ignored
from newsclean.methods.page_title import title_of
from newsclean.page import Page, PageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.page.columns import Mask

#: Counts by name, or by name and cause.
Tally = Counter[str | tuple[str, str]]

PARAMETERS = boilerpipe.PAPER
#: A block is read, or chosen, by the other side if so much of its words are.
SHARE = 0.5

NOTHING = "boilerpy3 finds no article on the page"
CUT = "the block is cut otherwise"
WORDS = "its words are counted otherwise"
LINKS = "its words in links are counted otherwise"
NEIGHBORS = "the block before or after it is another one, or counted otherwise"
ELSEWHERE = "other blocks on the page make another stretch the largest, or join or part it"
END_MARKS = "an end mark that only one of them knows"
TITLE = "a headline that only one of them finds in the title"
UNKNOWN = "none of these"
CAUSES = (NOTHING, CUT, WORDS, LINKS, NEIGHBORS, ELSEWHERE, END_MARKS, TITLE, UNKNOWN)


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of a page as one side has made them, and what it decided."""

    texts: Sequence[str]
    features: boilerpipe.Features
    #: by the number of words and link density alone
    by_rule: Mask
    chosen: Mask


@dataclass(frozen=True, eq=False)
class Oracle(Blocks):
    """With the steps on boilerpy3's way."""

    #: content as far as the end marks
    before_end: Mask
    says_title: Mask
    title: str


def our_blocks(page: Page) -> Blocks:
    everything = np.ones(len(page), dtype=bool)
    eligible = ~ignored(page, boilerpipe.IGNORED, everything, PARAMETERS.largest_share)
    features = boilerpipe.measure(page, eligible)
    texts = page.blocks.text
    content = boilerpipe.content_blocks(features, texts, PARAMETERS)
    chosen, _ = boilerpipe.article_blocks(features, texts, title_of(page), content, PARAMETERS)
    texts = [texts[block] for block in features.block]
    return Blocks(texts, features, boilerpipe.classify(features, PARAMETERS), chosen)


def oracle_blocks(html: str) -> Oracle:
    """From boilerpy3's public classes; a text element is in one block, and a merged one has all."""
    steps = (
        filters.TerminatingBlocksFinder(),
        filters.DocumentTitleMatchClassifier(None, True),
        filters.NumWordsRulesClassifier(),
    )
    document = Extractor(filters.FilterChain(list(steps)), raise_on_failure=False).get_doc(html)
    blocks = document.text_blocks
    by_rule = np.array([block.is_content for block in blocks], dtype=bool)
    filters.IgnoreBlocksAfterContentFilter().process(document)
    article = ArticleExtractor(raise_on_failure=False).get_doc(html)
    kept = set().union(*(b.contained_text_elements for b in article.text_blocks if b.is_content))
    return Oracle(
        texts=[block.text for block in blocks],
        features=boilerpipe.Features(
            block=np.arange(len(blocks)),
            words=np.array([block.num_words for block in blocks], dtype=np.int64),
            link_density=np.array([float(block.link_density) for block in blocks]),
            eligible=np.ones(len(blocks), dtype=bool),
        ),
        by_rule=by_rule,
        chosen=np.array([block.contained_text_elements <= kept for block in blocks], dtype=bool),
        before_end=np.array([block.is_content for block in blocks], dtype=bool),
        says_title=np.array([block.has_label(DefaultLabels.TITLE) for block in blocks], dtype=bool),
        title=document.title or "",
    )


@dataclass(frozen=True, eq=False)
class Match:
    """What boilerpy3 has made of the words of one of our blocks."""

    #: how many words of the block stand in each of boilerpy3's blocks
    shares: dict[int, int]
    words: int
    #: the one block that has the same words, -1 if there is none
    same: int

    @property
    def read(self) -> bool:
        return sum(self.shares.values()) >= SHARE * self.words

    def chosen(self, mask: Mask) -> bool:
        """Whether a choice among boilerpy3's blocks takes this block of ours."""
        taken = sum(words for block, words in self.shares.items() if mask[block])
        return taken >= SHARE * sum(self.shares.values())


def match(ours: Sequence[str], theirs: Sequence[str]) -> list[Match]:
    """For each of our blocks where its words stand, by an alignment of all words of the page."""
    our_words = [tokens(text) for text in ours]
    their_words = [tokens(text) for text in theirs]
    our_block = [n for n, words in enumerate(our_words) for _ in words]
    their_block = [n for n, words in enumerate(their_words) for _ in words]
    found: list[Counter[int]] = [Counter() for _ in ours]
    for place, their_place in align(
        list(chain.from_iterable(our_words)), list(chain.from_iterable(their_words))
    ):
        found[our_block[place]][their_block[their_place]] += 1
    matches = []
    for words, shares in zip(our_words, found, strict=True):
        same = next(iter(shares)) if len(shares) == 1 else -1
        if same >= 0 and not shares[same] == len(words) == len(their_words[same]):
            same = -1
        matches.append(Match(dict(shares), len(words), same))
    return matches


def causes(ours: Blocks, theirs: Oracle, matches: Sequence[Match]) -> dict[int, str]:
    """Why the two differ, for each of our blocks on which they do."""
    found: dict[int, str] = {}
    different = [
        n
        for n, here in enumerate(matches)
        if here.words and here.read and here.chosen(theirs.chosen) != ours.chosen[n]
    ]
    if not different:
        return found
    content = boilerpipe.content_blocks(theirs.features, theirs.texts, PARAMETERS)
    on_their_blocks = filtered(theirs, content)
    with_their_ends = filtered(theirs, theirs.before_end)
    with_their_title = filtered(theirs, theirs.before_end, theirs.says_title)
    for n in different:
        here = matches[n]
        wanted = here.chosen(theirs.chosen)
        if not theirs.chosen.any():
            found[n] = NOTHING
        elif here.chosen(on_their_blocks) == wanted:
            found[n] = of_blocks(ours, theirs, here, n)
        elif here.chosen(with_their_ends) == wanted:
            found[n] = END_MARKS
        elif here.chosen(with_their_title) == wanted:
            found[n] = TITLE
        else:
            found[n] = UNKNOWN
    return found


def filtered(theirs: Oracle, content: Mask, says_title: Mask | None = None) -> Mask:
    """Our choice from boilerpy3's content blocks, with our headline or with its own."""
    if says_title is None:
        chosen, _ = boilerpipe.article_blocks(
            theirs.features, theirs.texts, theirs.title, content, PARAMETERS
        )
        return chosen
    stretch = boilerpipe.stretches(boilerpipe.with_the_block_before(content), PARAMETERS.distance)
    chosen, score = boilerpipe.largest(theirs.features, stretch)
    return boilerpipe.expanded_to_title(chosen, stretch, says_title) if score else chosen


def of_blocks(ours: Blocks, theirs: Oracle, here: Match, n: int) -> str:
    """Which difference between the blocks makes the other choice."""
    if here.same < 0:
        return CUT
    if ours.by_rule[n] == theirs.by_rule[here.same]:
        return ELSEWHERE
    if ours.features.words[n] != theirs.features.words[here.same]:
        return WORDS
    if abs(ours.features.link_density[n] - theirs.features.link_density[here.same]) > 1e-6:
        return LINKS
    return NEIGHBORS


def count(ours: Blocks, theirs: Oracle) -> Tally:
    """The counts of one page."""
    tally: Tally = Counter()
    matches = match(ours.texts, theirs.texts)
    different = causes(ours, theirs, matches)
    for n, here in enumerate(matches):
        if not here.words:
            continue
        chars, chosen = len(ours.texts[n]), bool(ours.chosen[n])
        if not here.read:
            tally.update({"unread": 1, "unread, chosen": chosen})
            tally["unread, chosen, chars"] += chosen * chars
            continue
        same_rule = bool(here.chosen(theirs.by_rule) == ours.by_rule[n])
        tally.update({"blocks": 1, "chars": chars, "same rule": same_rule})
        if n not in different:
            tally.update({"same": 1, "same chars": chars})
            continue
        side = "only ours" if chosen else "only theirs"
        tally.update({(side, different[n]): 1, ("chars", different[n]): chars})
    tally.update({("pages", cause): 1 for cause in set(different.values())})
    unread_page = not any(here.read for here in matches)
    tally.update({"pages": 1, "unread pages": unread_page})
    tally["same pages"] += not (different or unread_page)
    found = sum((Counter(here.shares) for here in matches), Counter())
    for n, text in enumerate(theirs.texts):
        if theirs.chosen[n] and found[n] < SHARE * len(tokens(text)):
            tally.update({"only they read, chosen": 1, "only they read, chars": len(text)})
    return tally


def agreement_table(tallies: dict[str, Tally]) -> Table:
    table = Table(title="Blocks on which both decide alike", title_justify="left")
    for name in ("", "pages", "not read", "all alike", "blocks", "alike", "by characters", "rule"):
        table.add_column(name, justify="right" if name else "left")
    for name, tally in tallies.items():
        table.add_row(
            name,
            f"{tally['pages']:,}",
            f"{tally['unread pages']:,}",
            f"{tally['same pages']:,}",
            f"{tally['blocks']:,}",
            f"{tally['same'] / tally['blocks']:.2%}",
            f"{tally['same chars'] / tally['chars']:.2%}",
            f"{tally['same rule'] / tally['blocks']:.2%}",
        )
    return table


def cause_table(tally: Tally) -> Table:
    table = Table(title="Why the others differ", title_justify="left")
    for name in ("cause", "only ours", "only boilerpy3's", "characters", "pages"):
        table.add_column(name, justify="left" if name == "cause" else "right")
    for cause in CAUSES:
        kinds = ("only ours", "only theirs", "chars", "pages")
        table.add_row(cause, *(f"{tally[kind, cause]:,}" for kind in kinds))
    return table


def main() -> None:
    corpus = sampled_corpus(__doc__)
    tallies: dict[str, Tally] = {}
    with quiet(), shown(Console(stderr=True), "blocks") as progress:
        for done, gold in enumerate(corpus.golds, 1):
            body = read_page(gold.path)
            tally = tallies.setdefault(gold.collection, Counter())
            try:
                ours = our_blocks(Page.from_html(body, gold.url))
            except PageError:
                tally["unusable"] += 1
            else:
                tally.update(count(ours, oracle_blocks(Source(body).html)))
            progress(done, len(corpus.golds))
    everything: Tally = sum(tallies.values(), Counter())
    console = result_console()
    console.print(agreement_table({**tallies, "all": everything}))
    console.print(cause_table(everything))
    console.print(
        f"boilerpy3 does not read {everything['unread']:,} blocks; we choose "
        f"{everything['unread, chosen']:,} of them ({everything['unread, chosen, chars']:,} "
        f"characters). It chooses {everything['only they read, chosen']:,} blocks that we do not "
        f"read ({everything['only they read, chars']:,} characters). "
        f"{everything['unusable']} pages cannot be used."
    )


if __name__ == "__main__":
    main()
