"""The Harbor Ledger: semantic HTML5 with JSON-LD and OpenGraph."""

from html import escape

from newsclean.demo.blocks import Figure
from newsclean.demo.page import (
    Leaf,
    Listing,
    Noise,
    block_html,
    body_with_inserts,
    inline_links,
    json_ld,
    links,
)
from newsclean.demo.promos import promo_box
from newsclean.demo.world import DemoArticle, Publisher

_CREDIT = "Photo: The Harbor Ledger"

_CSS = """
body{margin:0;font:17px/1.6 Georgia,serif;color:#1c2530;background:#fff}
a{color:#0b5a8a;text-decoration:none}a:hover{text-decoration:underline}
.site-header{border-bottom:3px double #1c2530;text-align:center;padding:1rem}
.site-header .logo{font-size:2.3rem;font-weight:700;color:#1c2530}
nav.primary ul{display:flex;gap:1.6rem;justify-content:center;list-style:none;margin:.6rem 0 0;
padding:0;font:600 .85rem system-ui,sans-serif;text-transform:uppercase}
.layout{display:grid;grid-template-columns:minmax(0,1fr) 300px;gap:3rem;max-width:1080px;
margin:1.5rem auto;padding:0 1rem}
h1{font-size:2.2rem;line-height:1.2;margin:.3rem 0}.kicker{color:#a33;font:700 .8rem system-ui;
text-transform:uppercase}.byline,.share,.consent,.newsletter,figcaption,aside,
footer{font-family:system-ui,sans-serif;font-size:.85rem}
.share{display:flex;gap:1rem;padding:.5rem 0;border-block:1px solid #ccd;margin:1rem 0;
list-style:none}figure{margin:1.2rem 0}figure img,.teaser img{max-width:100%;height:auto}
figcaption{color:#667}blockquote{border-left:4px solid #a33;margin:1rem 0;padding-left:1rem;
font-style:italic}table{border-collapse:collapse}td,th{border:1px solid #ccd;padding:.3rem .7rem;
text-align:left}.ad{background:#f4f1e6;padding:.8rem;margin:1rem 0;font-size:.85rem}
.consent{background:#1c2530;color:#fff;padding:.8rem 1.2rem}.consent button{margin-left:1rem}
.newsletter{background:#e8f0f5;padding:1rem;margin:1.5rem 0}.teaser{border-bottom:1px solid #ccd;
padding:1rem 0;display:grid;grid-template-columns:180px 1fr;gap:1rem}.teaser h2{margin:0;
font-size:1.25rem}footer{background:#1c2530;color:#ccd;padding:2rem;text-align:center}
footer a{color:#fff}footer ul{display:flex;gap:1.2rem;justify-content:center;list-style:none}
"""


class Ledger:
    """The first template; with `promos`, articles hold a box that praises the publisher."""

    def __init__(self, *, promos: bool = False) -> None:
        self.promos = promos

    def article(self, publisher: Publisher, article: DemoArticle, noise: Noise) -> str:
        byline = " and ".join(
            f'<a rel="author" href="{publisher.author_path(author)}">{escape(author)}</a>'
            for author in article.authors
        )
        inserts = {3: _read_also(noise), 5: _post(article), 6: _advert(noise, 0)}
        if self.promos:
            inserts[2] = promo_box(article)
        lead = next((block for block in article.blocks if isinstance(block, Figure)), None)
        body = body_with_inserts(
            [
                block_html(block, _CREDIT, is_late=True)
                for block in article.blocks
                if block is not lead
            ],
            inserts,
        )
        main = f"""<article class="story">
<header>
<p class="kicker">{escape(article.section)}</p>
<h1>{escape(article.headline)}</h1>
<p class="byline">By {byline} · <time datetime="{article.date_published}">\
{article.published:%d %B %Y, %H:%M}</time></p>
</header>
{_SHARE}
{block_html(lead, _CREDIT) if lead else ""}
<div class="story-body">
{body}
</div>
<p class="tags">Topics: <a rel="tag" href="{publisher.topic_path(article.place)}">\
{article.place}</a></p>
{_NEWSLETTER}
</article>
{_related(noise)}"""
        return _document(
            publisher, article.headline, _article_head(publisher, article), main, noise
        )

    def listing(self, publisher: Publisher, listing: Listing, noise: Noise) -> str:
        teasers = "\n".join(
            f"""<article class="teaser"><a href="{escape(teaser.href)}">\
<img src="{teaser.image}" alt="" width="180"></a>
<div><p class="kicker">{escape(teaser.label)}</p>
<h2><a href="{escape(teaser.href)}">{escape(teaser.title)}</a></h2>
<p>{escape(teaser.text)}</p><p class="byline">{inline_links(teaser.authors)}</p></div></article>"""
            for teaser in listing.teasers
        )
        head = f'<link rel="canonical" href="{publisher.base_url}{escape(listing.path)}">'
        pager = ""
        if listing.next_page:
            head += f'\n<link rel="next" href="{publisher.base_url}{escape(listing.next_page)}">'
            pager = (
                f'<p class="pager"><a rel="next" href="{escape(listing.next_page)}">'
                "Older stories →</a></p>"
            )
        topics = f"<b>In focus</b> {inline_links(listing.topics)}" if listing.topics else ""
        main = f"""<h1>{escape(listing.title)}</h1>
<p class="intro">{escape(listing.intro)}</p>
<p class="byline">{topics}</p>
{teasers}
{pager}"""
        return _document(publisher, listing.title, head, main, noise)

    def leaf(self, publisher: Publisher, leaf: Leaf, noise: Noise) -> str:
        head = f'<link rel="canonical" href="{publisher.base_url}{escape(leaf.path)}">'
        main = f'<h1>{escape(leaf.title)}</h1>\n<div class="plain">{leaf.markup}</div>'
        return _document(publisher, leaf.title, head, main, noise)


def _article_head(publisher: Publisher, article: DemoArticle) -> str:
    image = publisher.base_url + article.image
    data = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": article.headline,
        "description": article.description,
        "datePublished": article.date_published,
        "articleSection": article.section,
        "author": [{"@type": "Person", "name": author} for author in article.authors],
        "publisher": {"@type": "NewsMediaOrganization", "name": publisher.name},
        "image": image,
        "mainEntityOfPage": article.url,
        "inLanguage": "en",
    }
    return f"""<link rel="canonical" href="{escape(article.url)}">
<meta name="description" content="{escape(article.description)}">
<meta property="og:type" content="article">
<meta property="og:title" content="{escape(article.headline)}">
<meta property="og:url" content="{escape(article.url)}">
<meta property="og:image" content="{escape(image)}">
<meta property="og:site_name" content="{escape(publisher.name)}">
<meta property="article:published_time" content="{article.date_published}">
<meta property="article:section" content="{escape(article.section)}">
{json_ld(data)}"""


def _document(publisher: Publisher, title: str, head: str, main: str, noise: Noise) -> str:
    menu = links((("Home", "/"), *((section.name, section.path) for section in publisher.sections)))
    most_read = links(tuple((article.headline, article.path) for article in noise.most_read))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{escape(title)} | {escape(publisher.name)}</title>
<link rel="alternate" type="application/rss+xml" title="{escape(publisher.name)}" href="/rss.xml">
{head}
<style>{_CSS}</style>
</head>
<body>
<div class="consent" role="dialog">We and our partners use cookies to remember your settings, to \
count visits and to pay for our journalism. You can change your mind at any time. \
<button>Accept all</button><button>Only what is needed</button></div>
<header class="site-header">
<a class="logo" href="/">{escape(publisher.name)}</a>
<div class="motto">{escape(publisher.motto)}</div>
<nav class="primary"><ul>
{menu}
<li><a href="/gallery/harbour-lights-in-winter">Pictures</a></li>
<li><a href="/video/a-day-on-the-ferry">Video</a></li>
<li><a href="/the-morning-tide-at-six">Morning Tide</a></li>
<li><a href="/search">Search</a></li>
<li><a href="/login">Log in</a></li>
</ul></nav>
</header>
<div class="layout">
<main>
{main}
</main>
<aside class="sidebar">
{_advert(noise, 1)}
<section class="most-read"><h3>Most read</h3><ol>
{most_read}
</ol></section>
{_advert(noise, 2)}
<section class="tips"><h3>Know something?</h3>
<p>Our reporters treat every tip in confidence. Write to us or come by the office on the quay.</p>
</section>
</aside>
</div>
<footer>
<ul>
<li><a href="/about">About us</a></li>
<li><a href="/contact">Contact</a></li>
<li><a href="/subscribe">Subscribe</a></li>
<li><a href="/privacy">How we treat your data</a></li>
<li><a href="/files/media-kit.pdf">Media kit (PDF)</a></li>
</ul>
<p>The Harbor Ledger is printed on paper from old forests and read on both sides of the bay.</p>
<p>© 2026 Harbor Ledger Publishing. All rights reserved. No part of this site may be reproduced \
without written permission.</p>
</footer>
</body>
</html>
"""


def _advert(noise: Noise, index: int) -> str:
    advert = noise.adverts[index]
    return (
        '<div class="ad"><small>Advertisement</small><br>'
        f'<a href="https://ads.example/{index}"><b>{escape(advert.title)}</b></a> '
        f"<span>{escape(advert.text)}</span></div>"
    )


def _post(article: DemoArticle) -> str:
    """What somebody wrote about it elsewhere, as its network hands it out."""
    number = 110_000_000_000 + sum(map(ord, article.path)) * 7919
    return (
        '<blockquote class="mastodon-embed"><p>So this is the talk of '
        f"{escape(article.place)} today: {escape(article.headline)}</p>"
        f'<a href="https://social.example/@harbourradio/{number}">Harbour Radio, 9:14</a>'
        "</blockquote>"
    )


def _read_also(noise: Noise) -> str:
    article = noise.related[0]
    return (
        '<aside class="read-also"><strong>Read also</strong> '
        f'<a href="{escape(article.path)}">{escape(article.headline)}</a></aside>'
    )


def _related(noise: Noise) -> str:
    items = "\n".join(
        f'<li><a href="{escape(article.path)}">{escape(article.headline)}</a>'
        + (f"<p>{escape(article.description)}</p>" if i % 2 else "")
        + "</li>"
        for i, article in enumerate(noise.related[1:])
    )
    return f'<section class="related"><h3>More on this</h3>\n<ul>\n{items}\n</ul></section>'


_SHARE = """<ul class="share">
<li><a href="#share-mail">Share by e-mail</a></li>
<li><a href="#share-link">Copy link</a></li>
<li><a href="#share-print">Print this page</a></li>
<li><a href="#save">Save for later</a></li>
</ul>"""

_NEWSLETTER = """<div class="newsletter"><h3>The Morning Tide</h3>
<p>Our newsletter brings you the five stories that matter, every morning at six, free of charge.</p>
<form action="/subscribe"><input name="mail" placeholder="Your e-mail"><button>Sign up</button>
</form></div>"""
