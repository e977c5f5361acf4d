"""Work for other processes, which import it from here; some of it kills them."""

import os
import signal

from newsclean.archives.extracting import ExtractionOptions
from newsclean.archives.paged_articles import PagedArticle
from newsclean.archives.saved import Position

DEADLY = "deadly"


def names(positions: list[Position], options: ExtractionOptions) -> list[str]:
    """The names of all pages, if none of them is deadly."""
    if any(position.file == DEADLY for position in positions):
        os.kill(os.getpid(), signal.SIGKILL)
    return [position.file for position in positions]


def die(positions: list[Position], options: ExtractionOptions) -> list[str]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def die_on_pages(pages: list[PagedArticle], options: ExtractionOptions) -> list[None]:
    if pages:
        os.kill(os.getpid(), signal.SIGKILL)
    return []


def divide(positions: list[Position], options: ExtractionOptions) -> list[str]:
    return [str(1 // (len(positions) - 1)) for _ in positions]
