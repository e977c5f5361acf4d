"""`newsclean demo`, as a newcomer runs it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from newsclean.demo.world import build_world


@pytest.mark.versions
@pytest.mark.process
@pytest.mark.slow
def test_the_demo_crawls_shows_its_f1_and_writes_the_articles(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "newsclean", "demo", "--output", "out"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert run.stderr == ""
    assert run.returncode == 0
    f1 = re.search(r"^F1 (\d\.\d+), (\d+) articles \(each exactly once\)", run.stdout, re.MULTILINE)
    assert f1 is not None
    assert float(f1[1]) >= 0.98
    headlines = {
        json.loads(line)["headline"]
        for line in (tmp_path / "out" / "articles.jsonl").read_text("utf-8").splitlines()
    }
    assert headlines == {a.headline for publisher in build_world(7) for a in publisher.articles}
    assert int(f1[2]) == len(headlines)
    assert "articles.jsonl" in run.stdout
