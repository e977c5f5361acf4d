from datetime import UTC, datetime, timedelta

import pytest

from newsclean.extraction.metadata.dates import (
    date_in_text,
    date_in_url,
    find_date,
    first_trusted,
    from_persian,
    iso_date,
    month_named,
)


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
    ["5. Dezember 2023", "5 décembre 2023", "Martes, 5 de diciembre de 2023", "5 dicembre 2023",
     "5 de dezembro de 2023", "5 dec. 2023", "den 5 december 2023", "5. desember 2023",
     "5. joulukuuta 2023", "5 grudnia 2023", "5. prosince 2023", "вторник, 5 декабря 2023 г.",
     "5 грудня 2023", "5 ARALIK 2023", "5 Δεκεμβρίου 2023", "2023年12月5日", "2023년 12월 5일",
     "2023. 12. 5.", "diciembre 5, 2023"],
)  # fmt: skip
def test_months_are_known_in_the_languages_of_news(written: str) -> None:
    assert iso_date(written) == "2023-12-05"
    assert date_in_text(f"Bergen | {written}") == "2023-12-05"


@pytest.mark.parametrize(
    ("word", "month"),
    [("Mar", 3), ("marraskuuta", 11), ("června", 6), ("července", 7), ("juin", 6), ("juil", 7),
     ("MAYIS", 5), ("мая", 5), ("Μάιος"[:3], 5), ("Jänner", 1), ("août", 8), ("mrt", 3),
     ("Market", 0), ("products", 0), ("ma", 0)],
)  # fmt: skip
def test_a_month_is_known_by_its_first_letters_and_no_other_word_is_one(
    word: str, month: int
) -> None:
    assert month_named(word) == month


def test_a_time_of_day_is_read_as_other_languages_write_it() -> None:
    assert iso_date("1er mars 2024 à 9h30") == "2024-03-01T09:30:00"
    assert iso_date("1. März 2024 um 09:30 Uhr") == "2024-03-01T09:30:00"


@pytest.mark.parametrize(
    "text", ["Oslo 2024-03-01", "Ann Lee 1 March 2024", "发布于2024年3月1日", "x March 1, 2024"]
)
def test_the_date_begins_after_the_words_before_it(text: str) -> None:
    start, day = find_date(text)
    assert day == "2024-03-01"
    assert iso_date(text[start:]) == day
    assert text[:start].strip() in ("Oslo", "Ann Lee", "发布于", "x")


@pytest.mark.parametrize(
    "written",
    ["", "yesterday", "12 products 2024", "Market 5, 2024",
     "2024-13-45", "2024-02-30", "0001-01-01T00:00:00Z", "9999-12-31", "0",
     "1970-01-01T00:00:00Z", "03/04/2024", "2024", "12", "2024-03-01T25:99", True, None, [], {},
     float("nan"), float("inf"), 10**30, -5],
)  # fmt: skip
def test_nonsense_and_the_ambiguous_are_no_dates(written: object) -> None:
    assert iso_date(written) is None


def test_a_future_date_yields_to_another_source_but_stands_alone() -> None:
    future = (datetime.now(UTC) + timedelta(days=30)).isoformat(timespec="seconds")
    assert first_trusted([("meta", future), ("time", "2024-03-01")]) == ("2024-03-01", "time")
    assert first_trusted([("meta", "nonsense"), ("time", future)]) == (future, "time")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/2024/03/14/rain", "2024-03-14"),
        ("https://example.org/news/2024-03-14-rain.html", "2024-03-14"),
        ("https://example.org/rain-20240314.html", "2024-03-14"),
        ("https://example.org/2024/mar/14/rain", "2024-03-14"),
        ("https://example.org/2024/march/14/rain", "2024-03-14"),
        ("https://example.org/2024/03/rain", None),
        ("https://example.org/2024/13/14/rain", None),
        ("https://example.org/rain?date=2024/03/14/", None),
        ("https://example.org/article/120240314999", None),
        (None, None),
    ],
)
def test_the_day_in_a_url(url: str | None, expected: str | None) -> None:
    assert date_in_url(url) == expected


def test_a_date_within_a_text_is_found() -> None:
    assert date_in_text("Ann Lee · 5 min · March 1, 2024 · Berlin") == "2024-03-01"
    assert date_in_text("Rooms 12 to 14, 2024 seats") is None


@pytest.mark.parametrize(
    "text",
    [
        "الأربعاء، 07 أكتوبر 2020",
        "7 تشرين الأول 2020",
        "۷ اکتبر ۲۰۲۰",
        "7 באוקטובר 2020",
        "৭ অক্টোবর, ২০২০",
        "७ अक्टूबर 2020",
        "7 ตุลาคม 2563",
        "7ต.ค.2563",
        "7 ต.ค. 63",
        "๗ ตุลาคม ๖๓",
        "วันพุธที่ ๗ ตุลาคม พ.ศ. ๒๕๖๓",
        "7/10/2563",
        "7 tháng 10, 2020",
        "2020 m. spalio 7 d.",
        "2020. gada 7. oktobris",
        "令和2年10月7日",
        "令和２年１０月７日",
        "民國109年10月7日",
        "1399/07/16",
        "۱۶ مهر ۱۳۹۹",
        "۱۶ مهر ماه ۱۳۹۹",
        "۱۶ مهر\u200cماه ۱۳۹۹",
        "۱۳۹۹ مهر ۱۶",
        "\u202b۱۳۹۹/\u200f۰۷/\u200f۱۶\u202c",
        "٧ أكتوبر/تشرين الأول ٢٠٢٠",
        "၂၀၂၀ အောက်တိုဘာ ၇",
        "7. listopada 2020.",
        "7 października 2020",
    ],
)
def test_dates_of_other_scripts_and_calendars_are_read(text: str) -> None:
    assert date_in_text(text) == "2020-10-07"


@pytest.mark.parametrize(
    "text",
    [
        "7 ต.ค. 63 เวลา 15:30",
        "7 ต.ค. 2563 15:30 น.",
        "چهارشنبه ۱۶ مهر ۱۳۹۹ ساعت ۱۵:۳۰",
        "7 أكتوبر 2020 الساعة 15:30",
        "2020年10月7日 15時30分",
        "2020年10月7日（水） 15:30",
        "2020年10月7日 午後3時30分",
        "2020年10月07日15:30",
        "2020년 10월 7일 오후 3:30",
        "7 октября 2020 в 15:30",
    ],
)
def test_a_time_of_day_is_read_in_other_scripts(text: str) -> None:
    assert date_in_text(text) == "2020-10-07T15:30:00"


@pytest.mark.parametrize("text", ["7 ต.ค. 24", "7 ต.ค. 99", "7 Oct 63", "7 บาท 63", "1445/08/20"])
def test_two_digits_are_a_year_only_if_they_can_be_a_buddhist_one(text: str) -> None:
    assert date_in_text(text) is None


def test_a_month_that_two_languages_name_alike_is_told_by_the_dot_after_the_day() -> None:
    assert date_in_text("7 listopada 2020") == "2020-11-07"  # Polish
    assert date_in_text("7. listopada 2020.") == "2020-10-07"  # Croatian


@pytest.mark.parametrize("text", ["1402/12/30", "30 اسفند 1402", "7 October 1402", "31 مهر 1399"])
def test_days_that_the_persian_calendar_does_not_have_are_no_dates(text: str) -> None:
    assert date_in_text(text) is None


def test_nowruz_is_the_first_day_of_the_persian_year() -> None:
    """As announced: the year begins on 21 March, and on 20 March around leap years."""
    days = {1395: 20, 1396: 21, 1397: 21, 1398: 21, 1399: 20, 1400: 21, 1403: 20, 1404: 21}
    for year, day in days.items():
        assert from_persian(year, 1, 1).isoformat() == f"{year + 621}-03-{day}"
