"""The pages of WARC and WACZ files: which records are pages, and what is in them."""

import gzip
import zipfile
import zlib
from pathlib import Path

import brotli
import pytest

from newsclean.archives.archive_index import build_index, is_archive

from .warc_files import WINDOW, WarcFile, address, read_all, stories, story


def chunks(body: bytes) -> bytes:
    parts = (body[start : start + 100] for start in range(0, len(body), 100))
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def bare_deflate(body: bytes) -> bytes:
    return zlib.compress(body)[2:-4]


BODY = story(1)
#: What the headers say, and the bytes in the record.
PACKED = {
    "plain": ({}, BODY),
    "gzip": ({"Content-Encoding": "gzip"}, gzip.compress(BODY)),
    "x-gzip": ({"Content-Encoding": "x-gzip"}, gzip.compress(BODY)),
    "zlib": ({"Content-Encoding": "deflate"}, zlib.compress(BODY)),
    "bare deflate": ({"Content-Encoding": "deflate"}, bare_deflate(BODY)),
    "br": ({"Content-Encoding": "br"}, brotli.compress(BODY)),
    "chunked": ({"Transfer-Encoding": "chunked"}, chunks(BODY)),
    "chunked gzip": (
        {"Transfer-Encoding": "chunked", "Content-Encoding": "gzip"},
        chunks(gzip.compress(BODY)),
    ),
    "unpacked by the crawler": (
        {"Transfer-Encoding": "chunked", "Content-Encoding": "gzip"},
        BODY,
    ),
    "said to be br": ({"Content-Encoding": "br"}, BODY),
    "unknown": ({"Content-Encoding": "none"}, BODY),
}


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("how", PACKED)
def test_a_page_comes_out_as_it_was_however_it_was_sent(
    tmp_path: Path, how: str, packed: bool
) -> None:
    headers, body = PACKED[how]
    file = WarcFile(packed=packed)
    file.add(address(1), body, http=headers)
    path = tmp_path / "one.warc"
    path.write_bytes(file.data)
    (page,) = read_all(path).pages
    assert page.body == BODY
    assert page.content_type == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Encoding": "gzip"}, gzip.compress(BODY)[:-300]),
        ({"Content-Encoding": "br"}, brotli.compress(BODY)[:-300]),
        ({"Transfer-Encoding": "chunked"}, chunks(BODY)[:-300]),
    ],
)
def test_a_page_that_was_cut_short_on_its_way_is_counted_as_damaged(
    tmp_path: Path, headers: dict[str, str], body: bytes
) -> None:
    file = WarcFile()
    file.add(address(1), body, http=headers)
    file.add(address(2), story(2))
    path = tmp_path / "cut.warc.gz"
    path.write_bytes(file.data)
    contents = read_all(path)
    assert contents.urls == [address(2)]
    assert contents.left_out == {"damaged": 1}


def test_only_html_responses_with_status_200_from_the_web_are_pages(tmp_path: Path) -> None:
    file = WarcFile()
    file.write(file.writer.create_warcinfo_record("test", {"software": "newsclean"}))
    for number in range(3):
        file.add_request(address(number))
        file.add(address(number), story(number))
    file.add(address(3), b"", status="404 Not Found")
    file.add(address(4), b"", status="301 Moved", http={"Location": address(0)})
    file.add(address(5), b"\x89PNG", content_type="image/png")
    file.add("dns:example.org", b"20260101", content_type="text/dns")
    file.add(address(6), story(6), warc={"WARC-Truncated": "length"})
    path = tmp_path / "mixed.warc.gz"
    path.write_bytes(file.data)
    contents = read_all(path)
    assert contents.urls == [address(number) for number in range(3)]
    assert contents.left_out == {
        "http-404": 1,
        "http-301": 1,
        "not-html": 1,
        "not-http": 1,
        "truncated": 1,
    }


@pytest.mark.parametrize("said", [b"", b"Content-Type: appl\x07cation/ht\r\n"])
def test_a_response_is_read_also_if_its_record_does_not_say_that_it_is_http(
    tmp_path: Path, said: bytes
) -> None:
    file = WarcFile(packed=False)
    file.add(address(1), BODY)
    path = tmp_path / "one.warc"
    data = file.data.replace(b"Content-Type: application/http; msgtype=response\r\n", said, 1)
    assert data != file.data
    path.write_bytes(data)
    (page,) = read_all(path).pages
    assert page.body == BODY


def test_a_page_knows_when_it_was_fetched(tmp_path: Path) -> None:
    file = WarcFile()
    file.add(address(1), story(1), warc={"WARC-Date": "2019-03-01T10:00:00Z"})
    path = tmp_path / "dated.warc.gz"
    path.write_bytes(file.data)
    (page,) = read_all(path).pages
    assert page.fetched_at == "2019-03-01T10:00:00+00:00"
    assert (page.site, page.category) == ("example.org", "sport")


def test_a_revisit_is_the_original_page_if_that_is_in_the_file(tmp_path: Path) -> None:
    file = WarcFile()
    original = file.add(address(1), story(1))
    digest = original.rec_headers.get_header("WARC-Payload-Digest")
    file.add_revisit(address(2), digest)
    file.add_revisit(address(3), "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    path = tmp_path / "again.warc.gz"
    path.write_bytes(file.data)
    contents = read_all(path)
    assert [(page.url, page.body) for page in contents.pages] == [
        (address(1), story(1)),
        (address(2), story(1)),
    ]
    assert contents.left_out == {"revisit-without-original": 1}


def test_a_wacz_file_is_read_through_its_warc_files(tmp_path: Path) -> None:
    path = tmp_path / "site.wacz"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("datapackage.json", "{}")
        packed.writestr("archive/a.warc.gz", stories([1, 2]).data)
        packed.writestr("archive/b.warc", stories([3], packed=False).data)
        packed.writestr("pages/pages.jsonl", "{}")
    assert read_all(path).urls == [address(1), address(2), address(3)]
    path.write_bytes(path.read_bytes()[:-60])  # its table of contents is lost
    assert read_all(path).urls == [address(1), address(2), address(3)]


def test_entries_of_a_wacz_file_that_name_one_part_of_it_give_it_once(tmp_path: Path) -> None:
    path = tmp_path / "site.wacz"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("archive/a.warc.gz", stories([1, 2]).data)
        packed.writestr("archive/b.warc.gz", stories([3]).data)
        (first, second) = packed.infolist()
        for number in range(50):
            copy = zipfile.ZipInfo(f"archive/copy-{number}.warc.gz")
            copy.header_offset = (first, second)[number % 2].header_offset
            copy.compress_size = copy.file_size = 30 * number
            copy.CRC = 0
            packed.filelist.append(copy)
    contents = read_all(path)
    assert contents.urls == [address(1), address(2), address(3)]
    assert contents.left_out == {}


def test_a_file_that_is_gzipped_as_a_whole_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "whole.warc.gz"
    path.write_bytes(gzip.compress(stories([1, 2], packed=False).data))
    told: list[str] = []
    index = build_index([str(path)], WINDOW, left_out=lambda reason, what: told.append(str(what)))
    assert len(index) == 0
    assert index.left_out == {"unreadable": 1}
    assert told[0].startswith(f"cannot read {path}: it is gzipped as a whole")


def test_an_archive_is_known_by_its_name_or_by_how_it_begins(tmp_path: Path) -> None:
    names = {"a.dat": stories([1]).data, "b": stories([1], packed=False).data, "c.WARC.GZ": b""}
    for name, data in names.items():
        (tmp_path / name).write_bytes(data)
        assert is_archive(str(tmp_path / name))
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(story(1)))
    assert not is_archive(str(tmp_path / "page.html.gz"))
    assert not is_archive(str(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    "headers",
    [
        {"WARC-Date": "0001-01-01T00:00:00+14:00"},
        {"WARC-Date": "9999-12-31T23:59:59-01:00"},
        {"WARC-Date": "0001-01-01"},
    ],
)
def test_a_date_that_nobody_can_compute_with_costs_only_the_date(
    tmp_path: Path, headers: dict[str, str]
) -> None:
    file = stories([1])
    file.add(address(2), story(2), warc=headers)
    (tmp_path / "a.warc.gz").write_bytes(file.data)
    assert read_all(tmp_path / "a.warc.gz").urls == [address(1), address(2)]


def test_a_url_that_is_none_costs_only_its_record(tmp_path: Path) -> None:
    file = stories([1])
    file.add("http://[x/a", story(2))
    (tmp_path / "a.warc.gz").write_bytes(file.data)
    found = read_all(tmp_path / "a.warc.gz")
    assert found.urls == [address(1)]
    assert found.left_out.total() == 1


def test_a_wacz_file_that_lies_about_sizes_and_places_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "site.wacz"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("archive/a.warc.gz", stories([1, 2]).data)
        member = packed.infolist()[0]
        member.file_size = 2**60
    assert read_all(path).urls == [address(1), address(2)]
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("archive/a.warc.gz", stories([1, 2]).data)
        packed.infolist()[0].header_offset = 10**9
    assert read_all(path).urls == [address(1), address(2)]
