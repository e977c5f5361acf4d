"""Reading a small page in a test."""

import json

import lxml.html

from newsclean.extraction.metadata import PageMetadata


def read(html: str, url: str | None = None) -> PageMetadata:
    root = lxml.html.document_fromstring(html or "<html></html>")
    return PageMetadata(lambda tag: list(root.iter(tag)), url)


def script(*objects: object) -> str:
    return "".join(
        f'<script type="application/ld+json">{text}</script>'
        for text in (item if isinstance(item, str) else json.dumps(item) for item in objects)
    )


def meta(**contents: str) -> str:
    return "".join(
        f'<meta property="{name.replace("__", ":")}" content="{content}">'
        for name, content in contents.items()
    )
