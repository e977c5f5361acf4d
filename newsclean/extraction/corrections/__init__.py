"""Corrections of a site: the slots of its template in which a person found the method wrong.

They are data, in a file beside the site file (`sites/NAME.corrections.toml`), and apply only where
they contradict the method on the labelled page.
"""

from newsclean.extraction.corrections.correction_files import (
    FIELDS,
    SUFFIX,
    Correction,
    CorrectionsError,
    Slot,
    corrections_path,
)
from newsclean.extraction.corrections.site_corrections import (
    Conflict,
    Corrections,
    CorrectionsFolder,
    Flips,
    Rule,
)

__all__ = [
    "FIELDS",
    "SUFFIX",
    "Conflict",
    "Correction",
    "Corrections",
    "CorrectionsError",
    "CorrectionsFolder",
    "Flips",
    "Rule",
    "Slot",
    "corrections_path",
]
