"""A server on a free port, with pages of a small site."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from newsclean import Extractor
from newsclean.apps.serve.access import REQUEST_TIMEOUT, Access, make_server
from newsclean.apps.serve.app import make_app
from newsclean.apps.serve.site_library import FolderPages, Library
from newsclean.extraction.corrections import Corrections

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from newsclean.apps.serve.site_library import PageSource

SITE = "example.org"
TOWNS = ("Bergen", "Bodo", "Hamar", "Moss", "Narvik", "Oslo")
PROMO = "The letter that our editors write in {town} each week takes nine minutes to read, and many"
WORDS = (
    "The river in {town} has risen for nine days, and the mayor says that no help is near. "
    "She asked all people to stay at home until the water falls again, which may take a week. "
)


def story(town: str) -> str:
    text = WORDS.format(town=town)
    return (
        f"<html><head><title>Flood in {town} goes on</title></head><body><main>"
        f"<h1>Flood in {town} goes on</h1><p class='byline'>By Ann Lee</p>"
        f"<div class=story><p>{text}{town} waits.</p><p>{text * 2}</p>"
        f"<div class='insert'><p>{PROMO.format(town=town)} of its readers answer.</p></div>"
        f"<p>{text}</p></div><p class=end>All rights in {town}</p></main></body></html>"
    )


def uneven_story(town: str) -> str:
    """A story; on that of Bergen the method is surer of the box than anywhere else."""
    end = "of them. " + WORDS.format(town="Voss") * 2
    if town != "Bergen":
        end = "of its readers <a href=/letter>answer it in the same week</a>."
    return story(town).replace("of its readers answer.", end)


@dataclass(frozen=True)
class Served:
    port: int
    access: Access
    sites: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def link(self) -> str:
        return f"{self.address}/#token={self.access.token}"

    @property
    def file(self) -> Path:
        return self.sites / f"{SITE}.corrections.toml"

    @property
    def corrections(self) -> Corrections:
        return Corrections.read(self.file) if self.file.exists() else Corrections(SITE)

    def ask(
        self,
        path: str,
        values: object = None,
        *,
        headers: dict[str, str | None] | None = None,
        method: str | None = None,
    ) -> tuple[int, str, dict[str, str]]:
        """Ask as a browser that has logged in would; `headers` replace its own, None leaves out."""
        host = f"127.0.0.1:{self.port}"
        sent: dict[str, str | None] = {
            "Host": host,
            "Cookie": f"{self.access.cookie}={self.access.session}",
        }
        body = None
        if values is not None:
            body = values if isinstance(values, bytes) else json.dumps(values).encode()
            sent |= {"Origin": f"http://{host}", "Content-Type": "application/json"}
        sent |= headers or {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest(
                method or ("GET" if body is None else "POST"), path, skip_host=True
            )
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), dict(answer.getheaders())
        finally:
            connection.close()

    def post(self, path: str, values: object) -> tuple[int, dict[str, Any]]:
        status, text, _ = self.ask(path, values)
        return status, json.loads(text)

    def path(self, what: str, name: str) -> str:
        return f"/sites/{SITE}/{what}/{quote(name)}"


@contextmanager
def serving(
    folder: Path,
    method: str = "hybrid",
    index: Path | None = None,
    source: PageSource | None = None,
    request_timeout: float = REQUEST_TIMEOUT,
    **access_rules: Any,
) -> Iterator[Served]:
    """Serve a folder of stories or another source, and an index, until the end of the block.

    `access_rules` are those of the API: `api_token`, `is_loopback`.
    """
    pages = folder / "pages"
    pages.mkdir(exist_ok=True)
    for town in TOWNS:
        (pages / f"{town}.html").write_text(story(town), "utf-8")
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    access = Access(frozenset({f"127.0.0.1:{port}"}), **access_rules)
    library = Library(source or FolderPages(pages, SITE), Extractor(method), folder / "sites")
    app = make_app(library, access, None if index is None else str(index))
    server = make_server(app, request_timeout)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Served(port, access, folder / "sites")
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
