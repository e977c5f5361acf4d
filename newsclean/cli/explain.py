"""`newsclean extract --explain`: why a page is an article, and why each block is in it or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.cli.errors import USAGE, CommandError
from newsclean.cli.terminal import for_terminal, print_table
from newsclean.extraction.is_article.prediction import rule_in_words
from newsclean.extraction.is_article.trees import shipped
from newsclean.extraction.methods.hybrid import explain, meanings_for

if TYPE_CHECKING:
    import argparse

    from rich.console import RenderableType

    from newsclean import Extractor
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.is_article.trees import Value
    from newsclean.extraction.methods import Evidence
    from newsclean.extraction.page import Page

#: Characters of a block that are shown.
SHOWN = 80
#: Features that are named for an article, and against it.
NAMED = 5


def check_explainable(options: argparse.Namespace) -> None:
    first = options.method.partition("+")[0].partition(":")[0].strip()
    if first != "hybrid":
        raise CommandError(
            "--explain tells the reasons of hybrid, alone or as the first of a chain, "
            f"and {options.method} does not begin with it",
            USAGE,
        )
    if options.format != "text":
        raise CommandError(
            f"--explain prints a table for people, --format {options.format} does not go with it",
            USAGE,
        )


def show_reasons(page: Page, extractor: Extractor, evidence: Evidence) -> None:
    """Print each block with what spoke for and against it, and what became of it in the end."""
    from rich.text import Text

    blocks = page.blocks
    words = blocks.sum(page.words).tolist()
    extraction = extractor(page, evidence)
    chosen = extraction.choice.rows[blocks.row].copy()
    chosen[[*extraction.flips.added]] = True
    chosen[[*extraction.flips.removed]] = False
    chosen = chosen.tolist()
    said = {block: [f"corrected by {' '.join(ids)}"] for block, ids in extraction.flips.by.items()}
    rows: list[tuple[RenderableType, ...]] = []
    for block, reason in enumerate(explain(page, evidence)):
        tag = page.tag[int(page.parent[blocks.row[block]])]
        text = blocks.text[block]
        shown = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
        rows.append(
            (
                "+" if chosen[block] else "-" if reason.chosen else "",
                Text(for_terminal(tag)),
                str(words[block]),
                ", ".join([str(reason), *said.get(block, ())]),
                Text(for_terminal(shown)),
            )
        )
    # A page may have hundreds of blocks before its article, which is what people look for.
    first, end = (
        (chosen.index(True), len(rows) - chosen[::-1].index(True)) if any(chosen) else (0, 0)
    )
    show_blocks("From the first block of the article to its last:", rows[first:end])
    show_blocks("Before the article:", rows[:first])
    show_blocks("After the article:", rows[end:])
    show_prediction(extraction)
    print("+ in the article; - taken by hybrid, and left out by what follows it")
    print("(…): the features that moved the network most, in log-odds:")
    if evidence.scores is not None:
        meanings = meanings_for(evidence.scores)
        print("; ".join(f"{kind}: {meaning}" for kind, meaning in meanings.items()))


def show_prediction(extraction: Extraction) -> None:
    """Print whether the page is an article, and what spoke for it and against it."""
    prediction = extraction.prediction
    model = shipped()["pages"]
    what = "an article" if prediction.is_article else f"no article ({prediction.reason})"
    print(f"{what}: probability {prediction.probability:.3f}, needed {model.threshold:g}")
    case = model.case_of(extraction.article_features, extraction.page_words)
    probability = model.ensemble.probability(case)
    if rule := rule_in_words(case, probability):
        print(f"  by rule, whatever the trees say: {rule}")
    elif prediction.is_article and probability < model.threshold:
        print("  by rule, whatever its address says: the page is an article by all else")
    changes = model.ensemble.changes(case)
    ranked = sorted(changes, key=lambda name: -abs(changes[name]))
    for word, sign in (("for", 1), ("against", -1)):
        named = [name for name in ranked if sign * changes[name] > 0][:NAMED]
        if named:
            moved = (f"{name} {changes[name]:+.2f} ({_value(case[name])})" for name in named)
            print(f"  {word} an article: {for_terminal(', '.join(moved))}")
    print()


def _value(value: Value) -> str:
    return "unknown" if value is None else value if isinstance(value, str) else f"{value:.3g}"


def show_blocks(heading: str, rows: list[tuple[RenderableType, ...]]) -> None:
    from rich.table import Column, Table

    if not rows:
        return
    table = Table(Column(min_width=1), "tag", "words", "why", "text", box=None, padding=(0, 1))
    for row in rows:
        table.add_row(*row, style="green" if row[0] == "+" else "dim")
    print(heading)
    print_table(table)
    print()
