"""Draw which packages of newsclean import which into `architecture.md`; fail if there is a cycle.

python docs/import_graph.py            # draw the picture
python docs/import_graph.py --check    # draw nothing; fail if the picture is out of date

A package is a folder or a module right below `newsclean/` or `newsclean/extraction/`.
Imports inside functions and imports for types count, too.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PACKAGE = "newsclean"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- import graph: begin -->", "<!-- import graph: end -->"

#: For each package those that it imports.
Graph = dict[str, set[str]]


def import_graph(root: Path = ROOT) -> Graph:
    """Return the graph of all packages; `newsclean` itself stands for its `__init__.py`."""
    graph: Graph = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        package = package_of(_module(path, root))
        targets = graph.setdefault(package, set())
        targets.update(package_of(name) for name in imported_modules(path, root))
    graph.pop("__main__", None)  # a command, which nothing can import
    return {package: targets - {package} for package, targets in sorted(graph.items())}


def package_of(module: str) -> str:
    """
    >>> package_of("newsclean.extraction.methods.hybrid.network"), package_of("newsclean")
    ('extraction.methods', 'newsclean')
    """
    parts = module.split(".")
    depth = 3 if parts[1:2] == ["extraction"] else 2
    return ".".join(parts[1:depth]) or parts[0]


def imported_modules(path: Path, root: Path = ROOT) -> Iterator[str]:
    """Yield the modules of newsclean that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == PACKAGE:
                    yield alias.name
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(node, path, root)
            if module.split(".")[0] == PACKAGE:
                for alias in node.names:
                    below = f"{module}.{alias.name}"
                    yield below if _is_module(below, root) else module


def cycles(graph: Graph) -> list[tuple[str, ...]]:
    """Return the groups of packages that import each other, directly or by way of others.

    >>> cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}})
    [('b', 'c')]
    """
    below = {package: reachable(graph, package) for package in graph}
    groups = {
        tuple(sorted(other for other in below[package] if package in below.get(other, ())))
        for package in graph
    }
    return sorted(group for group in groups if group)


def reachable(graph: Graph, package: str) -> set[str]:
    """Return all that a package imports, directly or by way of others."""
    found: set[str] = set()
    todo = [package]
    while todo:
        new = graph.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def without_shortcuts(graph: Graph) -> Graph:
    """Return the graph without the edges that a longer path implies; cycles keep all of theirs.

    >>> without_shortcuts({"a": {"b", "c"}, "b": {"c"}, "c": set()})
    {'a': {'b'}, 'b': {'c'}, 'c': set()}
    """
    below = {package: reachable(graph, package) for package in graph}

    def is_shortcut(start: str, end: str) -> bool:
        between = graph[start] - {end}
        return start not in below[end] and any(
            end in below[other] and start not in below[other] and other not in below[end]
            for other in between
        )

    return {
        start: {end for end in ends if not is_shortcut(start, end)} for start, ends in graph.items()
    }


def picture(graph: Graph) -> str:
    """Return the graph as a Mermaid picture in Markdown."""
    lines = ["```mermaid", "graph TD"]
    for start, ends in without_shortcuts(graph).items():
        lines += [f"    {start} --> {end}" for end in sorted(ends)]
    return "\n".join([*lines, "```"])


def drawn(page: str, graph: Graph) -> str:
    """Return a page of Markdown with the picture between its two markers."""
    before, _, rest = page.partition(BEGIN)
    _, marker, after = rest.partition(END)
    if not marker:
        raise ValueError(f"{BEGIN} and {END} must both be in the page, in this order")
    return f"{before}{BEGIN}\n\n{picture(graph)}\n\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="draw nothing")
    options = parser.parse_args()
    graph = import_graph()
    page = PAGE.read_text("utf-8")
    new = drawn(page, graph)
    problems = [f"a cycle of imports: {', '.join(group)}" for group in cycles(graph)]
    if options.check and new != page:
        problems.append(f"{PAGE.name} is out of date: python docs/import_graph.py draws it anew")
    elif new != page:
        PAGE.write_text(new, "utf-8")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def _module(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def _is_module(name: str, root: Path) -> bool:
    path = root.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def _absolute(node: ast.ImportFrom, path: Path, root: Path) -> str:
    """Return the full name of the module that an import names, relative or not."""
    if not node.level:
        return node.module or ""
    parts = path.relative_to(root).with_suffix("").parts[: -node.level]
    return ".".join((*parts, *([node.module] if node.module else [])))


if __name__ == "__main__":
    sys.exit(main())
