"""The work of Spark's workers, with three pages that fail when they are extracted."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from newsclean.archives import extracting
from newsclean.archives.extracting import extract_line
from newsclean.cluster import spark_rows
from newsclean.cluster.spark_rows import *  # noqa: F403 all that is not replaced here

if TYPE_CHECKING:
    from collections.abc import Iterator


def extract_lines(  # type: ignore[no-redef]
    batches: Iterator[Any], *values: Any
) -> Iterator[Any]:
    with patch.object(extracting, "extract_line", fail_on_some):
        yield from spark_rows.extract_lines(batches, *values)


def fail_on_some(position: Any, options: Any, *, read: Any, sites: Any) -> Any:
    url = read(position, options.max_page_size).url
    if url == "https://herald.example/news/oslo":
        os.kill(os.getpid(), signal.SIGKILL)
    if url == "https://courier.example/news/moss":
        raise ZeroDivisionError("a page that nobody has thought of")
    if url == "https://tidings.example/news/bergen":
        read = take_all_memory
    return extract_line(position, options, read=read, sites=sites)


def take_all_memory(position: Any, max_size: int) -> Any:
    return bytearray(1 << 60)
