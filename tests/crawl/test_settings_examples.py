"""The example settings and the example site file do what they say."""

import json
import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from scrapy.settings import default_settings

from newsclean.demo import DemoServer
from newsclean.discovery.site_files import Section, read_site
from newsclean.settings import defaults

from .demo_sites import newsclean
from .scrapy_command import HURRY, ROOT, Run, scrapy
from .small_site import Answer, SmallSite, section, serve, story

EXAMPLES = ROOT / "settings_examples"
USES = ("local", "scheduled", "search_index")

OLD, NEW = "/news/the-old-mill-story-70001.html", "/news/the-new-mill-story-70002.html"
LATER = "/news/the-fire-at-the-bridge-70003.html"
TITLES = {OLD: "The old mill at the river", NEW: "The new mill at the river"}


def settings_of(path: Path) -> dict[str, Any]:
    return {name: value for name, value in runpy.run_path(str(path)).items() if name.isupper()}


def own_settings(use: str) -> set[str]:
    """What the file itself sets, or names in a comment."""
    text = (EXAMPLES / f"{use}.py").read_text("utf-8")
    return set(re.findall(r"^(?:# )?([A-Z_]+) = ", text, re.MULTILINE))


def test_there_is_an_example_for_each_use() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(USES)


@pytest.mark.parametrize("use", USES)
def test_every_setting_of_an_example_exists(use: str) -> None:
    assert own_settings(use) <= set(defaults) | set(vars(default_settings))


@pytest.mark.parametrize("use", USES)
def test_an_example_changes_what_it_names_and_leaves_the_rest_as_the_project_has_it(
    use: str,
) -> None:
    project = settings_of(ROOT / "newsclean/settings.py")
    example = settings_of(EXAMPLES / f"{use}.py")
    assert {name for name in example if example[name] != project.get(name)} <= own_settings(use)
    assert set(project) <= set(example)


def test_the_example_site_file_reads_as_its_comments_say() -> None:
    site = read_site("example", EXAMPLES / "sites")
    assert site.sections == (
        Section("https://example.org/politics", "politics"),
        Section("https://example.org/news/sport/", "sport"),
        Section("https://culture.example.org/", "culture", pages=2),
    )
    assert site.feeds == ("https://example.org/rss.xml",)
    assert site.sitemaps == ("https://example.org/news-sitemap.xml",)
    assert site.allows("https://example.org/2026/rain")
    assert not site.allows("https://example.org/2026/video/rain")
    assert site.since == "7d"
    assert site.links is not None


@pytest.fixture(scope="module")
def crawl(demo: DemoServer, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A crawl from the folder of a project, with a site file."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "scrapy.cfg", folder)
    sport, culture, _ = demo.publishers[1].section_urls
    (folder / "sites").mkdir()
    (folder / "sites" / "gazette.toml").write_text(
        f"""name = "Oldbridge Gazette"
[[section]]
url = "{sport}"
category = "games"
pages = 1
[[section]]
url = "{culture}"
"""
    )
    return scrapy(folder, "crawl", "news", "-asite=gazette", **HURRY)


@pytest.mark.slow
def test_the_sections_of_a_site_file_are_crawled(crawl: Run, demo: DemoServer) -> None:
    assert crawl.exit_code == 0
    assert crawl.complaints == []
    lines = crawl.lines()
    # The sections, and here and there a story of the third one that they mention.
    sections = {article.url: article.section for article in demo.publishers[1].articles}
    categories = {"Sport": "games", "Culture": "culture"}
    listed = [line for line in lines if sections[line["url"]] in categories]
    for line in listed:
        assert line["category"] == categories[sections[line["url"]]], line["url"]
    culture = {url for url, section in sections.items() if section == "Culture"}
    assert culture <= {line["url"] for line in listed}
    assert all(line["is_article"] and line["body"] for line in lines)


@pytest.mark.slow
def test_a_site_file_says_how_many_pages_of_a_section_are_read(
    crawl: Run, demo: DemoServer
) -> None:
    assert crawl.exit_code == 0
    asked = demo.hits[demo.publishers[1].name]
    assert asked["/sport/"]
    assert not asked["/sport/?page=2"]
    assert asked["/culture/?page=2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "files"),
    [([], ["articles.jsonl", "today.jsonl"]), (["-s", "FEEDS={}"], ["today.jsonl"])],
)
def test_a_file_of_the_command_line_comes_alone_if_the_feeds_are_emptied(
    tmp_path: Path, options: list[str], files: list[str]
) -> None:
    path = "/news/the-old-mill-story-70001.html"
    answers = {
        "/news": Answer(section({path: "The old mill at the river"})),
        path: Answer(story("The old mill at the river")),
    }
    with serve(answers) as site:
        arguments = [f"-aurl={site.url}/news", *options, "-O", "today.jsonl"]
        run = scrapy(tmp_path, "crawl", "news", *arguments, settings="newsclean.settings", **HURRY)
    assert run.exit_code == 0
    assert sorted(file.name for file in tmp_path.glob("*.jsonl")) == files
    assert len(run.lines("today.jsonl")) == 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a project with the example settings."""
    shutil.copy(ROOT / "scrapy.cfg", tmp_path)
    shutil.copytree(EXAMPLES, tmp_path / "settings_examples")
    return tmp_path


@pytest.fixture
def site() -> Iterator[SmallSite]:
    answers = {path: Answer(story(title), etag='"1"') for path, title in TITLES.items()}
    with serve(answers | {"/news": Answer(section(TITLES), etag='"1"')}) as running:
        yield running


def crawl_with(use: str, folder: Path, site: SmallSite, **overrides: Any) -> Run:
    run = scrapy(
        folder,
        "crawl",
        "news",
        f"-aurl={site.url}/news",
        settings=f"settings_examples.{use}",
        **overrides,
    )
    assert (run.exit_code, run.complaints) == (0, [])
    return run


def change(site: SmallSite) -> None:
    """Change an article of the site, and add another."""
    titles = TITLES | {LATER: "The fire at the bridge"}
    site.answers["/news"] = Answer(section(titles), etag='"2"')
    site.answers[NEW] = Answer(story("The newest mill"), etag='"2"')
    site.answers[LATER] = Answer(story(titles[LATER]), etag='"1"')


def revisions(lines: list[dict[str, Any]]) -> dict[str, int]:
    """The paths of the articles, in their order, with their revisions."""
    found = sorted((urlsplit(line["url"]).path, line["revision"]) for line in lines)
    assert len(dict(found)) == len(found)
    return dict(found)


@pytest.mark.slow
def test_local_outputs_all_articles_each_time_and_downloads_them_once(
    folder: Path, site: SmallSite
) -> None:
    for _ in range(2):
        run = crawl_with("local", folder, site, AUTOTHROTTLE_ENABLED=0)
        assert revisions(run.lines()) == {OLD: 1, NEW: 1}
    assert (site.hits["/news"], site.hits[OLD], site.hits[NEW]) == (1, 1, 1)


@pytest.mark.slow
def test_scheduled_outputs_what_is_new_or_has_changed_to_a_file_for_each_run(
    folder: Path, site: SmallSite
) -> None:
    outputs = []
    for run in range(3):
        if run == 2:
            change(site)
        crawl_with("scheduled", folder, site, **HURRY)
        lines = []
        for path in (folder / "outbox").iterdir():  # as the aggregator takes them
            lines += [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            path.unlink()
        outputs.append(revisions(lines))
    assert outputs == [{OLD: 1, NEW: 1}, {}, {NEW: 2, LATER: 1}]
    log = (folder / "crawl.log").read_text("utf-8")
    assert log.count("Spider closed") == len(outputs)
    assert Run(folder, 0, "", log).complaints == []
    assert (folder / "report.json").exists()


@pytest.mark.slow
def test_scheduled_ends_with_a_code_that_shows_a_site_in_trouble(
    folder: Path, site: SmallSite
) -> None:
    site.answers.clear()
    run = scrapy(
        folder,
        "crawl",
        "news",
        f"-aurl={site.url}/news",
        settings="settings_examples.scheduled",
        **HURRY,
    )
    assert run.exit_code == 1
    assert "start page not found" in (folder / "report.json").read_text("utf-8")


@pytest.mark.slow
def test_search_index_has_the_articles_of_the_lines_each_in_its_newest_revision(
    folder: Path, site: SmallSite
) -> None:
    crawl_with("search_index", folder, site, **HURRY)
    change(site)
    run = crawl_with("search_index", folder, site, **HURRY)
    lines = [(urlsplit(line["url"]).path, line["revision"]) for line in run.lines()]
    assert sorted(lines) == sorted([(OLD, 1), (NEW, 1), (NEW, 2), (LATER, 1)])
    found = {}
    for query in ("fire", "newest", '"the old mill"', '"the new mill"', "traffic"):
        result = json.loads(newsclean(folder, "search", "--json", query).output)
        found[query] = {urlsplit(hit["url"]).path for hit in result["hits"]}
    assert found == {
        "fire": {LATER},
        "newest": {NEW},
        '"the old mill"': {OLD},
        '"the new mill"': set(),  # it has a newer revision
        "traffic": set(),  # the menu
    }
