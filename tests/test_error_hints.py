"""How an extra is installed."""

import importlib.metadata
import json

import pytest

from newsclean.error_hints import install_command


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (
            {"url": "file:///src/newsclean", "dir_info": {"editable": True}},
            "pip install -e '/src/newsclean[serve]'",
        ),
        ({"url": "file:///src/newsclean", "dir_info": {}}, "pip install '/src/newsclean[serve]'"),
        (
            {"url": "https://example.org/newsclean.git", "vcs_info": {"vcs": "git"}},
            "pip install 'newsclean[serve] @ git+https://example.org/newsclean.git'",
        ),
        (
            {"url": "file:///tmp/newsclean.whl", "archive_info": {}},
            "pip install 'newsclean[serve] @ file:///tmp/newsclean.whl'",
        ),
        (None, "pip install '.[serve]' in a checkout of newsclean"),
    ],
    ids=["editable", "folder", "repository", "wheel", "unknown"],
)
def test_an_extra_is_installed_from_where_newsclean_came(
    origin: object, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, name: str) -> str | None:
            return json.dumps(origin) if origin and name == "direct_url.json" else None

    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: Installed())
    assert install_command("serve") == command
