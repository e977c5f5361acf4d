"""What a demo site answers."""

from dataclasses import dataclass

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Response:
    body: bytes
    content_type: str = HTML
    status: int = 200
    #: the name of this state of the page; who knows it already gets no body
    etag: str = ""
