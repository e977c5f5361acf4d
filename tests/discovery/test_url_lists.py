"""Lists of addresses as people keep them."""

import pytest

from newsclean.discovery.sources import Entry, newest_first, read_url_list


def read(text: str) -> tuple[list[Entry], list[tuple[int, str]]]:
    refused: list[tuple[int, str]] = []
    entries = list(read_url_list(text.splitlines(), lambda *line: refused.append(line)))
    return entries, refused


def test_a_plain_list_has_an_address_on_each_line() -> None:
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


def test_the_newest_come_first_by_their_date_or_the_one_in_their_address() -> None:
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
def test_an_address_that_cannot_be_requested_is_refused(url: str) -> None:
    entries, refused = read(f"{url}\nhttps://a.org/1")
    assert [entry.url for entry in entries] == ["https://a.org/1"]
    assert [number for number, _ in refused] == [1]
