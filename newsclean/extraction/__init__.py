"""The way of a page: one page in, one article out, with or without a crawl around it."""

from newsclean.extraction.extraction import Extraction
from newsclean.extraction.extractor import Extractor, extract
from newsclean.extraction.neighborhood import Neighborhood

__all__ = ["Extraction", "Extractor", "Neighborhood", "extract"]
