"""`newsclean crawl` as people type it, in an empty folder."""

from collections import Counter
from pathlib import Path

import pytest

from newsclean.cli.crawl import usable_sites
from newsclean.demo import DemoServer
from tests.crawl.demo_sites import HURRY, lines, newsclean, urls
from tests.crawl.small_site import Answer, page, serve

pytestmark = pytest.mark.slow


def test_one_line_crawls_a_site_from_an_empty_folder(tmp_path: Path) -> None:
    with DemoServer() as demo:
        site = demo.publishers[0]
        run = newsclean(tmp_path, "crawl", f"{site.base_url}/", *HURRY)
    assert run.exit_code == 0, run.errors
    assert urls(tmp_path / "articles.jsonl") == sorted(article.url for article in site.articles)
    assert f"{len(site.articles)} new or changed articles" in run.output
    assert (tmp_path / ".scrapy/newsclean/memory.sqlite").is_file()


def test_several_urls_an_output_and_a_limit_of_each_site(tmp_path: Path) -> None:
    with DemoServer() as demo:
        fronts = [f"{site.base_url}/" for site in demo.publishers]
        run = newsclean(tmp_path, "crawl", *fronts, "-o", "out.jsonl", "--limit", "4", *HURRY)
    assert run.exit_code == 0, run.errors
    articles = Counter(line["site"] for line in lines(tmp_path / "out.jsonl"))
    assert len(articles) == len(fronts)
    assert max(articles.values()) <= 4


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "nothing to crawl: give URLs"),
        (["example.org"], 2, "'example.org' is not a URL"),
        (["http://127.0.0.1:9/", "--only", "a"], 2, "--only goes with --sites"),
        (["http://127.0.0.1:9/", "--sites", "sites"], 2, "give one of them"),
        (["http://127.0.0.1:9/", "-o", "out.xml"], 2, "use .jsonl, .csv or .parquet"),
        (["http://127.0.0.1:9/", "-s", "DELAY"], 2, "-s DELAY: it takes NAME=VALUE"),
        (["http://127.0.0.1:9/", "-a", "url=x"], 2, "name URLs and site files without -a"),
        (["http://127.0.0.1:9/", "--limit", "none"], 2, "limit=none: it takes a number"),
        (["http://127.0.0.1:9/", "-s", "NEWSCLEAN_WINDOW=0"], 2, "NEWSCLEAN_WINDOW="),
        (["http://127.0.0.1:9/", "-s", "ADDONS={no"], 2, "-s ADDONS={no: Expecting property name"),
        (["http://127.0.0.1:9/", "-s", 'ADDONS={"none.A": 1}'], 2, "No module named 'none'"),
        (["--sites", "none"], 3, "cannot read none"),
    ],
)
def test_what_cannot_be_crawled_is_named_and_has_its_exit_code(
    tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    run = newsclean(tmp_path, "crawl", *arguments)
    assert message in run.errors
    assert run.exit_code == code
    assert "Traceback" not in run.errors


@pytest.mark.parametrize("addons", ["{}", '{"newsclean.extensions.package_addons.Poet": 300}'])
def test_add_ons_of_the_user_need_not_name_that_of_newsclean(tmp_path: Path, addons: str) -> None:
    with serve({"/": Answer(status=404)}) as site:
        run = newsclean(tmp_path, "crawl", f"{site.url}/", "-s", f"ADDONS={addons}", *HURRY)
    assert run.exit_code == 3
    assert "Section home has failed" in run.errors


@pytest.mark.parametrize(("status", "code"), [(404, 3), (200, 1)])
def test_a_start_page_that_cannot_be_read_or_leads_nowhere_has_its_exit_code(
    tmp_path: Path, status: int, code: int
) -> None:
    with serve({"/": Answer(page("Empty", "<p>Soon.</p>"), status=status)}) as site:
        run = newsclean(tmp_path, "crawl", f"{site.url}/", *HURRY)
    assert run.exit_code == code
    assert "Section home has failed" in run.errors


def test_a_bad_site_file_is_named_and_counted_and_the_others_are_crawled(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    with DemoServer() as demo:
        site = demo.publishers[1]
        text = "".join(f'[[section]]\nurl = "{url}"\n' for url in site.section_urls)
        (tmp_path / "sites/good.toml").write_text(text)
        (tmp_path / "sites/bad.toml").write_text("[[section]]\nurl = 7\n")
        run = newsclean(tmp_path, "crawl", "--sites", "sites", *HURRY)
    assert run.exit_code == 3
    assert "left out: sites/bad.toml, section 1: it needs url" in run.errors
    assert "1 site file left out" in run.output
    assert len(lines(tmp_path / "articles.jsonl")) == len(site.articles)


def test_a_site_file_that_contradicts_another_of_its_domain_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, language in (("en", "en"), ("es", "es"), ("no", "no")):
        host = "example.net" if name == "no" else f"{name}.example.org"
        text = f'language = "{language}"\n[[section]]\nurl = "https://{host}/"\n'
        (tmp_path / f"{name}.toml").write_text(text)
    usable, left_out = usable_sites(tmp_path, None)
    assert (sorted(usable), left_out) == (["en", "no"], 1)
    assert "two site files have different settings for example.org" in capsys.readouterr().err


def test_an_unknown_name_after_only_is_refused_with_the_names_that_there_are(
    tmp_path: Path,
) -> None:
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites/times.toml").write_text('[[section]]\nurl = "http://127.0.0.1:9/"\n')
    run = newsclean(tmp_path, "crawl", "--sites", "sites", "--only", "times,post")
    assert run.exit_code == 2
    assert "--only: no site file post; sites has times" in run.errors
    assert not (tmp_path / "articles.jsonl").exists()


def test_an_output_that_can_no_longer_be_written_ends_with_code_4(tmp_path: Path) -> None:
    with DemoServer() as demo:
        front = f"{demo.publishers[0].base_url}/"
        run = newsclean(tmp_path, "crawl", front, "-o", "/dev/full", *HURRY)
    assert run.exit_code == 4
    assert "cannot use the feed /dev/full" in run.errors
