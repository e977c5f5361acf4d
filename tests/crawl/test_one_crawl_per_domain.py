"""One crawl of a registered domain at a time, as a user of a memory file sees it."""

from contextlib import closing
from pathlib import Path

from newsclean.memory import Memory

from .demo_sites import HURRY, newsclean, urls
from .small_site import Answer, section, serve, story

TITLES = {f"/news/fair-of-{year}-{year}.html": f"The fair of {year}" for year in (1901, 1902)}


def test_a_crawl_whose_domain_another_has_asks_for_nothing_and_ends_with_its_own_code(
    tmp_path: Path,
) -> None:
    answers = {path: Answer(story(title)) for path, title in TITLES.items()}
    memory = str(tmp_path / "memory.sqlite")
    with serve(answers | {"/news": Answer(section(TITLES))}) as site:
        arguments = ("crawl", f"{site.url}/news", "--memory", memory, *HURRY)
        with closing(Memory(memory)) as other:
            other.start_run("other", sites=[site.url.removeprefix("http://")])
            refused = newsclean(tmp_path, *arguments)
        assert refused.exit_code == 7
        assert "is crawling 127.0.0.1:" in refused.errors
        assert refused.errors.count("\n") == 1
        assert not site.hits
        assert newsclean(tmp_path, *arguments).exit_code == 0
        assert urls(tmp_path / "articles.jsonl") == sorted(site.url + path for path in TITLES)
    assert [path.name for path in tmp_path.glob("*-domain-*")] == []
