"""`newsclean teach --suggest`: the sites and pages where a correction would bring most."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from newsclean import Extractor
from newsclean.cli.corrections import corrections_file
from newsclean.cli.errors import UNREADABLE, UNUSABLE, CommandError
from newsclean.cli.memory import opened
from newsclean.cli.teach_site import saved_pages
from newsclean.cli.terminal import for_terminal
from newsclean.extraction.corrections import Corrections, CorrectionsError
from newsclean.extraction.corrections.site_corrections import taken_blocks
from newsclean.teaching import Suggestion, kept_extractions, saved_extractions, suggest
from newsclean.teaching.site_corrections import corrections_file_of
from newsclean.teaching.suggesting import OTHER_METHOD
from newsclean.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.extraction.extractor import Extraction

#: Sites that are listed, and characters of a slot.
MAX_SITES = 20
MAX_SLOT = 80


def run(options: argparse.Namespace, extractor: Extractor) -> int:
    found = []
    other = Extractor(OTHER_METHOD)
    for corrections, extractions in sites(options, extractor):
        others = [taken_blocks(each.page, other(each.page).body.text) for each in extractions]
        found += [(corrections.site, each) for each in suggest(extractions, corrections, others)]
    if not found:
        raise CommandError(
            "no page to suggest: none is kept (NEWSCLEAN_KEEP_PAGES, or --pages), or none is in "
            "doubt",
            UNUSABLE,
        )
    by_site: dict[str, list[Suggestion]] = {}
    for site, each in sorted(found, key=lambda pair: -pair[1].words):
        by_site.setdefault(site, []).append(each)
    for site, pages in list(by_site.items())[:MAX_SITES]:
        print(for_terminal(site))
        for page in pages:
            print(f"  {page.words:6.0f} doubtful words: {for_terminal(page.url or '')}")
            for slot in page.slots:
                print(f"         {for_terminal(slot[-MAX_SLOT:])}")
    return 0


def sites(
    options: argparse.Namespace, extractor: Extractor
) -> Iterator[tuple[Corrections, list[Extraction]]]:
    """The corrections and pages of each site: of saved pages one site, of kept ones all."""
    if options.pages:
        extractions = list(saved_extractions(list(saved_pages(options.pages)), extractor))
        yield corrections_of(options, options.site or options.url), extractions
        return
    with opened(options) as memory:
        domains = {registered_domain(site) for site, _ in memory.kept.counts()}
        wanted = corrections_file(options.site, options.sites) if options.site else None
        for domain in sorted(domains):
            address = f"https://{domain}/"
            if wanted in (None, corrections_file_of(address, options.sites)):
                extractions = list(kept_extractions(memory, domain, extractor))
                yield corrections_of(options, address), extractions


def corrections_of(options: argparse.Namespace, name: str | None) -> Corrections:
    """The corrections of a site by its name or address; none if there is no file."""
    if name is None:
        return Corrections("these pages")
    is_address = "://" in name
    path = (corrections_file_of if is_address else corrections_file)(name, options.sites)
    if not path.exists():
        return Corrections(name.split("://")[-1].strip("/"))
    try:
        return Corrections.read(path)
    except CorrectionsError as error:
        raise CommandError(str(error), UNREADABLE) from None
