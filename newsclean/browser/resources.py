"""The stylesheets and pictures that were saved with a page, in files beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from newsclean.browser.saved_pages import address_of

if TYPE_CHECKING:
    from newsclean.browser.saved_pages import Resources

#: Bytes of a file; a larger one is not loaded.
MAX_SIZE = 10_000_000


def files_beside(page: Path, url: str | None = None, folder: Path | None = None) -> Resources:
    """From an address to the file in which it was saved, looked for in three places.

    - beside the page, as the page names it: `page_files/style.css`, as browsers save it;
    - in the folder, under its path: `folder/css/style.css`, as a mirror of one site has it;
    - and under host and path: `folder/example.org/css/style.css`, as a mirror of several.

    No file outside the folder is read, whatever the page asks for.
    """
    beside = page.parent
    root = (folder or beside).resolve()
    base = address_of(url).rpartition("/")[0] + "/"

    def saved(address: str) -> bytes | None:
        parts = urlsplit(address)
        path = unquote(parts.path).lstrip("/")
        places = [root / path, root / (parts.hostname or "") / path]
        if address.startswith(base):
            rest = urlsplit(address.removeprefix(base)).path
            places.insert(0, beside / unquote(rest))
        for place in places:
            try:
                file = place.resolve()
                if file.is_relative_to(root) and file.is_file():
                    return file.read_bytes() if file.stat().st_size <= MAX_SIZE else None
            except (OSError, ValueError):  # a name that no file can have, or a closed folder
                continue
        return None

    return saved
