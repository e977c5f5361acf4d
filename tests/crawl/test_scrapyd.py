"""newsclean on a real Scrapyd server: deployed as an egg, and scheduled twice."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import newsclean

from .scrapy_command import ROOT
from .scrapyd_server import PATIENCE, Scrapyd, environment, running
from .small_site import Answer, section, serve, story

pytestmark = [pytest.mark.slow, pytest.mark.process]


@pytest.fixture
def scrapyd(tmp_path: Path) -> Iterator[Scrapyd]:
    with running(tmp_path / "server") as server:
        yield server


def deploy(folder: Path, url: str) -> None:
    """What a user does in a checkout: `scrapyd-deploy`."""
    project = folder / "checkout"
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "newsclean", project / "newsclean", ignore=left_out)
    for name in ("pyproject.toml", "README.md", "LICENSE", "scrapy.cfg"):
        shutil.copy(ROOT / name, project)
    face = project / "newsclean/__init__.py"
    face.write_text(face.read_text().replace(newsclean.__version__, "9.9.9"))
    config = project / "scrapy.cfg"
    config.write_text(config.read_text().replace("http://localhost:6800/", url))
    done = subprocess.run(
        [Path(sys.executable).with_name("scrapyd-deploy"), "--debug", "--version", "r1"],
        cwd=project,
        env=environment() | {"PYTHONWARNINGS": ""},  # scrapyd-deploy calls a deprecated `setup.py`
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"status": "ok"' in done.stdout, done.stdout


def test_deployed_and_scheduled_twice_the_second_run_finds_nothing_new(
    scrapyd: Scrapyd, tmp_path: Path
) -> None:
    deploy(tmp_path, scrapyd.url)
    assert "news" in scrapyd.get("listspiders", project="newsclean")["spiders"]
    titles = {f"/news/the-fair-of-{year}-{year}.html": f"The fair of {year}" for year in range(8)}
    answers = {"/news": Answer(section(titles))}
    answers |= {path: Answer(story(title)) for path, title in titles.items()}
    with serve(answers) as site:
        first = scrapyd.run(url=f"{site.url}/news")
        delivered = scrapyd.articles()
        second = scrapyd.run(url=f"{site.url}/news")
    assert {line["headline"] for line in delivered} == set(titles.values())
    assert scrapyd.articles() == delivered
    assert f"'newsclean/articles': {len(titles)}" in first
    assert f"'newsclean/dropped/unchanged': {len(titles)}" in second
    for log in (first, second):
        assert "] ERROR: " not in log
        assert "Traceback" not in log
    agents = {headers["User-Agent"] for _, headers in site.requests}
    assert agents == {"newsclean/9.9.9 (news crawler)"}  # the code of the egg, and no other
