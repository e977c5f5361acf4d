"""What errors suggest: the name that was meant, and the command that installs an extra."""

from __future__ import annotations

import json
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
    """Return the command that adds an extra to newsclean, for how it was installed here.

    newsclean is on no package index: the bare name would install somebody's package.
    """
    # Only an error needs these, and they take time to import.
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.request import url2pathname

    try:
        origin = json.loads(distribution("newsclean").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:  # an egg, or a checkout on the path
        origin = {}
    url = str(origin.get("url", ""))
    if "vcs_info" in origin:
        return f"pip install 'newsclean[{extra}] @ {origin['vcs_info']['vcs']}+{url}'"
    if "dir_info" in origin:
        folder = url2pathname(urlsplit(url).path)
        editable = "-e " if origin["dir_info"].get("editable") else ""
        return f"pip install {editable}'{folder}[{extra}]'"
    if url:
        return f"pip install 'newsclean[{extra}] @ {url}'"
    return f"pip install '.[{extra}]' in a checkout of newsclean"
