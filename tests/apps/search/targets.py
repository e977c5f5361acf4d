"""An index of the tests, which can be down, and remembers what it was sent."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from newsclean.apps.search import IndexTargetError, Refused, TargetDownError, Written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class RecordingTarget:
    """Has articles by id; the newer revision counts."""

    def __init__(self) -> None:
        self.articles: dict[str, Mapping[str, Any]] = {}
        self.batches: list[int] = []
        self.is_down = False
        self.is_wrong = False
        #: ids that it refuses
        self.refuses: set[str] = set()
        #: while it is clear, a write hangs
        self.answers = threading.Event()
        self.answers.set()
        self.tries = 0
        self.opened = 0
        self.threads: set[str] = set()

    def open(self, address: str) -> RecordingTarget:
        self.opened += 1
        self._check()
        return self

    def write(self, articles: Sequence[Mapping[str, Any]]) -> Written:
        self.threads.add(threading.current_thread().name)
        self.answers.wait()
        self._check()
        written = Written()
        for place, article in enumerate(articles):
            known = self.articles.get(article["id"])
            if article["id"] in self.refuses:
                written += Written(refused=(Refused(place, "too strange"),))
            elif known is None or article["revision"] > known["revision"]:
                self.articles[article["id"]] = article
                written += Written(new=1) if known is None else Written(changed=1)
            else:
                written += Written(same=1)
        self.batches.append(len(articles))
        return written

    def close(self) -> None:
        pass

    def _check(self) -> None:
        self.tries += 1
        if self.is_down:
            raise TargetDownError("it does not answer")
        if self.is_wrong:
            raise IndexTargetError("no such database")
