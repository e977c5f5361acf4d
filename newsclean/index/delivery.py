"""Sends what waits in a spool to its index: in a thread, in batches, again until it is there."""

from __future__ import annotations

import logging
import time
from threading import Event, Thread
from typing import TYPE_CHECKING

from newsclean.files import StorageError
from newsclean.index.target import IndexTargetError, TargetDownError, Written, open_target

if TYPE_CHECKING:
    from collections.abc import Callable

    from newsclean.index.spool import Spool
    from newsclean.index.target import IndexTarget

logger = logging.getLogger(__name__)

BATCH = 100
MAX_BATCH_BYTES = 10_000_000
#: Seconds for which a batch that is not full waits for more articles.
LINGER = 1.0
#: Seconds between two tries: the first pause, and the longest; each is twice the one before.
FIRST_PAUSE = 0.5
MAX_PAUSE = 30.0
#: While the crawl waits for its end.
MAX_LAST_PAUSE = 1.0
#: Refused articles that the log names; the others are counted.
MAX_NAMED = 20


class SpoolDelivery:
    """Delivers a spool until it is finished; what is left then stays in the spool."""

    def __init__(
        self,
        spool: Spool,
        address: str,
        *,
        batch: int = BATCH,
        opener: Callable[[str], IndexTarget] = open_target,
    ) -> None:
        self.spool = spool
        #: what the index has made of the articles so far
        self.written = Written()
        self.refused = 0
        #: how often the target was tried in vain
        self.failures = 0
        self.last_error = ""
        self._address = address
        self._batch = batch
        self._opener = opener
        self._target: IndexTarget | None = None
        #: when the target was found to be down, None while it answers
        self._down_since: float | None = None
        self._pause = 0.0
        self._added = 0
        self._is_batch_full = Event()
        self._is_closing = Event()
        self._deadline = float("inf")
        self._thread = Thread(target=self._run, name="newsclean index", daemon=True)

    @property
    def is_down(self) -> bool:
        """Whether the last try was in vain."""
        return self._down_since is not None

    def start(self) -> None:
        self._thread.start()

    def notify(self) -> None:
        """Say that an article was added to the spool."""
        self._added += 1
        if self._added >= self._batch:
            self._is_batch_full.set()

    def finish(self, seconds: float) -> int:
        """Deliver what waits, for at most as many seconds; how many articles still wait then."""
        self._deadline = time.monotonic() + seconds
        self._is_closing.set()
        self._is_batch_full.set()
        if self._thread.ident is not None:
            self._thread.join(seconds + MAX_LAST_PAUSE)
        left = self.spool.waiting()
        if not self._thread.is_alive():  # one that hangs in a request still needs the spool
            self.spool.close()
        return left

    def deliver_all(self, patience: float) -> int:
        """Deliver until nothing waits; how many still do if there was no success for too long."""
        while (waiting := self.spool.waiting()) and self._thread.is_alive():
            ends = time.monotonic() + patience
            while self.spool.waiting() >= waiting and time.monotonic() < ends:
                time.sleep(0.05)
            if self.spool.waiting() >= waiting:
                break
        return self.finish(0)

    def _run(self) -> None:
        while not (self._is_closing.is_set() and self._is_over()):
            try:
                sent = self.spool.may_deliver() and self._deliver_batch()
            except Exception as error:
                self._fail(error)
                if self._is_closing.is_set():
                    time.sleep(min(self._pause, MAX_LAST_PAUSE))
                else:
                    self._is_closing.wait(self._pause)
            else:
                if not sent:
                    self._wait_for_articles()
        self._close_target()

    def _is_over(self) -> bool:
        if time.monotonic() > self._deadline:
            return True
        try:
            return not self.spool.waiting()
        except StorageError:
            return True

    def _wait_for_articles(self) -> None:
        if self._is_closing.is_set():
            time.sleep(0.05)  # another process delivers
            return
        self._is_batch_full.wait(LINGER)
        self._is_batch_full.clear()
        self._added = 0

    def _deliver_batch(self) -> bool:
        """Send the next batch; whether another full one may wait."""
        batch = self.spool.batch(self._batch, MAX_BATCH_BYTES)
        if not batch:
            return False
        if self._target is None:
            self._target = self._opener(self._address)
        written = self._target.write([article.line for article in batch])
        refused = {batch[each.place].number: each.reason for each in written.refused}
        self._answers_again()
        delivered = [article.number for article in batch if article.number not in refused]
        self.spool.settle(delivered, refused)
        for each in written.refused[: max(MAX_NAMED - self.refused, 0)]:
            line = batch[each.place].line
            logger.error("the index refuses <%s>: %s", line.get("url"), each.reason)
        self.refused += len(refused)
        counts = Written(written.new, written.changed, written.same, written.older)
        self.written += counts
        return len(batch) >= self._batch or self._is_closing.is_set()

    def _fail(self, error: Exception) -> None:
        self.failures += 1
        self.last_error = str(error)
        self._close_target()
        self._pause = min(max(2 * self._pause, FIRST_PAUSE), MAX_PAUSE)
        if self._down_since is None:
            self._down_since = time.monotonic()
            is_expected = isinstance(error, TargetDownError | IndexTargetError | StorageError)
            logger.warning(
                "the index %s takes no articles: %s; they are kept in %s, and sent again",
                self.spool.target,
                error,
                self.spool.path,
                exc_info=None if is_expected else error,
            )

    def _answers_again(self) -> None:
        if self._down_since is not None:
            seconds = time.monotonic() - self._down_since
            logger.info(
                "the index %s takes articles again, after %.0f s", self.spool.target, seconds
            )
        self._down_since = None
        self._pause = 0.0

    def _close_target(self) -> None:
        target, self._target = self._target, None
        if target is not None:
            try:
                target.close()
            except Exception as error:
                logger.debug("closing the index: %s", error)
