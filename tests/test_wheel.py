"""The wheel, installed outside the checkout: alone, and with each extra by itself.

Each extra is first missed, then installed by the command that the error names, then used. To save
time, an environment with an extra sees the packages of the plain one and holds only its own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.browser.installed import require_browser
from tests.cli.pages import TOWNS, story
from tests.code_blocks import ROOT, code_block
from tests.crawl.small_site import Answer, SmallSite, section, serve
from tests.crawl.small_site import story as small_story
from tests.extraction.is_article.wall_pages import WALLS

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.timeout(900)]

#: All that a wheel is built from.
SOURCES = ("LICENSE", "README.md", "newsclean", "pyproject.toml")
HURRY = ("-s", "AUTOTHROTTLE_ENABLED=False")


@dataclass(frozen=True)
class Environment:
    """A virtual environment outside the checkout, and a folder to work in."""

    prefix: Path
    work: Path

    @property
    def python(self) -> Path:
        return self.prefix / "bin" / "python"

    @property
    def packages(self) -> Path:
        return next(self.prefix.glob("lib/python*/site-packages"))

    @property
    def variables(self) -> dict[str, str]:
        """The variables of a user: none of this process that lead to the checkout."""
        own = {"PYTHONPATH", "PYTHONWARNINGS", "VIRTUAL_ENV", "SCRAPY_SETTINGS_MODULE"}
        kept = {name: value for name, value in os.environ.items() if name not in own}
        return kept | {"PIP_CONSTRAINT": str(self.work.parent / "constraints.txt")}

    def run(
        self, *command: object, code: int = 0, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run a program of the environment; fail with its output if it ends otherwise."""
        done = subprocess.run(
            [self.python, *map(str, command)],
            cwd=self.work,
            env=self.variables | variables,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == code, done.stdout[-2000:] + done.stderr[-4000:]
        return done

    def newsclean(
        self, *arguments: object, code: int = 0, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        return self.run("-m", "newsclean", *arguments, code=code, **variables)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for all environments, which are too large to be kept after the tests."""
    made = tmp_path_factory.mktemp("wheel")
    lines = (ROOT / "requirements-test.txt").read_text("utf-8").splitlines()
    lines += (ROOT / "requirements-spark.txt").read_text("utf-8").splitlines()
    pins = sorted({line.rstrip(" \\") for line in lines if "==" in line})
    (made / "constraints.txt").write_text("\n".join(pins) + "\n")
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    """The wheel, built from a copy of the sources with the command of `make wheel`."""
    source = folder / "source"
    source.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(ROOT / name, source)
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(source)], check=True)
    (built,) = folder.glob("newsclean-*.whl")
    return built


@pytest.fixture(scope="module")
def plain(folder: Path, wheel: Path) -> Environment:
    """An environment with the wheel alone."""
    prefix, work = folder / "plain", folder / "work"
    work.mkdir()
    subprocess.run([sys.executable, "-m", "venv", prefix], check=True)
    made = Environment(prefix, work)
    options = ("--quiet", "--disable-pip-version-check", "--no-compile")
    # As the README advises: pip 23 fails at the extra `bench`.
    made.run("-m", "pip", "install", *options, "--upgrade", "pip")
    made.run("-m", "pip", "install", *options, wheel)
    return made


@pytest.fixture
def environment(
    request: pytest.FixtureRequest, plain: Environment, folder: Path
) -> Iterator[Environment]:
    """A new environment in which the wheel is installed and no extra is."""
    name = re.sub(r"\W+", "-", request.node.name)
    made = Environment(folder / name, folder / f"{name}-work")
    made.work.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", made.prefix], check=True)
    (made.packages / "plain.pth").write_text(f"{plain.packages}\n")
    yield made
    shutil.rmtree(made.prefix)


def install_as_told(environment: Environment, told: str, extra: str) -> None:
    """Run the command that an error names."""
    (command,) = re.findall(r"\S+ -m pip install '.*\[" + extra + r"\] @ file://.*'", told)
    shell(environment, f"{command} --quiet --no-compile")


def shell(environment: Environment, command: str) -> None:
    """Run a line that a user types."""
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=environment.work,
        env=environment.variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stderr}"


@contextmanager
def fair() -> Iterator[SmallSite]:
    titles = {f"/news/the-fair-of-{n}-{n}.html": f"The fair of {n}" for n in range(3)}
    pages = {path: Answer(small_story(title)) for path, title in titles.items()}
    with serve({"/news": Answer(section(titles))} | pages) as site:
        yield site


def headlines(path: Path) -> set[str]:
    return {json.loads(line)["headline"] for line in path.read_text("utf-8").splitlines()}


def save_pages(folder: Path) -> Path:
    pages = folder / "pages"
    pages.mkdir()
    for town in TOWNS:
        (pages / f"{town}.html").write_text(story(town), "utf-8")
    return pages


def test_the_wheel_holds_the_product_and_is_what_is_imported(plain: Environment) -> None:
    code = "import newsclean; print(newsclean.__file__)"
    assert plain.run("-c", code).stdout.startswith(str(plain.packages))
    assert not (plain.packages / "newsclean" / "lab" / "folds.npz").exists()
    assert not (plain.packages / "tests").exists()


def test_the_lines_of_the_readme_print_what_it_says(plain: Environment) -> None:
    readme = ROOT / "README.md"
    (plain.work / "first.py").write_text(code_block(readme, "newsclean.extract("), "utf-8")
    assert plain.run("first.py").stdout == code_block(readme, "Harbor bridge reopens | ")


def test_a_page_is_extracted_and_the_demo_is_crawled(plain: Environment) -> None:
    (plain.work / "page.html").write_text(story("Bergen"), "utf-8")
    assert "It has rained in Bergen" in plain.newsclean("extract", "page.html").stdout
    plain.newsclean("demo")
    lines = (plain.work / "demo-output" / "articles.jsonl").read_text("utf-8").splitlines()
    assert len({json.loads(line)["id"] for line in lines}) == len(lines) > 50


def test_a_checkout_is_installed_and_gets_an_extra(
    environment: Environment, wheel: Path, folder: Path
) -> None:
    shell(environment, f"cd {folder / 'source'} && {environment.python} -m pip install .")
    told = environment.newsclean("serve", code=2).stderr
    assert f"'{folder / 'source'}[serve]'" in told
    shell(environment, told.partition(": ")[2].partition(": ")[2])
    environment.newsclean("serve", "--help")
    environment.run("-c", "import newsclean.apps.serve.access")


def test_a_repository_is_installed_and_gets_an_extra(
    environment: Environment, wheel: Path, folder: Path
) -> None:
    author = "-c user.name=test -c user.email=test@example.org"
    shell(
        environment,
        f"cd {folder / 'source'} && rm -rf build && git init --quiet && git add . "
        f"&& git {author} commit --quiet --message all",
    )
    url = f"git+{(folder / 'source').as_uri()}"
    # Forced, as the environment sees the newsclean of the plain one.
    install = f"{environment.python} -m pip install --force-reinstall --no-deps"
    shell(environment, f"{install} 'newsclean @ {url}'")
    told = environment.newsclean("serve", code=2).stderr
    assert f"'newsclean[serve] @ {url}@" in told
    shell(environment, told.partition(": ")[2].partition(": ")[2])
    environment.run("-c", "import newsclean.apps.serve.access")


def test_serve(environment: Environment) -> None:
    pages = save_pages(environment.work)
    command = ("serve", "--port", 0, "--pages", pages, "--site", "example.org")
    install_as_told(environment, environment.newsclean(*command, code=2).stderr, "serve")
    with subprocess.Popen(
        [environment.python, "-m", "newsclean", *map(str, command)],
        cwd=environment.work,
        env=environment.variables,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        link = re.search(r"(http://127\.0\.0\.1:\d+)/#token=(\S+)", process.stdout.readline())
        assert link
        log_in = urllib.request.Request(
            f"{link[1]}/login",
            json.dumps({"token": link[2]}).encode(),
            {"Content-Type": "application/json", "Origin": link[1]},
        )
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        browser.open(log_in, timeout=60).close()
        with browser.open(f"{link[1]}/", timeout=60) as answer:
            assert b"example.org" in answer.read()
        process.terminate()


def test_parquet(environment: Environment) -> None:
    with fair() as site:
        command = ("crawl", f"{site.url}/news", "-o", "articles.parquet", *HURRY)
        install_as_told(environment, environment.newsclean(*command, code=2).stderr, "parquet")
        environment.newsclean(*command)
    code = """
from pyarrow.parquet import read_table
for row in read_table("articles.parquet").to_pylist(): print(row["headline"])
"""
    printed = environment.run("-c", code).stdout.splitlines()
    assert sorted(printed) == [f"The fair of {n}" for n in range(3)]


def test_zyte(environment: Environment) -> None:
    with fair() as site:
        item = "NEWSCLEAN_ITEM=zyte_common_items.Article"
        command = ("crawl", f"{site.url}/news", "-s", item, *HURRY)
        install_as_told(environment, environment.newsclean(*command, code=2).stderr, "zyte")
        environment.newsclean(*command)
    written = (environment.work / "articles.jsonl").read_text("utf-8").splitlines()
    assert all("lanterns" in json.loads(line)["articleBody"] for line in written)
    assert headlines(environment.work / "articles.jsonl") == {f"The fair of {n}" for n in range(3)}


POET_SPIDER = """
import newsclean
from scrapy import Spider


class Fairs(Spider):
    name = "fairs"
    start_urls = ["URL/news"]

    def parse(self, response):
        yield from response.follow_all(css="a", callback=self.parse_article)

    def parse_article(self, response, article: newsclean.Article):
        yield article
"""
POET_SETTINGS = """
ADDONS = {"newsclean.extensions.package_addons.Poet": 300}
SPIDER_MODULES = ["fairs"]
"""


def test_poet(environment: Environment) -> None:
    (environment.work / "scrapy.cfg").write_text("[settings]\ndefault = own_settings\n")
    (environment.work / "own_settings.py").write_text(POET_SETTINGS)
    command = ("-m", "scrapy", "crawl", "fairs", "-O", "articles.jsonl")
    with fair() as site:
        (environment.work / "fairs.py").write_text(POET_SPIDER.replace("URL", site.url))
        install_as_told(environment, environment.run(*command, code=1).stderr, "poet")
        environment.run(*command)
    assert headlines(environment.work / "articles.jsonl") == {f"The fair of {n}" for n in range(3)}


def test_spidermon(environment: Environment) -> None:
    addons = {
        "newsclean.addon.Newsclean": 500,
        "newsclean.extensions.package_addons.Spidermon": 600,
    }
    options = ("-v", "-s", f"ADDONS={json.dumps(addons)}", *HURRY)
    with fair() as site:
        command = ("crawl", f"{site.url}/news", *options)
        install_as_told(environment, environment.newsclean(*command, code=2).stderr, "spidermon")
        log = environment.newsclean(*command).stderr
    assert "[Spidermon] newsclean/no site is in the state 'blocked'... OK" in log
    assert "... FAIL" not in log
    wall = WALLS["Cloudflare, by its page"]
    with serve({"/": Answer(wall.html, status=wall.status, headers=wall.headers)}) as site:
        log = environment.newsclean("crawl", f"{site.url}/", *options, code=8).stderr
    assert "[Spidermon] newsclean/no site is in the state 'blocked'... FAIL" in log
    assert "FAILED (failures=1)" in log


def test_mcp(environment: Environment) -> None:
    (environment.work / "page.html").write_text(story("Bergen"), "utf-8")
    found = environment.newsclean("extract", "page.html", "--format", "json").stdout
    (environment.work / "articles.jsonl").write_text(found, "utf-8")
    environment.newsclean("index", "articles.jsonl")
    command = ("serve", "--mcp")
    told = environment.newsclean(*command, code=2).stderr
    install_as_told(environment, told, "mcp")
    server = StdioServerParameters(
        command=str(environment.python),
        args=["-m", "newsclean", *command],
        cwd=environment.work,
        env=environment.variables,
    )

    async def ask() -> Any:
        async with Client(server) as client:
            return await client.call_tool("search", {"query": "Bergen"})

    assert anyio.run(ask).structured_content["total"] == 1


@pytest.mark.chromium
def test_browser(environment: Environment) -> None:
    (environment.work / "page.html").write_text(story("Bergen"), "utf-8")
    command = ("extract", "page.html", "--render")
    told = environment.newsclean(*command, code=2).stderr
    install_as_told(environment, told, "browser")
    done = environment.newsclean(*command, NEWSCLEAN_CHROMIUM=require_browser())
    assert "It has rained in Bergen" in done.stdout


def test_postgresql(environment: Environment, postgresql: str) -> None:
    with fair() as site:
        command = ("crawl", f"{site.url}/news", "--memory", postgresql, *HURRY)
        told = environment.newsclean(*command, code=2).stderr
        install_as_told(environment, told, "postgresql")
        environment.newsclean(*command)
    assert len(headlines(environment.work / "articles.jsonl")) == 3


def test_cluster(environment: Environment, postgresql: str) -> None:
    with fair() as site:
        command = ("queue", "add", f"{site.url}/news", "--every", "once")
        told = environment.newsclean(*command, code=2, NEWSCLEAN_QUEUE=postgresql).stderr
        install_as_told(environment, told, "cluster")
        environment.newsclean(*command, NEWSCLEAN_QUEUE=postgresql)
        work = ("queue", "work", "--until-empty", "--memory", postgresql, *HURRY)
        environment.newsclean(*work, NEWSCLEAN_QUEUE=postgresql)
    (written,) = (environment.work / "articles").iterdir()
    assert len(headlines(written)) == 3


@pytest.mark.spark
def test_spark(environment: Environment) -> None:
    from tests.cluster.archives import write_warcs
    from tests.cluster.test_spark import SETTINGS

    write_warcs(environment.work / "warcs")
    command = ("-m", "newsclean.cluster.spark", "--input", "warcs/*.gz", "--output", "articles")
    install_as_told(environment, environment.run(*command, code=2).stderr, "spark")
    settings = " ".join(f"--conf '{name}={value}'" for name, value in SETTINGS.items())
    done = environment.run(
        *command,
        "--format",
        "jsonl",
        PYSPARK_PYTHON=str(environment.python),
        PYSPARK_SUBMIT_ARGS=f"{settings} pyspark-shell",
    )
    assert "pages extracted" in done.stderr


def test_bench(environment: Environment) -> None:
    pages = environment.work / "corpus" / "pages"
    pages.mkdir(parents=True)
    gold = []
    for town in TOWNS:
        (pages / f"{town}.html").write_text(story(town), "utf-8")
        gold.append({"id": town, "site": "example.org", "text": f"It has rained in {town}."})
    lines = "".join(json.dumps(line) + "\n" for line in gold)
    (pages.parent / "gold.jsonl").write_text(lines, "utf-8")
    command = ("evaluate", "corpus", "--methods", "none", "--peers", "trafilatura")
    install_as_told(environment, environment.newsclean(*command, code=2).stderr, "bench")
    options = ("--methods", "hybrid", "--peers", "all", "--out", "results")
    environment.newsclean("evaluate", "corpus", *options)
    results = environment.work / "results"
    assert (results / "quality.svg").is_file()
    written = (results / "results.md").read_text("utf-8")
    assert all(peer in written for peer in ("trafilatura", "newspaper4k", "goose3", "resiliparse"))
