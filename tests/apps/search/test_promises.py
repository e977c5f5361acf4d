"""What an index promises, whatever it is in: a file (FTS5), or PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from newsclean.apps.search import (
    QueryError,
    SearchIndex,
    SearchRequest,
    SearchResults,
    Written,
    copy_groups,
    open_target,
)
from newsclean.apps.search.index_target import open_search

from .crawl_lines import article_id, line

Write = Callable[..., Written]
Search = Callable[..., SearchResults]

AGENCY = (
    "The ministers of nine countries met in the harbour town on Tuesday and agreed on rules for "
    "fishing in the northern waters after talks that had taken most of the summer and had been "
    "broken off twice because nobody wanted to be the first to give in to the others at the table."
)


@pytest.fixture(params=["file", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "file":
        return str(tmp_path / "index.db")
    return str(request.getfixturevalue("postgresql"))


@pytest.fixture
def write(address: str) -> Write:
    def write(*lines: dict[str, Any]) -> Written:
        target = open_target(address)
        try:
            return target.write(lines)
        finally:
            target.close()

    return write


@pytest.fixture
def index(address: str) -> Iterator[Callable[[], SearchIndex]]:
    opened: list[SearchIndex] = []

    def open_it() -> SearchIndex:
        opened.append(open_search(address))
        return opened[-1]

    yield open_it
    for each in opened:
        each.close()


@pytest.fixture
def search(index: Callable[[], SearchIndex]) -> Search:
    def search(query: str, **filters: Any) -> SearchResults:
        return index().search(SearchRequest(query, **filters))

    return search


def found(results: SearchResults) -> list[str]:
    return [hit.id for hit in results.hits]


def test_an_article_is_found_by_words_of_its_text_and_headline(
    write: Write, search: Search
) -> None:
    rain = line(1, headline="Storm over Bergen", body="The ferry waited in the harbour.")
    assert write(rain, line(2)) == Written(new=2)
    assert found(search("harbour ferry")) == [article_id(1)]
    assert found(search("BERGEN")) == [article_id(1)]
    (hit,) = search("ferry").hits
    assert (hit.headline, hit.site, hit.url) == (rain["headline"], rain["site"], rain["url"])
    assert (hit.section, hit.date, hit.language) == ("News", rain["date_published"], "en")
    assert ("ferry", True) in hit.snippet.parts()
    assert found(search("submarine")) == []


def test_the_same_lines_again_change_nothing(write: Write, search: Search) -> None:
    lines = [line(number) for number in range(20)]
    assert write(*lines) == Written(new=20)
    assert write(*lines) == Written(same=20)
    assert search("rained").total == 20


def test_a_newer_revision_replaces_an_older_one_and_never_the_reverse(
    write: Write, search: Search
) -> None:
    write(line(1, revision=2, body="A quiet morning."))
    assert write(line(1, revision=3, body="A loud evening.")) == Written(changed=1)
    assert write(line(1, revision=1, body="A first draft.")) == Written(older=1)
    assert found(search("evening")) == [article_id(1)]
    assert found(search("morning")) == []
    assert found(search("draft")) == []


def test_several_states_in_one_batch_leave_the_newest(write: Write, search: Search) -> None:
    batch = [line(1, revision=number, body=f"State number{number}.") for number in (1, 3, 2)]
    assert write(*batch) == Written(new=1, changed=1, older=1)
    assert found(search("number3")) == [article_id(1)]
    assert search("state").total == 1


def test_what_cannot_be_indexed_is_refused_and_the_others_are_written(
    write: Write, search: Search
) -> None:
    written = write(line(1), line(2, id=None), line(3, revision="two"), line(4))
    assert written.new == 2
    assert [each.place for each in written.refused] == [1, 2]


def test_words_are_found_by_their_stem_in_the_language_of_the_article(
    write: Write, search: Search
) -> None:
    write(
        line(1, language="en", body="Several floods were reported."),
        line(2, language="de", body="Die Häuser am Fluss stehen leer."),
        line(3, language="fr", body="Les élections ont été reportées."),
    )
    assert found(search("flood")) == [article_id(1)]
    assert found(search("Haus")) == [article_id(2)]
    assert found(search("élection")) == [article_id(3)]


def test_accents_and_capitals_do_not_matter(write: Write, search: Search) -> None:
    write(line(1, language="cs", body="Václav Havel přijel do Brna."))
    assert found(search("VACLAV prijel")) == [article_id(1)]


@pytest.mark.parametrize(
    ("language", "body", "query"),
    [
        ("zh", "北京市今天下大雨，地铁停运。", "地铁"),
        ("ja", "東京都で大雨が降り、電車が止まった。", "電車"),
        ("th", "ฝนตกหนักในกรุงเทพมหานครเมื่อวานนี้", "กรุงเทพ"),
        ("ko", "서울에 큰비가 내렸다.", "서울"),
    ],
)
def test_languages_without_spaces_are_searched(
    write: Write, search: Search, language: str, body: str, query: str
) -> None:
    write(line(1, language=language, headline="", body=body), line(2))
    assert found(search(query)) == [article_id(1)]


def test_the_query_language_is_understood(write: Write, search: Search) -> None:
    write(
        line(1, headline="Snow", body="It snowed at night in the valley."),
        line(2, headline="Night train", body="The train left at noon.", authors=["Night Owl"]),
        line(3, headline="Valley", body="A night at noon.", keywords=["trains"]),
    )
    assert set(found(search("night"))) == {article_id(n) for n in (1, 2, 3)}
    assert found(search('"at night"')) == [article_id(1)]
    assert found(search("night -valley")) == [article_id(2)]
    assert set(found(search("snow OR noon"))) == {article_id(n) for n in (1, 2, 3)}
    assert found(search("headline:valley")) == [article_id(3)]
    assert found(search("body:valley")) == [article_id(1)]
    assert found(search("author:owl")) == [article_id(2)]
    assert found(search("keyword:trains")) == [article_id(3)]
    assert set(found(search("va*"))) == {article_id(1), article_id(3)}
    assert found(search("(snow OR train) body:noon")) == [article_id(2)]


def test_a_word_in_the_headline_counts_more_than_one_in_the_text(
    write: Write, search: Search
) -> None:
    write(
        line(1, headline="Nothing new", body="The council met. A glacier was mentioned once."),
        line(2, headline="The glacier melts", body="The council met. It was cold that day."),
    )
    assert found(search("glacier")) == [article_id(2), article_id(1)]


def test_filters_leave_what_passes_all_of_them(write: Write, search: Search) -> None:
    write(
        line(1, site="news.example.org", section="Sport", date_published="2026-03-01"),
        line(2, site="example.org", section="Politics", date_published="2026-03-10"),
        line(3, site="other.example", section="sport", date_published="2026-03-20"),
        line(4, site="notexample.org", section=None, category=None, date_published=None),
    )
    assert set(found(search("rained", sites=("example.org",)))) == {article_id(1), article_id(2)}
    assert set(found(search("rained", sections=("SPORT",)))) == {article_id(1), article_id(3)}
    since, until = datetime(2026, 3, 5, tzinfo=UTC), datetime(2026, 3, 15, tzinfo=UTC)
    assert found(search("rained", since=since, until=until)) == [article_id(2)]
    assert found(search("rained", since=since, sections=("sport",))) == [article_id(3)]


def test_the_newest_come_first_where_that_is_asked_for(write: Write, search: Search) -> None:
    write(*(line(n, date_published=f"2026-03-0{n}") for n in (2, 9, 4)), line(1, date_published=""))
    newest = [article_id(n) for n in (9, 4, 2, 1)]
    assert found(search("rained", newest_first=True)) == newest
    assert found(search("")) == newest
    page = search("rained", newest_first=True, limit=2, offset=2)
    assert (found(page), page.total) == (newest[2:], 4)
    assert search("rained", limit=2, offset=10).total == 4


def test_near_copies_are_one_result_with_the_others_named(write: Write, search: Search) -> None:
    copies = [
        line(n, site=f"site{n}.example", body=AGENCY + f" Printed in town {n}.") for n in (1, 2, 3)
    ]
    write(*copies[:2])
    write(copies[2], line(4, body="The ministers of one country met, and nothing more is known."))
    results = search("ministers")
    assert results.total == 2
    group = next(hit for hit in results.hits if hit.copies)
    assert group.copies == 2
    assert {group.site, *(each.site for each in group.also_on)} == {
        f"site{n}.example" for n in (1, 2, 3)
    }


@pytest.mark.parametrize(("changed", "max_regrouped"), [(2, 2000), (1, 2000), (1, 1)])
def test_an_article_that_changes_leaves_its_near_copies(
    write: Write, search: Search, monkeypatch: pytest.MonkeyPatch, changed: int, max_regrouped: int
) -> None:
    monkeypatch.setattr(copy_groups, "MAX_REGROUPED", max_regrouped)
    write(*(line(n, site=f"site{n}.example", body=AGENCY) for n in (1, 2, 3)))
    other = " ".join(f"word{number}" for number in range(60))
    write(line(changed, revision=2, site=f"site{changed}.example", body=other + " ministers"))
    results = search("ministers")
    assert results.total == 2
    assert {hit.copies: hit.id for hit in results.hits}[0] == article_id(changed)
    assert sorted(hit.copies for hit in results.hits) == [0, 1]


def test_sites_sections_and_lines_can_be_asked_for(
    write: Write, index: Callable[[], SearchIndex]
) -> None:
    write(line(1), line(2, site="other.example", section="Sport"), line(3))
    assert index().sites() == [("example.org", 2), ("other.example", 1)]
    assert index().sections() == [("News", 2), ("Sport", 1)]
    assert index().article(article_id(2)) == line(2, site="other.example", section="Sport")
    assert index().article("none") is None


HOSTILE = (
    "<script>alert(1)</script> '; DROP TABLE article; -- NEAR(a* \\' ' : & | ! <-> "
    "\x00 \ud83d \u202eיום טוב\u202c 🌧️ zebra'crossing %s ? $1 {} /en/ /long"
)


def test_hostile_content_is_stored_and_found(
    write: Write, search: Search, index: Callable[[], SearchIndex]
) -> None:
    fields = dict.fromkeys(("headline", "body", "section", "url", "category", "kicker"), HOSTILE)
    lists = {"authors": [HOSTILE], "keywords": [HOSTILE]}
    assert write(line(1, **fields, **lists), line(2)).new == 2
    for query in ("zebra", "יום", "🌧️", '"drop table"', "alert", "author:zebra"):
        assert found(search(query)) == [article_id(1)], query
    stored = index().article(article_id(1))
    assert stored is not None
    assert stored["body"].startswith("<script>alert(1)</script> '; DROP TABLE")
    assert found(search("rained", sections=(HOSTILE,), sites=(HOSTILE,))) == []


def test_an_odd_id_is_known_again(write: Write, search: Search) -> None:
    assert write(line(1, id="a\x00'b")) == Written(new=1)
    assert write(line(1, id="a\x00'b")) == Written(same=1)
    assert search("rained").total == 1


@pytest.mark.parametrize(
    "query", ["'; DROP TABLE article; --", "a' | 'b", "x:*", "\x00", "%s", "/en/", "!!", "\\'"]
)
def test_no_query_breaks_an_index(write: Write, search: Search, query: str) -> None:
    write(line(1))
    with suppress(QueryError):
        search(query)
    assert found(search("rained")) == [article_id(1)]


def test_a_body_of_five_megabytes_is_stored_and_found(
    write: Write, search: Search, index: Callable[[], SearchIndex]
) -> None:
    body = "It rained again today. " * 220_000 + "And then the walrus came home."
    assert write(line(1, body=body), line(2)).new == 2
    assert found(search("walrus home")) == [article_id(1)]
    stored = index().article(article_id(1))
    assert stored is not None
    assert stored["body"] == body


def test_a_body_of_more_different_words_than_postgresql_can_hold_is_taken(
    write: Write, search: Search
) -> None:
    body = "Walrus. " + " ".join(map(str, range(10_000_000, 10_130_000)))
    assert write(line(1, body=body + " " + "z" * 100_000)).new == 1
    assert found(search("walrus 10000077")) == [article_id(1)]


def test_the_list_goes_on_behind_an_article_whatever_was_added_since(
    write: Write, index: Callable[[], SearchIndex]
) -> None:
    same = [line(n, date_published="2026-03-14T12:00:00Z") for n in range(4)]
    older = line(4, date_published="2026-03-13T23:00:00-02:00")
    undated = [line(n, date_published=None) for n in (5, 6)]
    write(*same, older, *undated)
    request = SearchRequest("", limit=2)
    found = list(index().newest(request))
    write(line(7, date_published="2026-03-15"))
    while len(after := list(index().newest(request, found[-1].place))) == 2:
        found += after
    found += after
    ids = [each.line["id"] for each in found]
    assert ids == [
        *sorted(each["id"] for each in same),
        older["id"],
        *sorted(each["id"] for each in undated),
    ]
    assert index().newest(SearchRequest("", limit=1)).__next__().line["id"] == article_id(7)


def test_a_language_is_found_with_its_regions_and_no_other(
    write: Write, search: Search, index: Callable[[], SearchIndex]
) -> None:
    languages = ["pt", "pt-BR", "pt_br", "ptx", "en", None]
    write(*(line(n, language=language) for n, language in enumerate(languages)))
    for asked, expected in (("pt", {0, 1, 2}), ("PT_BR", {1, 2}), ("en", {4}), ("x", set())):
        wanted = {article_id(n) for n in expected}
        assert {hit.id for hit in search("", languages=(asked,), limit=9).hits} == wanted
        listed = index().newest(SearchRequest("", limit=9, languages=(asked,)))
        assert {each.line["id"] for each in listed} == wanted
