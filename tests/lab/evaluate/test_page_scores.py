"""All pages through all systems: scores and times."""

from pathlib import Path

import pytest

from newsclean.lab.evaluate.corpus import Corpus, check_pages, read_corpus
from newsclean.lab.evaluate.page_scores import Scores, score_pages
from newsclean.lab.evaluate.summary import benchmark_f1, speed_of, summarise, worst
from newsclean.lab.evaluate.systems import System

from .corpora import gold, page, write_corpus, write_golds, write_page

CHAIN = System("stadynot+coreex", neighbors="all")
SYSTEMS = [CHAIN, System("trafilatura", is_peer=True)]


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return check_pages(read_corpus(write_corpus(tmp_path / "corpus")))


def test_every_page_has_a_score_and_a_time_of_every_system(corpus: Corpus) -> None:
    done = score_pages(corpus, SYSTEMS)
    assert len(done.scores) == 10
    assert {score.found for score in done.scores if score.system == CHAIN.name} == {4}
    assert all(score.words.f1 == 1 for score in done.scores if score.system == CHAIN.name)
    assert all(score.ms > 0 and score.lxml_ms > 0 for score in done.scores)
    assert {score.language for score in done.scores} == {"en"}
    assert done.memory is not None


def test_several_processes_find_the_same(corpus: Corpus) -> None:
    def found(done: Scores) -> set[object]:
        return {
            (score.page, score.system, score.words, score.characters, score.shingles)
            for score in done.scores
        }

    assert found(score_pages(corpus, SYSTEMS, jobs=2)) == found(score_pages(corpus, SYSTEMS))


def test_a_page_that_is_no_html_scores_nothing_and_says_why(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    write_page(tmp_path, "Oslo", b"%PDF-1.7")
    corpus = check_pages(read_corpus(tmp_path))
    done = score_pages(corpus.only([corpus.find("Oslo")]), SYSTEMS)
    (score,) = [score for score in done.scores if score.system == CHAIN.name]
    assert score.words.f1 == 0
    assert "not an HTML page" in (score.error or "")
    summary = summarise(done.scores, SYSTEMS)
    assert summary.systems[0].errors.total() == 1


def test_figures_are_means_by_collection_site_and_language(tmp_path: Path) -> None:
    golds = [gold("Oslo"), gold("Moss", site="post", text="Nothing of the kind")]
    write_golds(tmp_path, golds, "a")
    for town in ("Oslo", "Moss"):
        write_page(tmp_path, town, page(town).encode(), "a")
    write_corpus(tmp_path, "b", ("Hamar",))
    done = score_pages(check_pages(read_corpus(tmp_path)), SYSTEMS)
    summary = summarise(done.scores, SYSTEMS)
    chain = summary.systems[0]
    one, two, three = (score.words.f1 for score in done.scores if score.system == CHAIN.name)
    assert {two} != {one}
    assert chain.collections["a"].words.f1.mean == pytest.approx((one + two) / 2)
    assert chain.collections["all"].words.f1.mean == pytest.approx((one + two + three) / 3)
    assert set(chain.sites) == {("a", "times"), ("a", "post"), ("b", "times")}
    assert set(chain.languages) == {"en", "?"}
    assert [score.page for score in worst(done.scores, CHAIN, 1)] == ["a/Moss"]
    theirs = sum(score.words.f1 for score in done.scores if score.system == "trafilatura")
    assert chain.difference["all"].mean == pytest.approx((one + two + three - theirs) / 3)
    reference = summary.systems[1].speed["all"]
    assert reference.to_trafilatura == pytest.approx(1)


def test_the_benchmarks_f1_is_that_of_the_mean_precision_and_recall(corpus: Corpus) -> None:
    scores = [
        score for score in score_pages(corpus, SYSTEMS).scores if score.system == "trafilatura"
    ]
    precision = sum(score.shingles.precision for score in scores) / 5
    recall = sum(score.shingles.recall for score in scores) / 5
    assert benchmark_f1(scores) == pytest.approx(2 * precision * recall / (precision + recall))


def test_speed_is_given_page_by_page_beside_lxml_and_trafilatura() -> None:
    found = speed_of([4, 10, 30], [2, 5, 10], [8, 10, 12])
    assert found.median == 10
    assert found.p95 == pytest.approx(28)
    assert found.to_lxml == 2
    assert found.to_trafilatura == pytest.approx(0.25)
