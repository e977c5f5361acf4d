"""What was found on one page: the choice, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from newsclean.article import Article, content_hash
from newsclean.articles import NO_ARTICLE, Judgement, judge, page_features
from newsclean.metadata import PageMetadata, detected_language
from newsclean.metadata.text import visible_text
from newsclean.metadata.urls import printable_url
from newsclean.render import Body, body_of, render_html, render_text
from newsclean.site import site_of

if TYPE_CHECKING:
    from newsclean.articles.trees import Value
    from newsclean.methods import Choice, Evidence, Method
    from newsclean.page import Page


@dataclass(frozen=True, eq=False)
class Extraction:
    """The article of a page, step by step; a step that nobody asks for is not done."""

    page: Page
    method: Method
    evidence: Evidence
    choice: Choice
    #: whether the HTML shows pictures
    images: bool = True

    @cached_property
    def metadata(self) -> PageMetadata:
        """What the page says about itself."""
        scores = self.evidence.scores
        json_ld = None if scores is None else scores.context.json_ld  # parsed once
        return PageMetadata(self.page.elements, self.page.url, json_ld)

    @cached_property
    def body(self) -> Body:
        """The chosen rows without headline, byline and captions."""
        return body_of(self.page, self.choice, self.metadata)

    @cached_property
    def body_alone(self) -> Body:
        """The body as the page alone has it, whatever its neighbors know."""
        neighbors = self.evidence.neighbors
        if neighbors is None or not neighbors.count:
            return self.body
        choice = self.method.choose(self.page, replace(self.evidence, neighbors=None))
        return body_of(self.page, choice, self.metadata)

    @cached_property
    def article_features(self) -> dict[str, Value]:
        """What of the page and of the choice tells whether it is an article."""
        return page_features(self.page, self.body.text, self.metadata, self.choice)

    @cached_property
    def judgement(self) -> Judgement:
        """Whether the page is an article at all."""
        has_text = bool(self.page.words[self.body.text].any())
        return judge(self.article_features) if has_text else NO_ARTICLE

    @cached_property
    def text(self) -> str:
        return render_text(self.page, self.body.text)

    @cached_property
    def html(self) -> str:
        return render_html(self.page, self.body.html, images=self.images)

    @cached_property
    def headline(self) -> str | None:
        """The page's own headline; as shown above the body where the head says it and more."""
        shown, said = visible_text(self.body.headline or ""), self.metadata.headline
        return shown if shown and shown in (said or shown) else said

    @cached_property
    def description(self) -> dict[str, Any]:
        """How the article was found, for its `extraction` field."""
        choice, neighbors = self.choice, self.evidence.neighbors
        count = 0 if neighbors is None else neighbors.count
        described: dict[str, Any] = {
            "method": self.method.name,
            "score": round(choice.score, 4),
            "neighbors": count,
            "scope": neighbors.scope if neighbors is not None and count else None,
        }
        if choice.strategy:
            described["strategy"] = choice.strategy
        for kind in ("static", "dynamic"):
            marks = choice.noise.get(kind)
            marked = self.page.is_text & marks if marks is not None else None
            described[f"{kind}_nodes"] = 0 if marked is None else int(marked.sum())
            described[f"{kind}_chars"] = 0 if marked is None else int(self.page.chars[marked].sum())
        if self.judgement.reason:
            described["no_article"] = self.judgement.reason
        return described

    def article(self, *, html_body: bool = True) -> Article:
        """The article; who wants its text only saves time without `html_body`."""
        metadata, judgement = self.metadata, self.judgement
        return Article(
            url=None if self.page.url is None else printable_url(self.page.url),
            site=site_of(self.page.url),
            canonical_url=metadata.canonical_url,
            section=metadata.section,
            headline=self.headline,
            description=metadata.description,
            authors=metadata.authors,
            date_published=metadata.date_published,
            date_modified=metadata.date_modified,
            language=metadata.language or detected_language(self.text),
            image=metadata.image,
            keywords=metadata.keywords,
            body=self.text,
            body_html=self.html if html_body else "",
            is_article=judgement.is_article,
            article_probability=round(judgement.probability, 4),
            content_hash=content_hash(self.headline, self.text),
            extraction=self.description,
        )
