"""News archives of the web: what is asked of their server, and what is kept of them."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from newsclean.archives import cc_news
from newsclean.archives.archive_server import ATTEMPTS, ArchiveServer, ServerError
from newsclean.archives.cc_news import CcNews, Collected
from newsclean.archives.saved import ArchiveError
from newsclean.archives.wanted_news import Period, site_name

from .archive_host import FOLDER, ArchiveHost, Fault, archive_path
from .warc_files import WarcFile, read_all, story

PERIOD = Period.parse("2026-08")


class Reader:
    """Collects pages of a host, and remembers what it was told and how long it waited."""

    def __init__(self, host: ArchiveHost, folder: Path) -> None:
        self.host = host
        self.folder = folder
        self.notes: list[str] = []
        self.waits: list[float] = []
        self.obeys_robots = True

    def collect(self, *sites: str, period: Period = PERIOD) -> Collected:
        self.waits.clear()
        with self.host.running() as address:
            server = ArchiveServer(
                address,
                obeys_robots=self.obeys_robots,
                note=self.notes.append,
                wait=self.waits.append,
            )
            with CcNews(str(self.folder), server, self.notes.append) as archives:
                return archives.collect(period, sites)

    def urls(self, *sites: str, period: Period = PERIOD) -> list[str | None]:
        found = self.collect(*sites, period=period)
        return read_all(*map(Path, found.files)).urls if found.files else []


@pytest.fixture
def host() -> ArchiveHost:
    return ArchiveHost()


@pytest.fixture
def reader(host: ArchiveHost, tmp_path: Path) -> Reader:
    return Reader(host, tmp_path / "cc-news")


def address(site: str, number: int) -> str:
    return f"https://{site}/news/story-{number}"


def mixed(numbers: range, *sites: str) -> WarcFile:
    """An archive with a story of each number for each site, by turns, with its request."""
    file = WarcFile()
    for number in numbers:
        for site in sites:
            file.add_request(address(site, number))
            file.add(address(site, number), story(number))
    return file


@contextmanager
def blocks_of(size: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cc_news, "_BLOCK", size)
        yield


def test_an_archive_is_read_once_with_one_request(host: ArchiveHost, reader: Reader) -> None:
    data = mixed(range(5), "www.a.example", "b.example").data
    host.add(archive_path(1), data)
    assert reader.urls("a.example") == [address("www.a.example", n) for n in range(5)]
    assert [(asked.range, asked.sent) for asked in host.archives_asked] == [("bytes=0-", len(data))]
    host.forget()
    assert len(reader.urls("a.example")) == 5
    assert host.archives_asked == []


def test_another_site_needs_only_its_records(host: ArchiveHost, reader: Reader) -> None:
    file = WarcFile()
    for number, site in enumerate(["a.example"] * 40 + ["b.example"] + ["a.example"] * 40):
        file.add(address(site, number), story(number))
    file.add(address("b.example", 81), story(81))
    host.add(archive_path(1), file.data)
    reader.collect("a.example")
    host.forget()
    assert reader.urls("b.example") == [address("b.example", n) for n in (40, 81)]
    ends = [*file.offsets[1:], len(file.data)]
    assert [asked.range for asked in host.archives_asked] == [
        f"bytes={file.offsets[n]}-{ends[n] - 1}" for n in (40, 81)
    ]


def test_records_beside_each_other_are_one_request(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(5), "a.example", "b.example").data)
    reader.collect("a.example")
    host.forget()
    assert len(reader.urls("b.example")) == 5
    assert len(host.archives_asked) == 1


def test_nothing_of_an_archive_but_the_wanted_pages_is_stored(
    host: ArchiveHost, reader: Reader
) -> None:
    file = mixed(range(2), "a.example", "b.example")
    host.add(archive_path(1), file.data)
    (path,) = reader.collect("a.example").files
    first, second = file.offsets[1], file.offsets[5]
    wanted = file.data[first : file.offsets[2]] + file.data[second : file.offsets[6]]
    assert Path(path).read_bytes() == wanted
    assert {item.name for item in (reader.folder / "pages").iterdir()} == {"a.example"}


def test_a_site_is_taken_with_its_subdomains_and_no_namesakes(
    host: ArchiveHost, reader: Reader
) -> None:
    host.add(archive_path(1), mixed(range(1), "a.example", "sport.a.example", "ba.example").data)
    assert reader.urls("a.example") == [address("a.example", 0), address("sport.a.example", 0)]
    assert reader.urls("sport.a.example") == [address("sport.a.example", 0)]


@pytest.mark.parametrize("size", [3000, 10_000, 1 << 16])
def test_the_size_of_a_block_changes_nothing(host: ArchiveHost, reader: Reader, size: int) -> None:
    host.add(archive_path(1), mixed(range(30), "a.example", "b.example").data)
    with blocks_of(size):
        assert reader.urls("a.example") == [address("a.example", n) for n in range(30)]
        assert reader.urls("b.example") == [address("b.example", n) for n in range(30)]


def test_a_record_larger_than_a_block_costs_no_other(host: ArchiveHost, reader: Reader) -> None:
    file = mixed(range(3), "a.example")
    file.add(address("a.example", 3), b"".join(story(number) for number in range(100, 130)))
    file.add(address("a.example", 4), story(4))
    host.add(archive_path(1), file.data)
    with blocks_of(5000):
        assert reader.urls("a.example") == [address("a.example", n) for n in (0, 1, 2, 4)]


def test_a_site_with_a_name_in_another_script_is_found_by_either_name(
    host: ArchiveHost, reader: Reader
) -> None:
    host.add(archive_path(1), mixed(range(1), "zürich.example", "xn--zrich-kva.example").data)
    assert len(reader.urls(site_name("Zürich.example"))) == 2


def test_a_url_that_names_no_site_costs_nothing(host: ArchiveHost, reader: Reader) -> None:
    file = WarcFile()
    for url in ("https://../x", "https://..a.example/x", "https://x/../a.example", "dns:a.example"):
        file.add(url, story(1))
    file.add(address("a.example", 2), story(2))
    host.add(archive_path(1), file.data)
    assert reader.urls("a.example") == [address("a.example", 2)]
    assert {item.name for item in (reader.folder / "pages").iterdir()} == {"a.example"}


def test_a_period_asks_only_for_its_archives(host: ArchiveHost, reader: Reader) -> None:
    for day in (1, 2, 3):
        host.add(archive_path(day), mixed(range(day, day + 1), "a.example").data)
    assert reader.urls("a.example", period=Period.parse("2026-08-02..2026-08-03")) == [
        address("a.example", 2),
        address("a.example", 3),
    ]
    assert [asked.path for asked in host.archives_asked] == [archive_path(2), archive_path(3)]
    assert reader.urls("a.example", period=Period.parse("2026-08-02")) == [address("a.example", 2)]


def test_a_month_without_archives_is_an_error_and_of_several_a_note(
    host: ArchiveHost, reader: Reader
) -> None:
    with pytest.raises(ArchiveError, match=r"no archives for 2026-09-01\.\.2026-09-30"):
        reader.collect("a.example", period=Period.parse("2026-09"))
    host.add(archive_path(31), mixed(range(1), "a.example").data)
    assert reader.urls("a.example", period=Period.parse("2026-08..2026-09"))
    assert "no archives of 2026-09" in reader.notes[-2]


@pytest.mark.parametrize(
    "text", ["2026", "2026-13", "2026-02-30", "2026-8", "august", "", "..", "2026-08..", "0000-01"]
)
def test_a_mistyped_period_is_named_with_examples(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a period: write 2026-08, 2026-08-14"):
        Period.parse(text)


def test_a_period_does_not_end_before_it_begins() -> None:
    with pytest.raises(ValueError, match="ends before it begins"):
        Period.parse("2026-08..2026-07")


@pytest.mark.parametrize("text", ["", "example", "a b.org", "lists/sites", "ftp://", "http://["])
def test_what_is_no_site_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is not the name of a site"):
        site_name(text)


def test_a_lost_connection_goes_on_where_it_ended(host: ArchiveHost, reader: Reader) -> None:
    data = mixed(range(5), "a.example").data
    host.add(archive_path(1), data)
    host.faults = [Fault(cut=1000)]
    assert len(reader.urls("a.example")) == 5
    rest = f"bytes=1000-{len(data) - 1}"
    assert [asked.range for asked in host.archives_asked] == ["bytes=0-", rest]
    assert sum(asked.sent for asked in host.archives_asked) == len(data)


def test_a_busy_server_says_how_long_to_wait(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(1), "a.example").data)
    host.faults = [Fault(503, (("Retry-After", "77"),)), Fault(429)]
    assert reader.urls("a.example")
    assert 77.0 in reader.waits
    assert any("status 503; trying again in 77 seconds" in note for note in reader.notes)


def test_attempts_are_few_and_the_next_run_goes_on(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(1), "a.example").data)
    host.add(archive_path(2), mixed(range(1, 2), "a.example").data)
    host.faults = [Fault(), *[Fault(503)] * ATTEMPTS]
    with pytest.raises(ServerError, match=rf"status 503 \({ATTEMPTS} attempts\)"):
        reader.collect("a.example")
    host.forget()
    assert len(reader.urls("a.example")) == 2
    assert [asked.path for asked in host.archives_asked] == [archive_path(2)]


def test_a_run_for_another_site_finishes_what_the_first_one_left(
    host: ArchiveHost, reader: Reader
) -> None:
    host.add(archive_path(1), mixed(range(30), "a.example", "b.example").data)
    host.faults = [Fault(cut=10_000), Fault(403)]
    with blocks_of(3000):
        with pytest.raises(ServerError):
            reader.collect("a.example")
        for site in ("b.example", "a.example"):
            found = sorted(map(str, reader.urls(site)))
            assert found == sorted(address(site, number) for number in range(30))


def test_a_full_disk_is_named_and_the_next_run_goes_on(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(400), "a.example").data)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (250_000, limits[1]))
    try:
        with pytest.raises(ArchiveError, match="check that its disk has room"):
            reader.collect("a.example")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert reader.urls("a.example") == [address("a.example", n) for n in range(400)]


def test_a_wait_of_hours_is_left_to_the_user(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(1), "a.example").data)
    host.faults = [Fault(503, (("Retry-After", "7200"),))]
    with pytest.raises(ServerError, match="asks to wait 7,200 seconds"):
        reader.collect("a.example")


def test_a_refusal_ends_the_work_at_once(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(1), "a.example").data)
    host.faults = [Fault(403)]
    with pytest.raises(ServerError, match=r"refuses it \(status 403\)"):
        reader.collect("a.example")
    assert len(host.archives_asked) == 1


def test_a_server_without_ranges_is_named_before_anything_is_read(
    host: ArchiveHost, reader: Reader
) -> None:
    host.add(archive_path(1), mixed(range(1), "a.example").data)
    host.has_ranges = False
    with pytest.raises(ServerError, match="does not send parts of files"):
        reader.collect("a.example")


def test_robots_txt_is_obeyed_unless_it_is_ignored(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(1), "a.example").data)
    host.robots = b"User-agent: *\nDisallow: /\n"
    with pytest.raises(ServerError, match="--ignore-robots reads them"):
        reader.collect("a.example")
    assert [asked.path for asked in host.asked] == ["robots.txt"]
    reader.obeys_robots = False
    assert reader.urls("a.example")


def test_the_delay_of_robots_txt_is_kept(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(1), "a.example").data)
    host.robots = b"User-agent: *\nCrawl-delay: 9\n"
    reader.collect("a.example")
    assert reader.waits[1:] == [9.0, 9.0]


def test_damage_costs_only_its_record_and_is_counted_for_each_site(
    host: ArchiveHost, reader: Reader
) -> None:
    file = mixed(range(5), "a.example")
    data = bytearray(file.data)
    data[file.offsets[5] + 40 : file.offsets[5] + 80] = b"?" * 40
    host.add(archive_path(1), bytes(data))
    found = reader.collect("a.example")
    assert (found.pages, found.left_out) == (4, {"damaged": 1})
    assert reader.collect("b.example").left_out == {"damaged": 1}


def test_a_truncated_archive_gives_its_whole_records(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(5), "a.example").data[:-50])
    found = reader.collect("a.example")
    assert (found.pages, found.left_out) == (4, {"damaged": 1})


def test_an_archive_that_is_gone_leaves_the_others(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), b"")
    host.add(archive_path(2), mixed(range(1), "a.example").data)
    host.add(archive_path(3), b"")
    del host.files[archive_path(3)]
    found = reader.collect("a.example")
    assert (found.pages, found.left_out) == (1, {"unreadable": 2})


def test_what_is_not_a_page_is_counted_for_its_own_site(host: ArchiveHost, reader: Reader) -> None:
    file = mixed(range(1), "a.example")
    file.add(address("a.example", 1), b"%PDF", content_type="application/pdf")
    file.add(address("a.example", 2), b"", status="404 Not Found")
    file.add(address("b.example", 3), b"", status="500 Error")
    host.add(archive_path(1), file.data)
    for _ in range(2):
        found = reader.collect("a.example")
        assert (found.pages, found.left_out) == (1, {"not-html": 1, "http-404": 1})


def test_a_list_with_other_lines_leads_nowhere_else(host: ArchiveHost, reader: Reader) -> None:
    host.add(f"{FOLDER}/../../../../secret.warc.gz", b"")
    host.add(archive_path(1), mixed(range(1), "a.example").data)
    assert reader.urls("a.example")
    assert [asked.path for asked in host.archives_asked] == [archive_path(1)]
    assert any("is no archive of CC-NEWS" in note for note in reader.notes)


def test_a_changed_archive_is_not_taken_for_the_indexed_one(
    host: ArchiveHost, reader: Reader
) -> None:
    host.add(archive_path(1), mixed(range(3), "a.example", "b.example").data)
    reader.collect("a.example")
    host.add(archive_path(1), mixed(range(7, 10), "b.example", "a.example").data)
    assert reader.collect("b.example").left_out == {"unreadable": 1}
    assert any("it has changed" in note for note in reader.notes)


def test_pages_that_were_removed_are_requested_again(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(3), "a.example").data)
    (path,) = reader.collect("a.example").files
    Path(path).unlink()
    host.forget()
    assert len(reader.urls("a.example")) == 3
    assert [asked.range.startswith("bytes=0-") for asked in host.archives_asked] == [False]


def test_what_a_killed_run_wrote_too_much_is_cut_off(host: ArchiveHost, reader: Reader) -> None:
    host.add(archive_path(1), mixed(range(3), "a.example").data)
    (path,) = map(Path, reader.collect("a.example").files)
    complete = path.read_bytes()
    path.write_bytes(complete + complete[:700])
    assert len(reader.urls("a.example")) == 3
    assert path.read_bytes() == complete


def test_two_commands_do_not_share_a_folder_at_a_time(host: ArchiveHost, reader: Reader) -> None:
    server = ArchiveServer("http://127.0.0.1:9")
    with (
        CcNews(str(reader.folder), server),
        pytest.raises(ArchiveError, match="another command uses"),
        CcNews(str(reader.folder), server),
    ):
        pass


def test_a_folder_with_another_database_stays_as_it_is(reader: Reader) -> None:
    reader.folder.mkdir()
    index = reader.folder / "index.sqlite"
    index.write_bytes(b"not a database" * 100)
    with pytest.raises(ArchiveError, match="cannot use"):
        reader.collect("a.example")
    assert index.read_bytes() == b"not a database" * 100
