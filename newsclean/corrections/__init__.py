"""Corrections of a site: slots in which a person has found the method wrong, and what follows.

They are data: a file beside the site file (`sites/NAME.corrections.toml`). They speak only where
they contradict the method on the page that was labelled.
"""

from newsclean.corrections.checks import CorrectionsError
from newsclean.corrections.correction import FIELDS, Correction, Slot
from newsclean.corrections.corrections import Conflict, Corrections
from newsclean.corrections.file import SUFFIX, corrections_path
from newsclean.corrections.folder import CorrectionsFolder
from newsclean.corrections.paths import BlockPaths, signatures
from newsclean.corrections.rule import Flips, Rule

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
