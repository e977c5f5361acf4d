"""The JSON API: one table of its paths and parameters, from which routes and OpenAPI are made.

The application checks host name and token before (access.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, get_origin

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import newsclean
from newsclean.apps.serve.access import API
from newsclean.apps.serve.answers import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    MAX_OFFSET,
    AnswerError,
    sentence,
)
from newsclean.article import field_types
from newsclean.error_hints import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from newsclean.apps.serve.answers import Answers


#: Characters of a value; the query language has a limit of its own.
_MAX_VALUE = 10_000
#: How often a parameter can be repeated.
_MAX_VALUES = 100
#: Seconds after which a busy index is asked again.
_RETRY = "5"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a query string, with its JSON schema: text, a number, or a choice."""

    name: str
    description: str
    schema: dict[str, Any] = field(default_factory=lambda: {"type": "string"})
    is_required: bool = False

    def read(self, values: list[str]) -> Any:
        """Return the value for `Answers`; raise `AnswerError`."""
        for value in values:
            if len(value) > _MAX_VALUE:
                raise AnswerError(
                    400, f"parameter {self.name} has more than {_MAX_VALUE:,} characters"
                )
        if self.schema["type"] == "array":
            if len(values) > _MAX_VALUES:
                raise AnswerError(
                    400, f"parameter {self.name} is given more than {_MAX_VALUES} times"
                )
            return values
        if len(values) > 1:
            raise AnswerError(400, f"parameter {self.name} is given {len(values)} times")
        (value,) = values
        if self.schema["type"] == "integer":
            return self._number(value)
        if self.is_required and not value.strip():
            raise AnswerError(400, f"parameter {self.name} is empty: {self.description}")
        if value not in self.schema.get("enum", [value]):
            choices = " or ".join(self.schema["enum"])
            raise AnswerError(400, f"parameter {self.name}={_shown(value)}: it must be {choices}")
        return value

    def _number(self, value: str) -> int:
        least, most = self.schema["minimum"], self.schema["maximum"]
        is_number = value.isascii() and value.isdigit() and len(value) < 10
        if not (is_number and least <= int(value) <= most):
            must = f"it must be a number from {least} to {most:,}"
            raise AnswerError(400, f"parameter {self.name}={_shown(value)}: {must}")
        return int(value)

    def to_openapi(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "in": "query",
            "required": self.is_required,
            "description": sentence(self.description),
            "schema": self.schema,
        }


def _number(least: int, most: int, default: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most, "default": default}


_NAMES = {"type": "array", "items": {"type": "string"}}
_FILTERS = (
    Parameter("site", "only this site, subdomains included; can be repeated", _NAMES),
    Parameter("language", "only this language, such as en or pt-BR; can be repeated", _NAMES),
    Parameter("since", "published since a date (2026-03-14, or with a time) or within an age (7d)"),
    Parameter("until", "published before this date or age"),
)


@dataclass(frozen=True)
class _Endpoint:
    """A path of the API, answered by the method of `Answers` with this name."""

    path: str
    answer: str
    summary: str
    #: JSON schema of the answer
    schema: dict[str, Any]
    parameters: tuple[Parameter, ...] = ()
    #: name and description of the parameter in the path
    in_path: tuple[str, str] | None = None
    errors: tuple[int, ...] = (400, 500, 503)


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _list_of(name: str) -> dict[str, Any]:
    return {"type": "array", "items": _ref(name)}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


_TEXT: dict[str, Any] = {"type": "string"}
_TEXT_OR_NULL: dict[str, Any] = {"type": ["string", "null"]}
_FLAG = {"type": "boolean"}
_COUNT = {"type": "integer"}
_COUNT_OR_NULL = {"type": ["integer", "null"]}
_JSON_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", dict: "object"}

_SITE = {
    "name": _TEXT,
    "state": _TEXT_OR_NULL,
    "is_trouble": _FLAG,
    "meaning": _TEXT,
    "last_run": _TEXT_OR_NULL,
    "kept_pages": _COUNT,
    "articles": _COUNT_OR_NULL,
}
_COPY = _object(
    id=_TEXT, url=_TEXT_OR_NULL, site=_TEXT_OR_NULL, headline=_TEXT_OR_NULL, date=_TEXT_OR_NULL
)
_SOURCE_HEALTH = {
    "state": {"type": "string", "enum": ["good", "not there", "unreadable"]},
    "problem": _TEXT_OR_NULL,
}
_SCHEMAS: dict[str, dict[str, Any]] = {
    "Article": {
        "type": "object",
        "description": "The JSON line of an article; body_html is clean HTML.",
        "properties": {
            name: {"type": [_JSON_TYPES.get(get_origin(kind) or kind, "array"), "null"]}
            for name, kind in field_types().items()
        },
    },
    "Articles": _object(articles=_list_of("Article"), next=_TEXT_OR_NULL),
    "Hit": _object(
        **_COPY["properties"],
        section=_TEXT_OR_NULL,
        language=_TEXT_OR_NULL,
        snippet=_object(
            text=_TEXT, marks={"type": "array", "items": {"type": "array", "items": _COUNT}}
        ),
        score={"type": "number"},
        also_on={"type": "array", "items": _COPY},
        copies=_COUNT,
    ),
    "Results": _object(total=_COUNT, hits=_list_of("Hit")),
    "Site": _object(**_SITE),
    "Sites": _object(sites=_list_of("Site")),
    "SiteDetails": _object(
        **_SITE
        | {
            "advice": _TEXT,
            "in_trouble_since": _TEXT_OR_NULL,
            "runs_in_trouble": _COUNT,
            "articles_per_day": {"type": ["number", "null"]},
            "corrections": _COUNT_OR_NULL,
            "corrections_problem": _TEXT_OR_NULL,
            "notes": {"type": "array", "items": _TEXT},
            "run": {"type": ["object", "null"], "description": "The last run, with its counts."},
        }
    ),
    "Health": _object(
        state={"type": "string", "enum": ["good", "unreadable"]},
        index=_object(**_SOURCE_HEALTH, newest_article=_TEXT_OR_NULL),
        memory=_object(**_SOURCE_HEALTH, sites=_COUNT_OR_NULL),
    ),
    "Error": _object(error=_TEXT),
}

ENDPOINTS = (
    _Endpoint(
        "/articles",
        "articles",
        "All articles of the index, newest first.",
        _ref("Articles"),
        (
            *_FILTERS,
            Parameter("limit", "number of articles", _number(1, MAX_LIMIT, DEFAULT_LIMIT)),
            Parameter("cursor", "next of an earlier answer, for the articles that follow"),
        ),
    ),
    _Endpoint(
        "/articles/{id}",
        "article",
        "One article.",
        _ref("Article"),
        in_path=("id", "The id of an article."),
        errors=(400, 404, 500, 503),
    ),
    _Endpoint(
        "/search",
        "search",
        "Search the index, best matches first. Near copies are grouped into one result.",
        _ref("Results"),
        (
            Parameter("q", "the words to search for; /api/articles lists all", is_required=True),
            *_FILTERS,
            Parameter("section", "only this section; can be repeated", _NAMES),
            Parameter(
                "sort",
                "order of the results: best or newest first",
                {"type": "string", "enum": ["score", "date"], "default": "score"},
            ),
            Parameter("limit", "number of results", _number(1, MAX_LIMIT, 10)),
            Parameter("offset", "number of results to skip", _number(0, MAX_OFFSET, 0)),
        ),
    ),
    _Endpoint(
        "/sites", "sites", "All sites with their states, the most urgent first.", _ref("Sites")
    ),
    _Endpoint(
        "/sites/{name}",
        "site",
        "One site: its state, the counts of its last run, and what to do.",
        _ref("SiteDetails"),
        in_path=("name", "The name of a site, such as example.org."),
        errors=(400, 404, 500, 503),
    ),
    _Endpoint(
        "/health",
        "health",
        "Whether index and memory can be read. The status is 503 if one cannot.",
        _ref("Health"),
        errors=(400,),
    ),
)
OPENAPI = "/openapi.json"


def make_api(answers: Answers) -> Starlette:
    """Return the application below `/api`."""
    routes = [
        Route(_route_path(each), partial(_answer, endpoint=each, answers=answers))
        for each in ENDPOINTS
    ]
    handlers: dict[Any, Callable[..., Response]] = {
        AnswerError: _show_error,
        HTTPException: show_http_error,
        Exception: _show_crash,
    }
    return Starlette(routes=[*routes, Route(OPENAPI, _show_openapi)], exception_handlers=handlers)


def _route_path(endpoint: _Endpoint) -> str:
    """Return the path for Starlette; ids of third-party lines may have slashes."""
    return endpoint.path.replace("{id}", "{id:path}")


def _answer(request: Request, endpoint: _Endpoint, answers: Answers) -> Response:
    values = _values(request, endpoint)
    in_path = request.path_params.values()
    found = getattr(answers, endpoint.answer)(*in_path, **values)
    status = 503 if endpoint.answer == "health" and found["state"] != "good" else 200
    return JSONResponse(found, status)


def _values(request: Request, endpoint: _Endpoint) -> dict[str, Any]:
    """Read the parameters; raise `AnswerError` for an unknown, missing or invalid one."""
    known = {each.name: each for each in endpoint.parameters}
    asked = request.query_params
    for name in asked:
        if name not in known:
            if not known:
                raise AnswerError(400, f"unknown parameter {_shown(name)}: this path takes none")
            hint = f"did you mean {nearest(name[:50], known)}? There are {', '.join(known)}"
            raise AnswerError(400, f"unknown parameter {_shown(name)}: {hint}")
    for name, parameter in known.items():
        if parameter.is_required and name not in asked:
            raise AnswerError(400, f"parameter {name} is missing: {parameter.description}")
    return {name: known[name].read(asked.getlist(name)) for name in dict.fromkeys(asked)}


def _shown(value: str) -> str:
    """Return a value of a request for an error message."""
    return value if len(value) <= 50 else f"{value[:50]}…"


def _show_error(request: Request, error: AnswerError) -> Response:
    headers = {"Retry-After": _RETRY} if error.status == 503 else None
    return JSONResponse({"error": str(error)}, error.status, headers)


def show_http_error(request: Request, error: HTTPException) -> Response:
    message = sentence(error.detail)
    if error.status_code == 404:
        paths = ", ".join(f"{API}{each.path}" for each in ENDPOINTS)
        message = f"There is no such path. There are {paths} and {API}{OPENAPI}."
    return JSONResponse({"error": message}, error.status_code, error.headers)


def _show_crash(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "The server has failed; its log says why."}, 500)


def _show_openapi(request: Request) -> Response:
    if request.query_params:
        raise AnswerError(400, "openapi.json has no parameters")
    return JSONResponse(openapi())


def openapi() -> dict[str, Any]:
    """Return the description of the API, OpenAPI 3.1."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "newsclean",
            "version": newsclean.__version__,
            "description": "Articles, search results and sites of newsclean serve. Read only.",
            "license": {"name": "BSD-3-Clause", "identifier": "BSD-3-Clause"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}],
        "paths": {f"{API}{each.path}": {"get": _operation(each)} for each in ENDPOINTS},
        "components": {
            "schemas": _SCHEMAS,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token of NEWSCLEAN_TOKEN or --token-file, if it is set.",
                }
            },
        },
    }


def _operation(endpoint: _Endpoint) -> dict[str, Any]:
    in_path = []
    if endpoint.in_path is not None:
        name, description = endpoint.in_path
        in_path = [
            {
                "name": name,
                "in": "path",
                "required": True,
                "description": description,
                "schema": _TEXT,
            }
        ]
    errors = sorted({*endpoint.errors, 401, 403, 405, 421})
    return {
        "operationId": endpoint.answer,
        "summary": endpoint.summary,
        "parameters": [*in_path, *(each.to_openapi() for each in endpoint.parameters)],
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {"application/json": {"schema": endpoint.schema}},
            }
        }
        | {
            str(status): {
                "description": HTTPStatus(status).phrase,
                "content": {"application/json": {"schema": _ref("Error")}},
            }
            for status in errors
        }
        | (
            {
                "503": {
                    "description": "Index or memory cannot be read.",
                    "content": {"application/json": {"schema": endpoint.schema}},
                }
            }
            if endpoint.answer == "health"
            else {}
        ),
    }
