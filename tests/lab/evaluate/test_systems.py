"""What is measured, and when an earlier result may stand for it."""

import ast
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

import newsclean
from newsclean.extraction import Extractor
from newsclean.lab.evaluate import peers
from newsclean.lab.evaluate.corpus import Corpus, check_pages, read_corpus
from newsclean.lab.evaluate.neighbors import draw, neighborhood_of
from newsclean.lab.evaluate.peers import PEERS, Source
from newsclean.lab.evaluate.systems import (
    CODE,
    MEASURING,
    PEER_CODE,
    System,
    article_text,
    systems_of,
)
from newsclean.methods import method_named
from newsclean.page import Page

from .corpora import FOOTER, page, paragraphs, write_corpus, write_page

ROOT = Path(newsclean.__file__).parent


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return check_pages(read_corpus(write_corpus(tmp_path)))


def test_a_method_stands_once_for_each_number_of_neighbors() -> None:
    systems, missing = systems_of(["stadynot", "coreex"], [], [0, "all"])
    assert [(one.name, one.neighbors) for one in systems] == [
        ("stadynot", 0),
        ("stadynot", "all"),
        ("coreex", None),
    ]
    assert missing == []


def test_a_peer_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = peers.Peer("goose3", "goose3", "no_such_module", peers.goose3)
    monkeypatch.setitem(PEERS, "goose3", gone)
    systems, missing = systems_of([], ["trafilatura", "goose3"], ["all"])
    assert [one.name for one in systems] == ["trafilatura"]
    assert missing == ["goose3"]


def test_neighbors_are_drawn_the_same_each_time_and_never_the_page_itself(corpus: Corpus) -> None:
    oslo = corpus.find("Oslo")
    two = draw(oslo, corpus.others(oslo), 2)
    assert two == draw(oslo, corpus.others(oslo)[::-1], 2)
    assert two == draw(oslo, corpus.others(oslo), 3)[:2]
    assert oslo not in draw(oslo, corpus.others(oslo), "all")
    assert len(draw(oslo, corpus.others(oslo), 99)) == 4


def test_a_neighborhood_knows_as_many_pages_as_were_drawn(corpus: Corpus) -> None:
    oslo = corpus.find("Oslo")
    hood = neighborhood_of(draw(oslo, corpus.others(oslo), 3), method_named("coreex"))
    neighbors = hood.evidence_on(Page.from_html(page("Oslo"))).neighbors
    assert neighbors is not None
    assert neighbors.count == 3


def test_neighbors_take_the_footer_out_of_the_text(corpus: Corpus) -> None:
    oslo = corpus.find("Oslo")
    extractor = Extractor("stadynot+coreex")
    hood = neighborhood_of(corpus.others(oslo), extractor.method)
    alone = article_text(page("Oslo").encode(), extractor, None, oslo)
    assert FOOTER in alone
    assert article_text(page("Oslo").encode(), extractor, hood, oslo).split("\n\n") == paragraphs(
        "Oslo"
    )


def test_a_result_is_stale_when_a_neighbor_has_changed(tmp_path: Path) -> None:
    def prints() -> list[str]:
        corpus = check_pages(read_corpus(tmp_path))
        oslo = corpus.find("Oslo")
        systems = [System("stadynot", neighbors="all"), System("coreex")]
        return [system.fingerprint(oslo, corpus.others(oslo)) for system in systems]

    write_corpus(tmp_path)
    with_neighbors, alone = prints()
    assert prints() == [with_neighbors, alone]
    write_page(tmp_path, "Moss", page("Rome").encode())
    changed, same = prints()
    assert changed != with_neighbors
    assert same == alone


def fingerprints(corpus: Corpus) -> list[str]:
    oslo = corpus.find("Oslo")
    systems = [System("stadynot", neighbors=2), System("coreex"), System("trafilatura", True)]
    return [system.fingerprint(oslo, corpus.others(oslo)) for system in systems]


@pytest.mark.parametrize("library", ["lxml", "numpy", "charset-normalizer"])
def test_a_result_is_stale_when_a_library_has_changed(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    before = fingerprints(corpus)
    monkeypatch.setattr(
        "newsclean.lab.evaluate.systems.version",
        lambda name: "0.0.1" if name == library else version(name),
    )
    assert not set(before) & set(fingerprints(corpus))


def imported(name: str) -> set[str]:
    """The files of newsclean that a file imports, each by its path in the package."""
    tree = ast.parse((ROOT / name).read_text("utf-8"))
    modules = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("newsclean"):
            modules += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    paths = [module.replace(".", "/").partition("/")[2] for module in modules if module]
    files = {f"{path}{end}" for path in paths for end in (".py", "/__init__.py")}
    return {file for file in files if (ROOT / file).is_file()}


@pytest.mark.parametrize(
    ("begin", "covered"),
    [
        (["lab/evaluate/scoring.py"], CODE + MEASURING),
        (["lab/evaluate/peers.py"], PEER_CODE),
        (
            ["lab/evaluate/corpus.py", "lab/evaluate/measures.py", "lab/evaluate/speed.py"],
            MEASURING,
        ),
    ],
    ids=["methods", "peers", "measuring"],
)
def test_all_code_that_a_score_depends_on_is_in_its_fingerprint(
    begin: list[str], covered: tuple[str, ...]
) -> None:
    todo, found = list(begin), set(begin)
    while todo:
        new = imported(todo.pop()) - found
        found |= new
        todo += new - {"lab/evaluate/peers.py"}
    found -= {"version.py"}  # which is in it by its number
    if "lab/evaluate/scoring.py" in begin:
        found -= {"lab/evaluate/peers.py"}
    missing = [name for name in found if not any(name.startswith(part) for part in covered)]
    assert missing == []


@pytest.mark.parametrize("peer", [peers.trafilatura, peers.readability])
def test_a_peer_hands_back_the_article(peer: Callable[[Source], str]) -> None:
    text = peer(Source(page("Tromsø").encode()))
    assert all(part in text for part in paragraphs("Tromsø"))


def test_the_language_of_a_page_is_declared_or_guessed() -> None:
    assert Source(b"<html lang=nb-NO><p>Yes").language == "nb"
    german = "Seit neun Tagen regnet es in der Stadt, und der Fluss steht so hoch wie noch nie."
    assert Source(f"<script>var the_of_and</script><p>{german}".encode()).language == "de"
    assert Source(b"").language is None


def test_a_language_that_justext_lacks_is_said() -> None:
    note = PEERS["justext"].note
    assert note(Source(b"<html lang=en><p>Yes")) is None
    assert "no stop list for ja" in (note(Source(b"<html lang=ja><p>Yes")) or "")
