"""newsclean: from news pages to articles, with what a site's own pages teach."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsclean.article import Article
    from newsclean.extraction.extractor import Extractor, Neighborhood, extract
    from newsclean.extraction.page import Page, PageError

__version__ = "0.1.0"

__all__ = ["Article", "Extractor", "Neighborhood", "Page", "PageError", "__version__", "extract"]

#: Where each name is. It is imported when it is first asked for: commands that see no page would
#: else wait for NumPy and lxml.
_MODULES = {
    "Article": "article",
    "Extractor": "extraction.extractor",
    "Neighborhood": "extraction.extractor",
    "Page": "extraction.page",
    "PageError": "extraction.page",
    "extract": "extraction.extractor",
}

if not TYPE_CHECKING:  # a name that is missing stays an error for type checkers

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
