"""From a page and the evidence on it to its article: built once, called with many pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from newsclean.browser.rendering import Rendering
from newsclean.corrections import Corrections
from newsclean.extraction.extraction import Extraction
from newsclean.extraction.neighborhood import Neighborhood, method_of
from newsclean.methods import DEFAULT_METHOD, Choice, Evidence, Method
from newsclean.page import Page

if TYPE_CHECKING:
    from pathlib import Path

    from newsclean.article import Article
    from newsclean.browser.snapshot import Snapshot
    from newsclean.corrections import CorrectionsFolder
    from newsclean.methods import Model


class Extractor:
    """A method with its model and options, ready to be called.

    >>> extraction = Extractor("coreex")(Page.from_html("<h1>Rain</h1><p>It has rained for days."))
    >>> extraction.text
    'It has rained for days.'

    A crawl does the same step by step, in its item pipelines.
    """

    def __init__(
        self,
        method: str | Method = DEFAULT_METHOD,
        *,
        model: Model | str | Path | None = None,
        images: bool = True,
        corrections: Corrections | CorrectionsFolder | None = None,
    ) -> None:
        self.method = method_of(method, model)
        self.images = images
        self.corrections = corrections

    def __call__(self, page: Page, evidence: Evidence | None = None) -> Extraction:
        """The extraction of a page; without evidence, by the page itself."""
        evidence = evidence or Evidence(self.method.score_blocks(page))
        return self.extraction(page, evidence, self.method.choose(page, evidence))

    def extraction(self, page: Page, evidence: Evidence, choice: Choice) -> Extraction:
        """Build the extraction of a page whose content has been chosen."""
        corrections = self.corrections.for_page(page.url) if self.corrections else None
        return Extraction(page, self.method, evidence, choice, self.images, corrections)


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
    """The article of a page.

    `html` is a document as text, as bytes (the encoding is then found as browsers do, with the
    help of the `content_type` header if given) or a `Page`. A `neighborhood` that has learned
    other pages of the same site and category knows what the site repeats. `model` is another model
    for `hybrid`, or its file, or `"open"` (docs/model-card.md). `snapshot` is how a browser shows
    the page (`newsclean.browser`): `visual` needs it, and `mss` reads its fonts. Who wants the text
    only saves time without `html_body`. `site` is a site file, whose corrections are
    in a file beside it, or that file; `corrections` are such in Python. A page that cannot be used
    at all raises `PageError`.

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
