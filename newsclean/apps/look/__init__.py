"""The noise map: the original page with what was kept, what was removed, and why."""

from newsclean.apps.look.framed_page import framed_page
from newsclean.apps.look.marking import BlockKind, MarkedBlock, mark_blocks

__all__ = ["BlockKind", "MarkedBlock", "framed_page", "mark_blocks"]
