"""What one part of the attack has found on one promise."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """A promise, how often it was tried, and how often it was broken.

    Without tries it was not put to the test; `example` then says why, and else shows a failure.
    """

    part: str
    promise: str
    tries: int
    failures: int
    example: str = ""
