"""The reference pages are made from the code: none is out of date, and none leaves anything out."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from docs import reference
from newsclean.article import Article
from newsclean.crawl_state import STATS
from newsclean.extraction.methods.registry import METHODS
from tests.code_blocks import ROOT

PAGES = reference.pages()
#: What the counting methods of a module put before their names.
PREFIXES = {"rendering.py": "rendering/", "index_pipeline.py": "index/"}
#: What has the methods that count.
COUNTERS = {
    "self",
    "self.state",
    "CrawlState.of(self.crawler)",
    "self.crawler.stats",
    "self._stats",
}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_reference_page_is_up_to_date(path: Path) -> None:
    assert path.read_text("utf-8") == PAGES[path], "python docs/reference.py writes it"


def test_every_field_every_method_and_every_command_has_its_text() -> None:
    assert {each.name for each in fields(Article)} == reference.field_comments(Article).keys()
    assert METHODS.keys() == reference._MODULES.keys()
    commands = PAGES[reference.DOCS / "commands.md"]
    empty = re.findall(r"^\| ([^|]*) \|  \|$", commands, re.MULTILINE)
    assert empty == []


def counted(path: Path) -> Iterator[str]:
    """Yield the stats that a module counts by name; what it fills in is `*`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        method = node.func.attr
        if method not in ("count", "_count", "inc_value", "set_value") or not node.args:
            continue
        if ast.unparse(node.func.value) not in COUNTERS:
            continue
        for name in names_in(node.args[0]):
            if method in ("count", "_count"):
                of_module = PREFIXES.get(path.name, "") if method == "_count" else ""
                yield of_module + name
            elif name.startswith("newsclean/"):
                yield name.removeprefix("newsclean/")


def names_in(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from names_in(node.body)
        yield from names_in(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = (str(p.value) if isinstance(p, ast.Constant) else "*" for p in node.values)
        yield "".join(parts)


def matches(stat: str, name: str) -> bool:
    """Whether a name in the code, with `*` for what is filled in, may be this stat."""
    documented = re.sub(r"[A-Z]{2,}", "*", stat)
    return any(
        re.fullmatch(re.escape(one).replace(r"\*", ".+"), other)
        for one, other in ((documented, name), (name, documented))
    )


def test_every_stat_that_is_counted_is_documented_and_the_other_way_round() -> None:
    folders = ("extensions", "middlewares", "pipelines", "spiders", "apps")
    modules = [*(ROOT / "newsclean").glob("*.py")]
    modules += [path for name in folders for path in (ROOT / "newsclean" / name).rglob("*.py")]
    named = {name for module in modules for name in counted(module)}
    in_code = {name for name in named if " " not in name} - {"rendering/*"}
    assert {n for n in in_code if not any(matches(stat, n) for stat in STATS)} == set()
    assert {stat for stat in STATS if not any(matches(stat, n) for n in in_code)} == set()
