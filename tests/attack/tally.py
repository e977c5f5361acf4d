"""Counts tries and failures of the promises of one part."""

from __future__ import annotations

from tests.attack.promise import Promise


class Tally:
    """The promises of one part, in the order in which they are first put to the test."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.tries: dict[str, int] = {}
        self.examples: dict[str, list[str]] = {}
        self.not_run: dict[str, str] = {}

    def check(self, promise: str, held: bool, example: str, tries: int = 1) -> None:
        """Count tries of a promise, of which one failed if it was not held."""
        self.tries[promise] = self.tries.get(promise, 0) + tries
        if not held:
            self.examples.setdefault(promise, []).append(example)

    def skip(self, promise: str, reason: str) -> None:
        """Report a promise that cannot be put to the test here."""
        self.not_run[promise] = f"not run: {reason}"

    def promises(self) -> list[Promise]:
        tried = [
            Promise(self.part, promise, tries, len(failed), failed[0] if failed else "")
            for promise, tries in self.tries.items()
            for failed in [self.examples.get(promise, [])]
        ]
        missing = [Promise(self.part, name, 0, 0, why) for name, why in self.not_run.items()]
        return tried + missing
