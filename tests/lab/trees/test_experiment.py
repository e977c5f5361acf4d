"""The paper's experiment: folds by publisher, classes in equal number, a fair test."""

from pathlib import Path

import numpy as np
import pytest

from newsclean.lab.trees.experiment import (
    corrected_t_test,
    draw_equal,
    of_both_classes,
    run_experiment,
)
from newsclean.lab.trees.labelled import ARTICLE, Labelled, Wanted, folds_of, read_labelled

from .corpora import write_corpus


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Labelled]:
    folder = write_corpus(tmp_path_factory.mktemp("corpus"))
    return read_labelled(folder, Wanted(paper=True, readerable=True))


def page(publisher: str, kind: str, collection: str = "c") -> Labelled:
    return Labelled(collection, f"{publisher}-{kind}", publisher, kind, None)


def test_pages_of_one_publisher_are_never_on_both_sides() -> None:
    some = [page(f"p{n % 7}", "article" if n % 2 else "forum") for n in range(40)]
    fold = folds_of(some, 3, seed=1)
    for publisher in {one.publisher for one in some}:
        own = {number for one, number in zip(some, fold, strict=True) if one.publisher == publisher}
        assert len(own) == 1
    assert set(fold.tolist()) == {0, 1, 2}


def test_a_publisher_is_the_same_in_all_collections(tmp_path: Path) -> None:
    for collection, site in (("c", "daily.co.uk"), ("d", "gbr-Daily"), ("e", "daily-2005")):
        (tmp_path / collection / "pages").mkdir(parents=True)
        (tmp_path / collection / "pages" / "x.html").write_text("<p>Rain")
        line = f'{{"id": "x", "site": "{site}", "text": ""}}\n'
        (tmp_path / collection / "gold.jsonl").write_text(line)
    assert [one.publisher for one in read_labelled(tmp_path, Wanted())] == ["daily"] * 3


def test_articles_and_others_are_drawn_in_equal_number() -> None:
    some = [page(f"a{n}", "article") for n in range(20)] + [
        page(f"b{n}", "forum") for n in range(7)
    ]
    drawn = draw_equal(some, seed=3)
    assert sum(one.label == ARTICLE for one in drawn) == 7 == len(drawn) / 2
    assert draw_equal(some, seed=3) == drawn != draw_equal(some, seed=4)


def test_only_collections_with_both_classes_take_part() -> None:
    some = [page("a", "article", "news"), page("b", "article", "web"), page("c", "forum", "web")]
    assert [one.publisher for one in of_both_classes(some)] == ["b", "c"]
    with pytest.raises(ValueError, match="both"):
        of_both_classes(some[:2])


def test_fewer_publishers_than_folds_are_told_so() -> None:
    some = [page(f"p{n % 4}", "article" if n % 2 else "forum") for n in range(10)]
    with pytest.raises(ValueError, match=r"too few pages for 5 folds: .* 10, of 4 publishers"):
        run_experiment(some, folds=5, repetitions=1)


def test_the_test_is_wary_of_folds_that_share_their_pages() -> None:
    rng = np.random.default_rng(1)
    noise = rng.normal(0.01, 0.1, 200)
    t, p = corrected_t_test(noise, 1 / 9)
    plain = noise.mean() / (noise.std(ddof=1) / np.sqrt(200))
    assert abs(t) < abs(plain) / 4
    assert p > 0.5
    assert corrected_t_test(rng.normal(0.5, 0.1, 200), 1 / 9)[1] < 0.001
    assert corrected_t_test(np.zeros(10), 1 / 9) == (0.0, 1.0)


def test_the_experiment_tells_stories_from_front_pages(pages: list[Labelled]) -> None:
    outcome = run_experiment(pages, folds=4, repetitions=2)
    assert outcome.pages == 24
    assert outcome.publishers == 12
    assert [row.name for row in outcome.rows][:2] == ["MSS + CoreEx", "MSS + CoreEx + link targets"]
    assert all(row.f1 == 1.0 for row in outcome.rows[:2])
    assert not outcome.holds  # nothing was left to improve
    assert "not confirmed" in outcome.answer
    assert outcome.tree.root.branches


def test_publishers_are_counted_of_the_pages_that_were_drawn(pages: list[Labelled]) -> None:
    articles = [one for one in pages if one.label == ARTICLE and one.collection == "mixed"]
    others = [one for one in pages if one.label != ARTICLE][:3]
    drawn = draw_equal([*articles, *others], seed=1)
    outcome = run_experiment([*articles, *others], folds=2, repetitions=1, seed=1)
    assert outcome.pages == len(drawn) == 6
    assert outcome.publishers == len({one.publisher for one in drawn}) < len(articles)


def test_the_same_seed_gives_the_same_outcome(pages: list[Labelled]) -> None:
    assert run_experiment(pages, folds=3, repetitions=1) == run_experiment(
        pages, folds=3, repetitions=1
    )
