"""Pages of one site and category are neighbors: what they share is the site's, not theirs."""

from newsclean.neighborhood.window import Known, Neighborhood

__all__ = ["Known", "Neighborhood"]
