"""Searching parameters, never on a page's own site."""

import inspect
import json
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from newsclean.cli import main
from newsclean.lab.evaluate.corpus import Corpus, read_corpus
from newsclean.lab.evaluate.tuning import (
    TUNABLE,
    _folds,
    _measure_all,
    draw_candidates,
    method_of,
    parameters_of,
    tune,
)
from newsclean.methods import Method, method_named
from newsclean.page import Page
from newsclean.processes import processes

LINKS = "<a href=/1>one</a> <a href=/2>two</a> <a href=/3>three</a>"


def write_corpus(folder: Path, sites: int = 6, pages: int = 3) -> Path:
    """Pages with a paragraph that is half links: a low threshold is needed to keep it."""
    collection = folder / "made-up"
    (collection / "pages").mkdir(parents=True)
    lines = []
    for site in range(sites):
        for page in range(pages):
            name = f"{site}-{page}"
            plain = [f"The plain words {n} of page {name} go on and on." * 3 for n in range(4)]
            body = "".join(f"<p>{text}</p>" for text in plain)
            menu = "".join(f"<li><a href=/m{n}>menu entry {n}</a>" for n in range(9))
            (collection / "pages" / f"{name}.html").write_text(
                f"<body><ul>{menu}</ul><div>{body}<p>Three {name} words {LINKS}</p></div>"
            )
            text = "\n\n".join([*plain, f"Three {name} words one two three"])
            lines.append(json.dumps({"id": name, "site": f"site {site}", "text": text}))
    (collection / "gold.jsonl").write_text("\n".join(lines))
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return read_corpus(write_corpus(tmp_path / "corpus"))


def test_the_first_candidate_is_the_set_in_use_and_the_draw_repeats() -> None:
    candidates = draw_candidates(["stadynot", "coreex"], 20, seed=3)
    assert candidates[0] == {}
    assert candidates == draw_candidates(["stadynot", "coreex"], 20, seed=3)
    assert candidates != draw_candidates(["stadynot", "coreex"], 20, seed=4)


def test_no_set_is_drawn_twice_and_no_more_than_there_are() -> None:
    sets = [parameters_of(["tree"], "tree", c) for c in draw_candidates(["tree"], 60, seed=1)]
    assert sorted(parameters.n for parameters in sets) == [1, 2, 3, 4, 5, 6, 7, 8]
    for count in (5, 100, 300, 1000):  # of 8 * 8 * 5
        drawn = draw_candidates(["coreex"], count, seed=1)
        assert drawn[0] == {}
        assert len({parameters_of(["coreex"], "coreex", c) for c in drawn}) == min(count, 320)
        assert len(drawn) == min(count, 320)


def test_the_weights_of_coreex_sum_to_one() -> None:
    for candidate in draw_candidates(["coreex"], 30, seed=1):
        parameters = parameters_of(["coreex"], "coreex", candidate)
        assert parameters.weight_ratio + parameters.weight_text == pytest.approx(1)


def parameters_run(method: Method) -> list[Any]:
    return [inspect.getclosurevars(step.run).nonlocals["parameters"] for step in method.steps]


@pytest.mark.parametrize("name", TUNABLE)
def test_the_set_in_use_is_what_the_bare_name_runs_alone_and_behind_another(name: str) -> None:
    chains = [[name]]
    if name != "stadynot":  # it comes first in a chain
        chains += [[first, name] for first in ("stadynot", "coreex") if first != name]
    for chain in chains:
        named = method_named("+".join(chain))
        assert parameters_run(method_of(chain, {})) == parameters_run(named)


def test_the_set_in_use_chooses_as_the_method_of_that_name_does() -> None:
    page = Page.from_html(f"<div><p>{'word ' * 40}{LINKS}</p></div><ul><li>{LINKS}</ul>")
    chain = ["stadynot", "coreex"]
    assert (
        method_of(chain, {}).choose(page).rows == method_named("stadynot+coreex").choose(page).rows
    ).all()


def test_all_pages_of_a_site_are_in_one_fold(corpus: Corpus) -> None:
    folds = _folds(corpus.golds, 3, seed=1)
    for site in {gold.site for gold in corpus.golds}:
        assert (
            len({int(f) for g, f in zip(corpus.golds, folds, strict=True) if g.site == site}) == 1
        )
    assert set(folds.tolist()) == {0, 1, 2}


def test_a_better_set_is_found_and_measured_on_other_sites(corpus: Corpus) -> None:
    finding = tune(corpus, ["coreex"], candidates=40, folds=3, seed=1)
    assert finding.best["coreex"]["threshold"] < 0.7
    assert finding.cross_validated["made-up"] > finding.in_use["made-up"]
    assert finding.is_better
    assert sum(finding.votes["coreex.threshold"].values()) == 3


def test_two_processes_find_what_one_finds(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise AssertionError("a fork of a process that shows its progress can hang")

    monkeypatch.setattr("os.fork", fork)
    one = tune(corpus, ["coreex"], candidates=6, folds=2, seed=1)
    assert tune(corpus, ["coreex"], candidates=6, folds=2, seed=1, jobs=2) == one


def test_no_more_processes_are_begun_than_there_are_sites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []

    def count(number: int) -> AbstractContextManager[ProcessPoolExecutor]:
        begun.append(number)
        return processes(number)

    monkeypatch.setattr("newsclean.lab.evaluate.tuning.processes", count)
    for sites, wanted in ((1, []), (2, [2])):
        corpus = read_corpus(write_corpus(tmp_path / str(sites), sites=sites, pages=1))
        list(_measure_all(corpus, ["coreex"], [{}], jobs=8))
        assert begun == wanted


def test_the_command_writes_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_corpus(tmp_path / "corpus")
    out = tmp_path / "found.json"
    options = ["--candidates", "5", "--folds", "2", "--out", str(out)]
    assert main(["tune", "coreex", str(folder), *options]) == 0
    assert "had no say" in " ".join(capsys.readouterr().out.split())
    found = json.loads(out.read_text())
    assert found["pages"] == 18
    assert np.isfinite(found["best_f1"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nosuch", "CORPUS"], "nosuch"),
        (["coreex", "CORPUS", "--folds", "1"], "--folds"),
        (["coreex", "CORPUS", "--folds", "99"], "too few"),
        (["coreex", "CORPUS", "--collections", "nosuch"], "nosuch"),
    ],
)
def test_wrong_arguments_are_told_before_the_work_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    folder = str(write_corpus(tmp_path / "corpus"))
    assert main(["tune", *(folder if a == "CORPUS" else a for a in arguments)]) == 2
    assert words in capsys.readouterr().err
