"""Feeds and sitemaps as XML: what can be read of them is read."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from typing import TYPE_CHECKING, TypeVar

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: Bytes of a feed or sitemap, unpacked; the sitemap protocol allows 50 MB.
MAX_SIZE = 50 * 1024 * 1024

_Value = TypeVar("_Value")

_GZIP = b"\x1f\x8b"
_BEFORE_ROOT = re.compile(rb"\A[^<]+")


class SourceError(ValueError):
    """A feed, sitemap or list that cannot be read at all."""


def unpacked(body: bytes) -> bytes:
    """The bytes of a document that may be gzipped; of a packed one cut short, what is there."""
    if not body.startswith(_GZIP):
        return body
    parts = []
    size = 0
    try:
        with gzip.open(io.BytesIO(body)) as packed:
            while piece := packed.read(1 << 16):
                size += len(piece)
                if size > MAX_SIZE:
                    raise SourceError(f"unpacks to more than {MAX_SIZE:,} bytes")
                parts.append(piece)
    except (OSError, EOFError, zlib.error) as error:
        if not parts:
            raise SourceError(f"cannot be unpacked: {error}") from None
    return b"".join(parts)


def parse_xml(body: bytes) -> etree._Element:
    """The root of an XML document, broken or not; entities and addresses are not followed."""
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, huge_tree=False, remove_pis=True
    )
    try:
        root = etree.fromstring(_BEFORE_ROOT.sub(b"", body), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SourceError(f"is not XML: {error}") from None
    if root is None:
        raise SourceError("is not XML: it has no element")
    return root


def local_name(element: etree._Element) -> str:
    """The name of an element without its namespace, in lower case.

    Comments, and elements whose namespace cannot be read, have none.

    >>> local_name(etree.fromstring('<a:Link xmlns:a="http://www.w3.org/2005/Atom"/>'))
    'link'
    """
    try:
        tag = element.tag
    except UnicodeDecodeError:
        return ""
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def children(element: etree._Element, *names: str) -> Iterator[etree._Element]:
    """The children of an element with any of these names, whatever their namespace."""
    return (child for child in element if local_name(child) in names)


def read_each(
    elements: Iterable[etree._Element], read: Callable[[etree._Element], _Value | None]
) -> tuple[list[_Value], int]:
    """What `read` returns for each element, and how many elements cannot be read.

    libxml2 takes references to characters that do not exist, as `&#xD800;`, into a tree from which
    their texts and attributes cannot be had.
    """
    found: list[_Value] = []
    unreadable = 0
    for element in elements:
        try:
            value = read(element)
        except UnicodeDecodeError:
            unreadable += 1
        else:
            if value is not None:
                found.append(value)
    return found, unreadable


def text_of(element: etree._Element, *names: str) -> str:
    """The text of the first child that has one of these names and any text."""
    for name in names:
        for child in children(element, name):
            if text := " ".join("".join(map(str, child.itertext())).split()):
                return text
    return ""
