"""Which articles of a source are wanted."""

from datetime import UTC, datetime, timedelta

import pytest

from newsclean.discovery.site_files import Window
from newsclean.discovery.sources import Entry

ENTRIES = [Entry(f"https://a.org/{day}", f"2026-03-{day:02}") for day in range(1, 11)]


def days(window: Window) -> list[int]:
    return [int(entry.url.rpartition("/")[2]) for entry in window.choose(ENTRIES)]


def test_the_newest_come_first_and_a_limit_cuts_off_the_oldest() -> None:
    assert days(Window.of(limit="3")) == [10, 9, 8]


def test_since_is_included_and_until_is_not() -> None:
    assert days(Window.of(since="2026-03-04", until="2026-03-07")) == [6, 5, 4]


def test_of_an_article_only_the_day_is_known_any_time_of_it_may_be_meant() -> None:
    assert days(Window.of(since="2026-03-08T17:00", until="2026-03-09T05:00")) == [9, 8]
    dated = [Entry("https://a.org/1", "2026-03-08T16:59"), Entry("https://a.org/2026/03/08/rain")]
    chosen = Window.of(since="2026-03-08T17:00").choose(dated)
    assert chosen == dated[1:]


def test_an_age_is_counted_back_from_now() -> None:
    since = Window.of(since="36h").since
    assert since is not None
    age = datetime.now(UTC) - since
    assert timedelta(hours=36) <= age < timedelta(hours=37)


def test_an_article_without_a_date_may_be_wanted_and_comes_last() -> None:
    undated = Entry("https://a.org/rain")
    chosen = Window.of(since="2026-03-09").choose([undated, *ENTRIES])
    assert [entry.url for entry in chosen] == [
        "https://a.org/10",
        "https://a.org/9",
        "https://a.org/rain",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"since": "yesterday"}, "since=yesterday: it takes a date"),
        ({"until": "2026-13-01"}, "until=2026-13-01"),
        ({"since": "999999w"}, "since=999999w: there was no such time"),
        ({"limit": "0"}, "limit=0: it takes a number"),
        ({"limit": "many"}, "limit=many"),
        ({"since": "2026-03-02", "until": "2026-03-01"}, "is not before"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Window.of(**arguments)
