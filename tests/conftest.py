import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

#: Fixtures of all tests that need a browser or a server, and the markers of these tests.
pytest_plugins = ["tests.browser.chromium_page", "tests.needs", "tests.servers.fixtures"]

# Processes of the tests that cannot write whole files would leave damaged ones to all others.
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

# A warning ends the processes of the tests as it ends a test (pyproject.toml), except those that
# other packages raise by their own imports.
os.environ["PYTHONWARNINGS"] = ",".join(
    [
        "error",
        "ignore:Use the new Reader and Writer classes:DeprecationWarning",  # fastwarc
        "ignore:pkg_resources is deprecated as an API:UserWarning",  # Scrapyd
    ]
)

# The same examples in each run of the same code, and no time limit: a failure is never a matter of
# luck. `pytest --hypothesis-profile=search` looks for new ones.
settings.register_profile("search", deadline=None, max_examples=2000)
settings.register_profile("newsclean", deadline=None, derandomize=True)
settings.load_profile("newsclean")

SCHEMA = Path(__file__).parents[1] / "docs" / "article.schema.json"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first, so that no core is left with one of them at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session", autouse=True)
def _reactor() -> Iterator[None]:
    """Has the reactor that crawls in this process share, before a test installs another."""
    from tests.crawl.in_process import shared_loop

    loop = shared_loop()
    yield
    loop.close()


@pytest.fixture(scope="session")
def check_line() -> Callable[[dict[str, Any]], None]:
    """Fails for an exported line that is not as the schema in docs/ says."""
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))

    def check(line: dict[str, Any]) -> None:
        problems = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(line)]
        assert not problems, problems

    return check
