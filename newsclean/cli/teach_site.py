"""The pages of one site in `newsclean teach`: labels, what they would change, and lists."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.cli.errors import UNUSABLE, USAGE, CommandError
from newsclean.cli.memory import opened
from newsclean.cli.sources import is_url, page_files, read_file, read_source
from newsclean.cli.terminal import for_terminal, note
from newsclean.corrections import FIELDS
from newsclean.page import Page, PageError
from newsclean.page_files import PAGE_SUFFIXES
from newsclean.teaching import (
    blocks_beginning,
    blocks_in_text,
    kept_extractions,
    label,
    preview,
    saved_extractions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean import Extractor
    from newsclean.cli.teach import TaughtSite
    from newsclean.corrections import Correction, Corrections
    from newsclean.extraction import Extraction
    from newsclean.teaching import PageChange, Preview

#: Pages, and blocks of a page, that are listed.
MAX_PAGES = 30
MAX_BLOCKS = 5
#: Characters of a block.
MAX_TEXT = 70


@dataclass(frozen=True)
class Labelled:
    extraction: Extraction
    correction: Correction
    #: blocks that the person has named, and whether they belong to the article
    named: dict[int, bool]


def teach(options: argparse.Namespace, site: TaughtSite, extractor: Extractor) -> int:
    """Label the page, show what would change, and save it if that is accepted."""
    others = list(site_extractions(options, site, extractor))
    labelled = list(label_pages(options, others, extractor))
    made = [each.correction for each in labelled if not each.correction.is_empty]
    if not made:
        print("The method is right there already: nothing to correct.")
        return 0
    after = site.corrections.with_(*made)
    own = [each.extraction for each in labelled]
    urls = {extraction.page.url for extraction in own}
    others = [each for each in others if each.page.url not in urls]
    shown = preview([*own, *others], site.corrections, after)
    show_preview(shown, len(own))
    show_without_effect(labelled, after)
    show_conflicts(after)
    if not options.accept:
        print("Nothing is saved yet: the same with --accept saves it.")
        return 0
    from newsclean.cli.teach import save

    save(site.path, site.corrections.with_(*map(shown.shown_in, made)))
    ids = " ".join(each.id for each in made)
    print(f"Saved in {site.path}: {ids} (newsclean teach --undo takes it back)")
    return 0


def site_extractions(
    options: argparse.Namespace, site: TaughtSite, extractor: Extractor
) -> Iterator[Extraction]:
    """The other pages of the site: those at --pages, else those that crawls have kept."""
    if options.pages:
        files = [(str(path), read_file(path)) for path in page_files(options.pages)]
        yield from saved_extractions(files, extractor)
        return
    with ExitStack() as stack:
        try:
            memory = stack.enter_context(opened(options))
        except CommandError as error:
            if options.memory:
                raise
            note(f"no kept pages: {error}")
            return
        yield from kept_extractions(memory, site.corrections.site, extractor)


def label_pages(
    options: argparse.Namespace, others: list[Extraction], extractor: Extractor
) -> Iterator[Labelled]:
    """The page that is corrected, or each page of a folder that has a text."""
    if not Path(options.page).is_dir():
        text = read_file(Path(options.text)).decode("utf-8", "replace") if options.text else None
        yield label_page(options, extraction_of(options, others, extractor), text)
        return
    if options.include or options.exclude or not options.text:
        raise CommandError("a folder of pages goes with --text and a folder of texts", USAGE)
    texts = {path.stem: path for path in Path(options.text).glob("*.txt")}
    pages = [(stem_of(path), path) for path in page_files([options.page])]
    pairs = [(path, texts[stem]) for stem, path in pages if stem in texts]
    if not pairs:
        raise CommandError(f"{options.text} has no NAME.txt of a page in {options.page}", USAGE)
    bodies = [(str(path), read_file(path)) for _, path in pages]
    read = {each.page.url: each for each in saved_extractions(bodies, extractor)}
    for path, text_path in pairs:
        if (extraction := read.get(str(path))) is None:
            note(f"{path} left out: it cannot be used")
            continue
        yield label_page(options, extraction, read_file(text_path).decode("utf-8", "replace"))


def stem_of(path: Path) -> str:
    """
    >>> stem_of(Path("pages/rain.html.gz")), stem_of(Path("rain.htm"))
    ('rain', 'rain')
    """
    suffix = next(s for s in sorted(PAGE_SUFFIXES, key=len)[::-1] if path.name.lower().endswith(s))
    return path.name[: -len(suffix)]


def extraction_of(
    options: argparse.Namespace, others: list[Extraction], extractor: Extractor
) -> Extraction:
    """The page that is corrected: a kept one, else as it is at its address or in its file."""
    wanted = options.url or options.page
    if is_url(options.page):
        for each in others:
            if each.page.url == wanted:
                return each
    body, url, content_type = read_source(options.page)
    try:
        page = Page.from_html(body, options.url or url or options.page, content_type)
    except PageError as error:
        raise CommandError(f"{options.page}: {error}", UNUSABLE) from None
    return extractor(page)


def label_page(options: argparse.Namespace, extraction: Extraction, text: str | None) -> Labelled:
    page = extraction.page
    include = [block for words in options.include for block in blocks_of(page, "include", words)]
    exclude = [block for words in options.exclude for block in blocks_of(page, "exclude", words)]
    if both := sorted(set(include) & set(exclude)):
        shown = page.blocks.text[both[0]][:MAX_TEXT]
        raise CommandError(f"--include and --exclude name the same block: {shown!r}", USAGE)
    given = {name: getattr(options, name) for name in FIELDS}
    fields = {name: blocks_of(page, name, words)[0] for name, words in given.items() if words}
    article = None
    if text is not None:
        article = blocks_in_text(page, text)
        if not article.any():
            raise CommandError(f"{page.url}: none of its blocks is in the text", UNUSABLE)
    correction = label(
        extraction,
        include=include,
        exclude=exclude,
        article=article,
        fields=fields,
        note=options.note,
    )
    return Labelled(
        extraction, correction, dict.fromkeys(include, True) | dict.fromkeys(exclude, False)
    )


def blocks_of(page: Page, option: str, words: str) -> list[int]:
    """The blocks that begin with some words; several are all meant."""
    found = blocks_beginning(page, words)
    if not found:
        raise CommandError(f"--{option}: no block of {page.url} begins with {words!r}", USAGE)
    if len(found) > 1:
        note(f"--{option} {words!r}: {len(found)} blocks begin so, all are meant")
    return found


def show_preview(shown: Preview, own: int) -> None:
    """Print what would change, the corrected pages first."""
    if not own < len(shown.pages):
        print("No other page of the site is known: --pages names saved ones.")
    changed = shown.changed
    print(f"It changes {len(changed)} of {len(shown.pages)} pages:")
    for page in changed[:MAX_PAGES]:
        show_page(page)
    if len(changed) > MAX_PAGES:
        print(f"… and {len(changed) - MAX_PAGES} more")


def show_page(page: PageChange) -> None:
    counts = f"+{page.added_words} -{page.removed_words} of {page.before} words"
    print(f"  {for_terminal(page.url or '')}: {counts}")
    for change in page.blocks[:MAX_BLOCKS]:
        text = for_terminal(change.text)
        shown = text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
        print(f"    {'+' if change.is_added else '-'} {shown}")
    if len(page.blocks) > MAX_BLOCKS:
        print(f"    … and {len(page.blocks) - MAX_BLOCKS} blocks more")
    for name, (before, after) in page.fields.items():
        print(f"    {name}: {for_terminal(before) or '–'} → {for_terminal(after)}")


def show_without_effect(labelled: list[Labelled], after: Corrections) -> None:
    """Name the blocks that stay as they are, because their slot holds others."""
    from newsclean.corrections.applying import taken_blocks

    for each in labelled:
        corrected = replace(each.extraction, corrections=after.unlimited())
        taken = taken_blocks(corrected.page, corrected.body.text)
        for block, belongs in each.named.items():
            if bool(taken[block]) != belongs:
                text = for_terminal(corrected.page.blocks.text[block][:MAX_TEXT])
                print(
                    f"It stays as it is, for most of its slot is right: {text}\n"
                    "  (what is learned is the slot, and the page has others in it)"
                )


def show_conflicts(corrections: Corrections) -> None:
    for conflict in corrections.conflicts:
        print(
            f"Conflict: {conflict.belongs} says that it belongs to the article, {conflict.noise} "
            f"that it does not: {for_terminal(conflict.path)}"
        )


def show(options: argparse.Namespace, site: TaughtSite, extractor: Extractor) -> int:
    """List the corrections of a site."""
    corrections = site.corrections
    if not len(corrections):
        print(f"No corrections of {corrections.site}: {site.path}")
        return 0
    pages = [each.page for each in site_extractions(options, site, extractor)]
    asleep = {each.id for each in corrections.asleep(pages)} if pages else set()
    for each in corrections:
        wrong = [slot for slot in each.slots if slot.wrong]
        added, removed = (
            sum(slot.wrong for slot in wrong if slot.taken is taken) for taken in (False, True)
        )
        parts = [f"{added} blocks added, {removed} removed"]
        parts += [f"{name} slot" for name in each.fields]
        if each.method != extractor.method.name:
            parts.append("says nothing: another method")
        elif each.id in asleep:
            parts.append(f"asleep: none of {len(pages)} pages has its slots")
        where = for_terminal(f"{each.page} {each.note}".strip())
        print(f"{each.id}  {each.date}  {each.method}  {where}: {', '.join(parts)}")
        for slot in wrong[:MAX_BLOCKS]:
            print(f"    {'-' if slot.taken else '+'} {for_terminal(slot.text)}")
    show_conflicts(corrections)
    return 0
