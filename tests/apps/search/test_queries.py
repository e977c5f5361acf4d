"""Whatever is asked, there are results, or a message that says what is wrong and where."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsclean.apps.search import QueryError

from .lines import found, line, search, write


@pytest.mark.parametrize(
    ("query", "place", "message"),
    [
        ('rain "heavy', 5, "a quote that is not closed"),
        ("(rain OR snow", 0, '"(" without ")"'),
        ("rain) snow", 4, '")" without "("'),
        ("OR rain", 0, "OR needs a word before it"),
        ("rain OR", 5, "OR needs a word after it"),
        ("rain OR OR snow", 5, "OR needs a word after it"),
        ("AND rain", 0, "AND needs a word"),
        ("rain AND", 5, "AND needs a word"),
        ("-rain", 0, "a word to look for is needed"),
        ("rain OR -snow", 8, "a word to look for is needed"),
        ("rain NOT", 5, "NOT needs a word after it"),
        ("titel:rain", 0, "unknown field 'titel', the nearest is"),
        ("*", 0, "the beginning of a word"),
        ("rain a*", 5, "2 letters"),
        ("...", 0, "no words to search for"),
        ("()", 0, "no words to search for"),
        ("(" * 12 + "a" + ")" * 12, 10, "nested parentheses"),
        (" ".join(["a"] * 51), 100, "more than 50"),
        ("a" * 2001, 2000, "more than 2,000 characters"),
    ],
)
def test_a_bad_query_is_named_with_its_place(
    path: Path, query: str, place: int, message: str
) -> None:
    write(path, line())
    with pytest.raises(QueryError) as caught:
        search(path, query)
    assert message in str(caught.value)
    assert caught.value.place == place
    assert f"at character {place + 1}" in str(caught.value)


@pytest.mark.parametrize(
    "query",
    [
        "NEAR(rain snow, 5)",
        "{headline body} : rain^2",
        "^rain + snow",
        "rain; DROP TABLE article; --",
        "rain' OR '1'='1",
        "12:30 https://example.org/?a=b:c",
        "100% C++ #rain @snow",
        "rain\x00snow",
        "\ud800 rain",
        "--rain",
    ],
)
def test_operators_of_other_languages_are_harmless(path: Path, query: str) -> None:
    write(path, line())
    search(path, query)
    assert found(path, "rains") == ["1"]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "index.sqlite"
    texts = {"en": "It rains", "de": "Es regnet", "zh": "北京下雨"}
    write(path, *(line(code, text, language=code) for code, text in texts.items()))
    return path


pieces = st.sampled_from(
    [*'()"-*:“”', "OR", "AND", "NOT", " ", "headline:", "雨", "rain", "é", "\0"]
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.text(max_size=40), st.lists(pieces, max_size=12).map("".join)))
def test_any_text_is_a_query_or_a_clear_error(filled: Path, query: str) -> None:
    problem = None
    try:
        search(filled, query)
    except QueryError as error:
        problem = error
    assert problem is None or 0 <= problem.place <= len(problem.query)
