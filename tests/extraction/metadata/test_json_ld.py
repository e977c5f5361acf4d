"""JSON-LD is read as sites write it, with their mistakes."""

import lxml.html
import pytest

from newsclean.extraction.metadata.page_sources import json_ld_scripts, parse_json_ld


def values_in(source: str) -> list[object]:
    return parse_json_ld(source).values


@pytest.mark.parametrize(
    "text",
    [
        '<!-- {"headline": "Rain"} -->',
        '//<![CDATA[\n{"headline": "Rain"}\n//]]>',
        '/*<![CDATA[*/ {"headline": "Rain"} /*]]>*/',
        '{"headline": "Rain",}',
        '{"headline": "Rain",, "keywords": ["a", "b",],}',
        '{"headline": "Rain"};',
        '{"headline": "Rain" /* the title */ }',
        "{&quot;headline&quot;: &quot;Rain&quot;}",
        '{"headline": "Rain", "description": "it\\\'s wet"}',
        '{"headline": "Rain", "description": "she said "no" twice", "x": 1}',
        '{"headline": "Rain", "articleBody": "cut in the mid',
    ],
)
def test_broken_json_still_gives_its_headline(text: str) -> None:
    assert [value["headline"] for value in values_in(text)] == ["Rain"]  # type: ignore[index]


def test_raw_newlines_and_tabs_inside_strings_are_read() -> None:
    assert values_in('{"headline": "Rain\n\ton Monday"}') == [{"headline": "Rain\n\ton Monday"}]


def test_several_objects_in_one_script_are_all_read() -> None:
    assert values_in('{"a": 1}\n{"b": 2}, {"c": 3,}') == [{"a": 1}, {"b": 2}, {"c": 3}]


def test_a_good_object_survives_a_broken_one_after_it() -> None:
    assert {"headline": "Rain"} in values_in('{"headline": "Rain"} {"x": oops}')


@pytest.mark.parametrize(
    ("source", "is_valid"),
    [('{"a": "x\ny"}', True), (" [1, 2] ", True), ('{"a": 1,}', False), ('{"a": 1} {}', False),
     ("", False), ("\ufeff{}", False), ("[" * 100_000, False)],
)  # fmt: skip
def test_a_script_says_whether_it_is_json_as_a_whole(source: str, is_valid: bool) -> None:
    assert parse_json_ld(source).is_valid is is_valid


def test_only_scripts_that_say_so_are_json_ld() -> None:
    types = ["application/ld+json", "application/LD+JSON; charset=utf-8", "application/json", ""]
    html = "".join(f"<script type='{name}'>{number}</script>" for number, name in enumerate(types))
    root = lxml.html.document_fromstring(f"{html}<script></script>")
    assert [script.values for script in json_ld_scripts(root.iter("script"))] == [[0], [1]]
