"""The demo site on real sockets: one free port for each publisher."""

import random
import socketserver
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import NamedTuple, Self

from newsclean.demo.demo_site import Kind, Response, Site
from newsclean.demo.scripted_site import ScriptedSite
from newsclean.demo.world import Publisher, build_scripted_publisher, build_world

_HOST = "127.0.0.1"
_POLL_SECONDS = 0.02
_IDLE_SECONDS = 30


class Visit(NamedTuple):
    """A request, with the seconds of this machine at which it came and was answered."""

    base_url: str
    path: str
    user_agent: str
    came: float
    answered: float


class DemoServer:
    """Serves the demo's publishers; a context manager, or ``start()`` and ``stop()``.

    ``ports`` fixes the ports, one for each publisher (0 takes a free one). ``delay`` is how many
    seconds each response is held back. ``scripted`` adds a publisher whose pages are made by
    scripts, the last one. ``promos`` puts a box into each article of the Ledger that does not
    belong to it, and that ``hybrid`` takes: something to teach. ``hits`` counts the requests (GET
    and HEAD) by the publisher's name and by path with query; ``visits`` has each of them, in the
    order in which they were answered.
    """

    def __init__(
        self,
        seed: int = 7,
        *,
        ports: tuple[int, ...] | None = None,
        delay: float = 0.0,
        scripted: bool = False,
        promos: bool = False,
    ) -> None:
        self._world = build_world(seed)
        if scripted:
            self._world += (build_scripted_publisher(seed),)
        ports = (0,) * len(self._world) if ports is None else ports
        if len(ports) != len(self._world):
            raise ValueError(
                f"ports={ports!r}: give {len(self._world)} ports, one for each publisher"
            )
        self._ports = ports
        self._delay = delay
        self._promos = promos
        self._seed = seed
        self._lock = threading.Lock()
        self._redesigned = False
        self._listeners: list[_Listener] = []
        self._sites: list[Site | ScriptedSite] = []
        self.publishers: tuple[Publisher, ...] = ()
        self.hits: dict[str, Counter[str]] = {}
        self.visits: list[Visit] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Bind the ports and serve in daemon threads; ``publishers`` has the URLs."""
        if self._listeners:
            raise RuntimeError("the demo server is already running")
        try:
            for port in self._ports:
                self._listeners.append(_Listener(self, port))
        except OSError:
            self._close()
            raise
        for publisher, listener in zip(self._world, self._listeners, strict=True):
            addressed = publisher.at(f"http://{_HOST}:{listener.server_port}")
            if publisher.key == "courier":
                listener.site = ScriptedSite(addressed)
            else:
                listener.site = Site(addressed, promos=self._promos)
        self._sites = [listener.site for listener in self._listeners]
        self.publishers = tuple(site.addressed() for site in self._sites)
        self.hits = {publisher.name: Counter() for publisher in self.publishers}
        for listener in self._listeners:
            threading.Thread(
                target=listener.serve_forever, args=(_POLL_SECONDS,), daemon=True
            ).start()

    def stop(self) -> None:
        """Stop serving and free the ports; ``publishers`` and ``hits`` stay readable."""
        for listener in self._listeners:
            listener.shutdown()
        self._close()

    def redesign(self) -> None:
        """From now on, all pages come in their publisher's second template."""
        self._redesigned = True

    def fetched(self) -> dict[str, Counter[Kind]]:
        """How many pages of each kind were asked for, by the publisher's name.

        Files (robots.txt, feeds, pictures) are no pages.
        """
        counts: dict[str, Counter[Kind]] = {}
        for site in self._sites:
            count = counts[site.publisher.name] = Counter()
            for target, times in self.hits[site.publisher.name].items():
                if (kind := site.kind_of(target)) is not Kind.FILE:
                    count[kind] += times
        return counts

    @property
    def redesigned(self) -> bool:
        return self._redesigned

    def _close(self) -> None:
        for listener in self._listeners:
            listener.server_close()
        self._listeners = []

    def _answer(self, site: Site | ScriptedSite, target: str) -> Response:
        if self._delay:
            time.sleep(self._delay)
        with self._lock:
            self.hits[site.publisher.name][target] += 1
            times = self.hits[site.publisher.name][target]
            # What a page holds does not depend on what others ask for at the same time.
            rng = random.Random(f"{self._seed} {site.publisher.name} {target} {times}")
            return site.respond(target, self._redesigned, rng)


class _Listener(ThreadingHTTPServer):
    """One publisher's socket."""

    daemon_threads = True
    # A client that keeps its connection open must not hold up stop().
    block_on_close = False
    request_queue_size = 128
    site: Site | ScriptedSite

    def __init__(self, demo: DemoServer, port: int) -> None:
        self.demo = demo
        super().__init__((_HOST, port), _Handler)

    def server_bind(self) -> None:
        # HTTPServer would look up the host's name, which can take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name = _HOST
        self.server_port = int(self.server_address[1])

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is not an error of the demo."""


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    protocol_version = "HTTP/1.1"
    server_version = "newsclean-demo"
    timeout = _IDLE_SECONDS
    # Headers and body leave in one packet: else Nagle's algorithm adds 40 ms to each response.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._send(with_body=True)

    def do_HEAD(self) -> None:
        self._send(with_body=False)

    def _send(self, with_body: bool) -> None:
        came, demo, site = time.monotonic(), self.server.demo, self.server.site
        response = demo._answer(site, self.path)
        agent = self.headers.get("User-Agent", "")
        base_url = site.publisher.base_url
        demo.visits.append(Visit(base_url, self.path, agent, came, time.monotonic()))
        if response.etag and self.headers["If-None-Match"] == response.etag:
            self.send_response(304)
            self.send_header("ETag", response.etag)
            self.end_headers()
            return
        self.send_response(response.status)
        if response.etag:
            self.send_header("ETag", response.etag)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if with_body:
            self.wfile.write(response.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Silent: tests and the demo have their own output."""
