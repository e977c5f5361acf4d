"""The example settings and the example site file do what they say."""

import runpy
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from newsclean.defaults import DEFAULTS
from newsclean.demo import DemoServer
from newsclean.spiders.sites import Section, read_site

from .scrapy_command import HURRY, ROOT, Run, scrapy
from .small_site import Answer, section, serve, story

EXAMPLES = ROOT / "settings_examples"


def settings_of(path: Path) -> dict[str, Any]:
    return {name: value for name, value in runpy.run_path(str(path)).items() if name.isupper()}


def test_the_local_settings_name_every_setting_of_newsclean_with_its_default() -> None:
    ours = {k: v for k, v in settings_of(EXAMPLES / "local.py").items() if k in DEFAULTS}
    project = settings_of(ROOT / "newsclean/settings.py")
    assert ours == DEFAULTS | {name: project[name] for name in DEFAULTS if name in project}


def test_the_local_settings_are_those_of_the_project_but_for_the_user_agent() -> None:
    local, project = (
        settings_of(path) for path in (EXAMPLES / "local.py", ROOT / "newsclean/settings.py")
    )
    assert local.pop("USER_AGENT") != project.pop("USER_AGENT")
    assert {k: v for k, v in local.items() if k not in DEFAULTS or k in project} == project


def test_every_newsclean_setting_of_the_local_settings_is_explained() -> None:
    text = (EXAMPLES / "local.py").read_text("utf-8")
    for name in DEFAULTS:
        before = text[: text.index(f"\n{name} = ")].rsplit("\n", 1)[-1]
        assert before.startswith("# "), name


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
    """A crawl from the folder of a project, with the example settings and a site file."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "scrapy.cfg", folder)
    shutil.copytree(EXAMPLES, folder / "settings_examples")
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
    module = "settings_examples.local"
    return scrapy(folder, "crawl", "news", "-asite=gazette", settings=module, **HURRY)


@pytest.mark.slow
def test_a_site_file_and_the_example_settings_crawl_its_sections(
    crawl: Run, demo: DemoServer
) -> None:
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


@pytest.mark.slow
def test_a_second_crawl_downloads_only_what_has_changed(tmp_path: Path) -> None:
    shutil.copy(ROOT / "scrapy.cfg", tmp_path)
    shutil.copytree(EXAMPLES, tmp_path / "settings_examples")
    same, changed = "/news/the-old-mill-story-70001.html", "/news/the-new-mill-story-70002.html"
    links = {same: "The old mill at the river", changed: "The new mill at the river"}
    site_map = {"/news": Answer(section(links), etag='"1"')}
    site_map |= {path: Answer(story(title), etag='"1"') for path, title in links.items()}
    confirmed = []
    with serve(site_map) as site:
        for _ in range(2):
            argument = f"-aurl={site.url}/news"
            run = scrapy(
                tmp_path, "crawl", "news", argument, settings="settings_examples.local", **HURRY
            )
            assert run.complaints == []
            confirmed.append(run.stats.get("newsclean/not_modified", 0))
            site.answers[changed] = Answer(story("The newest mill"), etag='"2"')
    assert confirmed == [0, 1]  # the second time, the old story
    # What has not changed is not handed on again.
    handed_on = [(urlsplit(line["url"]).path, line["revision"]) for line in run.lines()]
    assert sorted(handed_on) == [(changed, 1), (changed, 2), (same, 1)]
