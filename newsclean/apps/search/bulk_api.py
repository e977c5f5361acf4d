"""An index in OpenSearch or Elasticsearch, through their common bulk API.

The URLs are `opensearch+https://user:password@host:9200/index` and `elasticsearch+https://…`; both
servers get the same requests. There are no retries here: what fails stays in the spool.
"""

from __future__ import annotations

import json
import math
import re
from base64 import b64encode
from datetime import datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any, NamedTuple, get_origin
from urllib.parse import quote, unquote, urlsplit

from newsclean.apps.search.index_target import (
    IndexTargetError,
    Refused,
    TargetDownError,
    Written,
    without_password,
)
from newsclean.article import field_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_DEFAULT_INDEX = "newsclean"
_DEFAULT_PORT = 9200
_TIMEOUT = 60  # seconds, for one request
#: Bytes of one request; servers refuse more than 100 MB and work best with far less.
_MAX_REQUEST = 10_000_000
#: The server is overloaded, or its proxy cannot reach it.
BUSY = (429, 502, 503, 504)
_NOT_FOUND, _CONFLICT, _TOO_LARGE = 404, 409, 413
#: Characters of a response in an error message.
_MAX_SHOWN = 500

#: Searched as text.
TEXTS = ("headline", "kicker", "lead", "description", "body")
DATES = ("date_published", "date_modified", "fetched_at")
#: Stored, but not searched; `source` is in the lines of `newsclean extract`.
STORED_TEXTS = ("body_html", "markdown", "source")
_TYPES = field_types()
#: All other texts, compared as a whole.
NAMES = tuple(
    name
    for name, kind in _TYPES.items()
    if kind is str and name not in (*TEXTS, *DATES, *STORED_TEXTS)
)
#: Several names.
LISTS = tuple(name for name, kind in _TYPES.items() if kind == list[str])
FLAGS = tuple(name for name, kind in _TYPES.items() if kind is bool)
#: Stored, but not searched.
STORED_OBJECTS = tuple(
    name for name, kind in _TYPES.items() if get_origin(kind) and name not in LISTS
)

#: The analyzer of each language for which both servers have one.
_ANALYZERS = {
    "ar": "arabic", "bg": "bulgarian", "bn": "bengali", "ca": "catalan", "ckb": "sorani",
    "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "gl": "galician", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "ja": "cjk", "ko": "cjk",
    "lt": "lithuanian", "lv": "latvian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "th": "thai", "tr": "turkish", "zh": "cjk",
}  # fmt: skip
#: The two written forms of Norwegian have the same analyzer.
_SAME_ANALYZER = {"nb": "no", "nn": "no"}
#: Characters of a keyword; Lucene indexes at most 32,766 bytes.
_MAX_NAME = 8000
#: Characters of a text that can be highlighted; the default of the servers is a million.
_MAX_HIGHLIGHTED = 10_000_000
#: The analyzer for texts of any language.
_ANALYZER = "newsclean"

#: Bytes of an id, and the largest version of a document.
_MAX_KEY = 512
_MAX_REVISION = 2**63 - 1
#: Null bytes and lone surrogates: valid JSON, but refused by servers.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_DAY = re.compile(r"\d{4}-?\d{2}-?\d{2}|\d{4}-?W\d{2}-?\d")


class UnusableLineError(ValueError):
    """A line that cannot become a document."""


class StatusError(Exception):
    """The server has refused a request."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"status {status}: {reason}")
        self.status = status


class Operation(NamedTuple):
    """One article in a request."""

    #: index in the batch
    place: int
    lines: bytes


def open_target(address: str) -> BulkTarget:
    """Open the index at a URL; create it if it does not exist."""
    return BulkTarget(BulkClient(address))


class BulkTarget:
    """An index on a server with the bulk API."""

    def __init__(self, client: BulkClient) -> None:
        self._client = client
        try:
            client.create_index(index_settings())
        except StatusError as error:
            raise self._error(error) from None

    def write(self, articles: Sequence[Mapping[str, Any]]) -> Written:
        operations: list[Operation] = []
        refused: list[Refused] = []
        for place, article in enumerate(articles):
            try:
                operations.append(Operation(place, operation_of(article)))
            except UnusableLineError as error:
                refused.append(Refused(place, str(error)))
        written = Written(refused=tuple(refused))
        for request in _requests_of(operations):
            written += self._send(request)
        return written

    def close(self) -> None:
        """Do nothing: each request has its own connection."""

    def _send(self, operations: Sequence[Operation]) -> Written:
        try:
            answer = self._client.bulk(b"".join(each.lines for each in operations))
        except StatusError as error:
            if error.status != _TOO_LARGE:
                raise self._error(error) from None
            if len(operations) == 1:
                return Written(refused=(Refused(operations[0].place, "too large for the server"),))
            half = len(operations) // 2
            return self._send(operations[:half]) + self._send(operations[half:])
        return _read_answer(answer, operations)

    def _error(self, error: StatusError) -> IndexTargetError | TargetDownError:
        if error.status in BUSY:
            return TargetDownError(f"the server is busy: {error}")
        return IndexTargetError(f"the server refuses the index {self._client.index}: {error}")


class BulkClient:
    """Sends requests to one index of a server.

    Raise `StatusError`, or `TargetDownError` if the server does not answer.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address.partition("+")[2])
        self.index = parts.path.strip("/") or _DEFAULT_INDEX
        if not parts.hostname or "/" in self.index:
            raise IndexTargetError(
                f"{without_password(address)} is not the URL of an index: "
                "write opensearch+http://host:9200/name"
            )
        self._is_encrypted = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port or _DEFAULT_PORT
        self._headers = {"Accept": "application/json", "User-Agent": "newsclean"}
        if parts.username is not None:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._headers["Authorization"] = f"Basic {b64encode(login.encode()).decode()}"

    def create_index(self, settings: Mapping[str, Any]) -> None:
        """Create the index unless it exists."""
        path = f"/{quote(self.index, safe='')}"
        try:
            self._ask("HEAD", path)
        except StatusError as error:
            if error.status != _NOT_FOUND:
                raise
            try:
                self._ask("PUT", path, json.dumps(settings).encode(), "application/json")
            except StatusError as failure:
                # Another process may have been faster.
                if "resource_already_exists_exception" not in str(failure):
                    raise

    def bulk(self, request: bytes) -> Mapping[str, Any]:
        """Send a bulk request and return the response."""
        path = f"/{quote(self.index, safe='')}/_bulk"
        raw = self._ask("POST", path, request, "application/x-ndjson")
        try:
            answer = json.loads(raw)
        except ValueError as error:
            raise TargetDownError(f"the response cannot be read: {error}") from None
        return answer if isinstance(answer, dict) else {}

    def _ask(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> bytes:
        connection_class = HTTPSConnection if self._is_encrypted else HTTPConnection
        connection = connection_class(self._host, self._port, timeout=_TIMEOUT)
        headers = self._headers | ({"Content-Type": kind} if kind else {})
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            answer = response.read()
        except (OSError, HTTPException) as error:  # no connection, a timeout, not HTTP
            raise TargetDownError(f"the server does not answer: {error!r}") from None
        finally:
            connection.close()
        if not 200 <= response.status < 300:
            reason = answer.decode("utf-8", "replace")[:_MAX_SHOWN] or response.reason
            raise StatusError(response.status, reason)
        return answer


def _requests_of(operations: Sequence[Operation]) -> Iterator[list[Operation]]:
    """Group operations into requests of limited size."""
    request: list[Operation] = []
    size = 0
    for operation in operations:
        if request and size + len(operation.lines) > _MAX_REQUEST:
            yield request
            request, size = [], 0
        request.append(operation)
        size += len(operation.lines)
    if request:
        yield request


def _read_answer(answer: Mapping[str, Any], operations: Sequence[Operation]) -> Written:
    """Count the operations by status.

    A version conflict means that the index has the same revision or a newer one. If the server was
    too busy for some operations, all are sent again later, and the others become such conflicts.
    """
    items = answer.get("items")
    if not isinstance(items, list) or len(items) != len(operations):
        raise TargetDownError("the response does not match the request")
    new = changed = same = 0
    refused = []
    for item, operation in zip(items, operations, strict=True):
        result: Mapping[str, Any] = next(iter(item.values()))
        status = result.get("status")
        if status == 201:
            new += 1
        elif status == 200:
            changed += 1
        elif status == _CONFLICT:
            same += 1
        elif status in BUSY:
            raise TargetDownError(f"the server is busy: {_reason(result)}")
        elif status == _NOT_FOUND:  # the index was removed; opening it creates it again
            raise IndexTargetError(_reason(result))
        else:
            refused.append(Refused(operation.place, f"{status}: {_reason(result)}"))
    return Written(new=new, changed=changed, same=same, refused=tuple(refused))


def operation_of(line: Mapping[str, Any]) -> bytes:
    """Return the action of an article and its document, one line each.

    The revision is the version of the document: the server keeps a document of the same version
    or a newer one.
    """
    document = _document_of(line)
    version = {"version": document["revision"], "version_type": "external"}
    action = {"index": {"_id": document["id"], **version}}
    text = "\n\n".join(document[name] for name in TEXTS if document.get(name))
    field = _text_field(document.get("language"))
    source = document if field is None else {**document, field: text}
    return b"".join(
        json.dumps(each, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        + b"\n"
        for each in (action, source)
    )


def _document_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a line; raise `UnusableLineError` without an id or a revision.

    Values of the wrong type for the mapping are left out, so that one bad value does not cost the
    whole article. Other fields of the project are kept unchanged.
    """
    key = line.get("id")
    if not isinstance(key, str) or not key.strip():
        raise UnusableLineError("it has no id")
    if len(_text(key).encode()) > _MAX_KEY:
        raise UnusableLineError(f"its id has more than {_MAX_KEY} bytes")
    document: dict[str, Any] = {}
    for name, value in line.items():
        kept = _READERS.get(name, _any)(value)
        if kept is not None:
            document[_text(name)] = kept
    if "revision" not in document:
        raise UnusableLineError(f"its revision {line.get('revision')!r} is not a number, 0 or more")
    return document


def _text_field(language: str | None) -> str | None:
    """Return the field for text in the language of the document.

    >>> _text_field("de-AT"), _text_field("tlh")
    ('text_de', None)
    """
    code = re.split("[-_]", language or "")[0].lower()
    code = _SAME_ANALYZER.get(code, code)
    return f"text_{code}" if code in _ANALYZERS else None


def index_settings() -> dict[str, Any]:
    """Return the settings and the mapping of the index."""
    analyzer = {
        "type": "custom",
        "tokenizer": "standard",
        # Without accents; Chinese, Japanese and Korean as pairs of letters.
        "filter": ["cjk_width", "lowercase", "asciifolding", "cjk_bigram"],
    }
    text = {"type": "text", "analyzer": _ANALYZER}
    name = {"type": "keyword", "ignore_above": _MAX_NAME}
    properties: dict[str, Any] = dict.fromkeys(TEXTS, text)
    properties |= dict.fromkeys((*NAMES, *LISTS), name)
    properties |= {each: {"type": "date", "ignore_malformed": True} for each in DATES}
    properties |= {each: {"type": "boolean"} for each in FLAGS}
    properties |= {"revision": {"type": "long"}, "article_probability": {"type": "float"}}
    properties |= {each: {"type": "text", "index": False} for each in STORED_TEXTS}
    properties |= {each: {"type": "object", "enabled": False} for each in STORED_OBJECTS}
    properties |= {
        f"text_{language}": {"type": "text", "analyzer": analyzer}
        for language, analyzer in _ANALYZERS.items()
    }
    return {
        "settings": {
            "analysis": {"analyzer": {_ANALYZER: analyzer}},
            "index": {"highlight": {"max_analyzed_offset": _MAX_HIGHLIGHTED}},
        },
        "mappings": {
            # Other fields of the project are stored, but not searched.
            "dynamic": False,
            # They repeat the words of other fields.
            "_source": {"excludes": ["text_*"]},
            "properties": properties,
        },
    }


def _reason(result: Mapping[str, Any]) -> str:
    error = result.get("error")
    if isinstance(error, dict):
        return f"{error.get('type')}: {error.get('reason')}"
    return str(error)


def _text(text: str) -> str:
    return _UNSTORABLE.sub("\ufffd", text)


def _any(value: Any) -> Any:
    """Make the texts in a JSON value storable; None if the value is not valid JSON."""
    if isinstance(value, str):
        return _text(value)
    try:
        packed = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    if not _UNSTORABLE.search(packed) and "\\u0000" not in packed:
        return value
    if isinstance(value, dict):
        return {_text(str(name)): _any(item) for name, item in value.items()}
    return [_any(item) for item in value]


def _string(value: Any) -> str | None:
    return _text(value) if isinstance(value, str) else None


def _strings(value: Any) -> list[str] | None:
    if not isinstance(value, list):
        return None
    return [_text(item) for item in value if isinstance(item, str)]


def _date(value: Any) -> str | None:
    """Return a date in the format of the servers."""
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return moment.date().isoformat() if _DAY.fullmatch(value) else moment.isoformat("T", "seconds")


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _revision(value: Any) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 <= value <= _MAX_REVISION else None


def _probability(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None


_READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys((*TEXTS, *NAMES, *STORED_TEXTS), _string),
    **dict.fromkeys(LISTS, _strings),
    **dict.fromkeys(DATES, _date),
    **dict.fromkeys(FLAGS, _flag),
    "revision": _revision,
    "article_probability": _probability,
}
