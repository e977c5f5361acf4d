"""What `newsclean evaluate` measures, by its options: the pages of a corpus, methods and peers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from newsclean.cli.errors import UNREADABLE, USAGE, CommandError
from newsclean.methods import DEFAULT_METHOD

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.evaluate.systems import System


def methods_of_options(options: argparse.Namespace) -> list[str]:
    methods = [DEFAULT_METHOD] if options.methods is None else options.methods
    return [] if methods == ["none"] else methods


def systems_of_options(options: argparse.Namespace) -> tuple[list[System], list[str]]:
    """What is to be measured; a peer that is not installed is named."""
    from newsclean.lab.evaluate.peers import PEERS
    from newsclean.lab.evaluate.systems import missing_message, systems_of

    peers = list(PEERS) if options.peers == ["all"] else options.peers
    try:
        systems, missing = systems_of(methods_of_options(options), peers, options.neighbors)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    for name in missing:
        print(f"newsclean: {missing_message(name)}", file=sys.stderr)
    if not systems:
        raise CommandError("nothing to measure: give --methods, or --peers that are there", USAGE)
    return systems, missing


def corpus_of_options(options: argparse.Namespace, console: Console) -> Corpus:
    """The pages, all of them checked."""
    from rich.progress import track

    from newsclean.lab.evaluate.corpus import (
        CorpusError,
        UnknownNameError,
        check_pages,
        read_corpus,
    )

    try:
        corpus = read_corpus(options.corpus, options.collections, options.kinds)
        if options.explain:
            corpus = corpus.only([corpus.find(options.explain)])
        elif options.sample:
            corpus = corpus.sample(options.sample)
        asked = {(gold.collection, gold.site) for gold in corpus.golds}
        ticks = iter(
            track(
                range(sum(len(corpus.sites[site]) for site in asked)),
                "checking pages",
                console=console,
                transient=True,
                disable=not console.is_terminal,
            )
        )
        checked = check_pages(corpus, lambda: next(ticks, None))
        next(ticks, None)
        return checked
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    except UnknownNameError as error:
        raise CommandError(str(error), USAGE) from None
