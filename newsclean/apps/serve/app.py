"""The Starlette application: routes and the pages of sites."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from newsclean.apps.look.framed_page import POLICY as FRAME_POLICY
from newsclean.apps.look.framed_page import map_view
from newsclean.apps.reader.article_body import moment
from newsclean.apps.report.site_overview import DAYS, LEGEND, overview, site_view
from newsclean.apps.serve.access import (
    API,
    FORM_POLICY,
    LOG_IN,
    STATIC,
    AccessMiddleware,
    log_in,
    page_path,
    render,
    static_file,
)
from newsclean.apps.serve.answers import Answers
from newsclean.apps.serve.api import OPENAPI, make_api, show_http_error
from newsclean.apps.serve.search_page import ARTICLE, SEARCH, show_article, show_search
from newsclean.apps.serve.site_library import NoPageError
from newsclean.apps.serve.teach_requests import accept, take_back, try_labels
from newsclean.extraction.corrections import CorrectionsError
from newsclean.memory.site_health import STATES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

    from newsclean.apps.report.site_overview import SiteView
    from newsclean.apps.serve.access import Access
    from newsclean.apps.serve.site_library import Library


_FRAME_HEADERS = {
    "Content-Security-Policy": f"{FRAME_POLICY}; sandbox allow-same-origin; frame-ancestors 'self'"
}


def make_app(library: Library, access: Access, index: str | None = None) -> Starlette:
    """Return the application for one library; without a session, only the log-in page is visible.

    `index` is the path or URL of the index to search. The API has rules of its own (access.py).
    """
    app = Starlette(
        routes=[
            Route("/", _show_sites),
            Route(LOG_IN, lambda request: RedirectResponse("/", 303)),
            Route(LOG_IN, log_in, methods=["POST"]),
            Route(f"{STATIC}{{name}}", _show_static),
            Route(SEARCH, show_search),
            Route(ARTICLE, show_article),
            Route("/sites/{site}", _show_site),
            Route("/sites/{site}/pages/{name:path}", _show_page),
            Route("/sites/{site}/frame/{name:path}", _show_frame),
            Route("/sites/{site}/try/{name:path}", try_labels, methods=["POST"]),
            Route("/sites/{site}/accept/{name:path}", accept, methods=["POST"]),
            Route("/sites/{site}/take-back", take_back, methods=["POST"]),
            Route(API, lambda request: RedirectResponse(f"{API}{OPENAPI}", 307)),
            Mount(API, make_api(Answers(library, index))),
        ],
        middleware=[Middleware(AccessMiddleware, access=access)],
        exception_handlers={404: not_found, NoPageError: not_found, CorrectionsError: damaged},
    )
    app.state.library, app.state.access, app.state.index = library, access, index
    return app


def _show_static(request: Request) -> Response:
    found = static_file(request.path_params["name"])
    if found is None:
        return PlainTextResponse("File not found.\n", 404)
    text, kind = found
    return Response(text, media_type=kind)


def _show_sites(request: Request) -> Response:
    """Show all sites by state, or those of one state and with some letters in their name."""
    library: Library = request.app.state.library
    asked, chosen = request.query_params.get("q", ""), request.query_params.get("state", "")
    everything = overview(_site_views(library), time.time())
    shown = everything.only(chosen, asked)
    page = render(
        "sites.html",
        overview=everything,
        shown=shown,
        asked=asked,
        chosen=chosen,
        path=partial(_sites_path, asked),
        states=LEGEND,
        days=DAYS,
    )
    return HTMLResponse(page, headers={"Content-Security-Policy": FORM_POLICY})


def _site_views(library: Library) -> Iterator[SiteView]:
    history, now = library.source.history(), time.time()
    for site, pages in library.sites(history).items():
        problem, corrections = "", 0
        try:
            corrections = len(library.corrections(site))
        except CorrectionsError as error:
            problem = str(error)
        yield site_view(
            site,
            history.get(site, []),
            now,
            pages=pages,
            corrections=corrections,
            problem=problem,
        )


def _sites_path(asked: str, state: str = "") -> str:
    """Return the path of the overview with these filters.

    >>> _sites_path("", "no articles"), _sites_path("")
    ('/?state=no+articles', '/')
    """
    values = {name: value for name, value in (("state", state), ("q", asked)) if value}
    return f"/?{urlencode(values)}" if values else "/"


def _show_site(request: Request) -> Response:
    """Show the kept pages of a site, and its corrections."""
    library: Library = request.app.state.library
    site = request.path_params["site"]
    kept = library.pages(site)
    history = library.source.history()
    sites = library.sites(history)
    if site not in sites:
        raise NoPageError(f"Unknown site: {site}")
    view = site_view(site, history.get(site, []), time.time())
    corrections = library.corrections(site)
    rows = []
    for shown in kept:
        if library.site_of(shown.kept.site, history) != site:
            continue
        extraction = shown.extraction
        corrected = library.corrected(site, shown.kept.name)
        title = corrected.headline or shown.kept.url or shown.kept.name
        words = len(corrected.text.split())
        confidence, fetched = extraction.choice.confidence, moment(shown.kept.fetched_at)
        rows.append((shown.kept, title, words, bool(corrected.flips), confidence, fetched))
    inactive = {each.id for each in corrections.inactive(shown.extraction.page for shown in kept)}
    return HTMLResponse(
        render(
            "site.html",
            site=site,
            rows=rows,
            view=view,
            meaning=STATES.get(view.state) if view.state else None,
            corrections=list(corrections),
            conflicts=corrections.conflicts,
            inactive=inactive if kept else set(),
            file=library.file(site),
        )
    )


def _show_page(request: Request) -> Response:
    """Show the noise map of a kept page, with the buttons that label blocks."""
    library: Library = request.app.state.library
    site, name = request.path_params["site"], request.path_params["name"]
    extraction = library.corrected(site, name)
    corrections = library.corrections(site)
    asked = request.query_params.get("accepted", "").split(",")
    accepted = [each.id for each in corrections if each.id in asked]
    frame = Markup('src="{}"').format(page_path(site, name, "frame"))
    return HTMLResponse(
        render(
            "page.html",
            site=site,
            name=name,
            view=map_view(extraction, name),
            frame=frame,
            accepted=accepted,
            file=library.file(site),
        )
    )


def _show_frame(request: Request) -> Response:
    """Show the original page in the frame of its map."""
    library: Library = request.app.state.library
    extraction = library.corrected(request.path_params["site"], request.path_params["name"])
    return HTMLResponse(map_view(extraction).frame, headers=_FRAME_HEADERS)


def not_found(request: Request, error: Exception) -> Response:
    # Starlette finds no mounted application for a path with a line break.
    if isinstance(error, HTTPException) and request.scope["path"].startswith(f"{API}/"):
        return show_http_error(request, error)
    message = str(error) if isinstance(error, NoPageError) else "Page not found."
    return HTMLResponse(render("problem.html", message=message), 404)


def damaged(request: Request, error: Exception) -> Response:
    return HTMLResponse(render("problem.html", message=str(error)), 500)
