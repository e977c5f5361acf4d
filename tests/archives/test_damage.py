"""A damaged archive: everything readable comes out, and the rest is counted."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsclean.archives import frames

from .warc_files import WarcFile, address, read_all, stories, story

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
    monkeypatch.setattr(frames, "MAX_RECORD", 5_000)
    file = WarcFile(packed=packed)
    file.add(address(0), story(0) * 10)
    file.add(address(1), story(1))
    contents = read_all(written(tmp_path, file.data))
    assert contents.urls == [address(1)]
    assert contents.left_out == {"too-large": 1}


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
