"""What a command that measures says of the files that it has written."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from newsclean.lab.evaluate.report import why_no_plots

if TYPE_CHECKING:
    from pathlib import Path


def say_written(folder: Path, *files: str) -> None:
    """Say which files and plots a folder holds now, or why it holds no plots."""
    why = why_no_plots()
    if why:
        print(f"newsclean: {why}", file=sys.stderr)
    print(f"written to {folder}: {', '.join([*files, *([] if why else ['plots'])])}")
