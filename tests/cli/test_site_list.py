"""`newsclean site --discover`: a site file for each site of a list."""

import io
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.cli.site import PoliteDownloads
from newsclean.demo import DemoServer
from newsclean.discovery.site_files import read_site
from newsclean.discovery.site_survey import SurveyError, survey
from tests.crawl.demo_sites import start_newsclean, wait_for
from tests.crawl.small_site import Answer, SmallSite, page, serve, story

FEED = '<link rel=alternate type="application/rss+xml" href="/feed">'
FRONT = Answer(page("Front", f"{FEED}<p>News</p>"))
SITE = {"/": FRONT, "/feed": Answer("<rss><channel><item><link>/1</link></item></channel></rss>")}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def sites() -> Iterator[list[SmallSite]]:
    """Three sites with a feed, on hosts of their own."""
    with ExitStack() as stack:
        yield [stack.enter_context(serve(SITE, f"127.0.0.{number}")) for number in (1, 2, 3)]


def discover(*lines: str, arguments: tuple[str, ...] = (), delay: str = "0") -> int:
    Path("list.txt").write_text("\n".join(lines), "utf-8")
    return main(["site", "--discover", "list.txt", "--delay", delay, *arguments])


def files(folder: str = "sites") -> list[str]:
    return sorted(path.name for path in Path(folder).glob("*"))


@pytest.mark.slow
def test_each_site_of_a_plain_list_gets_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    with DemoServer() as demo:
        urls = [site.base_url for site in demo.publishers]
        assert discover("# our sites", "", f"{urls[0]}  # the first", f"  {urls[1]}/ ") == 0
    written = [read_site(name, "sites") for name in files_without_suffix()]
    assert {section.url for site in written for section in site.sections} == {
        url for site in demo.publishers for url in site.section_urls
    }
    shown = capsys.readouterr()
    assert "2 site files written to sites\n" in shown.out
    assert "newsclean crawl --sites sites" in shown.out
    assert "looking at sites: 2 of 2 sites" in shown.err


def files_without_suffix() -> list[str]:
    return [name.removesuffix(".toml") for name in files()]


def test_the_list_may_come_from_standard_input_and_the_folder_is_an_option(
    sites: list[SmallSite], monkeypatch: pytest.MonkeyPatch
) -> None:
    piped = io.TextIOWrapper(io.BytesIO("".join(f"{site.url}\n" for site in sites).encode()))
    monkeypatch.setattr("sys.stdin", piped)
    assert main(["site", "--discover", "-", "--out", "mine/no", "--delay", "0"]) == 0
    assert len(files("mine/no")) == 3


def test_a_registered_domain_is_looked_at_once_however_often_it_is_listed(
    sites: list[SmallSite], capsys: pytest.CaptureFixture[str]
) -> None:
    one, *_ = sites
    assert discover(one.url, f"{one.url}/sport", one.url.upper().replace("HTTP", "http")) == 0
    assert one.hits["/"] == 1
    assert "1 site file written to sites, 2 repeated in the list" in capsys.readouterr().out


def test_sites_that_have_a_file_are_skipped_and_counted_unless_forced(
    sites: list[SmallSite], capsys: pytest.CaptureFixture[str]
) -> None:
    urls = [site.url for site in sites]
    Path("sites").mkdir()
    mine = Path("sites") / f"{urls[0].removeprefix('http://').replace(':', '-')}.toml"
    mine.write_text("mine")
    named = Path("sites") / "second.toml"  # it has another name, and its site is in the list
    named.write_text(f'feeds = ["{urls[1]}/feed"]')
    assert discover(*urls) == 0
    assert mine.read_text() == "mine"
    assert [bool(site.hits) for site in sites] == [False, False, True]
    assert "1 site file written to sites, 2 skipped that have a file" in capsys.readouterr().out
    assert discover(*urls, arguments=("--force",)) == 0
    assert read_site(str(mine), "sites").feeds == (f"{urls[0]}/feed",)


REFUSED = {"/robots.txt": Answer("User-agent: *\nDisallow: /", "text/plain"), **SITE}
FAILING = {"/robots.txt": Answer("no", status=500), **SITE}
CHALLENGE = page("Just a moment...", "<script>window._cf_chl_opt = {}</script>")


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"/": Answer("no", status=403)}, "HTTP Error 403: Forbidden"),
        (REFUSED, "robots.txt forbids"),
        (FAILING, "/robots.txt: HTTP Error 500"),
        ({"/": Answer(story("A lone page"))}, "names no section, feed or sitemap"),
        ({"/": FRONT}, "nothing leads to articles, 1 tried: cannot fetch"),
        ({"/": Answer(page("x", "<p>This domain is for sale!"))}, "looks like a parked domain"),
        ({"/": Answer(CHALLENGE)}, "in place of its home page: "),
        ({"/": Answer(b"\x89PNG\r\n\x1a\n" + b"\0" * 99, "image/png")}, "127.0.0.9"),
    ],
)
def test_a_site_that_gets_no_file_is_named_with_the_reason(
    answers: dict[str, Answer], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(answers, "127.0.0.9") as site:
        assert discover(site.url) == 6
    (line, summary) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{site.url}: ")
    assert reason in line
    assert summary == "0 site files written to sites, 1 failed"
    assert not files()


def test_a_site_whose_robots_txt_fails_gets_no_other_request() -> None:
    with serve(FAILING, "127.0.0.9") as site:
        assert discover(site.url) == 6
        assert dict(site.hits) == {"/robots.txt": 1}


def test_a_redirect_to_another_site_is_a_reason_and_one_inside_the_site_is_not(
    sites: list[SmallSite], capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, _ = sites
    with serve({"/": Answer(status=302, location=f"{one.url}/")}) as moved:
        one.answers["/"] = Answer(status=302, location="/start")
        one.answers["/start"] = FRONT
        # A host that the list names may be private; where a redirect leads is not in the list.
        assert discover(moved.url, two.url) == 5
        assert discover(one.url) == 0
    assert f"{moved.url}: it redirects to another site, {one.url}/start" in capsys.readouterr().out


def test_only_hosts_that_the_list_names_may_have_a_private_address(sites: list[SmallSite]) -> None:
    one, two, _ = sites
    polite = PoliteDownloads(f"{one.url}/", delay=0)
    assert polite(f"{one.url}/")[1] == f"{one.url}/"
    with pytest.raises(SurveyError, match="not a public address"):
        polite(f"{two.url}/feed")
    assert not two.hits


def test_a_domain_without_a_scheme_is_tried_with_https_and_then_with_http(
    sites: list[SmallSite], capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, _ = sites
    plain = one.url.removeprefix("http://")
    assert discover(plain, two.url.replace("http:", "https:")) == 5
    assert files() == [f"{plain.replace(':', '-')}.toml"]
    assert f"{two.url.replace('http:', 'https:')}: cannot fetch" in capsys.readouterr().out


def test_bad_lines_are_named_by_their_number_and_the_others_are_used(
    sites: list[SmallSite], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (sites[0].url, "hello", "ftp://a.example/", "http://[", "a,b.example", "x" * 80 + ".a")
    assert discover(*lines) == 5
    shown = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in shown[:5]] == [f"line {n}" for n in range(2, 7)]
    assert "'hello' is not a domain" in shown[0]
    assert shown[5] == "1 site file written to sites, 5 failed"


def test_a_name_that_is_too_long_for_a_file_is_a_bad_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("sites").mkdir()
    assert discover(".".join(["long"] * 60)) == 6
    assert "is not a domain" in capsys.readouterr().out


def test_sites_are_looked_at_side_by_side_and_each_gets_one_request_at_a_time() -> None:
    menu = "".join(f"<a href=/{name}>{name}</a>" for name in ("sport", "culture", "economy"))
    slow = {path: replace(answer, takes=0.03) for path, answer in SITE.items()}
    slow["/"] = Answer(page("Front", f"{FEED}<nav>{menu}</nav>"), takes=0.03)
    with ExitStack() as stack:
        sites = [stack.enter_context(serve(slow)) for _ in range(3)]
        assert discover(*(site.url for site in sites)) == 0
    visits = [sorted(visit[2:] for visit in site.visits) for site in sites]
    assert all(len(site) >= 6 for site in visits)
    assert all(one[1] <= two[0] for site in visits for one, two in pairwise(site))
    ends = [(site[0][0], site[-1][1]) for site in visits]
    assert max(first for first, _ in ends) < min(last for _, last in ends)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["site"], 2, "give either the URL of a home page, or --discover LIST"),
        (["site", "http://a.example/", "--discover", "list.txt"], 2, "give either"),
        (["site", "--discover", "none.txt"], 3, "cannot read none.txt: No such file"),
        (["site", "--discover", "empty.txt"], 2, "no domain in the list"),
        (["site", "--discover", "binary.txt"], 3, "it is not UTF-8 text"),
        (["site", "--discover", "list.txt", "--out", "a.toml"], 2, "it takes a folder"),
        (["site", "--discover", "list.txt", "--out", "list.txt"], 2, "it is a file"),
    ],
)
def test_wrong_arguments_are_named_and_nothing_is_requested(
    arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("list.txt").write_text("http://127.0.0.1:9/\n")
    Path("empty.txt").write_text("# nothing\n\n")
    Path("binary.txt").write_bytes(b"\xff\xfe\x00")
    assert main(arguments) == code
    assert message in capsys.readouterr().err
    assert not Path("sites").exists()


def test_the_scheme_of_a_url_may_have_capitals(sites: list[SmallSite]) -> None:
    assert discover(sites[0].url.replace("http:", "Http:")) == 0
    (name,) = files_without_suffix()
    assert read_site(name, "sites").urls == [f"{sites[0].url}/feed"]


@pytest.mark.parametrize("delay", ["nan", "inf", "-1"])
def test_a_delay_that_is_none_is_refused(delay: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["site", "http://127.0.0.1:9/", f"--delay={delay}"])
    assert f"--delay: {delay!r} is no number from 0 to 3,600" in capsys.readouterr().err


def test_a_closed_standard_input_is_an_empty_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert main(["site", "--discover", "-"]) == 2
    sys.stdin.close()
    assert "no domain in the list" in capsys.readouterr().err


def test_one_odd_site_does_not_end_the_list(
    sites: list[SmallSite], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def odd(url: str, fetch: object) -> object:
        if url.startswith(sites[0].url):
            raise RecursionError("too deep")
        return survey(url, fetch)  # type: ignore[arg-type]

    monkeypatch.setattr("newsclean.cli.site_list.survey", odd)
    assert discover(*(site.url for site in sites)) == 5
    assert len(files()) == 2
    assert f"{sites[0].url}: unexpected RecursionError: too deep" in capsys.readouterr().out


@pytest.mark.process
def test_an_interrupted_list_is_completed_by_the_same_command(folder: Path) -> None:
    with (
        serve(SITE, "127.0.0.1") as quick,
        serve(SITE | {"/": Answer(hangs=True)}, "127.0.0.2") as hanging,
    ):
        (folder / "list.txt").write_text(f"{quick.url}\n{hanging.url}\n")
        command = ("site", "--discover", "list.txt", "--delay", "0")
        process = start_newsclean(folder, *command)
        assert process.stderr is not None
        assert "0 of 2 sites" in process.stderr.readline()
        assert "1 of 2 sites" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        ended = wait_for(process)
        assert ended.exit_code == 130
        assert "1 site file written" in ended.output
        assert "run the same command again" in ended.errors
        assert "Traceback" not in ended.errors
        hanging.answers["/"] = FRONT
        asked = quick.hits["/"]
        assert main(list(command)) == 0
        assert quick.hits["/"] == asked
    assert len(files()) == 2
