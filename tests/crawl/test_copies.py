"""Crawls that mark near copies of other sites."""

import random
from pathlib import Path

import pytest

from .demo_sites import HURRY, lines, newsclean
from .scrapy_command import scrapy
from .small_site import Answer, SmallSite, page, section, serve

pytestmark = pytest.mark.slow

OWN = {f"/2026/03/0{n}/rain-falls-on-town-{n}": f"Rain falls on town {n}" for n in (1, 2, 3)}
AGENCY = "/2026/03/09/ministers-agree-on-the-new-treaty"


def story_of(title: str, seed: str, added: str = "") -> str:
    """An article of sentences that no other seed gives."""
    rng = random.Random(seed)
    words = "rain wind town clerk lantern wagon bridge harbour vote price school river".split()
    texts = [
        f"On day {rng.randrange(900)} the {rng.choice(words)} of {rng.randrange(900)} {seed}s, "
        f"{rng.choice(words)} and {rng.choice(words)}, made {rng.randrange(900)} people ask for a "
        f"{rng.choice(words)} and wait {rng.randrange(900)} hours by the {rng.choice(words)}."
        for _ in range(12)
    ]
    return page(title, "".join(f"<p>{text}</p>" for text in [*texts, added]))


def site_with(own: str) -> dict[str, Answer]:
    """A site with three articles of its own, and one from an agency with a line of its own."""
    titles = {path: f"{title} in {own}" for path, title in OWN.items()}
    pages = {path: Answer(story_of(title, title.lower())) for path, title in titles.items()}
    headline = f"Ministers agree on the new treaty, and {own} waits"
    agency = story_of(headline, "treaty", f"What it means for {own} is not yet known to the clerk.")
    front = Answer(section(titles | {AGENCY: headline}))
    return {"/": front, AGENCY: Answer(agency)} | pages


def crawl(folder: Path, *sites: SmallSite) -> list[dict[str, object]]:
    for site in sites:
        run = newsclean(folder, "crawl", f"{site.url}/", "--copies", *HURRY)
        assert run.exit_code == 0, run.errors
    return lines(folder / "articles.jsonl")


def test_an_agency_text_on_a_second_site_names_the_first(tmp_path: Path) -> None:
    with (
        serve(site_with("Bergen"), "127.0.0.1") as one,
        serve(site_with("Hamar"), "127.0.0.2") as two,
    ):
        found = crawl(tmp_path, one, two)
    assert len(found) == 8
    copies = {str(item["url"]): item["copy_of"] for item in found if item["copy_of"]}
    (original,) = (item["id"] for item in found if item["url"] == f"{one.url}{AGENCY}")
    assert copies == {f"{two.url}{AGENCY}": original}


def test_without_the_option_nothing_is_marked_and_nothing_is_stored(tmp_path: Path) -> None:
    with serve(site_with("Bergen")) as one:
        run = newsclean(tmp_path, "crawl", f"{one.url}/", *HURRY)
    assert run.exit_code == 0, run.errors
    assert {item["copy_of"] for item in lines(tmp_path / "articles.jsonl")} == {None}


def test_a_project_adds_the_pipeline_and_a_wrong_place_is_refused(tmp_path: Path) -> None:
    settings = (
        'ADDONS = {"newsclean.addon.Newsclean": 500}\nSPIDER_MODULES = ["newsclean.spiders"]\n'
        'FEEDS = {"out.jsonl": {"format": "jsonlines"}}\n'
        'ITEM_PIPELINES = {"newsclean.pipelines.copies.CopyPipeline": %d}\n'
    )
    (tmp_path / "good.py").write_text(settings % 180)
    (tmp_path / "bad.py").write_text(settings % 155)
    with serve(site_with("Bergen")) as one:
        good = scrapy(tmp_path, "crawl", "news", f"-aurl={one.url}/", settings="good")
        bad = scrapy(tmp_path, "crawl", "news", f"-aurl={one.url}/", settings="bad")
    assert len(good.lines("out.jsonl")) == 4
    assert "CopyPipeline (155) needs 'article'" in bad.log
