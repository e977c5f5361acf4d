"""Corrections of a site: slots in which a person has found the method wrong, and what follows.

They are data: a file beside the site file (`sites/NAME.corrections.toml`). They speak only where
they contradict the method on the page that was labelled.
"""

from newsclean.extraction.corrections.correction_files import (
    SUFFIX,
    CorrectionsError,
    CorrectionsFolder,
    corrections_path,
)
from newsclean.extraction.corrections.flip_rule import Flips, Rule
from newsclean.extraction.corrections.site_corrections import (
    FIELDS,
    Conflict,
    Correction,
    Corrections,
    Slot,
)
from newsclean.extraction.page.slots import BlockPaths, signatures

__all__ = [
    "FIELDS",
    "SUFFIX",
    "BlockPaths",
    "Conflict",
    "Correction",
    "Corrections",
    "CorrectionsError",
    "CorrectionsFolder",
    "Flips",
    "Rule",
    "Slot",
    "corrections_path",
    "signatures",
]
