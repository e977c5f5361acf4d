from datetime import UTC, datetime, timedelta

import pytest

from newsclean.metadata.dates import date_in_text, date_in_url, first_trusted, iso_date


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2024-03-01", "2024-03-01"),
        ("2024/3/1", "2024-03-01"),
        ("20240301", "2024-03-01"),
        ("2024-03-01 09:30", "2024-03-01T09:30:00"),
        ("2024-03-01T09:30:15Z", "2024-03-01T09:30:15+00:00"),
        ("2024-03-01T09:30:15.123456+01:00", "2024-03-01T09:30:15+01:00"),
        ("2024-03-01T09:30:15+0100", "2024-03-01T09:30:15+01:00"),
        ("2024-03-01T09:30-05", "2024-03-01T09:30:00-05:00"),
        ("20240301T093015Z", "2024-03-01T09:30:15+00:00"),
        ("20240301093015", "2024-03-01T09:30:15"),
        ("Fri, 01 Mar 2024 09:30:15 +0100", "2024-03-01T09:30:15+01:00"),
        ("Fri, 1 Mar 2024 09:30:15 GMT", "2024-03-01T09:30:15+00:00"),
        ("Fri, 1 Mar 2024 09:30:15 EST", "2024-03-01T09:30:15-05:00"),
        ("Fri Mar 01 2024 09:30:15 GMT+0100 (CET)", "2024-03-01T09:30:15+01:00"),
        ("Fri Mar 01 09:30:15 CET 2024", "2024-03-01T09:30:15+01:00"),
        ("March 1, 2024 9:30 pm", "2024-03-01T21:30:00"),
        ("1st of March 2024", "2024-03-01"),
        ("01-Mar-2024", "2024-03-01"),
        ("01.03.2024, 09:30", "2024-03-01T09:30:00"),
        ("2024年3月1日 09:30", "2024-03-01T09:30:00"),
        ("Published: March 1, 2024", "2024-03-01"),
        ("13/03/2024", "2024-03-13"),
        ("03/13/2024", "2024-03-13"),
        ("1709285400", "2024-03-01T09:30:00+00:00"),
        (1709285400, "2024-03-01T09:30:00+00:00"),
        (1709285400000, "2024-03-01T09:30:00+00:00"),
    ],
)
def test_a_date_is_written_in_iso_8601(written: object, expected: str) -> None:
    assert iso_date(written) == expected


@pytest.mark.parametrize(
    "written",
    ["", "yesterday", "2024-13-45", "2024-02-30", "0001-01-01T00:00:00Z", "9999-12-31", "0",
     "1970-01-01T00:00:00Z", "03/04/2024", "2024", "12", "2024-03-01T25:99", True, None, [], {},
     float("nan"), float("inf"), 10**30, -5],
)  # fmt: skip
def test_nonsense_and_the_ambiguous_are_no_dates(written: object) -> None:
    assert iso_date(written) is None


def test_a_future_date_yields_to_another_source_but_stands_alone() -> None:
    future = (datetime.now(UTC) + timedelta(days=30)).isoformat(timespec="seconds")
    assert first_trusted([future, "2024-03-01"]) == "2024-03-01"
    assert first_trusted(["nonsense", future]) == future


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/2024/03/14/rain", "2024-03-14"),
        ("https://example.org/news/2024-03-14-rain.html", "2024-03-14"),
        ("https://example.org/rain-20240314.html", "2024-03-14"),
        ("https://example.org/2024/mar/14/rain", "2024-03-14"),
        ("https://example.org/2024/03/rain", None),
        ("https://example.org/2024/13/14/rain", None),
        ("https://example.org/rain?date=2024/03/14/", None),
        ("https://example.org/article/120240314999", None),
        (None, None),
    ],
)
def test_the_day_in_an_address(url: str | None, expected: str | None) -> None:
    assert date_in_url(url) == expected


def test_a_date_within_a_text_is_found() -> None:
    assert date_in_text("Ann Lee · 5 min · March 1, 2024 · Berlin") == "2024-03-01"
    assert date_in_text("Rooms 12 to 14, 2024 seats") is None
