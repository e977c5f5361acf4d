"""A damaged archive: everything readable comes out, and the rest is counted."""

import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsclean.archives import warc_files as frames
from newsclean.archives.archive_index import build_index
from newsclean.archives.record_bodies import read_page
from newsclean.archives.saved import SavedPageError
from newsclean.files import MAX_NAMED
from tests.cli.test_bad_input import steps_of

from .warc_files import WINDOW, WarcFile, address, read_all, stories, story

PAGES = 12
both = pytest.mark.parametrize("packed", [True, False], ids=["gzip", "plain"])


def expected(*lost: int) -> list[str | None]:
    return [address(number) for number in range(PAGES) if number not in lost]


def written(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "damaged.warc"
    path.write_bytes(data)
    return path


@both
def test_of_a_file_that_was_cut_off_only_the_last_record_is_lost(
    tmp_path: Path, packed: bool
) -> None:
    whole = stories(range(PAGES), packed=packed)
    for missing in (8, 200, len(whole.data) - whole.offsets[-1] - 30):
        contents = read_all(written(tmp_path, whole.data[:-missing]))
        assert contents.urls == expected(PAGES - 1)
        assert contents.left_out == {"damaged": 1}


@pytest.mark.parametrize(
    ("packed", "place", "length"),
    [(True, 0, 40), (True, 300, 40), (False, 0, 260)],
    ids=["gzip, the beginning", "gzip, the midst", "plain, the header"],
)
def test_overwritten_records_are_counted_and_all_others_come_out(
    tmp_path: Path, packed: bool, place: int, length: int
) -> None:
    whole = stories(range(PAGES), packed=packed)
    data = bytearray(whole.data)
    for number in (0, 4, 5, PAGES - 1):
        begin = whole.offsets[number] + place
        data[begin : begin + length] = b"\x55" * length
    contents = read_all(written(tmp_path, bytes(data)))
    assert contents.urls == expected(0, 4, 5, PAGES - 1)
    # Two in a row without a beginning cannot be told from one.
    assert contents.left_out == {"damaged": 4 if place else 3}


@both
def test_bytes_that_are_missing_cost_one_record(tmp_path: Path, packed: bool) -> None:
    whole = stories(range(PAGES), packed=packed)
    middle = whole.offsets[5] + 600
    contents = read_all(written(tmp_path, whole.data[:middle] + whole.data[middle + 100 :]))
    assert contents.urls == expected(5)
    assert contents.left_out == {"damaged": 1}


@both
def test_foreign_bytes_between_records_cost_none(tmp_path: Path, packed: bool) -> None:
    whole = stories(range(PAGES), packed=packed)
    at = whole.offsets[6]
    data = whole.data[:at] + b"some foreign bytes \x1f\x8b\x08 \r\n\r\n" + whole.data[at:]
    contents = read_all(written(tmp_path, data))
    assert contents.urls == expected()
    assert contents.left_out == {"damaged": 1}


@both
def test_empty_lines_and_zeros_at_the_end_are_no_damage(tmp_path: Path, packed: bool) -> None:
    whole = stories(range(PAGES), packed=packed)
    contents = read_all(written(tmp_path, whole.data + b"\r\n\r\n" + bytes(512)))
    assert contents.urls == expected()
    assert contents.left_out == {}


@both
def test_a_record_that_is_too_large_is_not_kept(
    tmp_path: Path, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "KEPT", 1_000)
    file = WarcFile(packed=packed)
    file.add(address(0), story(0) * 10)
    file.add(address(1), story(1))
    path = written(tmp_path, file.data)
    first, second = build_index([str(path)], WINDOW)
    with pytest.raises(SavedPageError, match="too large: it has more than 5,000 bytes"):
        read_page(first, 5_000)
    assert read_page(second, 5_000).body == story(1)


def test_a_file_without_any_record_is_one_damaged_part(tmp_path: Path) -> None:
    contents = read_all(written(tmp_path, b"no archive at all" * 50))
    assert contents.pages == []
    assert contents.left_out == {"damaged": 1}


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    start=st.floats(0, 1),
    length=st.integers(1, 400),
    byte=st.integers(0, 255),
    packed=st.booleans(),
)
def test_damage_in_one_place_costs_only_the_records_that_it_touches(
    tmp_path: Path, start: float, length: int, byte: int, packed: bool
) -> None:
    whole = stories(range(6), packed=packed)
    data = bytearray(whole.data)
    first = int(start * (len(data) - 1))
    last = min(first + length, len(data))
    data[first:last] = bytes([byte]) * (last - first)
    ends = [*whole.offsets[1:], len(data)]
    spans = zip(whole.offsets, ends, strict=True)
    untouched = {n for n, (begin, end) in enumerate(spans) if end <= first or begin >= last}
    contents = read_all(written(tmp_path, bytes(data)))
    assert {address(number) for number in untouched} <= set(contents.urls)
    for page in contents.pages:
        if packed:
            assert page.body in [story(number) for number in range(6)]


GZIP_HEADER = frames.GZIP_MAGIC + bytes(6) + b"\x03"


def nested_members(size: int) -> bytes:
    """Gzip members inside each other that all go on with the same bomb, and none of which ends."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    bomb = packing.compress(bytes(500 * size)) + packing.flush(zlib.Z_FULL_FLUSH)
    inside = b"WARC/"
    while len(inside) < min(size, 60_000):
        length = len(inside).to_bytes(2, "little")
        inverse = (len(inside) ^ 0xFFFF).to_bytes(2, "little")
        inside = b"WARC/" + GZIP_HEADER + b"\0" + length + inverse + inside
    return inside[5:] + bomb


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "gzip magic": lambda size: frames.GZIP_MAGIC * (size // 3),
    "gzip headers": lambda size: GZIP_HEADER * (size // len(GZIP_HEADER)),
    "nested members": nested_members,
    "beginnings": lambda size: b"WARC/1.0\r\n" * (size // 10),
    "beginnings in lines": lambda size: b"a: WARC/1.0\r\n" * (size // 13),
    "open headers": lambda size: b"WARC/1.0\r\na: b\r\n" * (size // 16),
    "long records without an end": lambda size: (
        b"WARC/1.0\r\nContent-Length: %d\r\n\r\n" % (size // 2) * (size // 40)
    ),
    "short records": lambda size: b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n" * (size // 35),
    "short members": lambda size: (
        zlib.compress(b"WARC/1.0\r\nContent-Length: 0\r\n\r\n", wbits=31) * (size // 55)
    ),
}


class CountingStream(io.BytesIO):
    """A file that counts the bytes read from it."""

    read_bytes = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.read_bytes += len(data)
        return data


class CountingZlib:
    """What `frames` uses of zlib; it counts the bytes that are unpacked."""

    error = zlib.error

    def __init__(self) -> None:
        self.unpacked = 0

    def decompressobj(self, form: int) -> Any:
        count, unpacking = self, zlib.decompressobj(form)

        class Unpacking:
            def decompress(self, data: bytes, most: int) -> bytes:
                unpacked = unpacking.decompress(data, most)
                count.unpacked += len(unpacked)
                return unpacked

            def __getattr__(self, name: str) -> Any:
                return getattr(unpacking, name)

        return Unpacking()


@pytest.mark.parametrize("shape", HOSTILE)
def test_the_work_is_bounded_for_each_byte_whatever_a_file_has(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = HOSTILE[shape](200_000)
    stream, counting = CountingStream(data), CountingZlib()
    monkeypatch.setattr(frames, "zlib", counting)
    steps = steps_of(lambda: list(frames.frames(stream, 0, len(data))))
    # The steps are Python's lines; a kilobyte is read for each possible beginning. A bomb that is
    # unpacked once has a thousand bytes for each of its own.
    assert steps <= 10 * len(data)
    assert stream.read_bytes <= 400 * len(data)
    assert counting.unpacked <= 1500 * len(data)


def test_what_is_repeated_is_named_a_few_times_and_then_counted(tmp_path: Path) -> None:
    path = written(tmp_path, HOSTILE["beginnings"](10_000))
    told: list[str] = []
    index = build_index([str(path)], WINDOW, left_out=lambda _, what: told.append(str(what)))
    assert index.left_out == {"damaged": 1000}
    assert told[:2] == [f"{path} at byte 0", f"{path} at byte 10"]
    assert told[MAX_NAMED:] == [f"{1000 - MAX_NAMED} more in {path}"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.warc", b"", "cannot read {path}: it is empty, it has no records"),
        ("a.warc.gz", b"", "cannot read {path}: it is empty, it has no records"),
        ("a.warc", b"\r\n" + bytes(20), "cannot read {path}: it is empty"),
        ("a.warc.gz", zlib.compress(b"", wbits=31), "cannot read {path}: it is empty"),
        ("a.warc", b"WARC/1.0\r\nContent-Length: 0\r\n\r\n", "there are no pages in {path}"),
    ],
)
def test_an_archive_without_a_record_or_a_page_is_told_so(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    told: list[str] = []
    index = build_index([str(path)], WINDOW, left_out=lambda _, what: told.append(str(what)))
    assert index.left_out == {"unreadable": 1}
    assert told[0].startswith(message.format(path=path))
