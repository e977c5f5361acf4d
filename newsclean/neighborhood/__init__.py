"""Pages of one site and category are neighbors: what they share is the site's, not theirs."""

from newsclean.neighborhood.keys import PageKeys
from newsclean.neighborhood.window import WINDOW, KeyWindow, NeighborSupport

__all__ = ["WINDOW", "KeyWindow", "NeighborSupport", "PageKeys"]
