"""Articles with anything in them are stored, found and shown, and control nothing."""

import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from newsclean.apps.search import Written
from newsclean.apps.search.index_file import SearchedFile
from newsclean.cli import main

from .lines import found, line, marked, search, write

#: What could control a terminal: escape sequences, C1 controls, overrides of the direction.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

HOSTILE = {
    "html": "<script>alert('kettle')</script><img src=x onerror=alert(1)> kettle",
    "sql": "kettle'); DROP TABLE article; -- \" OR 1=1",
    "fts": 'kettle NEAR(a b) OR AND NOT "unclosed {headline}: * ^ +',
    "nulls": "ket\x00tle \x00\x00 kettle\x00",
    "ansi": "\x1b[2J\x1b[31m kettle\x1b]0;title\x07 \x9b31m kettle \r overwritten",
    "bidi": "\u202ekettle\u202c \u2066kettle\u2069 \u200fkettle",
    "rtl": "שלום עולם kettle مرحبا بالعالم",
    "emoji": "👩\u200d👩\u200d👧 🏳️\u200d🌈 kettle 🫖",
    "surrogate": "\ud800 kettle \udfff",
    "marks": "kettle" + "\u0301" * 500 + " kettle",
    "long word": "k" * 100_000 + " kettle",
    "lines": "kettle\n" * 50 + "\u2028kettle\u2029",
    "format": "%s {0} {} $kettle ${HOME} `id` kettle",
}


@pytest.fixture
def hostile(path: Path) -> Path:
    lines = [
        line(name, text, headline=text[:300], section=text[:50], authors=[text[:50]])
        for name, text in HOSTILE.items()
    ]
    assert write(path, *lines) == Written(new=len(HOSTILE))
    return path


def test_all_are_found_and_come_back_as_they_were(hostile: Path) -> None:
    assert set(found(hostile, "kettle", limit=50)) == set(HOSTILE)
    with closing(SearchedFile(str(hostile))) as index:
        for name, text in HOSTILE.items():
            article = index.article(name)
            assert article is not None
            if name != "surrogate":  # not Unicode text: no file could hold it
                assert article["body"] == text


def test_the_same_hostile_lines_again_change_nothing(hostile: Path) -> None:
    again = [line(name, text, headline=text[:300]) for name, text in HOSTILE.items()]
    assert write(hostile, *again).new == 0
    assert write(hostile, *again).same == len(HOSTILE)


def test_nothing_controls_the_terminal(hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "kettle", "--index", str(hostile), "--limit", "50"]) == 0
    out = capsys.readouterr().out
    assert not CONTROLS.search(out)
    assert "\\x1b[2J\\x1b[31m **kettle**" in out
    assert out.count("\n\n") == len(HOSTILE)


def test_json_is_valid_and_controls_nothing(
    hostile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", "kettle", "--index", str(hostile), "--limit", "50", "--json"]) == 0
    out = capsys.readouterr().out
    assert not CONTROLS.search(out)
    hits = {hit["id"]: hit for hit in json.loads(out)["hits"]}
    assert hits.keys() == HOSTILE.keys()
    assert hits["ansi"]["headline"] == HOSTILE["ansi"]
    first, after = hits["html"]["snippet"]["marks"][0]
    assert hits["html"]["snippet"]["text"][first:after] == "kettle"


def test_words_of_other_directions_and_emoji_are_found(hostile: Path) -> None:
    assert found(hostile, "שלום") == ["rtl"]
    assert found(hostile, "مرحبا") == ["rtl"]
    assert found(hostile, "🫖") == ["emoji"]


def test_a_body_of_5_mb_is_found_by_its_last_words(path: Path) -> None:
    body = "The clerk counted the umbrellas again and wrote the number down. " * 80_000
    assert len(body) > 5_000_000
    assert write(path, line(body=f"{body} The kettle sang.")) == Written(new=1)
    assert found(path, '"the kettle sang"') == ["1"]
    assert marked(path, "kettle") == ["kettle"]
    assert write(path, line(body="Short.", revision=2)) == Written(changed=1)
    assert found(path, "umbrellas") == []


def test_marks_lie_inside_the_snippet_and_in_order(hostile: Path) -> None:
    for hit in search(hostile, "kettle", limit=50).hits:
        ends = [0, *(place for mark in hit.snippet.marks for place in mark), len(hit.snippet.text)]
        assert ends == sorted(ends), hit.id
        assert "".join(text for text, _ in hit.snippet.parts()) == hit.snippet.text
