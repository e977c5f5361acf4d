"""A site is taught with one kept page, and the next crawl knows it."""

import json
from pathlib import Path
from typing import Any

import pytest

from .demo_sites import HURRY, newsclean
from .small_site import Answer, section, serve, story

pytestmark = pytest.mark.slow

TITLES = {f"/news/report-{n}.html": f"Report number {n}" for n in range(100_000, 100_006)}
NEW = {"/news/report-100006.html": "Report number 100006"}
PROMO = (
    "Read all of it in our paper, which comes each morning to the doors of {}, and costs little."
)


def with_promo(title: str) -> str:
    page = story(title)
    before, tag, after = page.rpartition("</p>")
    assert tag
    return f"{before}{tag}<div class=promo><p>{PROMO.format(title)}</p></div>{after}"


def articles(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def has_promo(article: dict[str, Any]) -> bool:
    return "comes each morning" in article["body"] or "comes each morning" in article["body_html"]


def test_a_promo_box_is_excluded_once_and_gone_from_old_and_new_articles(tmp_path: Path) -> None:
    coreex = "-sNEWSCLEAN_METHOD=coreex"
    answers = {path: Answer(with_promo(title)) for path, title in (TITLES | NEW).items()}
    with serve(answers | {"/news": Answer(section(TITLES))}) as site:
        url = f"{site.url}/news"
        assert newsclean(tmp_path, "crawl", url, coreex, *HURRY).exit_code == 0
        first = articles(tmp_path / "articles.jsonl")
        assert len(first) == len(TITLES)
        assert all(map(has_promo, first))

        page = f"{site.url}{next(iter(TITLES))}"
        command = ("teach", "--page", page, "--exclude", "Read all of it", "--method", "coreex")
        taught = newsclean(tmp_path, *command, "--accept")
        assert taught.exit_code == 0, taught.errors
        assert f"It changes {len(TITLES)} of {len(TITLES)} pages" in taught.output

        again = newsclean(
            tmp_path, "crawl", url, "--reextract", coreex, "-o", "again.jsonl", *HURRY
        )
        assert again.exit_code == 0, again.errors
        made = articles(tmp_path / "again.jsonl")
        assert len(made) == len(TITLES)
        assert not any(map(has_promo, made))
        assert all(article["extraction"]["reextracted"] for article in made)
        assert all(article["extraction"]["corrections"]["removed_words"] for article in made)

        # What was delivered is no revision because of it, and what is new is right at once.
        site.answers["/news"] = Answer(section(TITLES | NEW))
        plain = newsclean(tmp_path, "crawl", url, coreex, "-a", "recheck=all", *HURRY)
        assert plain.exit_code == 0, plain.errors
    (new,) = articles(tmp_path / "articles.jsonl")[len(TITLES) :]
    assert new["url"].endswith("report-100006.html")
    assert not has_promo(new)
