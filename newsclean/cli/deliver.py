"""`newsclean index --deliver`: sends what a crawl could not deliver to its index."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from newsclean.cli.errors import TARGET_DOWN, UNREADABLE, UNUSABLE, USAGE, CommandError
from newsclean.cli.terminal import note

if TYPE_CHECKING:
    import argparse

#: Where crawls with the default settings keep it, from the folder in which they were started.
DEFAULT_SPOOL = ".scrapy/newsclean/index-spool.sqlite"
#: Seconds without any success after which an index counts as down.
PATIENCE = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--deliver",
        action="store_true",
        help="index what waits for the index since a crawl, also what it has refused before",
    )
    parser.add_argument(
        "--spool",
        metavar="FILE",
        default=DEFAULT_SPOOL,
        help=f"where it waits (default: {DEFAULT_SPOOL})",
    )


def run(options: argparse.Namespace) -> int:
    from newsclean.files import StorageError
    from newsclean.index.clients import check_address
    from newsclean.index.delivery import SpoolDelivery
    from newsclean.index.spool import Spool, SpoolFileError
    from newsclean.index.target import IndexTargetError

    if options.files:
        raise CommandError("--deliver takes no files: it sends what is in the spool", USAGE)
    if not os.path.exists(options.spool):
        raise CommandError(f"--spool: {options.spool}: no such file", UNREADABLE)
    try:
        check_address(options.index)
        spool = Spool(options.spool, options.index)
        spool.try_refused_again()
        others = spool.other_targets()
        delivery = SpoolDelivery(spool, options.index)
        delivery.start()
        left = delivery.deliver_all(PATIENCE)
    except IndexTargetError as error:
        raise CommandError(f"--index: {error}", USAGE) from None
    except (SpoolFileError, StorageError, OSError) as error:
        raise CommandError(f"--spool: {error}", UNREADABLE) from None
    written = delivery.written
    note(
        f"{written.new:,} new articles, {written.changed:,} changed, "
        f"{written.same:,} as they were, {written.older:,} of an older state"
    )
    for other in others:
        note(f"articles for {other} wait in the same spool: name it by --index")
    if delivery.refused:
        note(f"{delivery.refused:,} articles were refused, and are kept in {options.spool}")
    if left:
        message = f"{left:,} articles still wait: {delivery.last_error}"
        raise CommandError(message, TARGET_DOWN)
    return UNUSABLE if delivery.refused else 0
