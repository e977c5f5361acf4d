"""The noise map: a page as it was, with what was taken of it, what was left, and why."""

from newsclean.noise_map.framed_page import framed_page
from newsclean.noise_map.marking import BlockKind, MarkedBlock, mark_blocks

__all__ = ["BlockKind", "MarkedBlock", "framed_page", "mark_blocks"]
