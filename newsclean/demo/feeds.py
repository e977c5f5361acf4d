"""What machines read: robots.txt, sitemap, RSS; and the pictures and the PDF."""

import random
from email.utils import format_datetime
from xml.sax.saxutils import escape

from newsclean.demo.world import Publisher

FEED_LENGTH = 100


def robots_txt(publisher: Publisher) -> str:
    return f"""User-agent: *
Disallow: /search

Sitemap: {publisher.base_url}/sitemap.xml
"""


def sitemap_xml(publisher: Publisher) -> str:
    sections = "\n".join(f"<url><loc>{escape(url)}</loc></url>" for url in publisher.section_urls)
    articles = "\n".join(
        f"<url><loc>{escape(article.url)}</loc><lastmod>{article.date_published}</lastmod></url>"
        for article in publisher.articles
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>{publisher.base_url}/</loc></url>
{sections}
{articles}
</urlset>
"""


def rss_xml(publisher: Publisher) -> str:
    newest = sorted(publisher.articles, key=lambda article: article.published, reverse=True)
    items = "\n".join(
        f"""<item>
<title>{escape(article.headline)}</title>
<link>{escape(article.url)}</link>
<guid>{escape(article.url)}</guid>
<category>{escape(article.section)}</category>
<description>{escape(article.description)}</description>
<pubDate>{format_datetime(article.published)}</pubDate>
</item>"""
        for article in newest[:FEED_LENGTH]
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
<channel>
<title>{escape(publisher.name)}</title>
<link>{publisher.base_url}/</link>
<description>{escape(publisher.motto)}</description>
<language>en</language>
{items}
</channel>
</rss>
"""


def picture_svg(name: str) -> str:
    """A seascape whose colours and hills depend on the picture's name."""
    rng = random.Random(name)
    hue = rng.randint(0, 359)
    land, sea = rng.randint(70, 150), rng.randint(185, 230)
    hills = " ".join(f"L{x} {rng.randint(170, 260)}" for x in range(0, 721, 90))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 405">
<rect width="720" height="405" fill="hsl({hue},45%,80%)"/>
<circle cx="{rng.randint(80, 640)}" cy="{rng.randint(60, 130)}" r="42" fill="hsl({hue},70%,92%)"/>
<path d="M0 405 {hills} L720 405Z" fill="hsl({land},28%,42%)"/>
<rect y="300" width="720" height="105" fill="hsl({sea},40%,42%)"/>
</svg>
"""


def leaflet_pdf() -> bytes:
    """The smallest PDF that a reader opens: one empty page."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]>>",
    )
    data = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(data))
        data += b"%d 0 obj%s endobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return data + (
        b"xref\n0 4\n0000000000 65535 f \n%strailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
        % (table, len(data))
    )
