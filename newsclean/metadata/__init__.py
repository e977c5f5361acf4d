"""What an article page says about itself: headline, authors, dates, language and more.

`read_metadata` asks for elements by tag and looks at each once; it neither parses, searches
nor changes the tree.
"""

from newsclean.metadata.language import detected_language
from newsclean.metadata.reading import TAGS, read_headline_and_authors, read_metadata
from newsclean.metadata.record import Metadata

__all__ = [
    "TAGS",
    "Metadata",
    "detected_language",
    "read_headline_and_authors",
    "read_metadata",
]
