"""The pages of a crawl as a WARC file, read by warcio."""

import asyncio
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.utils.test import get_crawler
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from newsclean.files import StorageError
from newsclean.middlewares.page_archive import (
    PageArchiveMiddleware,
    WarcFile,
    archive_to,
    record_of,
    repair_last_record,
)
from newsclean.middlewares.responses import STORED_PAGE

URL = "https://example.org/story"


def page(number: int = 1, **values: object) -> HtmlResponse:
    body = f"<title>Story {number}</title>".encode() + os.urandom(500).hex().encode()
    return HtmlResponse(f"{URL}-{number}", body=body, **values)


def records(path: Path) -> Iterator[tuple[str, str, bytes]]:
    """The type, the URL and the payload of each record."""
    with path.open("rb") as file:
        for record in ArchiveIterator(file, no_record_parse=False, check_digests="raise"):
            url = record.rec_headers.get_header("WARC-Target-URI") or ""
            yield record.rec_type, url, record.content_stream().read()


def pages(path: Path) -> list[str]:
    return [url for kind, url, _ in records(path) if kind == "response"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pages.warc.gz"


def test_warcio_reads_the_pages_with_their_headers_and_checks_them(path: Path) -> None:
    file, first_page = WarcFile(path), page(1, headers={"Set-Cookie": ["a=1", "b=2"]})
    file.add(record_of(first_page))
    file.add(record_of(page(2)))
    info, first, _ = records(path)
    assert (info[0], info[2][:9]) == ("warcinfo", b"software:")
    assert first == ("response", f"{URL}-1", first_page.body)
    checker = Checker(type("Options", (), {"verbose": False, "inputs": [str(path)]})())
    checker.process_all()
    assert checker.exit_value == 0


def test_the_headers_say_what_is_true_of_the_body(path: Path) -> None:
    headers = {"Content-Length": "7", "Transfer-Encoding": "chunked", "ETag": "x"}
    WarcFile(path).add(record_of(page(1, headers=headers)))
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                found = dict(record.http_headers.headers)
    assert found == {"Etag": "x", "Content-Length": str(len(page(1).body))}


def middleware(path: Path) -> PageArchiveMiddleware:
    crawler = get_crawler(settings_dict={"NEWSCLEAN_MEMORY": ":memory:"})
    return archive_to(str(path)).from_crawler(crawler)


def test_pages_are_written_and_other_responses_are_not(path: Path) -> None:
    archive = middleware(path)
    plain, stored = Request(URL), Request(URL, meta={STORED_PAGE: 7})
    passed: list[tuple[Request, Response]] = [
        (plain, page(1)),
        (plain, page(2, status=404)),
        (plain, TextResponse(f"{URL}/robots.txt", headers={"Content-Type": "text/plain"})),
        (plain, Response(f"{URL}/a.jpg", headers={"Content-Type": "image/jpeg"})),
        (stored, page(3)),  # it was downloaded before
        (plain, page(4)),
    ]
    for request, response in passed:
        assert asyncio.run(archive.process_response(request, response)) is response
    assert pages(path) == [f"{URL}-1", f"{URL}-4"]


def test_half_a_record_is_cut_off_wherever_a_process_was_killed(path: Path) -> None:
    file = WarcFile(path)
    file.add(record_of(page(1)))
    whole = path.stat().st_size
    file.add(record_of(page(2)))
    content = path.read_bytes()
    for size in range(whole + 1, len(content)):
        path.write_bytes(content[:size])
        repair_last_record(path)
        assert path.stat().st_size == whole
    path.write_bytes(content)
    repair_last_record(path)
    assert path.read_bytes() == content


def test_half_of_the_first_record_leaves_an_empty_file(path: Path) -> None:
    WarcFile(path).open()
    content = path.read_bytes()
    for size in (0, 1, 2, 3, 20, len(content) - 1):
        path.write_bytes(content[:size])
        repair_last_record(path)
        assert path.read_bytes() == b""


def test_a_record_after_half_a_record_of_another_process_can_be_read(path: Path) -> None:
    ours, killed = WarcFile(path), WarcFile(path)
    ours.add(record_of(page(1)))
    killed.add(record_of(page(2)))
    os.truncate(path, path.stat().st_size - 9)
    ours.add(record_of(page(3)))
    assert pages(path) == [f"{URL}-1", f"{URL}-3"]


def test_a_file_that_is_no_warc_file_is_refused_and_stays(path: Path) -> None:
    path.write_text("my notes")
    with pytest.raises(Exception, match="it exists, and is not a WARC file"):
        middleware(path)
    assert path.read_text() == "my notes"


def test_a_full_disk_ends_the_crawl_and_leaves_whole_records(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, ended = middleware(path), list[StorageError]()
    monkeypatch.setattr(archive.state, "end", ended.append)
    asyncio.run(archive.process_response(Request(URL), page(1)))
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, limit[1]))
        asyncio.run(archive.process_response(Request(URL), page(2)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, old)
    assert [str(error).partition(";")[0] for error in ended] == [
        f"cannot use the file {path}: File too large"
    ]
    assert pages(path) == [f"{URL}-1"]
