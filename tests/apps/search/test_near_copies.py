"""Near copies are one result; articles on the same topic are not."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from newsclean.apps.search.index_file import IndexFile

from .lines import Line, found, line, search, write

WORDS = [f"{first}{second}" for first in "bdfgklmnprst" for second in "ab ed im on ur".split()]
WORDS = [first + second for first in WORDS for second in WORDS[::7]]


def text(seed: int, size: int = 300) -> str:
    """A text of its own."""
    return " ".join(np.random.default_rng(seed).choice(WORDS, size))


AGENCY = text(1)


def copy(name: str, body: str = AGENCY, **fields: object) -> Line:
    return line(name, body, site=f"{name}.example", **fields)


def with_changed_lead(body: str) -> str:
    return " ".join([text(2, 30), *body.split()[30:]])


def with_cut_end(body: str) -> str:
    return " ".join(body.split()[:200])


def with_edited_words(body: str) -> str:
    words = body.split()
    return " ".join("altered" if at % 25 == 0 else word for at, word in enumerate(words))


def groups(path: Path) -> set[frozenset[str]]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT group_concat(id, ' ') FROM article GROUP BY copies")
        return {frozenset(names.split()) for (names,) in rows}


@pytest.mark.parametrize(
    "edit",
    [str, with_changed_lead, with_cut_end, with_edited_words, str.upper],
    ids=lambda edit: edit.__name__,
)
def test_an_edited_copy_is_one_result_with_its_source(path: Path, edit: type[str]) -> None:
    write(path, copy("one"), copy("two", edit(AGENCY)), copy("other", text(9)))
    word = AGENCY.split()[100]
    (hit,) = search(path, f'"{word}" "{" ".join(AGENCY.split()[100:104])}"').hits
    (twin,) = hit.also_on
    assert {hit.site, twin.site} == {"one.example", "two.example"}
    assert hit.copies == 1


def test_a_report_on_ten_sites_is_one_result_with_all_of_them(path: Path) -> None:
    copies = [copy(f"n{n}", f"{text(100 + n, 12)} {AGENCY}") for n in range(10)]
    write(path, *copies, copy("other", f"{text(5)} {AGENCY.split()[0]}"))
    results = search(path, AGENCY.split()[0])
    assert results.total == 2
    (hit,) = [hit for hit in results.hits if hit.also_on]
    assert {hit.site, *(each.site for each in hit.also_on)} == {f"n{n}.example" for n in range(10)}


def test_a_copy_that_passes_the_filter_stands_for_all(path: Path) -> None:
    write(path, copy("one"), copy("two", with_cut_end(AGENCY)))
    assert found(path, AGENCY.split()[0], sites=("two.example",)) == ["two"]
    (hit,) = search(path, AGENCY.split()[0], sites=("two.example",)).hits
    assert [each.site for each in hit.also_on] == ["one.example"]


def test_different_articles_on_the_same_topic_are_not_merged(path: Path) -> None:
    quote = text(3, 40)
    storm = "The storm {} the coast of the island on {} evening and left {} houses without power"
    ways = [("reached", "Monday", "900"), ("hit", "Monday", "almost a thousand")]
    bodies = [
        f"{storm.format(*way)}. {text(10 + number, 110)} {quote} {text(20 + number, 110)}"
        for number, way in enumerate(ways)
    ]
    write(path, *(copy(f"n{number}", body) for number, body in enumerate(bodies)))
    assert search(path, "storm coast").total == 2


def test_short_notices_are_not_merged(path: Path) -> None:
    notice = "This article is for subscribers only. Log in or subscribe to read it in full."
    write(path, copy("one", notice, headline="Rain"), copy("two", notice, headline="Snow"))
    assert search(path, "subscribers").total == 2


def test_copies_in_a_language_without_spaces_are_found(path: Path) -> None:
    letters = "".join(map(chr, np.random.default_rng(4).integers(0x4E00, 0x5E00, 400)))
    write(path, copy("one", letters, language="zh"), copy("two", letters[60:], language="zh"))
    assert groups(path) == {frozenset(("one", "two"))}


def test_groups_do_not_depend_on_the_order_of_the_articles(tmp_path: Path) -> None:
    words = AGENCY.split()
    # A chain: each is like the next, and the last is not like the first.
    chain = [copy(f"c{n}", " ".join(words[60 * n : 60 * n + 200])) for n in range(3)]
    others = [copy("x", text(7)), copy("y", with_cut_end(text(7))), copy("z", text(8))]
    articles = chain + others
    expected = {frozenset(("c0", "c1", "c2")), frozenset("xy"), frozenset("z")}
    random = np.random.default_rng(6)
    for number in range(6):
        path = tmp_path / f"{number}.sqlite"
        order = random.permutation(len(articles))
        with closing(IndexFile(str(path))) as index:
            for at in order:
                index.write([articles[at]])
            assert groups(path) == expected, order
            index.write(articles)
            assert groups(path) == expected, order


def test_a_revision_that_is_no_copy_any_more_leaves_its_group(path: Path) -> None:
    words = AGENCY.split()
    chain = [copy(f"c{n}", " ".join(words[60 * n : 60 * n + 200])) for n in range(3)]
    write(path, *chain)
    assert groups(path) == {frozenset(("c0", "c1", "c2"))}
    write(path, copy("c1", text(11), revision=2))
    assert groups(path) == {frozenset(("c0",)), frozenset(("c1",)), frozenset(("c2",))}
    write(path, copy("c1", " ".join(words[60:260]), revision=3))
    assert groups(path) == {frozenset(("c0", "c1", "c2"))}
