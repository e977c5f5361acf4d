"""A crawl connects to no private address that nobody asked for, and stays on its site."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .scrapy_command import Run, crawl_news
from .small_site import Answer, SmallSite, section, serve, story

pytestmark = pytest.mark.slow

GOOD = "/news/the-apples-of-autumn-10001.html"
AWAY = "/news/the-pears-have-moved-{}.html"
HIDDEN = "/hidden/a-page-for-nobody-20001.html"

#: A host that nobody asked for.
OTHER = "127.0.0.2"


@pytest.fixture
def inside() -> Iterator[SmallSite]:
    """A server that the crawl has no business with."""
    answers = {HIDDEN: Answer(story("A page for nobody")), "/": Answer(section({HIDDEN: "Inside"}))}
    with serve(answers, OTHER) as running:
        yield running


def refresh(url: str) -> Answer:
    return Answer(f'<meta http-equiv="refresh" content="0; url={url}"><p>Moved.')


def crawl(folder: Path, ways: Mapping[str, Answer], **settings: object) -> Run:
    """Crawl a site with one good story and these pages."""
    links = {path: f"Read all about number {path[-10:-5]}" for path in [GOOD, *ways]}
    front = {"/news": Answer(section(links)), GOOD: Answer(story("The apples of autumn"))}
    with serve(front | dict(ways)) as site:
        return crawl_news(folder, f"url={site.url}/news", RETRY_TIMES=1, **settings)


def paths(run: Run) -> list[str]:
    return [urlsplit(line["url"]).path for line in run.lines()]


def test_no_redirect_leads_to_an_address_that_nobody_asked_for(
    inside: SmallSite, tmp_path: Path
) -> None:
    port = urlsplit(inside.url).port
    hosts = [OTHER, "2130706434", "0x7f.2", "127.2", "localhost", "0", "[::1]", "[::ffff:7f00:2]"]
    targets = [f"http://{host}:{port}{HIDDEN}" for host in hosts]
    ways = {AWAY.format(30000 + n): Answer(status=302, location=u) for n, u in enumerate(targets)}
    run = crawl(tmp_path, ways)
    assert not inside.hits
    assert paths(run) == [GOOD]
    assert run.dropped == {"private-address": len(hosts)}
    assert f"{OTHER} ({OTHER}) is not a public address, and nobody asked for it" in run.log
    assert "localhost (127.0.0.1) is not a public address" in run.log


def test_a_meta_refresh_to_another_site_is_not_even_asked_for(
    inside: SmallSite, tmp_path: Path
) -> None:
    ways = {AWAY.format(30001): refresh(inside.url + HIDDEN)}
    run = crawl(tmp_path, ways, NEWSCLEAN_ALLOWED_HOSTS=OTHER)
    assert not inside.hits
    assert run.dropped == {"other-site": 1}


def test_a_section_is_not_crawled_at_the_address_to_which_it_redirects(
    inside: SmallSite, tmp_path: Path
) -> None:
    with serve({"/news": Answer(status=301, location=f"{inside.url}/")}) as site:
        run = crawl_news(tmp_path, f"url={site.url}/news")
        assert not inside.hits
        assert run.dropped == {"private-address": 1}
        run = crawl_news(tmp_path, f"url={site.url}/news", NEWSCLEAN_ALLOWED_HOSTS="127.0.0.0/8")
    assert set(inside.hits) == {"/robots.txt", "/"}
    assert run.dropped == {"other-site": 1}
    assert f"<{site.url}/news> leads to another site [other-site]" in run.log


def test_another_site_is_asked_for_its_headers_and_its_page_is_not_taken(
    inside: SmallSite, tmp_path: Path
) -> None:
    ways = {AWAY.format(30001): Answer(status=302, location=inside.url + HIDDEN)}
    run = crawl(tmp_path, ways, NEWSCLEAN_ALLOWED_HOSTS=OTHER, HTTPCACHE_ENABLED=1)
    assert inside.hits[HIDDEN] == 1
    assert run.dropped == {"other-site": 1}
    assert paths(run) == [GOOD]


def test_a_redirect_through_another_host_and_back_is_followed(
    inside: SmallSite, tmp_path: Path
) -> None:
    path, final = AWAY.format(30001), "/news/the-pears-of-winter-30002.html"
    answers = {
        "/news": Answer(section({path: "The pears of winter have moved"})),
        path: Answer(status=302, location=f"{inside.url}/consent"),
        final: Answer(story("The pears of winter")),
    }
    with serve(answers) as site:
        inside.answers["/consent"] = Answer(status=302, location=site.url + final)
        run = crawl_news(
            tmp_path,
            f"url={site.url}/news",
            NEWSCLEAN_ALLOWED_HOSTS=OTHER,
            HTTPCACHE_ENABLED=1,
        )
    assert paths(run) == [final]
    assert run.dropped == {}


def test_what_the_user_typed_is_asked_for_robots_txt_included(
    inside: SmallSite, tmp_path: Path
) -> None:
    run = crawl_news(tmp_path, f"url={inside.url}/")
    assert paths(run) == [HIDDEN]
    assert inside.hits["/robots.txt"] == 1


def test_a_wrong_entry_among_the_allowed_hosts_is_an_error(tmp_path: Path) -> None:
    run = crawl_news(tmp_path, "url=http://127.0.0.1/", NEWSCLEAN_ALLOWED_HOSTS="10.0.0.0/99")
    assert run.exit_code != 0 or "ERROR" in run.log
    assert "NEWSCLEAN_ALLOWED_HOSTS: '10.0.0.0/99' is not a host name or a network" in run.log
