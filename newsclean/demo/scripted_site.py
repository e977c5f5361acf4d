"""A site whose every page is the same shell: a script asks for the content and shows it."""

import json
import random
from urllib.parse import parse_qs, urlsplit

from newsclean.demo.demo_site import Kind, Response, picture, render, static_file
from newsclean.demo.world import DemoArticle, Publisher, Section

_TEASERS_PER_PAGE = 8
JSON = "application/json; charset=utf-8"
#: Of every page, whatever its article says: the shell never changes.
_SHELL_ETAG = '"shell-1"'


class ScriptedSite:
    """All that one publisher serves: the shell, its script, and the data of its pages."""

    def __init__(self, publisher: Publisher) -> None:
        self.publisher = publisher
        self._articles = {article.path: article for article in publisher.articles}
        self._sections = {section.path: section for section in publisher.sections}

    def addressed(self) -> Publisher:
        """The publisher as it is known once a server runs."""
        return self.publisher

    def kind_of(self, target: str) -> Kind:
        """What a request for the target, a path with perhaps a query, leads to."""
        path = urlsplit(target).path
        if path in self._articles:
            return Kind.ARTICLE
        if path in self._sections:
            return Kind.SECTION
        if path == "/":
            return Kind.HOME
        files = ("/robots.txt", "/assets/", "/api/", "/images/", "/search")
        return Kind.FILE if path.startswith(files) else Kind.MISSING

    def respond(self, target: str, redesigned: bool, rng: random.Random) -> Response:
        """The response to a request for the target; there is only one design."""
        path, query = urlsplit(target).path, parse_qs(urlsplit(target).query)
        if path == "/robots.txt":
            return Response(b"User-agent: *\nDisallow: /search\n", "text/plain; charset=utf-8")
        if path == "/assets/site.js":
            return Response(static_file("courier.js"), "text/javascript; charset=utf-8")
        if path == "/assets/site.css":
            return Response(static_file("courier.css"), "text/css; charset=utf-8")
        if path.startswith("/images/"):
            return picture(path)
        if path == "/api/page":
            return _json(self._data(query, rng))
        if path.startswith(("/api/", "/search", "/assets/")):
            return Response(b"{}", JSON, 404)
        page = self._shell()
        if self.kind_of(target) is Kind.MISSING:
            return Response(page, status=404)
        return Response(page, etag=_SHELL_ETAG)

    def _shell(self) -> bytes:
        sections = json.dumps([[section.name, section.path] for section in self.publisher.sections])
        port = urlsplit(self.publisher.base_url).port
        return render("courier.html", publisher=self.publisher, port=port, sections=sections)

    def _data(self, query: dict[str, list[str]], rng: random.Random) -> dict[str, object] | None:
        """What the script shows at a URL."""
        path, number = query.get("path", [""])[0], query.get("page", ["1"])[0]
        if article := self._articles.get(path):
            return self._article(article, rng)
        if section := self._sections.get(path):
            found = self.publisher.in_section(section)
            return self._list(section, found, int(number) if number.isdecimal() else 1)
        if path == "/":
            newest = sorted(self.publisher.articles, key=lambda one: one.published, reverse=True)
            return {"title": self.publisher.motto, "teasers": _teasers(newest[:_TEASERS_PER_PAGE])}
        return None

    def _article(self, article: DemoArticle, rng: random.Random) -> dict[str, object]:
        others = [other for other in self.publisher.articles if other != article]
        return {
            "title": article.headline,
            "authors": list(article.authors),
            "date": article.date_published,
            "html": render("body.html", publisher=self.publisher, article=article).decode(),
            "related": _teasers(rng.sample(others, 4)),
        }

    def _list(
        self, section: Section, articles: tuple[DemoArticle, ...], number: int
    ) -> dict[str, object]:
        start = (number - 1) * _TEASERS_PER_PAGE
        shown = articles[start : start + _TEASERS_PER_PAGE]
        is_last = start + _TEASERS_PER_PAGE >= len(articles)
        following = "" if is_last else f"{section.path}?page={number + 1}"
        return {"title": section.name, "teasers": _teasers(shown), "next": following}


def _teasers(articles: "list[DemoArticle] | tuple[DemoArticle, ...]") -> list[dict[str, str]]:
    return [{"title": one.headline, "href": one.path, "text": one.description} for one in articles]


def _json(data: dict[str, object] | None) -> Response:
    return Response(json.dumps(data).encode(), JSON, 404 if data is None else 200)
