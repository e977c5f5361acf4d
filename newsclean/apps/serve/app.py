"""The Starlette application: routes and the pages of sites."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from newsclean.apps.look.framed_page import POLICY as FRAME_POLICY
from newsclean.apps.look.framed_page import map_view
from newsclean.apps.serve.access import (
    LOG_IN,
    STATIC,
    AccessMiddleware,
    log_in,
    page_path,
    render,
    static_file,
)
from newsclean.apps.serve.search_page import ARTICLE, SEARCH, show_article, show_search
from newsclean.apps.serve.site_library import NoPageError
from newsclean.apps.serve.teach_requests import accept, take_back, try_labels
from newsclean.extraction.corrections import CorrectionsError
from newsclean.memory.site_health import state_of
from newsclean.memory.site_report import kind_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from newsclean.apps.serve.access import Access
    from newsclean.apps.serve.site_library import Library
    from newsclean.memory.site_health import SiteRun


_FRAME_HEADERS = {
    "Content-Security-Policy": f"{FRAME_POLICY}; sandbox allow-same-origin; frame-ancestors 'self'"
}


def make_app(library: Library, access: Access, index: str | None = None) -> Starlette:
    """Return the application for one library; without a session, only the log-in page is visible.

    `index` is the path or URL of the index to search.
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
    """Show all sites: their state after the last run, and the number of kept pages."""
    library: Library = request.app.state.library
    counts, history = library.source.sites(), library.source.history()
    rows = []
    for site in sorted(counts.keys() | history.keys()):
        problem = corrections = None
        try:
            corrections = len(library.corrections(site))
        except CorrectionsError as error:
            problem = str(error)
        health = _health_of(history.get(site, []))
        rows.append((site, counts.get(site, 0), health, corrections, problem))
    return HTMLResponse(render("sites.html", rows=rows))


def _show_site(request: Request) -> Response:
    """Show the kept pages of a site, and its corrections."""
    library: Library = request.app.state.library
    site = request.path_params["site"]
    kept = library.pages(site)
    history = library.source.history().get(site, [])
    if not kept and not history and site not in library.source.sites():
        raise NoPageError(f"Unknown site: {site}")
    corrections = library.corrections(site)
    rows = []
    for shown in kept:
        if shown.kept.site != site:
            continue
        extraction = shown.extraction
        corrected = library.corrected(site, shown.kept.name)
        title = corrected.headline or shown.kept.url or shown.kept.name
        words = len(corrected.text.split())
        rows.append((shown.kept, title, words, bool(corrected.flips), extraction.choice.confidence))
    inactive = {each.id for each in corrections.inactive(shown.extraction.page for shown in kept)}
    return HTMLResponse(
        render(
            "site.html",
            site=site,
            rows=rows,
            health=_health_of(history),
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
    message = str(error) if isinstance(error, NoPageError) else "Page not found."
    return HTMLResponse(render("problem.html", message=message), 404)


def damaged(request: Request, error: Exception) -> Response:
    return HTMLResponse(render("problem.html", message=str(error)), 500)


def _health_of(runs: list[SiteRun]) -> dict[str, str] | None:
    """Describe the state of a site after its last run."""
    if not runs:
        return None
    last, state = runs[-1], state_of(runs)
    when = datetime.fromtimestamp(last.started, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return {
        "state": str(state),
        "kind": kind_of(state),
        "when": when,
        "new": f"{last.counts.new:,}",
    }
