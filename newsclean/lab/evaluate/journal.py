"""Scores as they come, a JSON line each, so that an interrupted run loses none of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from newsclean.lab.evaluate.scoring import Score

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE = "pages.jsonl"


class Journal:
    """The scores in a folder; without a folder they are only kept in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None
        self.scores: dict[tuple[Any, ...], Score] = {}
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / FILE
        self._file = path.open("a+b")
        self._read()

    def _read(self) -> None:
        """Take up what earlier runs have left; a line that was cut short is forgotten."""
        assert self._file is not None
        self._file.seek(0)
        end = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            end += len(line)
            try:
                score = Score.from_dict(json.loads(line))
            except (ValueError, TypeError, KeyError):  # of another version, or damaged
                continue
            self.scores[(*score.key, score.fingerprint)] = score
        self._file.truncate(end)

    def add(self, scores: Iterable[Score]) -> None:
        """The scores of one page, all or none."""
        lines = []
        for score in scores:
            self.scores[(*score.key, score.fingerprint)] = score
            lines.append(json.dumps(score.to_dict(), ensure_ascii=False))
        if self._file is not None and lines:
            self._file.write(("\n".join(lines) + "\n").encode("utf-8", "replace"))
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
