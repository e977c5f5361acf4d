"""Connections that never finish a request are closed, and cost nobody else anything."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from newsclean.apps.serve.site_library import Library, ShownPage

from .served import SITE, Served, serving

TIMEOUT = 0.4
#: What a test waits for at most; a connection that stays open fails it.
PATIENCE = 20


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[Served]:
    """A server that waits for a request only a moment."""
    with serving(tmp_path, request_timeout=TIMEOUT) as found:
        yield found


def half_requests(served: Served) -> dict[str, bytes]:
    host = f"127.0.0.1:{served.port}"
    session = f"Cookie: {served.access.cookie}={served.access.session}"
    post = (
        f"POST /sites/{SITE}/take-back HTTP/1.1\r\nHost: {host}\r\n{session}\r\n"
        "Content-Type: application/json\r\nContent-Length: 90000\r\n"
    )
    return {
        "nothing": b"",
        "headers": f"GET / HTTP/1.1\r\nHost: {host}\r\n".encode(),
        "body": f'{post}Origin: http://{host}\r\n\r\n{{"ids":'.encode(),
        "refused": f'{post}Origin: http://evil.example\r\n\r\n{{"ids":'.encode(),
        "second": f"GET /static/no HTTP/1.1\r\nHost: {host}\r\n\r\nGET / HTTP/1.1\r\n".encode(),
    }


@pytest.mark.parametrize("drips", [False, True])
@pytest.mark.parametrize("kind", ["nothing", "headers", "body", "refused", "second"])
def test_a_connection_whose_request_stays_half_is_closed(
    hasty: Served, kind: str, drips: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", hasty.port)) as half:
        half.sendall(half_requests(hasty)[kind])
        half.settimeout(TIMEOUT / 8)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if not half.recv(4096):
                    break
            except TimeoutError:
                if drips:
                    half.sendall(b"x")
            except ConnectionError:
                break
        else:
            pytest.fail("the connection stayed open")
    assert hasty.ask("/")[0] == 200
    assert "Traceback" not in capfd.readouterr().err


def test_many_half_requests_at_once_do_not_keep_others_from_being_answered(hasty: Served) -> None:
    held = [socket.create_connection(("127.0.0.1", hasty.port)) for _ in range(100)]
    try:
        for each in held:
            each.sendall(half_requests(hasty)["headers"])
        assert hasty.ask("/")[0] == 200
        for each in held:
            each.settimeout(PATIENCE)
            assert each.recv(4096) == b""
    finally:
        for each in held:
            each.close()


def test_an_answer_may_take_longer_than_a_request(
    hasty: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = Library.pages

    def slow_pages(library: Library, site: str) -> list[ShownPage]:
        time.sleep(3 * TIMEOUT)
        return pages(library, site)

    monkeypatch.setattr(Library, "pages", slow_pages)
    assert hasty.ask(f"/sites/{SITE}")[0] == 200
