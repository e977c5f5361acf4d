"""The extraction library: a page in, its article out.

An `Extractor` is a method with its model and options. Called with a page and the evidence on it, it
returns an `Extraction`: metadata, body, corrections, text, HTML and article, each when asked for. A
`Neighborhood` learns what the pages of a site repeat. `extract` is all of that in one call. A crawl
does the same step by step, in its item pipelines.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.article import Article, MarkdownArticle, content_hash
from newsclean.browser.snapshot import Rendering
from newsclean.extraction.body.html import render_html
from newsclean.extraction.body.pictures import Picture, find_pictures
from newsclean.extraction.body.rows import Body, body_of, render_text
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.corrections.site_corrections import (
    NO_FLIPS,
    CorrectionResult,
    taken_blocks,
    with_flips,
)
from newsclean.extraction.is_article import (
    NO_ARTICLE,
    Prediction,
    is_live_blog,
    page_features,
    page_words,
    predict,
)
from newsclean.extraction.is_article.walls import wall_of_page
from newsclean.extraction.metadata.language import language_of
from newsclean.extraction.metadata.page_sources import facts_from_counts
from newsclean.extraction.methods.chain import Choice, Evidence, Method, metadata_of
from newsclean.extraction.methods.registry import DEFAULT_METHOD, method_named
from newsclean.extraction.neighborhood import WINDOW, KeyWindow
from newsclean.extraction.page import Page
from newsclean.extraction.text import visible_text
from newsclean.urls import article_id, article_name, printable_url, site_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from newsclean.browser.snapshot import Snapshot
    from newsclean.extraction.corrections import CorrectionsFolder, Flips
    from newsclean.extraction.is_article.page_features import PageWords
    from newsclean.extraction.is_article.trees import Value
    from newsclean.extraction.metadata.page_metadata import PageMetadata
    from newsclean.extraction.methods.hybrid.network import Model
    from newsclean.extraction.neighborhood import PageKeys


#: The name of the meta element of a page that was joined from several: how many there were, and the
#: numbers of those that are missing.
PAGES_META = "newsclean-pages"
#: Probabilities are at least this far from 0 and 1.
_LEAST = 1e-6


@dataclass(frozen=True, eq=False)
class Extraction:
    """The article of a page, step by step; each step is done when it is asked for."""

    page: Page
    method: Method
    evidence: Evidence
    choice: Choice
    #: whether the HTML has pictures
    images: bool = True
    #: of the site
    corrections: Corrections | None = None

    @cached_property
    def metadata_alone(self) -> PageMetadata:
        """What the page says about itself, without its neighbors."""
        neighbors = self.evidence.neighbors
        if neighbors is not None and neighbors.keys.metadata is not None:
            return neighbors.keys.metadata  # read with the keys
        return metadata_of(self.page, self.evidence.scores)

    @cached_property
    def metadata(self) -> PageMetadata:
        """The metadata with the habits of the site, and corrected."""
        return self.uncorrected_metadata.with_lines(**self.corrected_fields)

    @cached_property
    def uncorrected_metadata(self) -> PageMetadata:
        """The metadata with the habits of the site."""
        neighbors = self.evidence.neighbors
        if neighbors is None or not neighbors.count:
            return self.metadata_alone
        return self.metadata_alone.with_facts(facts_from_counts(neighbors.facts, neighbors.count))

    @cached_property
    def corrected_fields(self) -> dict[str, str]:
        """The text of headline, byline or date where a correction names its slot."""
        return {} if self.corrections is None else self.corrections.fields_on(self.page)

    @cached_property
    def body(self) -> Body:
        """The chosen rows without headline, byline and captions, corrected."""
        return with_flips(self.uncorrected_body, self.flips)

    @cached_property
    def uncorrected_body(self) -> Body:
        """The body as the method has it, without corrections."""
        return body_of(self.page, self.choice, self.uncorrected_metadata)

    @cached_property
    def log_odds(self) -> NDArray[np.float64] | None:
        """The log-odds that each block belongs to the article; None if the method has none."""
        probability = self.choice.block_probability
        if probability is None:
            return None
        clipped = np.clip(probability, _LEAST, 1 - _LEAST)
        odds: NDArray[np.float64] = np.log(clipped / (1 - clipped))
        return odds

    @cached_property
    def flips(self) -> Flips:
        """The blocks that change sides because of corrections."""
        return self._flips(self.uncorrected_body)

    def _flips(self, body: Body) -> Flips:
        if not self.corrections:
            return NO_FLIPS
        taken = taken_blocks(self.page, body.text)
        return self.corrections.rule(self.method.name).flips(self.page, taken, self.log_odds)

    @cached_property
    def body_alone(self) -> Body:
        """The body without what the neighbors know."""
        neighbors = self.evidence.neighbors
        if neighbors is None or not neighbors.count:
            return self.body
        choice = self.method.choose(self.page, replace(self.evidence, neighbors=None))
        is_same = choice.is_body and self.choice.is_body
        if is_same and np.array_equal(choice.rows, self.choice.rows):
            return self.body  # most pages
        body = body_of(self.page, choice, self.metadata_alone)
        return with_flips(body, self._flips(body))

    @cached_property
    def page_words(self) -> PageWords:
        """The words of the page, in the chosen text and around it."""
        return page_words(self.page, self.body.text, self.metadata)

    @cached_property
    def article_features(self) -> dict[str, Value]:
        """The features by which it is decided whether the page is an article."""
        return page_features(self.page, self.body.text, self.metadata, self.choice, self.page_words)

    @cached_property
    def prediction(self) -> Prediction:
        """Whether the page is an article."""
        if not self.page.words[self.body.text].any():
            return NO_ARTICLE
        if wall := wall_of_page(self.page):
            return Prediction(False, 0.0, wall.reason)
        return predict(self.article_features, self.page_words)

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
        """The pictures of the article with the lead picture; none with `images=False`."""
        if not self.images:
            return ()
        return find_pictures(self.page, self.body.html, self.metadata.image)

    @cached_property
    def headline(self) -> str | None:
        """The headline above the body if the metadata has it and more, else the metadata's."""
        visible, stated = visible_text(self.body.headline or ""), self.metadata.headline
        if "headline" in self.corrected_fields:
            return stated
        return visible if visible and visible in (stated or visible) else stated

    @cached_property
    def lead(self) -> str | None:
        """The lead below the headline, unless the body begins with it."""
        lead = self.metadata.lead
        return None if lead is None or lead in " ".join(self.text.split()) else lead

    @cached_property
    def description(self) -> dict[str, Any]:
        """How the article was extracted, for its `extraction` field."""
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
        if corrected := self._corrections_description():
            described["corrections"] = corrected
        described |= _joined_pages(self.page)
        if self.prediction.reason:
            described["no_article"] = self.prediction.reason
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

    def _corrections_description(self) -> dict[str, Any]:
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
        """The id of the article by its URL, None if that is unknown."""
        url = self.page.url
        return article_id(article_name(url, self.metadata.canonical_url)) if url else None

    def article(self, *, html_body: bool = True, markdown: bool = False) -> Article:
        """Build the article. Pass `html_body=False` if you only need the text: it is faster.

        With `markdown`, the article has its Markdown as a field.
        """
        metadata, prediction = self.metadata, self.prediction
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
            is_article=prediction.is_article,
            article_probability=round(prediction.probability, 4),
            content_hash=content_hash(self.headline, self.text),
            extraction=self.description,
        )
        return MarkdownArticle.of(article) if markdown else article


def _joined_pages(page: Page) -> dict[str, Any]:
    """Return from how many pages a page was joined, and which are missing."""
    notes = (e.get("content") or "" for e in page.elements("meta") if e.get("name") == PAGES_META)
    numbers = [int(part) for part in next(notes, "").split() if part.isdecimal()][:100]
    if not numbers:
        return {}
    return {"pages": numbers[0]} | ({"missing_pages": numbers[1:]} if numbers[1:] else {})


class Extractor:
    """A method with its model and options: built once, called with many pages.

    >>> extraction = Extractor("coreex")(Page.from_html("<h1>Rain</h1><p>It has rained for days."))
    >>> extraction.text
    'It has rained for days.'
    """

    def __init__(
        self,
        method: str | Method = DEFAULT_METHOD,
        *,
        model: Model | str | Path | None = None,
        images: bool = True,
        corrections: Corrections | CorrectionsFolder | None = None,
    ) -> None:
        self.method = _method_of(method, model)
        self.images = images
        self.corrections = corrections

    def __call__(self, page: Page, evidence: Evidence | None = None) -> Extraction:
        """Extract a page; without evidence, from the page alone."""
        evidence = evidence or Evidence(self.method.score_blocks(page))
        return self.extraction(page, evidence, self.method.choose(page, evidence))

    def extraction(self, page: Page, evidence: Evidence, choice: Choice) -> Extraction:
        """Return the extraction of a page whose content has been chosen."""
        corrections = self.corrections.for_page(page.url) if self.corrections else None
        return Extraction(page, self.method, evidence, choice, self.images, corrections)

    def extract_site(self, pages: Sequence[Page]) -> Iterator[Extraction]:
        """Extract saved pages of one site, each with the others as its neighbors."""
        neighborhood = Neighborhood(self.method, window=max(len(pages), 1))
        for page in pages:
            neighborhood.learn(page)
        for page in pages:
            yield self(page, neighborhood.evidence_on(page))


class Neighborhood(KeyWindow):
    """Learns pages of one site and category, and counts on how many of them a text appears.

    >>> hood = Neighborhood()
    >>> for town in "Bergen", "Oslo", "Tromsø":
    ...     hood.learn(f"<p>Contact us</p><p>It rains in {town} today, as it did yesterday")
    >>> support = hood.evidence_on(Page.from_html("<p>Contact us</p><p>Snow at last")).neighbors
    >>> support.count, support.texts.tolist()
    (3, [3, 0])
    """

    def __init__(
        self,
        method: str | Method = DEFAULT_METHOD,
        *,
        model: Model | str | Path | None = None,
        window: int = WINDOW,
    ) -> None:
        super().__init__(window)
        self.method = _method_of(method, model)

    def learn(self, page: Page | str | bytes, url: str | None = None) -> None:
        """Count a page; it replaces an earlier one with the same URL.

        The pages of a template that the site no longer uses are forgotten.
        """
        if not isinstance(page, Page):
            page = Page.from_html(page, url)
        keys = self.method.keys(page, self.method.score_blocks(page))
        self.learn_keys(url or page.url or keys.fingerprint, keys)

    def learn_keys(self, name: str, keys: PageKeys) -> None:
        """Count a page by its keys, as `learn` does; another process may have made them.

        `PageKeys.of_remembered` makes them from stored hashes. To restore a neighborhood that was
        learned before, use `restore`: it takes the pages as they are, ended templates included.
        """
        self.add(name, keys)
        for ended in self.ended_template():
            self.remove(ended)

    def evidence_on(
        self, page: Page, url: str | None = None, *, method: Method | None = None
    ) -> Evidence:
        """Return the evidence on a page: the scores of the method, and what the neighbors know.

        The page itself and its copies are not its neighbors. `method` is another method with the
        same keys as the one that learned them.
        """
        method = method or self.method
        scores = method.score_blocks(page)
        keys = method.keys(page, scores)
        return Evidence(scores, self.support_for(keys, url or page.url or keys.fingerprint))


def extract(
    html: str | bytes | Page,
    url: str | None = None,
    *,
    neighborhood: Neighborhood | None = None,
    method: str = DEFAULT_METHOD,
    model: Model | str | Path | None = None,
    content_type: str | None = None,
    snapshot: Snapshot | None = None,
    html_body: bool = True,
    images: bool = True,
    site: str | Path | None = None,
    corrections: Corrections | None = None,
) -> Article:
    """Return the article of a page; raise `PageError` if the page cannot be used at all.

    `html` is a document as text, as bytes (decoded as browsers do, by the `content_type` header if
    given) or a `Page`. A `neighborhood` has learned other pages of the same site and category, and
    knows what the site repeats. `model` is another model for `hybrid`, or its file, or `"open"`
    (docs/model-card.md). `snapshot` is the page as a browser renders it (`newsclean.browser`):
    `visual` needs it, and `mss` reads its fonts. Pass `html_body=False` if you only need the text:
    it is faster. `site` is a site file with corrections beside it, or the corrections file; or give
    the `corrections` themselves.

    >>> article = extract("<h1>Rain</h1><p>It has rained in <b>Bergen</b> for nine days.")
    >>> article.headline, article.body
    ('Rain', 'It has rained in Bergen for nine days.')
    """
    if site is not None and corrections is not None:
        raise ValueError("corrections come from the file of `site`, or as `corrections`, not both")
    if site is not None:
        corrections = Corrections.of_site(site)
    extractor = Extractor(method, model=model, images=images, corrections=corrections)
    if neighborhood is not None:
        _check(neighborhood, extractor.method)
    page = html if isinstance(html, Page) else Page.from_html(html, url, content_type)
    if url and url != page.url:
        page = replace(page, url=url)
    evidence = None
    if neighborhood is not None:
        evidence = neighborhood.evidence_on(page, method=extractor.method)
    if snapshot is not None:
        evidence = evidence or Evidence(extractor.method.score_blocks(page))
        evidence = replace(evidence, rendering=Rendering.of(page, snapshot))
    return extractor(page, evidence).article(html_body=html_body)


def _check(neighborhood: Neighborhood, method: Method) -> None:
    if not isinstance(neighborhood, Neighborhood):
        raise TypeError(
            "neighborhood is a Neighborhood that has learned pages, "
            f"not {type(neighborhood).__name__}"
        )
    if neighborhood.method.keying != method.keying:
        raise ValueError(
            f"method {method.name!r} needs a Neighborhood({method.name!r}), "
            f"not one that was learned with {neighborhood.method.name!r}"
        )


def _method_of(method: str | Method, model: Model | str | Path | None = None) -> Method:
    """Return a method by its name and model, or the method itself."""
    if isinstance(method, str):
        return method_named(method, model)
    if model is not None:
        raise ValueError(f"{method.name!r} is a method that has its model: name the method instead")
    return method
