"""The Python in the documentation: each block is run.

A block that sets settings is crawled with, as the settings of a project that has the classes of the
page. The other blocks are scripts: they run in a folder that has the files which they read.
"""

import io
import json
import re
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from newsclean import Page, extract
from tests.code_blocks import ROOT, CodeBlock, code_block, code_blocks
from tests.crawl.demo_sites import HURRY, newsclean
from tests.crawl.scrapy_command import HURRY as NO_PAUSES
from tests.crawl.scrapy_command import Run, scrapy
from tests.crawl.small_site import Answer, page, section, serve, story
from tests.extraction.corrections import pages

pytestmark = pytest.mark.slow

DOCS = ROOT / "docs"
#: Pages whose blocks are not run here, and why.
ELSEWHERE = {
    "tutorial.md": "tests/test_tutorial.py runs it between the commands of the page",
    "cluster.md": "it is for Airflow, which the tests do not require; the page says so",
}


def python_of(name: str) -> list[CodeBlock]:
    return [block for block in code_blocks(DOCS / name) if block.language == "python"]


BLOCKS = [
    (path.name, block)
    for path in sorted(DOCS.glob("*.md"))
    if path.name not in ELSEWHERE
    for block in python_of(path.name)
]
SETTING = re.compile(r"^[A-Z_]+ = ", re.MULTILINE)
CLASS = re.compile(r"^class (\w+)\((\w+)\)", re.MULTILINE)
PROJECTS = [(name, block) for name, block in BLOCKS if SETTING.search(block.text)]
CLASSES = [(name, block) for name, block in BLOCKS if CLASS.search(block.text)]
SCRIPTS = [each for each in BLOCKS if each not in PROJECTS and each not in CLASSES]


def each_of(blocks: list[tuple[str, CodeBlock]]) -> pytest.MarkDecorator:
    ids = [f"{name}:{block.line}" for name, block in blocks]
    return pytest.mark.parametrize(("name", "block"), blocks, ids=ids)


TITLES = {f"/2026/03/0{n}/flood-in-town-{n}": f"The flood in town {n}" for n in (1, 2, 3)}
SITE = {"/": Answer(section(TITLES))} | {path: Answer(story(t)) for path, t in TITLES.items()}

# Scripts.

TOWNS = ("Oslo", "Bergen", "Moss", "Hamar")
HTML = {town: pages.story(town).replace("Read all of it", "Sign up for it") for town in TOWNS}
URLS = {town: f"https://example.org/{town}" for town in TOWNS}
OSLO = {"html": HTML["Oslo"], "url": URLS["Oslo"]}
OTHERS = [Page.from_html(HTML[town], URLS[town]) for town in TOWNS[1:]]


def write_corrections(folder: Path) -> None:
    (folder / "sites").mkdir()
    text = code_block(DOCS / "teach.md", "[[correction]]")
    (folder / "sites" / "example.corrections.toml").write_text(text, "utf-8")


def write_parquet(folder: Path) -> None:
    with serve(SITE) as site:
        ended = newsclean(folder, "crawl", f"{site.url}/", "-o", "articles.parquet", *HURRY)
    assert ended.exit_code == 0, ended.errors


def write_index(folder: Path) -> None:
    found = [extract(HTML[town], url=URLS[town]) for town in TOWNS]
    lines = "".join(json.dumps(asdict(article)) + "\n" for article in found)
    (folder / "articles.jsonl").write_text(lines, "utf-8")
    ended = newsclean(folder, "index", "articles.jsonl")
    assert ended.exit_code == 0, ended.errors


class Needs(NamedTuple):
    """What the scripts of a page take for granted, and what comes of each."""

    #: the names that they use and do not define
    names: dict[str, Any]
    #: by script, a word of what it prints or of the values that it makes
    results: tuple[str, ...]
    #: writes the files that they read
    files: Callable[[Path], None] = lambda _: None


NEEDS = {
    "fields.md": Needs(OSLO | {"other_pages_of_the_site": [*HTML.values()]}, ("Rain in Oslo",)),
    "parquet-and-warc.md": Needs({}, ("3 rows",), write_parquet),
    "scrapy-packages.md": Needs(
        OSLO | {"html_of_a_section": section(TITLES), "url_of_a_section": "https://example.org/"},
        ("The flood in town 3",),
    ),
    "search.md": Needs({}, ("Rain in Bergen",), write_index),
    "teach.md": Needs(
        OSLO | {"other_pages": OTHERS}, ("Rain in Oslo", "Sign up for it"), write_corrections
    ),
}


@each_of(SCRIPTS)
def test_a_script_runs_with_what_its_page_takes_for_granted(
    name: str, block: CodeBlock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs = NEEDS[name]
    needs.files(tmp_path)
    monkeypatch.chdir(tmp_path)
    names, printed = dict(needs.names), io.StringIO()
    with redirect_stdout(printed):
        exec(compile(block.text, f"{name}:{block.line}", "exec"), names)
    made = [value for key, value in names.items() if key not in {*needs.names, "__builtins__"}]
    of_this_page = [each for each in SCRIPTS if each[0] == name]
    result = needs.results[of_this_page.index((name, block))]
    assert result in f"{printed.getvalue()}{made}"


# Projects.

#: What projects have beside the settings of the page.
BASE = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["newsclean.spiders"]
FEEDS = {"articles.jsonl": {"format": "jsonlines"}}
"""


def project_of(name: str, block: CodeBlock) -> dict[str, str]:
    """The files of a project with the settings of a block.

    The add-ons are those that the page has named last, the classes those that the settings name. A
    spider is that of the settings above it.
    """
    blocks = python_of(name)
    above = [each.text for each in blocks if each.line < block.line]
    addons = next((text for text in reversed(above) if text.startswith("ADDONS")), "")
    files = {"own.py": f"{BASE}\n{addons}\n{block.text}"}
    for module, kind in re.findall(r'"my_project\.(\w+)\.(\w+)"', block.text):
        (text,) = (each.text for each in blocks if f"class {kind}(" in each.text)
        files |= {"my_project/__init__.py": "", f"my_project/{module}.py": text}
    below = next((each.text for each in blocks if each.line > block.line), "")
    if "(Spider):" in below:
        files["my_spiders.py"] = below
        files["own.py"] += '\nSPIDER_MODULES = ["my_spiders"]\n'
    return files


def crawl(folder: Path, name: str, block: CodeBlock, site: dict[str, Answer]) -> Run:
    files = project_of(name, block)
    with serve(site) as served, warnings.catch_warnings():
        # Spidermon 1.27 logs with a method of the spider that Scrapy 2.19 has deprecated.
        warnings.filterwarnings("ignore", r"Spider\.log\(\)")
        for path, text in files.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text.replace("https://example.org", served.url), "utf-8")
        (spider,) = re.findall(r'name = "(\w+)"', files.get("my_spiders.py", 'name = "news"'))
        start = f"-aurl={served.url}/"
        return scrapy(folder, "crawl", spider, start, settings="own", **NO_PAUSES)


def block_with(name: str, word: str) -> CodeBlock:
    (found,) = (block for block in python_of(name) if word in block.text)
    return found


@each_of(PROJECTS)
def test_a_project_with_the_settings_of_a_page_gets_the_articles(
    name: str, block: CodeBlock, tmp_path: Path
) -> None:
    run = crawl(tmp_path, name, block, SITE)
    assert run.exit_code == 0, run.log
    assert run.complaints == []
    assert {line["headline"] for line in run.lines()} == {*TITLES.values()}


def test_every_class_is_part_of_a_project() -> None:
    used = {text for name, block in PROJECTS for text in project_of(name, block).values()}
    assert CLASSES
    for name, block in CLASSES:
        assert any(block.text in text for text in used), f"{name}:{block.line}"


def test_the_pipeline_of_topics_adds_keywords(tmp_path: Path) -> None:
    run = crawl(tmp_path, "addon.md", block_with("addon.md", "pipelines.Topics"), SITE)
    assert [line["keywords"] for line in run.lines()] == [["flood"]] * len(TITLES)
    assert run.stats["newsclean/topics/pages"] == len(TITLES)


def test_the_archive_of_a_project_has_its_pages(tmp_path: Path) -> None:
    name = "parquet-and-warc.md"
    crawl(tmp_path, name, block_with(name, "class Pages("), SITE)
    ended = newsclean(tmp_path, "extract", "pages.warc.gz", "--out", "again.jsonl")
    assert ended.exit_code == 0, ended.errors
    again = (tmp_path / "again.jsonl").read_text("utf-8")
    assert all(title in again for title in TITLES.values())


def test_the_action_notes_the_trouble_of_a_site_and_nothing_else(tmp_path: Path) -> None:
    name = "scrapy-packages.md"
    suite = block_with(name, "my_project.monitors.Suite")
    crawl(tmp_path, name, suite, SITE)
    assert not (tmp_path / "trouble.txt").exists()
    crawl(tmp_path, name, suite, {"/": Answer(page("Empty", "<p>Soon.</p>"))})
    assert ": no articles" in (tmp_path / "trouble.txt").read_text("utf-8")


def test_the_tables_above_name_only_pages_with_python() -> None:
    for name in ELSEWHERE:
        assert python_of(name), name
    assert {name for name, _ in SCRIPTS} == NEEDS.keys()
