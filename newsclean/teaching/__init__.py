"""Teaching a site: from what a person says of a page to corrections, and what they would change."""

from newsclean.teaching.finding import blocks_beginning, blocks_in_text
from newsclean.teaching.labelling import LabelError, LabelledPage, Taught, label, teach
from newsclean.teaching.previewing import BlockChange, PageChange, Preview, preview
from newsclean.teaching.site_pages import kept_extraction, kept_extractions, saved_extractions
from newsclean.teaching.suggesting import Suggestion, suggest

__all__ = [
    "BlockChange",
    "LabelError",
    "LabelledPage",
    "PageChange",
    "Preview",
    "Suggestion",
    "Taught",
    "blocks_beginning",
    "blocks_in_text",
    "kept_extraction",
    "kept_extractions",
    "label",
    "preview",
    "saved_extractions",
    "suggest",
    "teach",
]
