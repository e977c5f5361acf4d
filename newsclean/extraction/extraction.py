"""What was found on one page: the choice, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.article import Article, MarkdownArticle, content_hash
from newsclean.articles import (
    NO_ARTICLE,
    Judgement,
    is_live_blog,
    judge,
    page_features,
    page_words,
)
from newsclean.corrections.applying import taken_blocks, with_flips
from newsclean.corrections.result import CorrectionResult
from newsclean.corrections.rule import NO_FLIPS
from newsclean.identity import article_id, article_name
from newsclean.metadata import language_of
from newsclean.metadata.site_facts import facts_from_counts
from newsclean.metadata.text import visible_text
from newsclean.metadata.urls import printable_url
from newsclean.methods.page_metadata import metadata_of
from newsclean.render import (
    Body,
    Picture,
    body_of,
    find_pictures,
    render_html,
    render_text,
)
from newsclean.site import site_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.articles.page_words import PageWords
    from newsclean.articles.trees import Value
    from newsclean.corrections import Corrections, Flips
    from newsclean.metadata import PageMetadata
    from newsclean.methods import Choice, Evidence, Method
    from newsclean.page import Page


#: Probabilities nearer to 0 or 1 count as this.
LEAST = 1e-6


@dataclass(frozen=True, eq=False)
class Extraction:
    """The article of a page, step by step; a step that nobody asks for is not done."""

    page: Page
    method: Method
    evidence: Evidence
    choice: Choice
    #: whether the HTML shows pictures
    images: bool = True
    #: what people have said of other pages of the site
    corrections: Corrections | None = None

    @cached_property
    def metadata_alone(self) -> PageMetadata:
        """What the page says about itself, whatever its neighbors know."""
        neighbors = self.evidence.neighbors
        if neighbors is not None and neighbors.keys.metadata is not None:
            return neighbors.keys.metadata  # read to ask them
        return metadata_of(self.page, self.evidence.scores)

    @cached_property
    def metadata(self) -> PageMetadata:
        """What the page says about itself, with its site's habits, corrected."""
        return self.uncorrected_metadata.with_lines(**self.corrected_fields)

    @cached_property
    def uncorrected_metadata(self) -> PageMetadata:
        """What the page says about itself, with the habits of its site."""
        neighbors = self.evidence.neighbors
        if neighbors is None or not neighbors.count:
            return self.metadata_alone
        return self.metadata_alone.with_facts(facts_from_counts(neighbors.facts, neighbors.count))

    @cached_property
    def corrected_fields(self) -> dict[str, str]:
        """The lines of which people have said that they hold headline, byline or date."""
        return {} if self.corrections is None else self.corrections.fields_on(self.page)

    @cached_property
    def body(self) -> Body:
        """The chosen rows without headline, byline and captions, corrected."""
        return with_flips(self.uncorrected_body, self.flips)

    @cached_property
    def uncorrected_body(self) -> Body:
        """The body as the method has it."""
        return body_of(self.page, self.choice, self.uncorrected_metadata)

    @cached_property
    def log_odds(self) -> NDArray[np.float64] | None:
        """How far the method leans to taking each block; None for one that does not say."""
        probability = self.choice.block_probability
        if probability is None:
            return None
        clipped = np.clip(probability, LEAST, 1 - LEAST)
        odds: NDArray[np.float64] = np.log(clipped / (1 - clipped))
        return odds

    @cached_property
    def flips(self) -> Flips:
        """The blocks that change sides by what people have corrected."""
        return self._flips(self.uncorrected_body)

    def _flips(self, body: Body) -> Flips:
        if not self.corrections:
            return NO_FLIPS
        taken = taken_blocks(self.page, body.text)
        return self.corrections.rule(self.method.name).flips(self.page, taken, self.log_odds)

    @cached_property
    def body_alone(self) -> Body:
        """The body as the page alone has it, whatever its neighbors know."""
        neighbors = self.evidence.neighbors
        if neighbors is None or not neighbors.count:
            return self.body
        choice = self.method.choose(self.page, replace(self.evidence, neighbors=None))
        is_same = choice.is_body and self.choice.is_body
        if is_same and np.array_equal(choice.rows, self.choice.rows):
            return self.body  # as on most pages
        body = body_of(self.page, choice, self.metadata_alone)
        return with_flips(body, self._flips(body))

    @cached_property
    def page_words(self) -> PageWords:
        """The words of the page, in the chosen text and around it."""
        return page_words(self.page, self.body.text, self.metadata)

    @cached_property
    def article_features(self) -> dict[str, Value]:
        """What of the page and of the choice tells whether it is an article."""
        return page_features(self.page, self.body.text, self.metadata, self.choice, self.page_words)

    @cached_property
    def judgement(self) -> Judgement:
        """Whether the page is an article at all."""
        has_text = bool(self.page.words[self.body.text].any())
        return judge(self.article_features, self.page_words) if has_text else NO_ARTICLE

    @cached_property
    def text(self) -> str:
        return render_text(self.page, self.body.text)

    @cached_property
    def html(self) -> str:
        return render_html(
            self.page,
            self.body.html,
            images=self.images,
            pictures=self.pictures,
            embeds=self.body.embeds,
        )

    @cached_property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of the article, the lead picture among them; none if none are wanted."""
        if not self.images:
            return ()
        return find_pictures(self.page, self.body.html, self.metadata.image)

    @cached_property
    def headline(self) -> str | None:
        """The page's own headline; as shown above the body where the head says it and more."""
        shown, said = visible_text(self.body.headline or ""), self.metadata.headline
        if "headline" in self.corrected_fields:
            return said
        return shown if shown and shown in (said or shown) else said

    @cached_property
    def lead(self) -> str | None:
        """The lead below the headline, unless the body begins with it."""
        lead = self.metadata.lead
        return None if lead is None or lead in " ".join(self.text.split()) else lead

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
        if self.page.text_source:
            described["source"] = self.page.text_source
        for kind in ("static", "dynamic"):
            marks = choice.noise.get(kind)
            marked = self.page.is_text & marks if marks is not None else None
            described[f"{kind}_nodes"] = 0 if marked is None else int(marked.sum())
            described[f"{kind}_chars"] = 0 if marked is None else int(self.page.chars[marked].sum())
        if source := self.metadata.date_source:
            described["date_source"] = source
            if self.metadata.is_zone_of_site:
                described["date_zone"] = "site"
        if is_live_blog(self.page, self.body.text, self.metadata.types):
            described["live_blog"] = True
        if corrected := self._corrected():
            described["corrections"] = corrected
        if self.judgement.reason:
            described["no_article"] = self.judgement.reason
        return described

    @cached_property
    def correction_result(self) -> CorrectionResult:
        """What the corrections of the site have done to this page."""
        if self.corrections is None:
            return CorrectionResult()
        known, others = self.corrections.ids_for(self.method.name)
        return CorrectionResult(
            known,
            self.flips.met | self.corrections.ids_of_fields(self.corrected_fields),
            others,
            sum(map(self._words, (self.flips.added, self.flips.removed))),
            bool(self.flips or self.corrected_fields),
            self.flips.held_back,
        )

    def _words(self, blocks: Sequence[int]) -> int:
        return int(self.page.blocks.sum(self.page.words)[list(blocks)].sum()) if blocks else 0

    def _corrected(self) -> dict[str, Any]:
        """What corrections have changed, for people who look at the article."""
        flips = self.flips
        described: dict[str, Any] = {}
        for name, blocks in (("added", flips.added), ("removed", flips.removed)):
            if blocks:
                described[f"{name}_words"] = self._words(blocks)
        if flips:
            described["ids"] = sorted({name for ids in flips.by.values() for name in ids})
        if flips.held_back:
            described["held_back"] = flips.held_back
        if self.corrected_fields:
            described["fields"] = sorted(self.corrected_fields)
        return described

    @cached_property
    def article_id(self) -> str | None:
        """The id of the article by its address, None if nobody says it."""
        url = self.page.url
        return article_id(article_name(url, self.metadata.canonical_url)) if url else None

    def article(self, *, html_body: bool = True, markdown: bool = False) -> Article:
        """The article; who wants its text only saves time without `html_body`.

        With `markdown`, it is a field of the article, and of the lines that are made of it.
        """
        metadata, judgement = self.metadata, self.judgement
        article = Article(
            id=self.article_id,
            url=None if self.page.url is None else printable_url(self.page.url),
            site=site_of(self.page.url),
            canonical_url=metadata.canonical_url,
            section=metadata.section,
            kicker=metadata.kicker,
            headline=self.headline,
            lead=self.lead,
            description=metadata.description,
            authors=metadata.authors,
            publisher=metadata.publisher,
            free_access=metadata.free_access,
            date_published=metadata.date_published,
            date_modified=metadata.date_modified,
            language=language_of(metadata.language, self.text),
            image=metadata.image,
            images=[picture.to_dict() for picture in self.pictures] if html_body else [],
            embeds=[embed.to_dict() for embed in self.body.embeds],
            keywords=metadata.keywords,
            body=self.text,
            body_html=self.html if html_body else "",
            is_article=judgement.is_article,
            article_probability=round(judgement.probability, 4),
            content_hash=content_hash(self.headline, self.text),
            extraction=self.description,
        )
        return MarkdownArticle.of(article) if markdown else article
