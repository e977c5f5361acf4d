"""What a page says about its article: headline, authors, dates, language and more.

`PageMetadata` asks for elements by tag and looks at each once; it neither parses, searches nor
changes the tree.
"""

from newsclean.extraction.metadata.language import detected_language, language_of
from newsclean.extraction.metadata.page_metadata import TAGS, PageMetadata

__all__ = ["TAGS", "PageMetadata", "detected_language", "language_of"]
