"""What errors suggest: the name that was meant, and the command that installs an extra."""

from __future__ import annotations

import json
import os
import shlex
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Collection


def nearest(name: str, known: Collection[str]) -> str:
    """Return the known name that is most like an unknown one, for "did you mean".

    >>> nearest("contnet", ["title", "content"])
    'content'
    """
    return get_close_matches(name, sorted(known), 1, cutoff=0.0)[0]


def install_command(extra: str) -> str:
    """Return the command that adds an extra to this newsclean, from where it was installed.

    Where that is not known, the bare name is no answer: an index may have another package of it.
    """
    # Only an error needs these, and they take time to import.
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.request import url2pathname

    install, named = _pip_install(), f"newsclean[{extra}]"
    try:
        found = distribution("newsclean")
        origin = json.loads(found.read_text("direct_url.json") or "{}")
    except PackageNotFoundError:  # an egg, or a checkout on the path
        return f"{install} '.[{extra}]' in a checkout of newsclean"
    url = str(origin.get("url", ""))
    if "vcs_info" in origin:
        vcs = origin["vcs_info"]
        return f"{install} '{named} @ {vcs['vcs']}+{url}@{vcs['commit_id']}'"
    if "dir_info" in origin:
        folder = url2pathname(urlsplit(url).path)
        editable = "-e " if origin["dir_info"].get("editable") else ""
        return f"{install} {editable}'{folder}[{extra}]'"
    if url:
        return f"{install} '{named} @ {url}'"
    if found.read_text("INSTALLER"):  # by its name, from an index that has it
        return f"{install} '{named}=={found.version}'"
    return f"{install} '.[{extra}]' in a checkout of newsclean"


def _pip_install() -> str:
    """Return how to install for this Python, whether or not its environment is activated."""
    from importlib.util import find_spec

    if find_spec("pip") is None:
        return f"uv pip install --python {shlex.quote(sys.executable)}"
    if sys.prefix in (sys.base_prefix, os.environ.get("VIRTUAL_ENV")):
        return "pip install"
    return f"{shlex.quote(sys.executable)} -m pip install"
