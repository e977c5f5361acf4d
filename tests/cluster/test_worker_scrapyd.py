"""Site jobs of the queue as jobs of a real Scrapyd server."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from newsclean.cluster.queue import Lease, SiteQueue
from newsclean.cluster.worker_scrapyd import Scrapyd, ScrapydError
from tests.crawl.demo_sites import HURRY, newsclean_process
from tests.crawl.scrapyd_server import running
from tests.crawl.small_site import Answer, section, serve, story

from .jobs import LONG

pytestmark = pytest.mark.slow

#: A project that is installed needs no egg.
PROJECT = "[settings]\ndefault = newsclean.settings\nnewsclean = newsclean.settings\n"


def test_sites_that_are_due_are_crawled_by_scrapyd_and_done(
    tmp_path: Path, redis_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSCLEAN_REDIS", redis_address)
    titles = {f"/news/the-fair-of-{year}-{year}.html": f"The fair of {year}" for year in range(8)}
    answers = {path: Answer(story(title)) for path, title in titles.items()}
    answers["/news"] = Answer(section(titles))
    server_folder = tmp_path / "server"
    with (
        serve(answers) as site,
        serve(answers) as other,
        running(server_folder, PROJECT, NEWSCLEAN_REDIS=redis_address) as scrapyd,
        closing(SiteQueue(redis_address)) as queue,
    ):
        (tmp_path / "town.toml").write_text(f'[[section]]\nurl = "{other.url}/news"\n')
        (server_folder / "sites").mkdir()
        shutil.copy(tmp_path / "town.toml", server_folder / "sites")
        newsclean_process(tmp_path, "queue", "add", f"{site.url}/news", "town.toml")
        options = ("--until-empty", "--scrapyd", scrapyd.url)
        worker = newsclean_process(tmp_path, "queue", "work", *options, *HURRY)
        assert worker.exit_code == 0, worker.errors
        assert "2 sites scheduled" in worker.output
        found = {status.outcome: status.articles for status in queue.statuses()}
        logs = [path.read_text("utf-8") for path in (server_folder / "logs").rglob("*.log")]
    assert found == {"done": len(titles)}, logs
    wanted = [each.url + path for each in (site, other) for path in titles]
    assert sorted(line["url"] for line in scrapyd.articles()) == sorted(wanted)


def test_a_server_that_is_away_is_named() -> None:
    scrapyd = Scrapyd("http://127.0.0.1:1/")
    with pytest.raises(ScrapydError, match="Scrapyd does not answer"):
        scrapyd.schedule(Lease("town", "one", 1, LONG), [])
