"""Entries: lists of URLs as people keep them, and which articles of a source are wanted."""

from datetime import UTC, datetime, timedelta

import pytest

from newsclean.discovery.entries import Entry, Window, newest_first, read_url_list

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


def read(text: str) -> tuple[list[Entry], list[tuple[int, str]]]:
    refused: list[tuple[int, str]] = []
    entries = list(read_url_list(text.splitlines(), lambda *line: refused.append(line)))
    return entries, refused


def test_a_plain_list_has_a_url_on_each_line() -> None:
    entries, refused = read(
        "\ufeffhttps://a.org/1\n\n# a note\n  https://a.org/2  \nhttps://a.org/1\n"
    )
    assert [entry.url for entry in entries] == ["https://a.org/1", "https://a.org/2"]
    assert refused == []


def test_csv_is_known_by_its_heading() -> None:
    entries, refused = read(
        'id,URL,Category,date\n1,https://a.org/1,"sport, local",2026-03-14\n2,https://a.org/2,,\n'
    )
    assert entries == [
        Entry("https://a.org/1", "2026-03-14", "sport, local"),
        Entry("https://a.org/2"),
    ]
    assert refused == []


def test_json_lines_are_known_by_their_braces() -> None:
    entries, _ = read('{"url": "https://a.org/1", "category": "sport", "rank": 7}\n')
    assert entries == [Entry("https://a.org/1", None, "sport")]


def test_a_bad_line_is_refused_with_its_number_and_the_others_are_read() -> None:
    entries, refused = read("https://a.org/1\nfile:///etc/passwd\n{broken\n[1]\nhttps://a.org/2")
    assert len(entries) == 2
    assert [number for number, _ in refused] == [2, 3, 4]
    assert "not a URL" in refused[0][1]


def test_the_newest_come_first_by_their_date_or_the_one_in_their_url() -> None:
    found = newest_first(
        [
            Entry("https://a.org/none"),
            Entry("https://a.org/old", "2026-03-01T10:00:00+02:00"),
            Entry("https://a.org/2026/03/14/rain"),
            Entry("https://a.org/new", "2026-03-14T08:00:00Z"),
            Entry("https://a.org/none", "2026-02-01"),
        ]
    )
    assert [entry.url.rpartition("/")[2] for entry in found] == ["new", "rain", "old", "none"]


def test_a_comment_may_stand_before_the_heading() -> None:
    lines = ["# my list", "", "url,category", "https://a.org/1,sport"]
    assert [(e.url, e.category) for e in read_url_list(lines)] == [("https://a.org/1", "sport")]


@pytest.mark.parametrize("url", ["https://a.org:99999/x", "https://a.org:port/x", "http://[x/a"])
def test_a_url_that_cannot_be_requested_is_refused(url: str) -> None:
    entries, refused = read(f"{url}\nhttps://a.org/1")
    assert [entry.url for entry in entries] == ["https://a.org/1"]
    assert [number for number, _ in refused] == [1]
