"""ISO 8601 dates, whatever a line or a feed has in their place."""

import pytest

from newsclean.extraction.text import moment_of, parse_iso_date, seconds_of


@pytest.mark.parametrize(
    "value", [None, "", "soon", "2026-13-01", "2026-03-14T25:00", 20260314, []]
)
def test_what_is_not_a_date_is_none(value: object) -> None:
    assert parse_iso_date(value) is None
    assert moment_of(value) is None
    assert seconds_of(value) is None


def test_a_date_without_a_zone_counts_as_utc_and_one_with_a_zone_keeps_it() -> None:
    assert seconds_of("2026-03-14T09:30:00") == seconds_of("2026-03-14T10:30:00+01:00")
    moment = moment_of("2026-03-14T10:30:00+01:00")
    assert moment is not None
    assert moment.isoformat() == "2026-03-14T10:30:00+01:00"
    written = parse_iso_date("2026-03-14T09:30:00")
    assert written is not None
    assert written.tzinfo is None


def test_the_first_and_the_last_day_have_seconds_in_every_zone() -> None:
    first, last = seconds_of("0001-01-01T00:00:00+14:00"), seconds_of("9999-12-31T23:59:59-14:00")
    assert first is not None
    assert last is not None
    assert first < 0 < last
