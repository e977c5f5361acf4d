"""TOML of strangers: what would take `tomllib` too long or too deep is refused before parsing."""

import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from newsclean.files import MAX_NESTING, MAX_PARTS, TomlError, parse_toml

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
