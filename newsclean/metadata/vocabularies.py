"""The names under which sites put their metadata into meta elements, the most trusted first.

OpenGraph, Twitter cards, Dublin Core, Parse.ly, Sailthru, Highwire (`citation_`), microdata
(`itemprop:`, see `MetaTags`) and the plain names that content management systems invented.
"""

HEADLINE = (
    "og:title", "twitter:title", "parsely-title", "sailthru.title", "citation_title",
    "dc.title", "dcterms.title", "dc:title", "itemprop:headline", "headline", "title",
)  # fmt: skip
DESCRIPTION = (
    "og:description", "twitter:description", "description", "sailthru.description",
    "dc.description", "dcterms.abstract", "itemprop:description",
)  # fmt: skip
AUTHORS = (
    "article:author", "og:article:author", "article:author_name", "author", "authors",
    "parsely-author", "sailthru.author", "dc.creator", "dcterms.creator", "dc:creator",
    "dc.contributor", "itemprop:author", "itemprop:author.name", "itemprop:creator",
    "byl", "byline", "cxenseparse:author",
)  # fmt: skip
#: Of library catalogues, which have the last name first.
CITED_AUTHORS = ("citation_author", "citation_authors")
PUBLISHED = (
    "article:published_time", "og:article:published_time", "article:published",
    "og:published_time", "itemprop:datepublished", "parsely-pub-date", "sailthru.date",
    "citation_publication_date", "citation_online_date", "citation_date", "dc.date.issued",
    "dcterms.issued", "dcterms.date", "dc.date.created", "dcterms.created", "dc.date", "dc:date",
    "date", "pubdate", "publishdate", "publish-date", "publish_date", "published", "pub_date",
    "publication_date", "publication-date", "published_time", "datepublished", "date_published",
    "article_date_original", "article.published", "originalpublicationdate", "ptime", "pdate",
    "cxenseparse:recs:publishtime", "article:post_date", "release_date", "itemprop:datecreated",
)  # fmt: skip
MODIFIED = (
    "article:modified_time", "og:updated_time", "article:modified", "itemprop:datemodified",
    "dcterms.modified", "dc.date.modified", "lastmod", "last-modified", "modified", "utime",
    "article.updated", "revised", "datemodified", "date_modified",
)  # fmt: skip
KEYWORDS = (
    "article:tag", "og:article:tag", "news_keywords", "parsely-tags", "sailthru.tags",
    "keywords", "itemprop:keywords", "dc.subject", "dcterms.subject", "citation_keywords",
)  # fmt: skip
SECTION = (
    "article:section", "og:article:section", "og:section", "itemprop:articlesection",
    "parsely-section", "sailthru.section", "prism.section", "article.section", "articlesection",
    "section", "section_name", "section-name", "category",
)  # fmt: skip
IMAGE = (
    "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src",
    "parsely-image-url", "sailthru.image.full", "itemprop:image", "itemprop:thumbnailurl",
)  # fmt: skip
#: Frameworks that only write meta elements into the head are given whole scripts under this name.
JSON_LD = ("script:ld+json",)
SITE_NAME = ("og:site_name", "application-name", "dc.publisher", "citation_journal_title")
LANGUAGE = ("og:locale", "content-language", "language", "dc.language", "itemprop:inlanguage")
