"""What other tools say of an article beside its text, each called as its documentation says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from newsclean.lab.evaluate.peers import Peer, Source

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Fields:
    """The fields of an article as a tool gives them."""

    headline: str | None = None
    authors: list[str] = field(default_factory=list)
    date: str | None = None
    keywords: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class FieldPeer(Peer):
    """A tool with the call that gives fields, and which of them it gives at all."""

    text: Callable[[Source], str] = lambda source: ""
    fields: Callable[[Source, str | None], Fields] = lambda source, url: Fields()
    names: tuple[str, ...] = ("headline", "authors", "date", "keywords")


def trafilatura(source: Source, url: str | None) -> Fields:
    from trafilatura import bare_extraction

    found = bare_extraction(source.body, url=url, with_metadata=True, include_comments=False)
    if found is None:
        return Fields()
    given = found if isinstance(found, dict) else found.as_dict()
    authors = (given.get("author") or "").split(";")
    keywords = given.get("tags") or []
    return Fields(given.get("title"), _filled(authors), given.get("date"), _filled(keywords))


def newspaper4k(source: Source, url: str | None) -> Fields:
    from newspaper import Article

    article = Article(url or "https://example.org/", fetch_images=False)
    article.download(input_html=source.html)
    article.parse()
    date = article.publish_date
    keywords = article.meta_keywords or article.tags
    return Fields(
        article.title or None,
        _filled(article.authors),
        date.isoformat() if hasattr(date, "isoformat") else None,
        _filled(keywords),
    )


def htmldate(source: Source, url: str | None) -> Fields:
    from htmldate import find_date

    return Fields(date=find_date(source.html, original_date=True, url=url))


FIELD_PEERS = {
    peer.name: peer
    for peer in (
        FieldPeer("trafilatura", "trafilatura", "trafilatura", fields=trafilatura),
        FieldPeer("newspaper4k", "newspaper4k", "newspaper", fields=newspaper4k),
        FieldPeer("htmldate", "htmldate", "htmldate", fields=htmldate, names=("date",)),
    )
}


def _filled(texts: object) -> list[str]:
    found = [str(text).strip() for text in texts] if isinstance(texts, list | set | tuple) else []
    return [text for text in found if text]
