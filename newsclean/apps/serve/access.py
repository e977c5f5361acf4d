"""Access control and the web server: token, host name and origin are checked for each request.

The token is in the fragment of the link that `newsclean serve` prints. Browsers never send the
fragment, so it appears in no log and no Referer. A script of the log-in page posts the token once
and gets a cookie; without scripts, the user pastes it into the form of that page.

The JSON API has another token, which the user chooses and programs send in a header. On loopback it
needs none, unless one is set.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from functools import cache
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote

import h11
import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from newsclean.apps import template_environment, template_file

if TYPE_CHECKING:
    import asyncio

    from jinja2 import Environment
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


LOG_IN = "/login"
API = "/api"
STATIC = "/static/"
JSON, _FORM = _LOG_IN_KINDS = ("application/json", "application/x-www-form-urlencoded")
#: Bytes of the body of a request.
_MAX_BODY = 100_000
#: Seconds in which a request must be complete; the answer may take longer.
REQUEST_TIMEOUT = 30.0

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
#: For a page with a form.
FORM_POLICY = _POLICY.replace("form-action 'none'", "form-action 'self'")
#: For the log-in page: under `no-referrer`, browsers do not send the origin of a form.
_LOG_IN_HEADERS = {"Content-Security-Policy": FORM_POLICY, "Referrer-Policy": "same-origin"}
_HEADERS = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
#: Static files: the package that has them, and their types.
_ASSETS = {
    "base.css": ("newsclean.apps", "text/css"),
    "map.css": ("newsclean.apps.look", "text/css"),
    "overview.css": ("newsclean.apps.report", "text/css"),
    "serve.css": ("newsclean.apps.serve", "text/css"),
    "map.js": ("newsclean.apps.look", "text/javascript"),
    "login.js": ("newsclean.apps.serve", "text/javascript"),
    "teach.js": ("newsclean.apps.serve", "text/javascript"),
}


@cache
def environment() -> Environment:
    made = template_environment(
        "newsclean.apps.serve", "newsclean.apps.look", "newsclean.apps.report"
    )
    made.globals["site_path"] = site_path
    made.globals["page_path"] = page_path
    return made


def render(template: str, **values: Any) -> str:
    return environment().get_template(template).render(**values)


def static_file(name: str) -> tuple[str, str] | None:
    """Return the text and type of a static file, None if it is unknown."""
    if name not in _ASSETS:
        return None
    package, kind = _ASSETS[name]
    return template_file(package, name), kind


def site_path(site: str) -> str:
    """
    >>> site_path("127.0.0.1:8000")
    '/sites/127.0.0.1%3A8000'
    """
    return f"/sites/{quote(site, safe='')}"


def page_path(site: str, page: str, what: str = "") -> str:
    """Return the path of a page of a site, or of another route for it.

    >>> page_path("example.org", "news/a b.html", "frame")
    '/sites/example.org/frame/news/a%20b.html'
    """
    return f"{site_path(site)}/{what or 'pages'}/{quote(page)}"


class RequestError(ValueError):
    """A request with an invalid body."""


@dataclass(frozen=True)
class Access:
    """The secrets of one run of the server, and the host names it answers to."""

    hosts: frozenset[str]
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    #: for the API; None if the user has set none
    api_token: str | None = field(default=None, repr=False)
    #: whether only this machine can connect
    is_loopback: bool = True

    @property
    def cookie(self) -> str:
        """The name of the cookie; it has the port, since ports of a host share cookies."""
        port = min(self.hosts).rpartition(":")[2] if self.hosts else ""
        return f"newsclean-{port}"

    def has_session(self, headers: Headers) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        found = cookies.get(self.cookie)
        return found is not None and secrets.compare_digest(
            found.value.encode(), self.session.encode()
        )

    def is_token(self, token: str) -> bool:
        return secrets.compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def has_api_token(self, headers: Headers) -> bool:
        """Whether the request has the token of the API, or needs none."""
        if self.api_token is None:
            return self.is_loopback
        scheme, _, token = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and secrets.compare_digest(
            token.strip().encode("utf-8", "replace"), self.api_token.encode()
        )

    def is_own_origin(self, headers: Headers) -> bool:
        """Whether the request comes from a page of this server."""
        site = headers.get("sec-fetch-site")
        return headers.get("origin") == f"http://{headers.get('host')}" and site in (
            None,
            "same-origin",
        )


class AccessMiddleware:
    """Refuse requests with a wrong host, no session or another origin, before any page is read."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", _POLICY)
            await send(message)

        answer = self.refusal(scope) or self.app
        await answer(scope, receive, send_with_headers)

    def refusal(self, scope: Scope) -> Response | None:
        headers, path, method = Headers(scope=scope), scope["path"], scope["method"]
        if path == API or path.startswith(f"{API}/"):
            return self._api_refusal(headers, method)
        if headers.get("host", "") not in self.access.hosts:
            return PlainTextResponse("Unknown host name.\n", 421)
        if method not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("Only GET and POST are allowed.\n", 405)
        if method == "POST":
            if not self.access.is_own_origin(headers):
                return JSONResponse({"error": "the request comes from another origin"}, 403)
            kinds = _LOG_IN_KINDS if path == LOG_IN else (JSON,)
            if content_type(headers) not in kinds:
                return JSONResponse({"error": "the body must be JSON"}, 415)
        if path.startswith(STATIC) or (path == LOG_IN and method == "POST"):
            return None
        if self.access.has_session(headers):
            return None
        if method == "POST":
            return JSONResponse({"error": "you are not logged in: open the link again"}, 401)
        return _log_in_page()

    def _api_refusal(self, headers: Headers, method: str) -> Response | None:
        """Refuse in JSON. Without a token, these checks keep the pages of other sites out."""
        if headers.get("host", "") not in self.access.hosts:
            return _api_error(421, "Unknown host name.")
        if method not in ("GET", "HEAD"):
            return _api_error(405, "The API is read only: use GET.", Allow="GET, HEAD")
        site, mode = headers.get("sec-fetch-site"), headers.get("sec-fetch-mode")
        if site not in (None, "none", "same-origin") and mode != "navigate":
            # The page could not read the answer, but measure how long it takes.
            return _api_error(403, "The API does not answer pages of other sites.")
        if self.access.has_api_token(headers):
            return None
        if self.access.api_token is None:
            return _api_error(
                403,
                "Beyond its own machine, the API needs a token: set NEWSCLEAN_TOKEN or "
                "--token-file, and start newsclean serve again.",
            )
        problem = "is wrong" if "authorization" in headers else "is missing"
        message = f"The token {problem}: send the header Authorization: Bearer TOKEN."
        return _api_error(401, message, **{"WWW-Authenticate": "Bearer"})


def _api_error(status: int, message: str, **headers: str) -> Response:
    return JSONResponse({"error": message}, status, headers)


def content_type(headers: Headers) -> str:
    return headers.get("content-type", "").partition(";")[0].strip()


def _log_in_page(problem: str = "", status: int = 401) -> Response:
    page = render("login.html", problem=problem)
    return Response(page, status, _LOG_IN_HEADERS, media_type="text/html")


async def log_in(request: Request) -> Response:
    """Set the session cookie if the token is right. It comes from the script, or from the form."""
    if content_type(request.headers) == _FORM:
        return await _log_in_by_form(request)
    access: Access = request.app.state.access
    try:
        values = await json_body(request)
    except RequestError as error:
        return JSONResponse({"error": str(error)}, 400)
    token = values.get("token")
    if not isinstance(token, str) or not access.is_token(token):
        return JSONResponse(
            {"error": "the token is wrong: open the link that newsclean serve has printed"}, 403
        )
    return _with_session(JSONResponse({}), access)


async def _log_in_by_form(request: Request) -> Response:
    """Log in without scripts. The field may hold the token or the whole link."""
    access: Access = request.app.state.access
    try:
        fields = parse_qs((await _limited_body(request)).decode("utf-8", "replace"))
    except ValueError as error:
        return _log_in_page(f"The form could not be read: {error}.", 400)
    token = fields.get("token", [""])[-1].strip().rpartition("#token=")[2]
    if not access.is_token(token):
        return _log_in_page(
            "The token is wrong. Paste the link that newsclean serve has printed.", 403
        )
    return _with_session(RedirectResponse("/", 303), access)


def _with_session(answer: Response, access: Access) -> Response:
    answer.set_cookie(access.cookie, access.session, path="/", httponly=True, samesite="strict")
    return answer


async def _limited_body(request: Request) -> bytes:
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > _MAX_BODY:
                raise RequestError(f"the request has more than {_MAX_BODY:,} bytes")
    except ClientDisconnect:
        raise RequestError("the request was cut off") from None
    return body


async def json_body(request: Request) -> dict[str, object]:
    """Return the JSON object in the body of a request."""
    body = await _limited_body(request)
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        raise RequestError("the body is not JSON") from None
    if not isinstance(values, dict):
        raise RequestError("the body is not a JSON object")
    return values


def make_server(app: Starlette, request_timeout: float = REQUEST_TIMEOUT) -> uvicorn.Server:
    """Return a server that logs no requests and only serves plain HTTP."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            access_log=False,
            log_level="warning",
            server_header=False,
            lifespan="off",
            ws="none",
            http=_whole_requests(request_timeout),
            loop="asyncio",
            timeout_graceful_shutdown=2,
        )
    )


def _whole_requests(timeout: float) -> type[asyncio.Protocol]:
    """Return a protocol that closes connections whose request is not complete in time.

    uvicorn only closes connections between requests: a client that sends half a request, or a byte
    now and then, would keep its connection open forever.
    """

    class WholeRequests(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._await_request()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._await_request()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget_deadline()
            super().connection_lost(exc)

        def _await_request(self) -> None:
            if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
                self._forget_deadline()
            elif self._deadline is None:  # more data does not extend the deadline
                self._deadline = self.loop.call_later(timeout, self.transport.close)

        def _forget_deadline(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    return WholeRequests
