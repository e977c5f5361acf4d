"""The direction of imports between packages, for types and inside functions as well."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from docs.import_graph import PAGE, ROOT, cycles, drawn, import_graph, imported_modules, reachable

#: What is no part of the product: it measures, trains or shows.
NOT_PRODUCT = {"lab", "demo"}

GRAPH = import_graph()


def test_no_two_packages_import_each_other() -> None:
    assert cycles(GRAPH) == []


def test_the_product_never_imports_the_laboratory() -> None:
    for package in GRAPH.keys() - NOT_PRODUCT:
        assert "lab" not in GRAPH[package], package


def test_the_core_never_imports_an_application() -> None:
    for package in GRAPH.keys() - NOT_PRODUCT - {"apps"}:
        assert "apps" not in GRAPH[package], package


def test_the_product_does_not_need_the_demo() -> None:
    for package in GRAPH.keys() - NOT_PRODUCT:
        assert "demo" not in GRAPH[package], package


@pytest.mark.parametrize("package", ["extraction.page", "extraction.metadata"])
def test_what_all_others_build_on_imports_only_text_and_urls(package: str) -> None:
    assert GRAPH[package] <= {"extraction.text", "urls"}


def test_whether_a_page_is_an_article_is_told_without_a_crawl() -> None:
    below = reachable(GRAPH, "extraction.is_article")
    assert not below & {"lab", "spiders", "pipelines", "extensions", "memory", "cli"}


@pytest.mark.process
@pytest.mark.parametrize("package", ["archives", "browser", "discovery"])
def test_what_works_without_a_crawl_loads_neither_scrapy_nor_twisted(package: str) -> None:
    modules = sorted((ROOT / "newsclean" / package).glob("*.py"))
    names = [f"newsclean.{package}.{path.stem}" for path in modules]
    code = f"import sys, {', '.join(names)}; print({{'scrapy', 'twisted'}} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.process
@pytest.mark.parametrize(
    ("module", "libraries"),
    [
        ("newsclean.memory", ("scrapy", "twisted", "itemadapter")),
        ("newsclean.settings", ("numpy", "lxml")),
    ],
)
def test_what_works_without_a_library_does_not_load_it(
    module: str, libraries: tuple[str, ...]
) -> None:
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert module in loaded
    assert not {name.split(".")[0] for name in loaded} & set(libraries)


def test_the_picture_in_the_docs_is_up_to_date() -> None:
    page = PAGE.read_text("utf-8")
    assert drawn(page, GRAPH) == page, "python docs/import_graph.py draws it anew"


def test_imports_are_found_wherever_they_are(tmp_path: Path) -> None:
    package = tmp_path / "newsclean"
    (package / "page").mkdir(parents=True)
    (package / "urls.py").touch()
    path = package / "page" / "columns.py"
    path.write_text(
        "import numpy\n"
        "import newsclean.urls\n"
        "if TYPE_CHECKING:\n    from newsclean import page, extract\n"
        "def late():\n    from newsclean.lab.folds import FOLDS\n    from ..urls import site_of\n"
    )
    found = {*imported_modules(path, tmp_path)}
    assert found == {"newsclean.urls", "newsclean.page", "newsclean", "newsclean.lab.folds"}


def test_nothing_private_of_scrapy_twisted_or_protego_is_used() -> None:
    libraries = ("scrapy", "twisted", "protego")
    used = []
    for path in (ROOT / "newsclean").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(libraries):
                names = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
                used += [(path.name, name) for name in names if name.startswith("_")]
            elif isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                of = ast.unparse(node.value).split(".")[-1]
                if of in ("engine", "crawler", "downloader", "scraper", "slot", "reactor"):
                    used.append((path.name, f"{of}.{node.attr}"))
    assert used == []
