"""The pages of one site in `newsclean teach`: labels, what they would change, and lists."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean import teaching
from newsclean.cli.errors import UNUSABLE, USAGE, CommandError
from newsclean.cli.memory import opened
from newsclean.cli.sources import is_url, page_files, read_file, read_source
from newsclean.cli.terminal import for_terminal, note
from newsclean.extraction.corrections import FIELDS
from newsclean.extraction.page import Page, PageError
from newsclean.files import PAGE_SUFFIXES
from newsclean.teaching import (
    LabelledPage,
    blocks_beginning,
    blocks_in_text,
    kept_extractions,
    saved_extractions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean import Extractor
    from newsclean.cli.teach import TaughtSite
    from newsclean.extraction.corrections import Corrections
    from newsclean.extraction.extractor import Extraction
    from newsclean.teaching import PageChange, Preview

#: Pages, and blocks of a page, that are listed.
MAX_PAGES = 30
MAX_BLOCKS = 5
#: Characters of a block.
MAX_TEXT = 70


def teach(options: argparse.Namespace, site: TaughtSite, extractor: Extractor) -> int:
    """Label the page, show what would change, and save it if that is accepted."""
    is_folder = Path(options.page).is_dir()
    labelled, others = (label_folder if is_folder else label_one)(options, site, extractor)
    pages = [*(each.extraction for each in labelled), *others]
    taught = teaching.teach(labelled, pages, site.corrections)
    if taught.is_empty:
        print("The method is right there already: nothing to correct.")
        return 0
    show_preview(taught.preview, len(labelled))
    for text in taught.without_effect:
        print(
            f"It stays as it is, for most of its slot is right: {for_terminal(text[:MAX_TEXT])}\n"
            "  (what is learned is the slot, and the page has others in it)"
        )
    for each in taught.also:
        url = for_terminal(each.page.url or "")
        print(
            f"The method is surer elsewhere than there, so this is labelled in the same way: {url}"
        )
    show_conflicts(taught.after)
    if not options.accept:
        print("Nothing is saved yet: the same with --accept saves it.")
        return 0
    from newsclean.cli.teach import save

    save(site.path, site.corrections.with_(*taught.corrections))
    ids = " ".join(each.id for each in taught.corrections)
    print(f"Saved in {site.path}: {ids} (newsclean teach --undo takes it back)")
    return 0


def label_one(
    options: argparse.Namespace, site: TaughtSite, extractor: Extractor
) -> tuple[list[LabelledPage], list[Extraction]]:
    """The page that is corrected, and the other pages of the site.

    It is one of them: saved pages are its neighbors, a kept page is as the memory has it.
    """
    if options.pages:
        file = os.path.realpath(options.page)
        saved = [p for p in saved_pages(options.pages) if os.path.realpath(p.url or "") != file]
        own, *others = saved_extractions([page_of(options), *saved], extractor)
    else:
        kept = list(site_extractions(options, site, extractor))
        wanted = options.url or options.page
        found = next((each for each in kept if each.page.url == wanted), None)
        own = found if found and is_url(options.page) else extractor(page_of(options))
        others = [each for each in kept if each.page.url != own.page.url]
    text = read_file(Path(options.text)).decode("utf-8", "replace") if options.text else None
    return [label_page(options, own, text)], others


def label_folder(
    options: argparse.Namespace, site: TaughtSite, extractor: Extractor
) -> tuple[list[LabelledPage], list[Extraction]]:
    """Each page of a folder that has a text, and the other pages of the site."""
    if options.include or options.exclude or not options.text:
        raise CommandError("a folder of pages goes with --text and a folder of texts", USAGE)
    texts = {path.stem: path for path in Path(options.text).glob("*.txt")}
    pages = list(saved_pages([options.page]))
    if not any(stem_of(Path(page.url or "")) in texts for page in pages):
        raise CommandError(f"{options.text} has no NAME.txt of a page in {options.page}", USAGE)
    labelled = []
    for extraction in saved_extractions(pages, extractor):
        if path := texts.get(stem_of(Path(extraction.page.url or ""))):
            text = read_file(path).decode("utf-8", "replace")
            labelled.append(label_page(options, extraction, text))
    own = {each.extraction.page.url for each in labelled}
    others = site_extractions(options, site, extractor)
    return labelled, [each for each in others if each.page.url not in own]


def site_extractions(
    options: argparse.Namespace, site: TaughtSite, extractor: Extractor
) -> Iterator[Extraction]:
    """The pages of the site: those at --pages, else those that crawls have kept."""
    if options.pages:
        yield from saved_extractions(list(saved_pages(options.pages)), extractor)
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


def saved_pages(paths: list[str]) -> Iterator[Page]:
    """The pages of files and folders, named by their paths; one that cannot be used is named."""
    for path in page_files(paths):
        try:
            yield Page.from_html(read_file(path), str(path))
        except PageError as error:
            note(f"{path} left out: {error}")


def stem_of(path: Path) -> str:
    """
    >>> stem_of(Path("pages/rain.html.gz")), stem_of(Path("rain.htm"))
    ('rain', 'rain')
    """
    suffix = next(s for s in sorted(PAGE_SUFFIXES, key=len)[::-1] if path.name.lower().endswith(s))
    return path.name[: -len(suffix)]


def page_of(options: argparse.Namespace) -> Page:
    """The page that is corrected, as it is at its address or in its file."""
    body, url, content_type = read_source(options.page)
    try:
        return Page.from_html(body, options.url or url or options.page, content_type)
    except PageError as error:
        raise CommandError(f"{options.page}: {error}", UNUSABLE) from None


def label_page(
    options: argparse.Namespace, extraction: Extraction, text: str | None
) -> LabelledPage:
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
    return LabelledPage(extraction, include, exclude, article, fields, options.note)


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
