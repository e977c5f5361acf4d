"""Answer the browser's requests to teach a site: preview labels, accept them, undo a correction."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from newsclean.apps.serve.access import RequestError, json_body, page_path
from newsclean.apps.serve.site_library import NoPageError
from newsclean.extraction.corrections import FIELDS, CorrectionsError
from newsclean.extraction.teaching import LabelError, LabelledPage, teach

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from newsclean.apps.serve.site_library import Library
    from newsclean.extraction.corrections import Correction
    from newsclean.extraction.teaching import PageChange, Proposal


#: Blocks of a page that one request may label.
_MAX_LABELS = 2000
_MAX_NOTE = 500
#: Characters of a block in the list of changes, and changes of a page that are listed.
_MAX_TEXT = 160
_MAX_CHANGES = 12


async def try_labels(request: Request) -> Response:
    """Return what the labels would change on all kept pages of the site."""
    return await _answer(request, _try)


async def accept(request: Request) -> Response:
    """Save the correction, if it still changes what the preview showed."""
    return await _answer(request, _accept)


async def take_back(request: Request) -> Response:
    """Remove a correction."""
    return await _answer(request, _take_back)


async def _answer(request: Request, work: Any) -> Response:
    try:
        values = await json_body(request)
        library: Library = request.app.state.library
        found = await run_in_threadpool(work, library, request.path_params, values)
    except NoPageError as error:
        return JSONResponse({"error": str(error)}, 404)
    except StaleError as error:
        return JSONResponse({"error": str(error)}, 409)
    except (RequestError, LabelError, CorrectionsError) as error:
        return JSONResponse({"error": str(error)}, 400)
    return JSONResponse(found)


class StaleError(ValueError):
    """The preview is out of date."""


def _try(library: Library, place: dict[str, str], values: dict[str, Any]) -> dict[str, Any]:
    return _labelled(library, place, values)[1]


def _accept(library: Library, place: dict[str, str], values: dict[str, Any]) -> dict[str, Any]:
    corrections, found = _labelled(library, place, values)
    if values.get("shown") != found["shown"]:
        raise StaleError(
            "pages or corrections have changed since the preview: look again at what would change"
        )
    if found["is_empty"]:
        raise RequestError(
            "the method and earlier corrections already agree: there is nothing to accept"
        )
    path = library.accept(place["site"], *corrections)
    ids = [each.id for each in corrections]
    return {"ids": ids, "file": str(path), "changed": len(found["pages"])}


def _take_back(library: Library, place: dict[str, str], values: dict[str, Any]) -> dict[str, Any]:
    names = values.get("ids")
    if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
        raise RequestError("ids must be a list of correction ids")
    try:
        library.take_back(place["site"], *names)
    except KeyError as error:
        raise RequestError(f"unknown correction: {error.args[0]}") from None
    return {"ids": names}


def _labelled(
    library: Library, place: dict[str, str], values: dict[str, Any]
) -> tuple[tuple[Correction, ...], dict[str, Any]]:
    """Return the corrections made from labels, and what they would change, for the browser."""
    site, name = place["site"], place["name"]
    extraction = library.corrected(site, name)
    labelled = LabelledPage(
        extraction,
        include=_numbers(values, "include"),
        exclude=_numbers(values, "exclude"),
        fields=_fields(values),
        note=_note(values),
        name=extraction.page.url or name,
    )
    pages = library.pages(site)
    proposal = teach([labelled], [page.extraction for page in pages], library.corrections(site))
    changed = [
        _page_data(site, shown.kept.name, change, shown.extraction.headline or "")
        | {"is_this": shown.kept.name == name}
        for shown, change in zip(pages, proposal.preview.pages, strict=True)
        if change
    ]
    changed.sort(key=lambda page: not page["is_this"])
    found: dict[str, Any] = {
        "pages": changed,
        "unchanged": len(pages) - len(changed),
        "is_empty": proposal.is_empty,
        "conflicts": _conflicts(proposal),
        "without_effect": [_shortened(text) for text in proposal.without_effect],
        "also": [each.headline or each.page.url or "" for each in proposal.also],
    }
    digest = sha256(json.dumps(found, sort_keys=True).encode("utf-8", "replace"))
    found["shown"] = digest.hexdigest()
    return proposal.corrections, found


def _page_data(site: str, name: str, change: PageChange, title: str) -> dict[str, Any]:
    return {
        "title": title or change.url or name,
        "path": page_path(site, name),
        "before": change.before,
        "after": change.after,
        "added": change.added_words,
        "removed": change.removed_words,
        "changes": [
            {"is_added": one.is_added, "words": one.words, "text": _shortened(one.text)}
            for one in change.blocks[:_MAX_CHANGES]
        ],
        "more": max(len(change.blocks) - _MAX_CHANGES, 0),
        "fields": {field: list(pair) for field, pair in change.fields.items()},
    }


def _conflicts(proposal: Proposal) -> list[dict[str, str]]:
    """Return the earlier corrections that conflict with the new ones."""
    new = {each.id for each in proposal.corrections}
    ids = {name for each in proposal.conflicts for name in (each.belongs, each.noise)} - new
    return [
        {"id": each.id, "page": each.page, "date": each.date}
        for each in proposal.after
        if each.id in ids
    ]


def _numbers(values: dict[str, Any], name: str) -> list[int]:
    numbers = values.get(name, [])
    if not isinstance(numbers, list) or len(numbers) > _MAX_LABELS:
        raise RequestError(f"{name} must be a list of at most {_MAX_LABELS} blocks")
    if not all(type(number) is int for number in numbers):  # True is not a block number
        raise RequestError(f"{name} must be block numbers")
    return numbers


def _fields(values: dict[str, Any]) -> dict[str, int]:
    fields = values.get("fields", {})
    if not isinstance(fields, dict) or not all(
        name in FIELDS and type(number) is int for name, number in fields.items()
    ):
        raise RequestError(f"fields must name the block of {', '.join(FIELDS)}")
    return fields


def _note(values: dict[str, Any]) -> str:
    note = values.get("note", "")
    if not isinstance(note, str) or len(note) > _MAX_NOTE:
        raise RequestError(f"note must be a text of at most {_MAX_NOTE} characters")
    return note


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"
