"""What a page says about its article."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Metadata:
    """The metadata of one article page; what the page does not say is None or empty."""

    canonical_url: str | None = None
    headline: str | None = None
    description: str | None = None
    authors: list[str] = field(default_factory=list)
    date_published: str | None = None
    """ISO 8601: `2024-03-01T09:30:00+01:00`, without the zone or the time where none is given."""
    date_modified: str | None = None
    language: str | None = None
    """The primary subtag in lower case: `pt` for `pt-BR`."""
    image: str | None = None
    keywords: list[str] = field(default_factory=list)
    site_name: str | None = None
    types: list[str] = field(default_factory=list)
    """The JSON-LD `@type` values of the page itself, then `og:type`, as written."""
