"""A response that breaks off is tried again, and never taken for the whole."""

import gzip
import sys
import zlib
from pathlib import Path
from urllib.parse import urlsplit

import brotli
import pytest

from newsclean.middlewares.responses import is_complete

from .scrapy_command import crawl_news
from .small_site import Answer, section, serve, story

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PAGE = story("The plums of summer", paragraphs=60).encode()
RAW = zlib.compressobj(wbits=-15)

COMPRESSED = {
    "gzip": gzip.compress(PAGE),
    "deflate": zlib.compress(PAGE),
    "raw-deflate": RAW.compress(PAGE) + RAW.flush(),
    "br": brotli.compress(PAGE),
    "zstd": zstd.compress(PAGE),
}


@pytest.mark.parametrize("name", COMPRESSED)
def test_compressed_data_is_complete_only_with_its_end(name: str) -> None:
    body, encoding = COMPRESSED[name], name.removeprefix("raw-")
    assert is_complete(body, encoding)
    for cut in (1, 9, len(body) // 2, len(body) - 12):
        assert not is_complete(body[:-cut], encoding), cut


def test_several_members_and_what_follows_them_are_complete() -> None:
    body = COMPRESSED["gzip"]
    assert is_complete(body * 2, "gzip")
    assert is_complete(body + b"\0\0", "gzip")
    assert not is_complete(body + body[:-9], "gzip")
    assert is_complete(COMPRESSED["zstd"] * 2, "zstd")


def test_data_beyond_the_largest_size_is_left_to_scrapy() -> None:
    bomb = gzip.compress(bytes(9_000_000))[:-1]
    assert is_complete(bomb, "gzip", 1_000_000)
    assert is_complete(b"not compressed at all", "gzip")


@pytest.mark.slow
def test_a_body_that_breaks_off_is_retried_then_dropped_and_never_extracted(
    tmp_path: Path,
) -> None:
    cut = {
        f"/news/the-plums-that-break-off-{10001 + n}.html": Answer(
            body[: len(body) * 2 // 3], encoding=name.removeprefix("raw-")
        )
        for n, (name, body) in enumerate(COMPRESSED.items())
    }
    cut["/news/the-plums-in-one-chunk-10011.html"] = Answer(PAGE, endless_chunk=True)
    cut["/news/the-plums-that-are-lost-10012.html"] = Answer(PAGE, lost=99)
    whole = {
        f"/news/the-plums-that-are-whole-{20001 + n}.html": Answer(
            body, encoding=name.removeprefix("raw-")
        )
        for n, (name, body) in enumerate(COMPRESSED.items())
    }
    answers = cut | whole
    front = {"/news": Answer(section({path: f"Plums, part {path[-10:-5]}" for path in answers}))}
    with serve(answers | front) as site:
        run = crawl_news(
            tmp_path,
            f"url={site.url}/news",
            RETRY_TIMES=1,
            HTTPCACHE_ENABLED=1,
            HTTPCACHE_POLICY="scrapy.extensions.httpcache.DummyPolicy",
        )
    assert run.dropped["truncated"] == len(cut)
    assert {path: site.hits[path] for path in cut} == dict.fromkeys(cut, 2)
    assert {urlsplit(line["url"]).path for line in run.lines()} <= set(whole)
    assert "the gzip data breaks off [truncated]" in run.log
    assert "Traceback" not in run.log
