"""What is measured: methods with neighbors, and peers."""

from collections.abc import Callable
from pathlib import Path

import pytest

from newsclean.extraction.extractor import Extractor
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page
from newsclean.lab.evaluate import peers
from newsclean.lab.evaluate.corpus import Corpus, check_pages, read_corpus
from newsclean.lab.evaluate.peers import PEERS, Source
from newsclean.lab.evaluate.systems import article_text, draw, neighborhood_of, systems_of

from .corpora import FOOTER, page, paragraphs, write_corpus


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
