"""Files of strangers: JSON lines that may be broken, TOML that would take `tomllib` too long."""

import gzip
import io
import json
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from newsclean import files
from newsclean.files import (
    MAX_NESTING,
    MAX_PARTS,
    BrokenLineError,
    TomlError,
    json_lines,
    line_at,
    opened,
    parse_toml,
    read_lines,
)

from .cli.test_bad_input import steps_of

PATH = Path("x.toml")


def parsed(text: str) -> dict[str, object]:
    return parse_toml(PATH, text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * (MAX_PARTS - 1) + " = 1",
        "a = " + "[" * MAX_NESTING + "]" * MAX_NESTING,
        "a = [" + "[1.5, {b = 2.5}]," * 100 + "]",
        "".join(f"[[a.b]]\nc.d = {number}.5 # ." + "." * 40 + "\n" for number in range(100)),
        'a = "' + "[{." * 40 + '\\"' + "[{." * 40 + '"',
        "a = '" + "[{." * 40 + "\\'",
        'a = """' + "[{.\n" * 40 + '""""\nb = """"""',
        "a = '''" + "[{.\n" * 40 + "'''''\nb = 1",
    ],
)
def test_what_people_write_is_read_as_tomllib_reads_it(text: str) -> None:
    assert parsed(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b = 1\na" + ".a" * MAX_PARTS + " = 1", "x.toml, line 2: a key has more than 16 parts"),
        ("[" + "'a' . " * MAX_PARTS + "a]", "line 1: a key has more than 16 parts"),
        ("a = {b" + ".b" * MAX_PARTS + " = 1}", "line 1: a key has more than 16 parts"),
        ("a = " + "[" * 50_000, "line 1: values are nested in more than 16 brackets"),
        ("a = " + "{a=[\n" * 30_000, "line 9: values are nested in more than 16 brackets"),
        # The fourth and fifth quotation mark are the string's: they hide nothing that follows.
        ('a = ["""x"""", ' + "[" * 50_000, "nested in more than 16 brackets"),
        ("a = ['''x''''', " + "[" * 50_000, "nested in more than 16 brackets"),
        ('a = "' + "x" * 10_000, "x.toml is not a TOML file: "),
        ("a = " + "9" * 5_000, "x.toml is not a TOML file: "),
        ("a = \ud800", "x.toml is not a TOML file: "),
    ],
)
def test_too_deep_or_wrong_is_one_short_error(text: str, message: str) -> None:
    with pytest.raises(TomlError) as error:
        parse_toml(PATH, text.encode("utf-8", "surrogatepass"))
    assert message in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    "shape",
    [
        lambda n: "a." * n + "a = 1",
        lambda n: "a = " + "[" * n,
        lambda n: "[a" + ".a" * 15 + "]\n" + "".join(f"b{number} = 1\n" for number in range(n)),
        lambda n: 'a = "' + '\\"' * n,
        lambda n: 'a = """' + '""\\"' * n,
        lambda n: "a = " + "''' " * (2 * n),
    ],
    ids=["dotted key", "brackets", "keys of a deep table", "escapes", "quotes", "literals"],
)
def test_the_work_grows_as_the_file_does(shape: Callable[[int], str]) -> None:
    def work(size: int) -> int:
        def attempt() -> None:
            with suppress(TomlError):
                parsed(shape(size))

        return steps_of(attempt)

    work(8)
    few, some, many = work(50), work(100), work(800)
    assert many - some <= 20 * (some - few) + 500  # 14 times as much; quadratic is 84 times


LINES = b'\xef\xbb\xbf{"headline": "Rain"}\n\n{"headline": "Wind"}\n[1]\n{"headline": \n\xff\n'


@pytest.mark.parametrize("name", ["articles.jsonl", "articles.jsonl.gz"])
def test_broken_json_lines_are_named_whether_or_not_the_file_is_gzipped(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(LINES) if name.endswith(".gz") else LINES)
    found = list(read_lines([path]))
    assert [(place.number, str(line)) for place, line in found] == [
        (1, "{'headline': 'Rain'}"),
        (3, "{'headline': 'Wind'}"),
        (4, "not an object, as an article is"),
        (5, "not JSON: Expecting value at character 15"),
        (6, "not UTF-8"),
    ]
    with opened(path) as file:
        assert line_at(file, found[1][0]) == {"headline": "Wind"}
        assert line_at(file, found[0][0]) == {"headline": "Rain"}


def test_a_line_that_is_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 20)
    long = json.dumps({"body": "rain" * 20}).encode()
    (_, first), (place, last) = json_lines(io.BytesIO(long + b'\n{"a": 1}\n'))
    assert isinstance(first, BrokenLineError)
    assert (place.number, place.offset, last) == (2, len(long) + 1, {"a": 1})


def test_a_gzipped_file_that_is_cut_short_gives_its_lines_and_an_error(tmp_path: Path) -> None:
    lines = b"".join(b'{"number": %d}\n' % number for number in range(20_000))
    path = tmp_path / "articles.jsonl.gz"
    path.write_bytes(gzip.compress(lines)[:-20_000])
    *whole, (place, error) = read_lines([path])
    assert whole[0][1] == {"number": 0}
    assert "the compressed file is damaged from here on" in str(error)
    assert place.number == len(whole) + 1
