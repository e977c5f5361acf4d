"""`newsclean teach`: correct a site by labelling what belongs to the article on one page."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from newsclean import Extractor
from newsclean.cli.memory import opened
from newsclean.cli.page_input import (
    SITES,
    corrections_file,
    is_url,
    make_extractor,
    page_files,
    page_url,
    read_file,
    read_source,
)
from newsclean.cli.terminal import UNREADABLE, UNUSABLE, USAGE, CommandError, for_terminal, note
from newsclean.discovery.site_files import corrections_file_of, site_domains
from newsclean.extraction.corrections import FIELDS, Corrections, CorrectionsError
from newsclean.extraction.corrections.correction_files import site_file_path
from newsclean.extraction.corrections.site_corrections import taken_blocks
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.extraction.page import Page, PageError
from newsclean.extraction.teaching import (
    OTHER_METHOD,
    LabelledPage,
    Suggestion,
    blocks_beginning,
    blocks_in_text,
    suggest,
    teach,
)
from newsclean.extraction.text import counted
from newsclean.files import PAGE_SUFFIXES
from newsclean.memory.sharing import kept_extractions
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.teaching import PageChange, Preview

_DESCRIPTION = """Correct a site: label what belongs to the article on one of its pages.

A correction applies to a slot, the place of a block in the template of the site,
and only to slots in which the method was wrong on the labelled page. The command
first shows what would change on the other pages of the site: those that crawls
have kept, or those of --pages. --accept saves the correction beside the site
file, in NAME.corrections.toml. Crawls, newsclean extract --site and
newsclean.extract(site=...) then use it."""

_EXAMPLES = """examples:
  newsclean teach --page https://example.org/story --exclude "Sign up for our"
  newsclean teach --page story.html --url https://example.org/story --include "The mayor"
  newsclean teach --page https://example.org/story --text article.txt --accept
  newsclean teach --page pages/ --text golds/ --site example --accept
  newsclean teach --site example --list
  newsclean teach --site example --undo 3f2a90c1
  newsclean teach --suggest
"""

#: Maximum pages, blocks of a page and characters of a block in a listing.
_MAX_PAGES = 30
_MAX_BLOCKS = 5
_MAX_TEXT = 70
#: Maximum sites and characters of a slot in a list of suggestions.
_MAX_SITES = 20
_MAX_SLOT = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    add = parser.add_argument
    add("--page", metavar="URL|FILE|FOLDER", help="the page to correct; or a folder, with --text")
    add("--url", type=page_url, help="the URL of the page, if it is read from a file")
    words: dict[str, Any] = {"metavar": "WORDS", "action": "append", "default": []}
    add("--include", help="the first words of a block that belongs to the article", **words)
    add("--exclude", help="the first words of a block that does not belong", **words)
    for name in FIELDS:
        add(f"--{name}", metavar="WORDS", help=f"the first words of the block with the {name}")
    add("--text", metavar="FILE|FOLDER", help="the text of the article; or a folder of NAME.txt")
    add("--note", default="", help="a note to save with the correction")
    add("--site", metavar="NAME|FILE", help="the site file or its name (default: by the URL)")
    add("--sites", metavar="FOLDER", type=Path, default=SITES, help="site files (default: sites)")
    add("--pages", metavar="PATH", nargs="+", help="other pages of the site (default: kept pages)")
    add("--memory", metavar="FILE", help="use another memory: a file, or postgresql://…")
    method = f"the method to correct (default: {DEFAULT_METHOD})"
    add("--method", default=DEFAULT_METHOD, metavar="NAME", help=method)
    add("--model", metavar="FILE", help="another model for hybrid")
    actions = parser.add_mutually_exclusive_group()
    act = actions.add_argument
    act("--accept", action="store_true", help="save the correction")
    act("--undo", metavar="ID", nargs="+", help="remove corrections")
    act("--list", action="store_true", help="list the corrections of a site, with conflicts")
    act("--suggest", action="store_true", help="list the pages where a correction would help most")
    parser.set_defaults(run=run)


class _Site(NamedTuple):
    #: the corrections file, which may not exist yet
    path: Path
    corrections: Corrections


def run(options: argparse.Namespace) -> int:
    if options.suggest:
        return _suggest(options, _extractor(options))
    site = _site(options)
    if options.undo:
        return _undo(options, site)
    extractor = _extractor(options, site.corrections)
    if options.list:
        return _list(options, site, extractor)
    if not options.page:
        raise CommandError("no page: give --page URL or FILE (or --list, --suggest)", USAGE)
    labels = ("include", "exclude", "text", *FIELDS)
    if not any(getattr(options, name) for name in labels):
        raise CommandError(
            "nothing to correct: give --include, --exclude, --text or a field", USAGE
        )
    return _teach(options, site, extractor)


def _extractor(options: argparse.Namespace, corrections: Corrections | None = None) -> Extractor:
    extractor = make_extractor(options, corrections)
    if extractor.method.needs_rendering:
        raise CommandError(
            f"--method: {options.method} needs rendered pages, which teach does not have", USAGE
        )
    return extractor


def _site(options: argparse.Namespace) -> _Site:
    """Return the site that the options name, or that of the page's URL."""
    url = options.url or (options.page if options.page and is_url(options.page) else None)
    if options.site is not None:
        path = corrections_file(options.site, options.sites)
    elif url:
        path = corrections_file_of(url, options.sites)
    else:
        raise CommandError("no site: give --site NAME, or --url with the URL of the page", USAGE)
    if path.exists():
        return _Site(path, _read(path))
    if url and (host := site_of(url)):
        return _Site(path, Corrections(registered_domain(host)))
    domains = sorted(site_domains(site_file_path(path)))
    if not domains:
        raise CommandError(
            f"{path} does not exist, and neither does a site file beside it: give --url", USAGE
        )
    return _Site(path, Corrections(domains[0]))


def _read(path: Path) -> Corrections:
    try:
        return Corrections.read(path)
    except CorrectionsError as error:
        raise CommandError(str(error), UNREADABLE) from None


def _save(path: Path, corrections: Corrections) -> None:
    try:
        corrections.write(path)
    except CorrectionsError as error:
        raise CommandError(str(error), UNUSABLE) from None


def _undo(options: argparse.Namespace, site: _Site) -> int:
    try:
        left = site.corrections.without(*options.undo)
    except KeyError as error:
        raise CommandError(f"--undo: {error.args[0]}", USAGE) from None
    _save(site.path, left)
    note(f"{len(site.corrections) - len(left)} removed, {len(left)} left in {site.path}")
    return 0


def _teach(options: argparse.Namespace, site: _Site, extractor: Extractor) -> int:
    """Label the page, show what would change, and save it with --accept."""
    is_folder = Path(options.page).is_dir()
    labelled, others = (_label_folder if is_folder else _label_one)(options, site, extractor)
    pages = [*(each.extraction for each in labelled), *others]
    proposal = teach(labelled, pages, site.corrections)
    if proposal.is_empty:
        print("Nothing to correct: the method agrees with the labels.")
        return 0
    _show_preview(proposal.preview, len(labelled))
    for text in proposal.without_effect:
        print(
            f"Not changed, because most of its slot is right: {for_terminal(text[:_MAX_TEXT])}\n"
            "  (a correction applies to a slot, and the page has other blocks in it)"
        )
    for each in proposal.also:
        url = for_terminal(each.page.url or "")
        print(f"Also labelled in this way, because the method is more certain there: {url}")
    _show_conflicts(proposal.after)
    if not options.accept:
        print("Nothing saved yet: repeat the command with --accept to save it.")
        return 0
    _save(site.path, site.corrections.with_(*proposal.corrections))
    ids = " ".join(each.id for each in proposal.corrections)
    print(f"Saved in {site.path}: {ids} (newsclean teach --undo ID removes it)")
    return 0


def _label_one(
    options: argparse.Namespace, site: _Site, extractor: Extractor
) -> tuple[list[LabelledPage], list[Extraction]]:
    """Return the labelled page and the other pages of the site.

    Saved pages are neighbors of the labelled one; a kept page is as the memory has it.
    """
    if options.pages:
        file = os.path.realpath(options.page)
        saved = [p for p in _saved_pages(options.pages) if os.path.realpath(p.url or "") != file]
        own, *others = extractor.extract_site([_page(options), *saved])
    else:
        kept = list(_site_extractions(options, site, extractor))
        wanted = options.url or options.page
        found = next((each for each in kept if each.page.url == wanted), None)
        own = found if found and is_url(options.page) else extractor(_page(options))
        others = [each for each in kept if each.page.url != own.page.url]
    text = read_file(Path(options.text)).decode("utf-8", "replace") if options.text else None
    return [_labelled(options, own, text)], others


def _label_folder(
    options: argparse.Namespace, site: _Site, extractor: Extractor
) -> tuple[list[LabelledPage], list[Extraction]]:
    """Return each page of a folder that has a text, and the other pages of the site."""
    if options.include or options.exclude or not options.text:
        raise CommandError("a folder of pages needs --text and a folder of texts", USAGE)
    texts = {path.stem: path for path in Path(options.text).glob("*.txt")}
    pages = list(_saved_pages([options.page]))
    if not any(_stem(page.url) in texts for page in pages):
        raise CommandError(f"{options.text} has no NAME.txt for any page in {options.page}", USAGE)
    labelled = []
    for extraction in extractor.extract_site(pages):
        if path := texts.get(_stem(extraction.page.url)):
            text = read_file(path).decode("utf-8", "replace")
            labelled.append(_labelled(options, extraction, text))
    own = {each.extraction.page.url for each in labelled}
    others = _site_extractions(options, site, extractor)
    return labelled, [each for each in others if each.page.url not in own]


def _page(options: argparse.Namespace) -> Page:
    """Read the page to correct from its URL or file."""
    body, url, content_type = read_source(options.page)
    try:
        return Page.from_html(body, options.url or url or options.page, content_type)
    except PageError as error:
        raise CommandError(f"{options.page}: {error}", UNUSABLE) from None


def _saved_pages(paths: list[str]) -> Iterator[Page]:
    """Read the pages of files and folders; their paths serve as URLs."""
    for path in page_files(paths):
        try:
            yield Page.from_html(read_file(path), str(path))
        except PageError as error:
            note(f"{path} left out: {error}")


def _stem(path: str | None) -> str:
    """
    >>> _stem("pages/rain.html.gz"), _stem("rain.htm")
    ('rain', 'rain')
    """
    name = Path(path or "").name
    suffix = next(s for s in sorted(PAGE_SUFFIXES, key=len)[::-1] if name.lower().endswith(s))
    return name[: -len(suffix)]


def _site_extractions(
    options: argparse.Namespace, site: _Site, extractor: Extractor
) -> Iterator[Extraction]:
    """Extract the pages of the site: those of --pages, or else the kept ones."""
    if options.pages:
        yield from extractor.extract_site(list(_saved_pages(options.pages)))
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


def _labelled(
    options: argparse.Namespace, extraction: Extraction, text: str | None
) -> LabelledPage:
    page = extraction.page
    include = [block for words in options.include for block in _blocks(page, "include", words)]
    exclude = [block for words in options.exclude for block in _blocks(page, "exclude", words)]
    if both := sorted(set(include) & set(exclude)):
        shown = page.blocks.text[both[0]][:_MAX_TEXT]
        raise CommandError(f"--include and --exclude name the same block: {shown!r}", USAGE)
    given = {name: getattr(options, name) for name in FIELDS}
    fields = {name: _blocks(page, name, words)[0] for name, words in given.items() if words}
    article = None
    if text is not None:
        article = blocks_in_text(page, text)
        if not article.any():
            raise CommandError(f"{page.url}: the text has none of its blocks", UNUSABLE)
    return LabelledPage(extraction, include, exclude, article, fields, options.note)


def _blocks(page: Page, option: str, words: str) -> list[int]:
    """Return all blocks that begin with these words."""
    found = blocks_beginning(page, words)
    if not found:
        raise CommandError(f"--{option}: no block of {page.url} begins with {words!r}", USAGE)
    if len(found) > 1:
        note(f"--{option} {words!r}: {len(found)} blocks begin with it, all are labelled")
    return found


def _show_preview(shown: Preview, own: int) -> None:
    """Print what would change, the corrected pages first."""
    if not own < len(shown.pages):
        print("No other page of the site is known: give saved ones with --pages.")
    changed = shown.changed
    print(f"It changes {len(changed)} of {counted(len(shown.pages), 'page')}:")
    for page in changed[:_MAX_PAGES]:
        _show_page(page)
    if len(changed) > _MAX_PAGES:
        print(f"… and {len(changed) - _MAX_PAGES} more")


def _show_page(page: PageChange) -> None:
    counts = f"+{page.added_words} -{page.removed_words} of {counted(page.before, 'word')}"
    print(f"  {for_terminal(page.url or '')}: {counts}")
    for change in page.blocks[:_MAX_BLOCKS]:
        text = for_terminal(change.text)
        shown = text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"
        print(f"    {'+' if change.is_added else '-'} {shown}")
    if len(page.blocks) > _MAX_BLOCKS:
        print(f"    … and {counted(len(page.blocks) - _MAX_BLOCKS, 'more block')}")
    for name, (before, after) in page.fields.items():
        print(f"    {name}: {for_terminal(before) or '–'} → {for_terminal(after)}")


def _show_conflicts(corrections: Corrections) -> None:
    for conflict in corrections.conflicts:
        print(
            f"Conflict: it belongs to the article by {conflict.belongs}, and does not by "
            f"{conflict.noise}: {for_terminal(conflict.path)}"
        )


def _list(options: argparse.Namespace, site: _Site, extractor: Extractor) -> int:
    corrections = site.corrections
    if not len(corrections):
        print(f"No corrections for {corrections.site} in {site.path}")
        return 0
    pages = [each.page for each in _site_extractions(options, site, extractor)]
    inactive = {each.id for each in corrections.inactive(pages)} if pages else set()
    for each in corrections:
        wrong = each.contradictions
        added, removed = (
            sum(slot.wrong for slot in wrong if slot.taken is taken) for taken in (False, True)
        )
        parts = [f"{counted(added, 'block')} added, {removed} removed"]
        parts += [f"{name} slot" for name in each.fields]
        if each.method != extractor.method.name:
            parts.append("does not apply: another method")
        elif each.id in inactive:
            parts.append(f"inactive: none of {counted(len(pages), 'page')} has its slots")
        where = for_terminal(f"{each.page} {each.note}".strip())
        print(f"{each.id}  {each.date}  {each.method}  {where}: {', '.join(parts)}")
        for slot in wrong[:_MAX_BLOCKS]:
            print(f"    {'-' if slot.taken else '+'} {for_terminal(slot.text)}")
    _show_conflicts(corrections)
    return 0


def _suggest(options: argparse.Namespace, extractor: Extractor) -> int:
    """List the sites and pages where a correction would help most."""
    found: list[tuple[str, Suggestion]] = []
    other = Extractor(OTHER_METHOD)
    for corrections, extractions in _pages_by_site(options, extractor):
        others = [taken_blocks(each.page, other(each.page).body.text) for each in extractions]
        found += [(corrections.site, each) for each in suggest(extractions, corrections, others)]
    if not found:
        raise CommandError(
            "no page to suggest: no page is in doubt, or none is kept (set NEWSCLEAN_KEEP_PAGES, "
            "or give --pages)",
            UNUSABLE,
        )
    by_site: dict[str, list[Suggestion]] = {}
    for site, each in sorted(found, key=lambda pair: -pair[1].words):
        by_site.setdefault(site, []).append(each)
    for site, pages in list(by_site.items())[:_MAX_SITES]:
        print(for_terminal(site))
        for page in pages:
            print(f"  {page.words:6.0f} doubtful words: {for_terminal(page.url or '')}")
            for slot in page.slots:
                shown = (
                    slot if len(slot) <= _MAX_SLOT else f"… {slot[-_MAX_SLOT:].partition(' ')[2]}"
                )
                print(f"         {for_terminal(shown)}")
    return 0


def _pages_by_site(
    options: argparse.Namespace, extractor: Extractor
) -> Iterator[tuple[Corrections, list[Extraction]]]:
    """Yield the corrections and pages of each site: of --pages one site, or all kept ones."""
    if options.pages:
        extractions = list(extractor.extract_site(list(_saved_pages(options.pages))))
        yield _corrections_of(options, options.site or options.url), extractions
        return
    with opened(options) as memory:
        domains = {registered_domain(site) for site, _ in memory.kept.counts()}
        wanted = corrections_file(options.site, options.sites) if options.site else None
        for domain in sorted(domains):
            url = f"https://{domain}/"
            if wanted in (None, corrections_file_of(url, options.sites)):
                extractions = list(kept_extractions(memory, domain, extractor))
                yield _corrections_of(options, url), extractions


def _corrections_of(options: argparse.Namespace, name: str | None) -> Corrections:
    """Read the corrections of a site by its name or URL; none if there is no file."""
    if name is None:
        return Corrections("these pages")
    find = corrections_file_of if "://" in name else corrections_file
    path = find(name, options.sites)
    return _read(path) if path.exists() else Corrections(name.split("://")[-1].strip("/"))
