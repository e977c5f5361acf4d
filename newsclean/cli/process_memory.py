"""Keeps the memory of a process small that reads one page after another.

What a page leaves is returned late: objects that refer to each other wait for the collector, which
looks at old ones the less often the more of them there are, and the C library keeps what a thread
has freed for that thread.
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

#: Of glibc's malloc.h.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
#: Bytes: larger pieces are given back at once.
THRESHOLD = 128 * 1024


#: Pages after which what they have left is returned.
RETURN_EVERY = 10


def return_memory_early() -> None:
    """To be called once, after the imports and before there are threads."""
    gc.collect()
    gc.freeze()  # what lasts to the end does not count as old, and is not looked at again
    with suppress(AttributeError, OSError):  # another C library
        library = ctypes.CDLL(None)
        library.mallopt(M_ARENA_MAX, 1)
        library.mallopt(M_MMAP_THRESHOLD, THRESHOLD)
        library.mallopt(M_TRIM_THRESHOLD, THRESHOLD)


def return_memory_now() -> None:
    """Collect the pages that are done with, and give back what the C library keeps of them."""
    gc.collect()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
