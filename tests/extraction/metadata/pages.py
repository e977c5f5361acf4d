"""Reading the metadata of a small page in a test."""

import json

import lxml.html

from newsclean.extraction.metadata.page_metadata import PageMetadata
from newsclean.extraction.metadata.page_sources import SiteFacts
from newsclean.extraction.methods.chain import metadata_of
from newsclean.extraction.page import Page

TEXT = "<p>" + "It has rained in the harbour for nine days, and there is no end in sight. " * 8
TITLE = "<title>Nine wet days in Bergen</title>"


def read(html: str, url: str | None = None) -> PageMetadata:
    """Without visible lines."""
    root = lxml.html.document_fromstring(html or "<html></html>")
    return PageMetadata(lambda tag: list(root.iter(tag)), url)


def visible(html: str, url: str | None = None, facts: SiteFacts | None = None) -> PageMetadata:
    """With visible lines, above a text."""
    page = metadata_of(Page.from_html(f"{html}{TEXT}{TEXT}", url))
    return page if facts is None else page.with_facts(facts)


def beside(line: str, lang: str = "en") -> PageMetadata:
    """Of a page with this line below its headline."""
    return visible(f"<html lang={lang}>{TITLE}<h1>Nine wet days in Bergen</h1><div>{line}</div>")


def below(html: str, head: str = "") -> PageMetadata:
    """Of a page with this below its text."""
    return metadata_of(Page.from_html(f"{head}<h1>Rain again</h1>{TEXT}{TEXT}{html}"))


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
