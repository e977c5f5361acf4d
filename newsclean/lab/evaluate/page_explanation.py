"""One page in detail: what was missed, what was too much, and the reason for each block."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, groupby
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from newsclean.apps.look.marking import support_of
from newsclean.extraction.methods.hybrid.explaining import explain
from newsclean.extraction.page import PageError
from newsclean.extraction.text import counted
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.measures import (
    MEASURES,
    TOKEN,
    align,
    best_agreement,
    tokens,
    word_bag_agreement,
)
from newsclean.lab.evaluate.peers import PEERS, Source, quiet
from newsclean.lab.evaluate.systems import extraction_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.neighborhood import NeighborSupport
    from newsclean.lab.evaluate.corpus import Gold
    from newsclean.lab.evaluate.systems import System

_MISSED, _TOO_MUCH = "bold red", "bold yellow"
_CHOSEN = "chosen"
#: A block is in the gold if this share of it is.
_IN_GOLD = 0.5
#: More blocks in a row than this with the same, right, fate are one line.
_MAX_ROW = 3
_SHOWN = 90  # characters of a block


@dataclass(frozen=True)
class BlockFate:
    """What became of a block of the page, and whether the gold has it."""

    number: int
    tag: str
    words: int
    reason: str
    chosen: bool
    in_gold: bool
    text: str

    @property
    def right(self) -> bool:
        return self.chosen == self.in_gold


def explain_page(console: Console, gold: Gold, others: Sequence[Gold], system: System) -> None:
    """Print how one system did on one page."""
    fates: list[BlockFate] = []
    if system.is_peer:
        with quiet():
            text = PEERS[system.name].text(Source(read_page(gold.path)))
    else:
        try:
            extraction = extraction_of(gold, others, system, gold.url)
            text = extraction.text
            fates = _block_fates(extraction, "\n\n".join(_gold_paragraphs(gold, text)))
        except PageError as error:
            console.print(f"the page cannot be used: {error}", markup=False)
            text = ""
    console.rule(Text(f"{gold.name}: {system.label}"))
    for name, measure in MEASURES.items():
        precision, recall, f1 = best_agreement(measure, text, gold.versions)
        console.print(f"{name:10}  P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}")
    paragraphs = _gold_paragraphs(gold, text)
    ours = [part for part in text.split("\n\n") if part.strip()]
    missed, extra = _differences(ours, paragraphs)
    _print_side(console, "The gold's paragraphs", "missed", _MISSED, paragraphs, missed)
    _print_side(console, "The text's paragraphs", "too much", _TOO_MUCH, ours, extra)
    if fates:
        _print_fates(console, fates)


def _gold_paragraphs(gold: Gold, text: str) -> list[str]:
    """Those of the version against which the text scores better."""
    with_all, *without = gold.versions
    if without and (
        word_bag_agreement(text, without[0]).f1 > word_bag_agreement(text, with_all).f1
    ):
        return [part for part in gold.paragraphs if part not in gold.optional]
    return list(gold.paragraphs)


def _differences(
    ours: Sequence[str], golds: Sequence[str]
) -> tuple[list[list[bool]], list[list[bool]]]:
    """For each word of each gold paragraph whether it was missed; of ours, whether too much.

    >>> _differences(["Menu", "It rains"], ["It rains", "now"])
    ([[False, False], [True]], [[True], [False, False]])
    """
    our_words = [_words(part) for part in ours]
    gold_words = [_words(part) for part in golds]
    pairs = align(_joined(our_words), _joined(gold_words))
    return (
        _unmatched(gold_words, {place for _, place in pairs}),
        _unmatched(our_words, {place for place, _ in pairs}),
    )


def _block_fates(extraction: Extraction, gold: str) -> list[BlockFate]:
    """The fate of each block that has words."""
    page = extraction.page
    reasons = _row_reasons(extraction)
    blocks = page.blocks
    words = [_words(text) for text in blocks.text]
    in_gold = {place for place, _ in align(_joined(words), _words(gold))}
    fates = []
    for number, unmatched in enumerate(_unmatched(words, in_gold)):
        rows = page.text_rows[blocks.of_text == number].tolist()
        weight: dict[str, int] = {}
        for row in rows:
            weight[reasons[row]] = weight.get(reasons[row], 0) + int(page.chars[row])
        ordered = sorted(weight, key=lambda reason: -weight[reason])
        fates.append(
            BlockFate(
                number=number,
                tag=page.tag[int(page.parent[rows[0]])],
                words=int(page.words[rows].sum()),
                reason="; in part ".join(ordered),
                chosen=ordered[0].startswith(_CHOSEN),
                in_gold=bool(unmatched) and unmatched.count(False) >= _IN_GOLD * len(unmatched),
                text=blocks.text[number],
            )
        )
    return fates


def _row_reasons(extraction: Extraction) -> dict[int, str]:
    """The reason for each row of text, in the order in which the steps decide."""
    page, choice, body = extraction.page, extraction.choice, extraction.body
    last = extraction.method.name.split("+")[-1]
    not_chosen = f"not in S ({last})" if last.startswith("coreex") else f"not chosen by {last}"
    reasons = {}
    of_block = explain(page, extraction.evidence) if last == "hybrid" else None
    for place, row in enumerate(page.text_rows.tolist()):
        if of_block is not None:
            why = str(of_block[int(page.blocks.of_text[place])])
            reason = f"{_CHOSEN}: {why}" if body.text[row] else why
        elif body.text[row]:
            reason = _CHOSEN
        elif body.html[row]:
            reason = "caption"
        elif choice.rows[row]:
            reason = "headline, byline or date"
        else:
            kinds = [kind for kind, marks in choice.noise.items() if marks[row]]
            noise = [_noise(kind, extraction.evidence.neighbors, place) for kind in kinds]
            reason = ", ".join(noise) or not_chosen
        reasons[row] = reason
    return reasons


def _noise(kind: str, neighbors: NeighborSupport | None, place: int) -> str:
    if kind != "static" or neighbors is None:
        return f"{kind} noise"
    return f"static noise ({support_of(neighbors, place)})"


def _words(text: str) -> list[str]:
    return tokens(text.lower())


def _joined(paragraphs: Sequence[Sequence[str]]) -> list[str]:
    return list(chain.from_iterable(paragraphs))


def _unmatched(paragraphs: Sequence[Sequence[str]], matched: set[int]) -> list[list[bool]]:
    found = []
    start = 0
    for words in paragraphs:
        found.append([start + k not in matched for k in range(len(words))])
        start += len(words)
    return found


def _print_side(
    console: Console,
    title: str,
    what: str,
    style: str,
    paragraphs: Sequence[str],
    marks: Sequence[Sequence[bool]],
) -> None:
    """Paragraph by paragraph; those without a mark in one line."""
    console.print()
    total = sum(map(sum, marks))
    console.print(Text(f"{title} ({counted(total, 'word')} {what})", style="bold"))
    for number, (paragraph, wrong) in enumerate(zip(paragraphs, marks, strict=True), 1):
        line = Text().append(f"{number:3} ", style="dim")
        if not any(wrong):
            line.append(_short(paragraph), style="dim")
        else:
            share = sum(wrong) / len(wrong)
            line.append(f"{what}: {share:.0%}  ", style=style)
            line.append(marked(paragraph, wrong, style, console.is_terminal))
        console.print(line)


def marked(paragraph: str, wrong: Sequence[bool], style: str, colours: bool) -> Text:
    """A paragraph with its wrong words in colour, or between brackets where there are none."""
    text = Text()
    end = 0
    for bad, run in groupby(
        zip(wrong, TOKEN.finditer(paragraph), strict=False), key=lambda pair: pair[0]
    ):
        found = [match for _, match in run]
        text.append(paragraph[end : found[0].start()])
        end = found[-1].end()
        words = paragraph[found[0].start() : end]
        text.append(words if colours or not bad else f"[{words}]", style=style if bad else "")
    text.append(paragraph[end:])
    return text


def _print_fates(console: Console, fates: Sequence[BlockFate]) -> None:
    table = Table(title="The page's blocks", title_justify="left", box=None, padding=(0, 1))
    for name in ("", "block", "tag", "words", "reason", "text"):
        table.add_column(name, no_wrap=name != "reason", overflow="ellipsis")
    for (reason, right), run in groupby(fates, key=lambda fate: (fate.reason, fate.right)):
        found = list(run)
        if right and len(found) > _MAX_ROW:
            numbers = f"{found[0].number}–{found[-1].number}"
            texts = _short(" · ".join(fate.text for fate in found))
            words = str(sum(fate.words for fate in found))
            style = "green" if found[0].chosen else "dim"
            table.add_row("", numbers, "", words, reason, Text(texts), style=style)
            continue
        for fate in found:
            sign, style = _sign(fate)
            text = Text(_short(fate.text))
            table.add_row(
                sign, str(fate.number), fate.tag, str(fate.words), reason, text, style=style
            )
    console.print()
    console.print(table)
    console.print("− in the gold and not chosen   + chosen and not in the gold", style="dim")


def _sign(fate: BlockFate) -> tuple[str, str]:
    if fate.right:
        return "", "green" if fate.chosen else "dim"
    return ("+", _TOO_MUCH) if fate.chosen else ("−", _MISSED)


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _SHOWN else folded[: _SHOWN - 1] + "…"
