"""What a page's JSON-LD says of its article."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from newsclean.metadata.json_ld import JsonLdScript
from newsclean.metadata.urls import url_key

MAX_NODES = 5_000
MAX_VALUES = 200
MAX_TYPES = 50
PAGE_KEYS = frozenset({"@graph", "mainEntity", "mainEntityOfPage"})
POSTINGS = frozenset({"Report", "Review", "CriticReview"})

Node = dict[str, object]


@dataclass(slots=True)
class LinkedData:
    """The nodes that speak of the page: its article and its WebPage, or empty."""

    article: Node = field(default_factory=dict)
    web_page: Node = field(default_factory=dict)
    web_site: Node = field(default_factory=dict)
    #: the trail of sections that leads to the page
    breadcrumbs: Node = field(default_factory=dict)
    types: list[str] = field(default_factory=list)
    by_id: dict[str, Node] = field(default_factory=dict)

    def values(self, value: object) -> Iterator[str | Node]:
        """The strings and nodes of a value that may be one, a list, or a reference.

        Numbers come as strings: an epoch is a date too.
        """
        pending = [value]
        for _ in range(MAX_VALUES):
            if not pending:
                return
            current = pending.pop(0)
            if isinstance(current, list):
                pending[:0] = current[:MAX_VALUES]
            elif isinstance(current, dict):
                reference = current.get("@id")
                known = self.by_id.get(reference) if isinstance(reference, str) else None
                if "@value" in current:
                    pending.insert(0, current["@value"])
                else:
                    yield current if len(current) > 2 or known is None else known
            elif isinstance(current, int | float) and not isinstance(current, bool):
                yield str(current)
            elif isinstance(current, str):
                yield current

    def strings(self, value: object, *keys: str) -> Iterator[str]:
        """The strings of a value; of a node, those under the first of `keys` it has."""
        for item in self.values(value):
            if isinstance(item, str):
                yield item
            else:
                held = next((item[key] for key in keys if item.get(key)), None)
                yield from (text for text in self.values(held) if isinstance(text, str))


def type_names(node: Node) -> list[str]:
    """A node's `@type` values as written."""
    written = node.get("@type")
    listed = written if isinstance(written, list) else [written]
    return [name for name in listed[:20] if isinstance(name, str) and name]


def is_article(node: Node) -> bool:
    """Whether a node is an article or a subtype of one.

    >>> is_article({"@type": "https://schema.org/ReportageNewsArticle"})
    True
    >>> is_article({"@type": ["WebPage", "FAQPage"]})
    False
    """
    short = [re.split(r"[/#:]", name)[-1] for name in type_names(node)]
    return any(name.endswith(("Article", "Posting")) or name in POSTINGS for name in short) and (
        "JobPosting" not in short
    )


def read_linked_data(
    scripts: Iterable[JsonLdScript], addresses: Iterable[str | None]
) -> LinkedData:
    """The linked data of one page; `addresses` are the page's own, to know its article by."""
    data = LinkedData()
    own = {url_key(url) for url in addresses if url}
    articles: list[tuple[bool, bool, Node]] = []
    for node, about_page in _nodes(value for script in scripts for value in script.values):
        identity = node.get("@id")
        if isinstance(identity, str) and len(node) > 1:
            data.by_id.setdefault(identity, node)
        names = type_names(node)
        if about_page and len(data.types) < MAX_TYPES:
            data.types += [name for name in names if name not in data.types]
        if is_article(node):
            matches = bool(own and own & _addresses(node))
            # An article inside a list or another node is a related one, unless it says otherwise.
            if about_page or matches:
                articles.append((matches, about_page, node))
        elif any(name.endswith("Page") for name in names) and not data.web_page and about_page:
            data.web_page = node
        elif any(name.endswith("WebSite") for name in names) and not data.web_site:
            data.web_site = node
        elif any(name.endswith("BreadcrumbList") for name in names) and not data.breadcrumbs:
            data.breadcrumbs = node
    if articles:
        data.article = max(articles, key=lambda found: found[:2])[2]  # the first of the best
    return data


def _nodes(roots: Iterable[object]) -> Iterator[tuple[Node, bool]]:
    """Every node, level by level, and whether it speaks of the page itself."""
    pending: list[tuple[object, bool]] = [(root, True) for root in roots]
    for number, (value, about_page) in enumerate(pending):
        if number > MAX_NODES:
            return
        if isinstance(value, list):
            pending += [(item, about_page) for item in value if isinstance(item, dict | list)]
        elif isinstance(value, dict):
            yield value, about_page
            pending += [
                (held, about_page and key in PAGE_KEYS)
                for key, held in value.items()
                if isinstance(held, dict | list)
            ]


def _addresses(node: Node) -> set[str]:
    entity = node.get("mainEntityOfPage")
    if isinstance(entity, dict):
        entity = entity.get("@id") or entity.get("url")
    found = {url_key(url) for url in (node.get("url"), node.get("@id"), entity)}
    return found - {""}
