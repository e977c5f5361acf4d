"""`newsclean site`: from a home page to a site file."""

from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.demo import DemoServer
from newsclean.discovery.site_files import read_site
from tests.crawl.small_site import Answer, page, serve, story


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1])
def test_the_file_has_the_sections_of_the_menu_and_the_feed(tmp_path: Path, number: int) -> None:
    path = tmp_path / "sites" / "demo.toml"
    with DemoServer() as demo:
        site = demo.publishers[number]
        assert main(["site", f"{site.base_url}/", "--out", str(path), "--delay", "0"]) == 0
        fetched = sum(demo.hits[site.name].values())
    found = read_site(str(path), tmp_path)
    assert {section.url for section in found.sections} == set(site.section_urls)
    assert found.feeds == (f"{site.base_url}/rss.xml",)
    assert found.sitemaps == ()  # it names all pages, and not articles alone
    assert "is not a news sitemap" in path.read_text()
    assert f"{site.base_url}/search" not in demo.hits[site.name]
    assert fetched <= 33


def test_a_file_that_is_there_is_not_overwritten_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("mine")
    feed = '<link rel=alternate type="application/rss+xml" href="/feed"><p>News</p>'
    rss = "<rss><channel><item><link>/1</link></item></channel></rss>"
    with serve({"/": Answer(page("Front", feed)), "/feed": Answer(rss)}) as site:
        asked = ["site", f"{site.url}/", "--out", str(path), "--delay", "0"]
        assert main(asked) == 2
        assert path.read_text() == "mine"
        assert not site.hits
        assert main([*asked, "--force"]) == 0
        assert read_site(str(path), tmp_path).feeds == (f"{site.url}/feed",)


def test_only_what_leads_to_articles_is_listed_and_the_rest_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.toml"
    feeds = "".join(
        f'<link rel=alternate type="application/rss+xml" href="/{name}">'
        for name in ("feed", "gone", "lost")
    )
    rss = "<rss><channel><item><link>/1</link></item></channel></rss>"
    answers = {"/": Answer(page("Front", f"{feeds}<p>News</p>")), "/feed": Answer(rss)}
    with serve(answers) as site:
        assert main(["site", f"{site.url}/", "--out", str(path), "--delay", "0"]) == 0
    shown = capsys.readouterr().out
    assert "/feed" in shown
    assert "/gone" not in shown
    assert "not leading to articles: 2 others; see the comments in the file" in shown
    assert path.read_text().count("# left out: feed") == 2


@pytest.mark.parametrize(
    ("answers", "code"),
    [({}, 3), ({"/": Answer(story("A lone page"))}, 1)],
)
def test_a_page_that_leads_nowhere_makes_no_file(
    tmp_path: Path, answers: dict[str, Answer], code: int
) -> None:
    path = tmp_path / "a.toml"
    with serve(answers) as site:
        assert main(["site", f"{site.url}/", "--out", str(path), "--delay", "0"]) == code
    assert not path.exists()
    assert main(["site", "example.org"]) == 2


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ('<meta property="og:site_name" content=" The  Ledger ">', "The Ledger"),
        ('<meta property="og:site_name" content=" ">', "Front – news of the harbor"),
        ("", "Front – news of the harbor"),
    ],
)
def test_a_site_has_the_name_that_its_home_page_gives_it(
    tmp_path: Path, head: str, name: str
) -> None:
    feed = f'{head}<link rel=alternate type="application/rss+xml" href="/feed">'
    front = page("Front – news of the harbor", "").replace("</head>", f"{feed}</head>")
    rss = "<rss><channel><item><link>/1</link></item></channel></rss>"
    path = tmp_path / "a.toml"
    with serve({"/": Answer(front), "/feed": Answer(rss)}) as site:
        assert main(["site", f"{site.url}/", "--out", str(path), "--delay", "0"]) == 0
    assert read_site(str(path), tmp_path).name == name
