"""The Harbor Ledger after its redesign: nested divs with generated class names."""

from html import escape

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
from newsclean.demo.world import DemoArticle, Publisher

_CSS = """
body{margin:0;font:18px/1.65 system-ui,sans-serif;color:#101418;background:#f6f7f9}
a{color:#c0392b}.hl-bar{background:#0f3d4c;color:#fff;display:flex;align-items:center;gap:2rem;
padding:.8rem 2rem}.hl-bar a{color:#fff;text-decoration:none}.hl-bar b{font-size:1.3rem}
.css-9wq{max-width:760px;margin:2rem auto;background:#fff;padding:2rem 3rem;border-radius:12px;
box-shadow:0 1px 6px #0002}.css-t1{font-size:2.4rem;line-height:1.15;margin:.4rem 0;font-weight:800}
.css-meta,.css-soc,figcaption,.css-promo,.css-rail,.css-end{font-size:.85rem;color:#566}
.css-soc span{background:#eef;border-radius:1rem;padding:.3rem .9rem;margin-right:.5rem}
figure{margin:1.4rem -1rem}figure img{width:100%}
img{max-width:100%;height:auto;border-radius:8px}blockquote{
font-size:1.3rem;line-height:1.4;margin:1.5rem 0;color:#0f3d4c}table{width:100%;
border-collapse:collapse;font-size:.9rem}td,th{padding:.5rem;border-bottom:1px solid #dde;
text-align:left}.css-promo{background:#fff6e5;border-radius:8px;padding:.9rem;margin:1.2rem 0}
.css-rail{max-width:860px;margin:0 auto 2rem;display:grid;grid-template-columns:1fr 1fr;gap:2rem}
.css-card{padding:1rem 0;border-bottom:1px solid #eee}.css-end{background:#0f3d4c;color:#cde;
padding:2rem;text-align:center}.css-end a{color:#fff;margin:0 .7rem}
"""


class LedgerRedesign:
    """The second template."""

    def article(self, publisher: Publisher, article: DemoArticle, noise: Noise) -> str:
        names = ", ".join(
            f'<a class="css-a" href="{publisher.author_path(author)}">{escape(author)}</a>'
            for author in article.authors
        )
        blocks = [
            f'<div class="css-blk">{block_html(block, "Image: Ledger Pictures")}</div>'
            for block in article.blocks
        ]
        body = body_with_inserts(blocks, {2: _promo(noise, 0), 5: _next_up(noise)})
        main = f"""<div class="css-9wq"><div class="css-in">
<div class="css-meta">{escape(article.section)}</div>
<h1 class="css-t1">{escape(article.headline)}</h1>
<div class="css-meta">{names} <span>{article.published:%b %d, %Y}</span></div>
<div class="css-soc"><span>Gift this story</span><span>Listen instead</span>\
<span>Join the talk</span></div>
<div class="css-body">
{body}
</div>
<div class="css-meta">More about <a href="{publisher.topic_path(article.place)}">\
{article.place}</a></div>
<div class="css-promo"><b>Support the Ledger.</b> Independent reporting is expensive, and readers \
like you keep the lamps lit. <a href="/subscribe">Become a member</a></div>
</div></div>"""
        data = {
            "@context": "https://schema.org",
            "@graph": [
                {"@type": "WebSite", "name": publisher.name, "url": publisher.base_url},
                {
                    "@type": "NewsArticle",
                    "headline": article.headline,
                    "datePublished": article.date_published,
                    "articleSection": article.section,
                    "author": [{"@type": "Person", "name": name} for name in article.authors],
                    "url": article.url,
                },
            ],
        }
        head = f"""<link rel="canonical" href="{escape(article.url)}">
<meta property="og:title" content="{escape(article.headline)}">
<meta property="og:description" content="{escape(article.description)}">
<meta property="og:type" content="article">
{json_ld(data)}"""
        return _document(publisher, article.headline, head, main, noise)

    def listing(self, publisher: Publisher, listing: Listing, noise: Noise) -> str:
        cards = "\n".join(
            f"""<div class="css-card"><a href="{escape(teaser.href)}">\
<b>{escape(teaser.title)}</b></a>
<div>{escape(teaser.text)}</div>
<div class="css-meta">{inline_links(teaser.authors)}</div></div>"""
            for teaser in listing.teasers
        )
        head, more = "", ""
        if listing.next_page:
            href = escape(listing.next_page)
            head = f'<link rel="next" href="{publisher.base_url}{href}">'
            more = f'<div class="css-more"><a rel="next" href="{href}">Load more</a></div>'
        main = f"""<div class="css-9wq"><h1 class="css-t1">{escape(listing.title)}</h1>
<div class="css-meta">{escape(listing.intro)}</div>
<div class="css-meta">{inline_links(listing.topics, " · ")}</div>
{cards}
{more}</div>"""
        return _document(publisher, listing.title, head, main, noise)

    def leaf(self, publisher: Publisher, leaf: Leaf, noise: Noise) -> str:
        main = f"""<div class="css-9wq"><h1 class="css-t1">{escape(leaf.title)}</h1>
<div class="css-txt">{leaf.markup}</div></div>"""
        return _document(publisher, leaf.title, "", main, noise)


def _promo(noise: Noise, index: int) -> str:
    advert = noise.adverts[index]
    return (
        f'<div class="css-promo"><span>Sponsored</span> <b>{escape(advert.title)}</b> '
        f"<span>{escape(advert.text)}</span></div>"
    )


def _next_up(noise: Noise) -> str:
    article = noise.related[0]
    return (
        f'<div class="css-promo"><a href="{escape(article.path)}">Up next: '
        f"{escape(article.headline)}</a><div>{escape(article.description)}</div></div>"
    )


def _document(publisher: Publisher, title: str, head: str, main: str, noise: Noise) -> str:
    menu = "\n".join(
        f'<a href="{section.path}">{escape(section.name)} desk</a>'
        for section in publisher.sections
    )
    picks = links(tuple((article.headline, article.path) for article in noise.related[1:]), "div")
    trending = links(tuple((article.headline, article.path) for article in noise.most_read), "div")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(title)} · Ledger</title>
<link rel="alternate" type="application/rss+xml" href="/rss.xml">
{head}
<style>{_CSS}</style>
</head>
<body>
<div class="hl-bar"><a href="/"><b>Ledger.</b></a>
{menu}
<a href="/video/a-day-on-the-ferry">Watch</a>
<a href="/the-morning-tide-at-six">By mail</a>
<a href="/search">Find</a>
<a href="/login">My Ledger</a>
</div>
<div class="css-root">
{main}
<div class="css-rail">
<div><b>Picked for you</b>
{picks}
{_promo(noise, 1)}</div>
<div><b>Trending in the bay</b>
{trending}
{_promo(noise, 2)}</div>
</div>
</div>
<div class="css-end">
<div><a href="/about">Our newsroom</a><a href="/contact">Talk to us</a>\
<a href="/subscribe">Membership</a><a href="/privacy">Your data</a>\
<a href="/files/media-kit.pdf">For advertisers</a></div>
<div>Made with salt water and patience. Ledger Media 2026, all stories protected.</div>
<div>Privacy settings: we store a small file on your device so that this box stays closed.</div>
</div>
</body>
</html>
"""
