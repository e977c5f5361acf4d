"""A web server for pages of a test's own making, on a free port of this machine."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Answer:
    body: bytes | str = b""
    content_type: str = HTML
    status: int = 200
    location: str = ""
    #: the name of this state of the page; who knows it already gets no body
    etag: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    #: bytes that are promised and never sent
    lost: int = 0
    #: seconds until it is sent
    takes: float = 0.0
    #: sends nothing until the server stops
    hangs: bool = False
    #: how the body is compressed, as the header says
    encoding: str = ""
    #: sends the body as one chunk, and not the end of the chunks
    endless_chunk: bool = False


@dataclass
class SmallSite:
    """Answers by path; whatever else is asked for is not found."""

    url: str
    answers: dict[str, Answer]
    #: how often each path was asked for, and when
    hits: Counter[str] = field(default_factory=Counter)
    #: all requests in their order, path and headers
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    #: all requests that were answered: path, user agent, when it came, when it was answered
    visits: list[tuple[str, str, float, float]] = field(default_factory=list)
    #: when each path was asked for
    times: dict[str, list[float]] = field(default_factory=dict)
    #: answers to the next request for a path alone
    once: dict[str, Answer] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serve(answers: Mapping[str, Answer], host: str = "127.0.0.1") -> Iterator[SmallSite]:
    """Serve the answers; the site's `answers` may be changed while it runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_GET(self) -> None:
            came = time.monotonic()
            self.answer()
            agent = self.headers.get("User-Agent", "")
            site.visits.append((self.path, agent, came, time.monotonic()))

        def answer(self) -> None:
            site.hits[self.path] += 1
            site.requests.append((self.path, dict(self.headers.items())))
            site.times.setdefault(self.path, []).append(time.monotonic())
            answer = site.answers.get(self.path, Answer(status=404))
            answer = site.once.pop(self.path, answer)
            time.sleep(answer.takes)
            if answer.hangs:
                self.close_connection = True
                site.stopped.wait()
                return
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            known = bool(answer.etag) and self.headers["If-None-Match"] == answer.etag
            body, status = (b"", 304) if known else (body, answer.status)
            self.send_response(status)
            if answer.etag:
                self.send_header("ETag", answer.etag)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if answer.location:
                self.send_header("Location", answer.location)
            if answer.content_type:
                self.send_header("Content-Type", answer.content_type)
            if answer.encoding:
                self.send_header("Content-Encoding", answer.encoding)
            if answer.endless_chunk:
                self.send_header("Transfer-Encoding", "chunked")
                body = b"%x\r\n%s\r\n" % (len(body), body)
            else:
                self.send_header("Content-Length", str(len(body) + answer.lost))
            self.close_connection = bool(answer.lost or answer.endless_chunk)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Silent."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        # A crawler opens many connections at once.
        request_queue_size = 128

        def handle_error(self, request: object, client_address: object) -> None:
            """A crawler that hangs up is what some tests are about."""

    server = Server((host, 0), Handler)
    site = SmallSite(f"http://{host}:{server.server_port}", dict(answers))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield site
    finally:
        site.stopped.set()
        server.shutdown()
        server.server_close()


#: What the pages of the small site repeat.
MENU = "Weather Traffic Small ads Letters to the editor"
FOOTER = "Published every day but Monday. Write to us at 3 Mill Lane, Oldbridge."


def page(title: str, main: str) -> str:
    """A page of the small site, with its menu and footer."""
    return f"""<!DOCTYPE html><html lang="en"><head><title>{title}</title></head><body>
<div><a href="/weather">{MENU}</a></div>
<div><h1>{title}</h1>{main}</div>
<div><p>{FOOTER}</p></div></body></html>"""


def story(title: str, *, paragraphs: int = 4) -> str:
    """An article whose every sentence is its own."""
    texts = [
        f"In part {number} of the report on {title.lower()}, the town clerk counted {number + 3} "
        f"wagons, {number + 11} lanterns and a great many people who had come for {title.lower()}, "
        f"and wrote it all down in the book that is kept for such days."
        for number in range(1, paragraphs + 1)
    ]
    return page(title, "".join(f"<p>{text}</p>" for text in texts))


def section(links: Mapping[str, str]) -> str:
    """A section page: titles by path."""
    items = "".join(f'<h2><a href="{path}">{title}</a></h2>' for path, title in links.items())
    return page("All the news", items)
