"""A worker of `newsclean crawl`, told what to do on its standard input."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from newsclean.cli.crawl import CrawlPlan
from newsclean.demo import DemoServer
from tests.crawl.scrapy_command import TIMEOUT

pytestmark = [pytest.mark.slow, pytest.mark.process]


def test_a_worker_that_is_told_to_stop_before_it_has_begun_ends(tmp_path: Path) -> None:
    with DemoServer() as demo:
        sections = "".join(f'[[section]]\nurl = "{u}"\n' for u in demo.publishers[0].section_urls)
        (tmp_path / "sites").mkdir()
        (tmp_path / "sites/ledger.toml").write_text(sections)
        plan = CrawlPlan("articles.jsonl", "sites", settings={"NEWSCLEAN_SITES": "sites"})
        task = json.dumps({"plan": asdict(plan), "sites": ["ledger"]})
        ended = subprocess.run(
            [sys.executable, "-m", "newsclean.cli.crawl_workers"],
            cwd=tmp_path,
            input=f"{task}\n\n",  # the second line: stop
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    assert ended.returncode == 130, ended.stderr
    last = ended.stdout.splitlines()[-1]
    assert json.loads(last)["exit_code"] == 130
    assert len((tmp_path / "articles.jsonl").read_text().splitlines()) < 39
