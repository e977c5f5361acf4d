"""Milliseconds a page, on one core, with all systems timed in turn on the same page.

Timed is the processor time of one call, from the page's bytes to the article's text:

- a method: decoding, parsing, the walk, what an already learned neighborhood knows, the choice,
  the metadata that the body needs (headline, authors), the text;
- a peer: its own call with the page's bytes, or with the decoded page where it takes no bytes (the
  decoding, and jusText's choice of a language, are then not counted);
- `lxml parse`: the bytes to a tree and nothing more.
"""

from __future__ import annotations

import gc
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Speed:
    """Of one system over all pages; a ratio is the median of the ratios page by page."""

    median: float
    p95: float
    to_lxml: float
    to_trafilatura: float | None = None


def milliseconds(call: Callable[[], object]) -> float:
    """The processor time of a call; garbage of earlier calls is collected before."""
    gc.collect()
    start = time.process_time()
    call()
    return (time.process_time() - start) * 1000


def lxml_parse(body: bytes) -> None:
    """The bare parse to which all else is compared."""
    parser = etree.HTMLParser(recover=True, huge_tree=True)
    try:
        etree.fromstring(body, parser)
    except etree.XMLSyntaxError:
        return


def speed_of(
    ms: Sequence[float], lxml_ms: Sequence[float], trafilatura: Sequence[float] | None
) -> Speed:
    """`trafilatura` holds its time as a multiple of lxml's, page by page."""
    times, parse = np.asarray(ms), np.maximum(lxml_ms, 1e-3)
    ratios = times / parse
    peer = None
    if trafilatura is not None:
        peer = float(np.median(ratios / np.maximum(trafilatura, 1e-6)))
    median, p95 = np.percentile(times, [50, 95])
    return Speed(float(median), float(p95), float(np.median(ratios)), peer)


def peak_memory() -> float | None:
    """The largest size that this process has had, in MB."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
