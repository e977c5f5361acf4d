"""The page: parsed once, walked once, read by every method."""

from newsclean.extraction.page.columns import Page, PageError

__all__ = ["Page", "PageError"]
