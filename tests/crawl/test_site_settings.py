"""What a site file says about requests and articles is done for its site, and for no other."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError

from newsclean.spiders.news import NewsSpider

from .demo_sites import HURRY, lines, newsclean
from .scrapy_command import Run, crawl_news
from .small_site import Answer, SmallSite, page, section, serve, story

pytestmark = pytest.mark.slow

TITLES = {
    f"/news/{n}-the-{name}": f"The {name}"
    for n, name in enumerate(["fair", "flood", "bridge", "market", "harvest", "storm"], 1001)
}
WELL = {"/news/": Answer(section(TITLES))} | {
    path: Answer(story(title)) for path, title in TITLES.items()
}
KEY, SESSION, PASSWORD = "key-71c6", "session-9d20", "password-4b8e"
SECRETS = (KEY, SESSION, PASSWORD)
AGENT = "example-bot/1.0"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_KEY", KEY)
    monkeypatch.setenv("EXAMPLE_SESSION", SESSION)
    monkeypatch.setenv("EXAMPLE_PASSWORD", PASSWORD)


@pytest.fixture
def site() -> Iterator[SmallSite]:
    with serve(WELL) as small_site:
        yield small_site


@pytest.fixture
def other() -> Iterator[SmallSite]:
    with serve({}) as small_site:
        yield small_site


def site_file(folder: Path, site: SmallSite, text: str, name: str = "example") -> None:
    (folder / "sites").mkdir(exist_ok=True)
    end = f'\n[[section]]\nurl = "{site.url}/news/"\n'
    (folder / f"sites/{name}.toml").write_text(text + end)


CREDENTIALS = f"""
user_agent = "{AGENT}"
[headers]
X-Api-Key = "${{EXAMPLE_KEY}}"
Authorization = "Bearer ${{EXAMPLE_KEY}}"
[cookies]
session = "${{EXAMPLE_SESSION}}"
edition = "north"
"""


def crawl(folder: Path, **settings: object) -> Run:
    return crawl_news(folder, "site=example", **settings)


def test_headers_cookies_and_user_agent_go_to_each_request_of_the_site(
    tmp_path: Path, site: SmallSite
) -> None:
    site_file(tmp_path, site, CREDENTIALS)
    assert len(crawl(tmp_path).lines()) == len(TITLES)
    assert {"/robots.txt", "/news/", *TITLES} <= {path for path, _ in site.requests}
    for _, headers in site.requests:
        assert headers["X-Api-Key"] == KEY
        assert headers["Authorization"] == f"Bearer {KEY}"
        assert headers["Cookie"] == f"session={SESSION}; edition=north"
        assert headers["User-Agent"] == AGENT


def test_no_other_site_gets_them_after_a_redirect(
    tmp_path: Path, site: SmallSite, other: SmallSite
) -> None:
    there, back, *_ = TITLES
    site.answers[there] = Answer(status=302, location=f"{other.url}/elsewhere")
    site.answers[back] = Answer(status=302, location=f"{other.url}/and-back")
    other.answers["/and-back"] = Answer(status=302, location=f"{site.url}/news/1-home-again")
    site.answers["/news/1-home-again"] = Answer(story("Home again"))
    site_file(tmp_path, site, CREDENTIALS)
    crawl(tmp_path)
    assert {path for path, _ in other.requests} == {"/robots.txt", "/elsewhere", "/and-back"}
    for _, headers in other.requests:
        assert not {"X-Api-Key", "Authorization", "Cookie"} & set(headers)
        assert AGENT not in headers["User-Agent"]
        assert not any(secret in str(headers) for secret in SECRETS)
    (again,) = (headers for path, headers in site.requests if path == "/news/1-home-again")
    assert again["X-Api-Key"] == KEY
    assert again["User-Agent"] == AGENT


def test_two_sites_of_a_crawl_get_what_is_theirs(
    tmp_path: Path, site: SmallSite, other: SmallSite
) -> None:
    other.answers.update(WELL)
    site_file(tmp_path, site, CREDENTIALS)
    site_file(tmp_path, other, '[headers]\nX-Other = "1"\n', "other")
    run = newsclean(tmp_path, "crawl", "--sites", "sites", *HURRY)
    assert run.exit_code == 0, run.errors
    assert not any("X-Other" in headers for _, headers in site.requests)
    assert all("X-Other" in headers for _, headers in other.requests)
    assert not any("X-Api-Key" in headers for _, headers in other.requests)


def test_robots_txt_is_obeyed_under_the_name_that_is_sent(tmp_path: Path, site: SmallSite) -> None:
    site.answers["/robots.txt"] = Answer("User-agent: example-bot\nDisallow: /\n", "text/plain")
    site_file(tmp_path, site, CREDENTIALS)
    run = crawl(tmp_path)
    assert set(site.hits) == {"/robots.txt"}
    assert run.dropped == {"robots-txt": 1}


def test_no_secret_is_written_anywhere(tmp_path: Path, site: SmallSite, other: SmallSite) -> None:
    busy, gone, *_ = TITLES
    site.once[busy] = Answer(status=503)  # retried, by way of the queue
    site.answers[gone] = Answer(status=302, location=f"{other.url}/elsewhere")
    site_file(tmp_path, site, CREDENTIALS)
    runs = [
        crawl(
            tmp_path,
            LOG_LEVEL="DEBUG",
            HTTPCACHE_ENABLED=1,
            HTTPCACHE_DIR=tmp_path / "cache",
            JOBDIR="job",
            NEWSCLEAN_REPORT_FILE="report.json",
            CONCURRENT_REQUESTS=1,
            CLOSESPIDER_PAGECOUNT=pages,
        )
        for pages in (3, 0)
    ]
    assert "job/requests.queue" in {
        str(path.parent.relative_to(tmp_path)) for path in tmp_path.rglob("*")
    }
    assert runs[-1].lines()
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    names = {path.name for path in written}
    assert {"articles.jsonl", "memory.sqlite", "report.json", "request_headers"} <= names
    for text in [run.log + run.output for run in runs]:
        assert not any(secret in text for secret in SECRETS)
    for path in written:
        content = path.read_bytes()
        assert not any(secret.encode() in content for secret in SECRETS), path


def test_requests_go_through_the_proxy_of_the_site_with_its_password(
    tmp_path: Path, site: SmallSite
) -> None:
    site_file(tmp_path, site, f'proxy = "http://user:${{EXAMPLE_PASSWORD}}@{"{proxy}"}"\n')
    file = tmp_path / "sites/example.toml"
    through = {f"{site.url}{path}": answer for path, answer in WELL.items()}
    with serve(through) as proxy:
        file.write_text(file.read_text().replace("{proxy}", proxy.url.removeprefix("http://")))
        run = crawl(tmp_path, LOG_LEVEL="DEBUG")
    assert len(run.lines()) == len(TITLES)
    assert not site.requests
    login = "Basic dXNlcjpwYXNzd29yZC00Yjhl"  # user:password-4b8e
    assert {headers["Proxy-Authorization"] for _, headers in proxy.requests} == {login}
    assert PASSWORD not in run.log
    assert login.split()[1] not in run.log
    with serve({}) as gone:
        pass
    file.write_text(file.read_text().replace(proxy.url, gone.url))
    run = crawl(tmp_path, LOG_LEVEL="DEBUG", RETRY_TIMES=1)
    assert not site.requests
    assert PASSWORD not in run.log


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[headers]\nX-Key = "${NOBODY_SET_THIS}"', "headers.X-Key: the environment has no"),
        ('[cookies]\na = "${NOBODY_SET_THIS}"', "cookies.a: the environment has no"),
        ('proxy = "http://u:${NOBODY_SET_THIS}@h:1"', "proxy: the environment has no"),
    ],
)
def test_a_missing_variable_is_named_before_the_first_request(
    tmp_path: Path, site: SmallSite, text: str, message: str
) -> None:
    site_file(tmp_path, site, text)
    run = crawl(tmp_path)
    assert message in run.log
    assert "NOBODY_SET_THIS" in run.log
    assert "Traceback" not in run.log
    started = newsclean(tmp_path, "crawl", "--sites", "sites", *HURRY)
    assert started.exit_code == 3
    assert message in started.errors
    assert not site.requests


def test_the_articles_of_a_site_have_its_method_language_and_time_zone(
    tmp_path: Path, site: SmallSite, other: SmallSite
) -> None:
    dated = page("The fair", '<time datetime="2026-07-01T12:30:00">1 July</time>')
    path = next(iter(TITLES))
    text = story("The fair").replace("<h1>The fair</h1>", dated[dated.index("<h1>") :][:200])
    site.answers[path] = other.answers[path] = Answer(text)
    other.answers["/news/"] = Answer(section({path: "The fair"}))
    said = 'method = "stadynot+coreex"\nlanguage = "nn"\ntimezone = "Europe/Oslo"\n'
    site_file(tmp_path, site, said)
    site_file(tmp_path, other, "", "other")
    run = newsclean(tmp_path, "crawl", "--sites", "sites", *HURRY)
    assert run.exit_code == 0, run.errors
    of_site = {line["url"]: line for line in lines(tmp_path / "articles.jsonl")}
    ours, theirs = of_site[site.url + path], of_site[other.url + path]
    assert ours["extraction"]["method"] == "stadynot+coreex"
    assert ours["language"] == "nn"
    assert ours["date_published"] == "2026-07-01T12:30:00+02:00"
    assert ours["extraction"]["date_zone"] == "site-file"
    assert theirs["extraction"]["method"] == "hybrid"
    assert theirs["language"] == "en"
    assert theirs["date_published"] == "2026-07-01T12:30:00"


def prepared(folder: Path, site: SmallSite, text: str, **settings: object) -> NewsSpider:
    """The spider of a site file, before its first request."""
    site_file(folder, site, text)
    crawler = Crawler(NewsSpider, {"NEWSCLEAN_SITES": str(folder / "sites")} | settings)
    crawler.settings.setdict(settings, priority="cmdline")
    return NewsSpider.from_crawler(crawler, site="example")


NETWORK = str(files("newsclean.extraction.methods.visual") / "network.npz")


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        (
            'method = "hybrid"',
            {"NEWSCLEAN_METHOD": "visual", "NEWSCLEAN_MODEL": NETWORK},
            "site file of .* method: hybrid cannot use NEWSCLEAN_MODEL=.*npz: ",
        ),
        (
            'render = "never"',
            {"NEWSCLEAN_METHOD": "visual"},
            "site file of .* render: 'never', but .*=visual needs",
        ),
        (
            'render = "empty"',
            {"NEWSCLEAN_METHOD": "visual"},
            "render: 'empty', but .*=visual needs",
        ),
    ],
)
def test_a_method_that_cannot_work_is_told_before_the_first_request(
    tmp_path: Path, site: SmallSite, text: str, settings: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        prepared(tmp_path, site, text, **settings)
    assert not site.requests


def test_a_site_may_have_a_method_without_a_model(tmp_path: Path, site: SmallSite) -> None:
    spider = prepared(tmp_path, site, 'method = "coreex"', NEWSCLEAN_MODEL="open")
    (found,) = spider.site_settings
    assert found.method == "coreex"


def test_a_method_of_its_own_makes_a_site_independent_of_rendering(
    tmp_path: Path, site: SmallSite
) -> None:
    text = 'render = "never"\nmethod = "coreex"'
    (found,) = prepared(tmp_path, site, text, NEWSCLEAN_METHOD="visual").site_settings
    assert (found.render, found.method) == ("never", "coreex")
