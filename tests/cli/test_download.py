"""`newsclean extract URL`: a page comes whole, in good time and in good measure, or not at all."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer

import pytest

from newsclean.cli import download, page_input
from newsclean.files import MAX_SINGLE_SIZE

from .pages import Outcome, run, story

Capture = pytest.CaptureFixture[str]

PAGE = story("Oslo").encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n"


@contextmanager
def server(answer: bytes, *, hangs: bool, host: str = "127.0.0.1") -> Iterator[str]:
    """Sends these bytes to whoever asks; one that hangs then keeps the line open."""
    stopped = threading.Event()

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.wfile.write(answer)
            self.wfile.flush()
            if hangs:
                stopped.wait()

    with ThreadingTCPServer((host, 0), Handler) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://{host}:{running.server_address[1]}/story"
        finally:
            stopped.set()
            running.shutdown()


def fetched(
    capsys: Capture, headers: bytes, body: bytes, *, hangs: bool = False, scheme: str = "http"
) -> tuple[str, Outcome]:
    """The address of a page that is sent like this, and what `extract` says of it."""
    with server(HEAD + headers + b"\r\n" + body, hangs=hangs) as url:
        url = url.replace("http", scheme, 1)
        return url, run(capsys, "extract", url)


def length(count: int) -> bytes:
    return b"Content-Length: %d\r\n" % count


@pytest.mark.parametrize("scheme", ["http", "HTTP", "Http"])
def test_an_address_may_be_written_in_capitals(capsys: Capture, scheme: str) -> None:
    _, outcome = fetched(capsys, length(len(PAGE)), PAGE, scheme=scheme)
    assert outcome.code == 0
    assert outcome.out.startswith("Rain in Oslo goes on\n\n")


def test_a_page_without_a_length_or_packed_is_read(capsys: Capture) -> None:
    for headers, body in (
        (b"", PAGE),
        (b"Content-Encoding: gzip\r\n", gzip.compress(PAGE)),
        (b"Transfer-Encoding: chunked\r\n", b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE)),
    ):
        assert "The mayor of Oslo" in fetched(capsys, headers, body)[1].out


def test_a_page_that_breaks_off_is_not_taken_for_the_whole(capsys: Capture) -> None:
    url, outcome = fetched(capsys, length(99_999), PAGE[:300])
    assert outcome == (
        3,
        "",
        f"newsclean: cannot fetch {url}: connection lost after 300 bytes, 99,699 are missing\n",
    )
    chunk = b"%x\r\n%s\r\n" % (len(PAGE), PAGE)
    url, outcome = fetched(capsys, b"Transfer-Encoding: chunked\r\n", chunk)
    assert (outcome.code, outcome.out) == (3, "")
    assert f"cannot fetch {url}" in outcome.err


@pytest.mark.parametrize("answered", [b"", HEAD, HEAD + b"\r\n", HEAD + b"\r\n" + PAGE])
def test_a_page_that_never_ends_is_given_up(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, answered: bytes
) -> None:
    monkeypatch.setattr(download, "TOTAL_TIMEOUT", 0.2)
    with server(answered, hangs=True) as url:
        outcome = run(capsys, "extract", url)
    assert outcome == (3, "", f"newsclean: cannot fetch {url}: not complete after 0.2 seconds\n")


def test_a_page_beyond_all_measure_is_refused(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_input, "MAX_SINGLE_SIZE", len(PAGE) - 1)
    url, outcome = fetched(capsys, b"", PAGE)
    assert (outcome.code, outcome.out) == (3, "")
    assert f"cannot fetch {url}: larger than {len(PAGE) - 1:,} bytes" in outcome.err


def test_what_unpacks_beyond_all_measure_is_refused(capsys: Capture) -> None:
    bomb = gzip.compress(PAGE + b" " * MAX_SINGLE_SIZE, 1)
    assert len(bomb) < MAX_SINGLE_SIZE / 100
    url, outcome = fetched(capsys, b"Content-Encoding: gzip\r\n", bomb)
    assert (outcome.code, outcome.out) == (3, "")
    assert f"cannot unpack {url}: it has more than 50,000,000 bytes" in outcome.err


@pytest.mark.parametrize(
    ("content_type", "body", "name"),
    [
        ("application/json", b'{"a": ["x"]}', "JSON"),
        ("text/plain", PAGE, "plain text"),
        ("application/rss+xml", b"<rss></rss>", "an RSS feed"),
        ("text/xml", b"<?xml version='1.0'?><rss><item>x</item></rss>", "an RSS feed"),
    ],
)
def test_what_is_no_page_is_told_what_it_is(
    capsys: Capture, content_type: str, body: bytes, name: str
) -> None:
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n".encode() + body
    with server(answer, hangs=False) as url:
        code, out, err = run(capsys, "extract", url)
    assert (code, out) == (1, "")
    assert f"{url}: not an HTML page: it is {name}" in err


@pytest.mark.parametrize("form", ["127.0.0.2", "2130706434", "0x7f.2"])
def test_a_redirect_to_a_private_address_is_not_followed(capsys: Capture, form: str) -> None:
    page = HEAD + length(len(PAGE)) + b"\r\n" + PAGE
    with server(page, hangs=False, host="127.0.0.2") as hidden:
        there = hidden.replace("127.0.0.2", form)
        moved = f"HTTP/1.1 302 Found\r\nLocation: {there}\r\nContent-Length: 0\r\n\r\n".encode()
        with server(moved, hangs=False) as url:
            code, out, err = run(capsys, "extract", url)
        assert (code, out) == (3, "")
        assert f"{form} (127.0.0.2) is not a public address, and nobody asked for it" in err
        assert run(capsys, "extract", hidden).code == 0  # typed, and so asked for


def test_a_redirect_to_another_scheme_is_not_followed(capsys: Capture) -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: ftp://127.0.0.2/a\r\nContent-Length: 0\r\n\r\n"
    with server(moved, hangs=False) as url:
        code, out, err = run(capsys, "extract", url)
    assert (code, out) == (3, "")
    assert "unknown url type: ftp" in err
