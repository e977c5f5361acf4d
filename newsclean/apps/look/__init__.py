"""The noise map: a page as it was, with what was taken of it, what was left, and why."""

from newsclean.apps.look.framed_page import framed_page
from newsclean.apps.look.marking import BlockKind, MarkedBlock, mark_blocks

__all__ = ["BlockKind", "MarkedBlock", "framed_page", "mark_blocks"]
