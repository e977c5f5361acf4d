"""Articles and lists of articles as zyte-common-items has them. Needs the extra `zyte`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from zyte_common_items import (
    Article,
    ArticleFromList,
    ArticleList,
    ArticleListMetadata,
    ArticleMetadata,
    Audio,
    Author,
    Breadcrumb,
    Image,
    ProbabilityMetadata,
    Video,
)

from newsclean.discovery.links import rank_links

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.article import Article as OurArticle
    from newsclean.extraction.page import Page

#: The providers of embeds that are videos or audios; the others are posts or unknown.
_VIDEOS = frozenset("youtube vimeo dailymotion jwplayer jwplatform brightcove kaltura".split())
_AUDIOS = frozenset("soundcloud spotify megaphone acast podbean audioboom".split())


def zyte_article(article: OurArticle, kind: type[Article] = Article) -> Article:
    """Return an article as an item of zyte-common-items, or of a subclass.

    docs/fields.md says which field is which.
    """
    main = next((each["url"] for each in article.images if each["role"] == "lead"), article.image)
    return kind(
        url=article.url or "",
        canonicalUrl=article.canonical_url,
        headline=article.headline,
        datePublished=article.date_published,
        dateModified=article.date_modified,
        authors=[Author(name=name) for name in article.authors] or None,
        breadcrumbs=[Breadcrumb(name=article.section)] if article.section else None,
        inLanguage=(article.language or "").partition("-")[0] or None,
        mainImage=Image(url=main) if main else None,
        images=[Image(url=each["url"]) for each in article.images] or None,
        description=article.description,
        articleBody=article.body or None,
        articleBodyHtml=article.body_html or None,
        videos=[Video(url=url) for url in _embedded(article, _VIDEOS)] or None,
        audios=[Audio(url=url) for url in _embedded(article, _AUDIOS)] or None,
        metadata=ArticleMetadata(
            dateDownloaded=_in_utc(article.fetched_at), probability=article.article_probability
        ),
    )


def zyte_article_list(page: Page, url: str) -> ArticleList:
    """Return the links of a section page that may lead to articles, the likeliest first."""
    found = [
        ArticleFromList(
            url=ranked.link.url,
            headline=ranked.link.text or None,
            metadata=ProbabilityMetadata(probability=round(ranked.likelihood, 4)),
        )
        for ranked in rank_links(page, url)
        if not ranked.reason and not ranked.is_doubtful
    ]
    downloaded = ArticleListMetadata(dateDownloaded=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
    return ArticleList(url=url, articles=found, metadata=downloaded)


def _embedded(article: OurArticle, providers: Iterable[str]) -> list[str]:
    return [each["address"] for each in article.embeds if each["provider"].lower() in providers]


def _in_utc(moment: str | None) -> str | None:
    if moment is None:
        return None
    return f"{datetime.fromisoformat(moment).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
