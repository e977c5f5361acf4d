"""newsclean: from news pages to articles, with what a site's own pages teach."""

from newsclean.article import Article
from newsclean.extraction import Extractor, Neighborhood, extract
from newsclean.page import Page, PageError
from newsclean.version import VERSION

__version__ = VERSION

__all__ = ["Article", "Extractor", "Neighborhood", "Page", "PageError", "__version__", "extract"]
