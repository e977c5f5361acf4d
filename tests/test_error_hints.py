"""How an extra is installed."""

import importlib.metadata
import importlib.util
import json
import sys

import pytest

from newsclean.error_hints import install_command

GIT = {"vcs": "git", "commit_id": "3f2a90c1", "requested_revision": "main"}


class Installed:
    """newsclean as `importlib.metadata` knows it, with the files that an installer has written."""

    version = "0.5"

    def __init__(self, origin: object, installer: str | None) -> None:
        self.files = {
            "direct_url.json": json.dumps(origin) if origin else None,
            "INSTALLER": installer,
        }

    def read_text(self, name: str) -> str | None:
        return self.files[name]


@pytest.mark.parametrize(
    ("origin", "installer", "command"),
    [
        (
            {"url": "file:///src/newsclean", "dir_info": {"editable": True}},
            "pip",
            "pip install -e '/src/newsclean[serve]'",
        ),
        (
            {"url": "file:///src/newsclean", "dir_info": {}},
            "pip",
            "pip install '/src/newsclean[serve]'",
        ),
        (
            {"url": "https://example.org/newsclean.git", "vcs_info": GIT},
            "pip",
            "pip install 'newsclean[serve] @ git+https://example.org/newsclean.git@3f2a90c1'",
        ),
        (
            {"url": "file:///tmp/newsclean.whl", "archive_info": {}},
            "pip",
            "pip install 'newsclean[serve] @ file:///tmp/newsclean.whl'",
        ),
        (None, "pip", "pip install 'newsclean[serve]==0.5'"),
        (None, None, "pip install '.[serve]' in a checkout of newsclean"),
    ],
    ids=["editable", "folder", "repository", "wheel", "index", "unknown"],
)
def test_an_extra_is_installed_from_where_newsclean_came(
    origin: object, installer: str | None, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: Installed(origin, installer))
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    assert install_command("serve") == command


def test_a_checkout_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    assert install_command("serve").endswith(" install '.[serve]' in a checkout of newsclean")


def test_an_environment_that_is_not_activated_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(sys, "executable", "/srv/my news/bin/python")
    assert install_command("serve").startswith("'/srv/my news/bin/python' -m pip install ")


def test_an_environment_without_pip_is_left_to_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "executable", "/srv/news/bin/python")
    assert install_command("serve").startswith("uv pip install --python /srv/news/bin/python ")
