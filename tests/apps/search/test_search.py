"""What is found, in which order, and what is shown of it."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from newsclean.apps.search import open_search

from .lines import found, line, marked, search, write


@pytest.fixture(params=["file", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where an index will be: each promise holds for a file and for PostgreSQL."""
    if request.param == "file":
        return tmp_path / "index.sqlite"
    return str(request.getfixturevalue("postgresql"))


def test_a_word_is_found_in_all_its_forms(path: Path | str) -> None:
    write(path, line("1", "The house is old."), line("2", "Two Houses burned."), line("3", "Rain"))
    for query in ("house", "houses", "HOUSING"):
        assert sorted(found(path, query)) == ["1", "2"], query


def test_the_form_that_was_asked_for_comes_first(path: Path | str) -> None:
    write(path, line("1", "Houses of the town"), line("2", "A house of the town"))
    assert found(path, "house") == ["2", "1"]
    assert found(path, "houses") == ["1", "2"]


def test_a_stem_counts_in_its_own_language_only(path: Path | str) -> None:
    # German takes the s off "news": that must not find each English "new".
    write(
        path,
        line("1", "A new bridge", language="en"),
        line("2", "Das ist alt", language="de"),
        line("3", "The news of today", language="en"),
    )
    assert found(path, "news") == ["3"]


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("de", "In der Stadt brannten zwei Häuser.", "haus"),
        ("fr", "Les élections régionales auront lieu dimanche.", "élection"),
        ("ru", "Он пришёл с книгами под мышкой.", "книга"),
        ("es", "Las ciudades crecieron mucho.", "ciudad"),
        ("tr", "Evlerimizden çıktık.", "ev"),
        ("fi", "Hän asuu talossa.", "talo"),
        ("sr", "Прочитао је неколико књига.", "knjige"),
        ("pt-BR", "Os governos caíram.", "governo"),
    ],
)
def test_forms_are_found_in_the_language_of_the_article(
    path: Path | str, language: str, text: str, query: str
) -> None:
    write(path, line("1", text, language=language), line("2", "Something else", language="en"))
    assert found(path, query) == ["1"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Čapek wrote it in Tromsø and Łódź", "capek"),
        ("Čapek wrote it", "ČAPEK"),
        ("Das Straßenfest", "strassenfest"),
        ("cafe\u0301 society", "café"),
        ("re\u00adport of the day", "report"),
        ("ＦＵＬＬ width", "full"),
        ("الْعَرَبِيَّة في الأخبار", "العربية"),
        ("हिन्दी में समाचार", "हिन्दी"),
        ("a crab 🦀 on the beach", "🦀"),
        ("the 3.5 percent of 2026-03-14", "3.5"),
        ("C. O'Brien's e-mail", "o'brien"),
    ],
)
def test_capitals_accents_and_spellings_do_not_matter(
    path: Path | str, text: str, query: str
) -> None:
    write(path, line("1", text, language=None), line("2", "Something else", language=None))
    assert found(path, query) == ["1"]


@pytest.mark.parametrize(
    ("text", "queries", "absent"),
    [
        (
            "北京市今天下大雨，许多道路被淹没。",
            ["北京", "大雨", "今天下大雨", "雨", "没"],
            ["京都", "海"],
        ),
        (
            "東京では大雨が降り、学校は休みになった。",
            ["東京", "学校", "休み", "校"],
            ["京都", "学長"],
        ),
        ("ฝนตกหนักในกรุงเทพมหานครเมื่อวานนี้", ["กรุงเทพ", "ฝนตก", "เมื่อวาน"], ["เชียงใหม่"]),
        ("서울에서는 어제부터 비가 내렸다.", ["서울", "비가", "어제"], ["부산"]),
        ("ភ្នំពេញមានភ្លៀងធ្លាក់", ["ភ្នំពេញ"], ["សៀមរាប"]),
        ("ຝົນຕົກໜັກໃນວຽງຈັນ", ["ວຽງຈັນ"], ["ຫຼວງພະບາງ"]),
        ("ရန်ကုန်တွင်မိုးရွာသည်", ["ရန်ကုန်"], ["မန္တလေး"]),
    ],
)
def test_languages_without_spaces_are_searchable(
    path: Path | str, text: str, queries: list[str], absent: list[str]
) -> None:
    write(path, line("1", text, language=None), line("2", "Something else"))
    for query in queries:
        assert found(path, query) == ["1"], query
        assert marked(path, query)[0] == query
    for query in absent:
        assert found(path, query) == [], query


def test_a_phrase_is_found_as_it_is(path: Path | str) -> None:
    write(path, line("1", "Heavy rain, they say."), line("2", "Rain was heavy; heavy rains."))
    assert found(path, '"heavy rain"') == ["1"]
    assert found(path, "“Heavy Rain”") == ["1"]
    assert found(path, '"rains"') == ["2"]
    assert marked(path, '"heavy rain"') == ["Heavy rain"]


def test_a_phrase_does_not_reach_from_the_headline_into_the_text(path: Path | str) -> None:
    write(path, line(headline="No rain", body="today at all"))
    assert found(path, '"rain today"') == []


def test_the_query_language(path: Path | str) -> None:
    write(
        path,
        line("1", "rain and storm", headline="Weather"),
        line("2", "snow and storm", headline="Rain"),
        line("3", "meteorology", headline="Science", authors=["Ann Lee"], keywords=["climate"]),
    )
    expected = {
        "rain storm": {"1", "2"},
        "rain AND storm": {"1", "2"},
        "rain OR meteorology": {"1", "2", "3"},
        "storm -snow": {"1"},
        "storm NOT snow": {"1"},
        'storm -"and storm"': set(),
        "storm -(snow OR hail)": {"1"},
        "headline:rain": {"2"},
        "body:rain": {"1"},
        "-headline:rain storm": {"1"},
        "meteo*": {"3"},
        "(rain OR snow) storm": {"1", "2"},
        "author:lee": {"3"},
        'author:"ann lee"': {"3"},
        "keyword:climate": {"3"},
        "lee": set(),
        "climate": set(),
        "rain or snow": set(),
        "": {"1", "2", "3"},
    }
    for query, names in expected.items():
        assert set(found(path, query)) == names, query


def test_the_headline_weighs_more_than_the_text(path: Path | str) -> None:
    text = "Much was said about other matters in the town hall. " * 3
    write(path, line("1", text + "Flood."), line("2", text, headline="Flood"))
    assert found(path, "flood") == ["2", "1"]


def test_filters(path: Path | str) -> None:
    write(
        path,
        line("1", site="example.org", section="Sport", date_published="2026-03-01"),
        line("2", site="news.example.org", section="weather", date_published="2026-03-02"),
        line("3", site="notexample.org", section="weather", date_published=None),
    )
    assert set(found(path, "rains", sites=("example.org",))) == {"1", "2"}
    assert set(found(path, "rains", sites=("www.Example.org", "notexample.org"))) == {"1", "2", "3"}
    assert found(path, "rains", sections=("sport",)) == ["1"]
    second = datetime(2026, 3, 2, tzinfo=UTC)
    assert found(path, "rains", since=second) == ["2"]
    assert found(path, "rains", until=second) == ["1"]
    assert found(path, "rains", newest_first=True) == ["2", "1", "3"]


@pytest.mark.parametrize("name", ["Élections", "ÉLECTIONS", "E\u0301lections"])
def test_a_section_with_accents_is_found_by_its_name(path: Path | str, name: str) -> None:
    write(path, line("1", section="Élections"), line("2", section="Elections"))
    assert found(path, "rains", sections=(name,)) == ["1"]


def test_a_section_in_an_index_file_is_found_in_capitals_or_not(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    write(path, line("1", section="Élections"), line("2", section="Погода"))
    assert found(path, "rains", sections=("élections",)) == ["1"]
    assert found(path, "rains", sections=("ПОГОДА",)) == ["2"]


def test_pages_of_results_have_each_article_once(path: Path | str) -> None:
    write(path, *(line(str(n), f"Rain number {n}") for n in range(25)))
    pages = [search(path, "rain", limit=10, offset=offset) for offset in (0, 10, 20, 30)]
    assert [page.total for page in pages] == [25] * 4
    names = [hit.id for page in pages for hit in page.hits]
    assert sorted(names, key=int) == [str(n) for n in range(25)]


def test_the_snippet_shows_where_most_of_the_query_is(path: Path | str) -> None:
    filler = "Nothing of that kind was said in the long speech of the mayor. " * 20
    write(path, line(body=f"Rain. {filler}The flood came with heavy rain at night. {filler}"))
    (hit,) = search(path, "rain flood").hits
    assert "The flood came with heavy rain at night." in hit.snippet.text
    assert marked(path, "rain flood") == ["flood", "rain"]
    assert len(hit.snippet.text) < 260


@pytest.mark.parametrize(
    ("text", "query", "words"),
    [
        ("A school. L’été est là. School’s out.", "é*", ["été", "est"]),
        ("an r\u00adeport, and re\u00adports", "report", ["r\u00adeport", "re\u00adports"]),
        ("crab🦀crab 🦀", "🦀", ["🦀", "🦀"]),
        ("in rain, raining in the rain", "rain", ["rain", "raining", "rain"]),
        ("a heavy, HEAVY rain", '"heavy heavy rain"', ["heavy, HEAVY rain"]),
        ("snake_case and case", '"case"', ["case", "case"]),
    ],
)
def test_all_that_fits_is_marked(path: Path | str, text: str, query: str, words: list[str]) -> None:
    write(path, line(body=text))
    assert marked(path, query) == words


def test_the_snippet_of_a_headline_is_the_beginning(path: Path | str) -> None:
    write(path, line(headline="Flood", body="The river rose. " * 50))
    (hit,) = search(path, "headline:flood").hits
    assert hit.snippet.text.startswith("The river rose.")
    assert hit.snippet.marks == ()


def test_an_article_comes_back_as_it_was_indexed(path: Path | str) -> None:
    article = line(body="It rains.", body_html="<p>It <b>rains</b>.</p>", images=[{"url": "x"}])
    write(path, article)
    with closing(open_search(str(path))) as index:
        assert index.article("1") == article
        assert index.article("2") is None
        assert index.sites() == [("example.org", 1)]
        assert index.sections() == [("weather", 1)]


def test_an_article_is_found_by_its_id_however_that_is_written(path: Path | str) -> None:
    write(path, line("e\u0301te\u0301"), line("a\ud800"), line("b\ud83d\ude00"))
    with closing(open_search(str(path))) as index:
        for name in ("e\u0301te\u0301", "été", "a\ud800", "b\ud83d\ude00", "b😀"):
            assert index.article(name) is not None, name
