"""Oldbridge Gazette after its redesign: sections and microdata."""

from html import escape

from newsclean.demo.page import (
    Leaf,
    Listing,
    Noise,
    block_html,
    body_with_inserts,
    inline_links,
    links,
)
from newsclean.demo.world import DemoArticle, Publisher

_CSS = """
body{margin:0;font:16px/1.6 "Trebuchet MS",sans-serif;background:#fffdf8;color:#222}
a{color:#16613a}.masthead{padding:1.2rem 2rem;border-bottom:5px solid #16613a;display:flex;
justify-content:space-between;align-items:baseline}.masthead strong{font-size:2rem}
.masthead ul{display:flex;gap:1.3rem;list-style:none;margin:0}.columns{display:flex;gap:2.5rem;
max-width:1120px;margin:1.5rem auto;padding:0 1rem}.sidebar{flex:0 0 250px;order:-1;
font-size:.85rem}.content{flex:1;min-width:0}h1{font-size:2rem;line-height:1.2}
.dateline,.tools,figcaption,.sponsor,.bottom{font-size:.82rem;color:#666}.tools{margin:.6rem 0 1rem}
figure{margin:1rem 0;background:#f1eee4;padding:.6rem}figure img{width:100%}
img{max-width:100%;height:auto}
h2{color:#16613a;font-size:1.2rem}blockquote{background:#eaf4ee;margin:1rem 0;padding:.8rem 1.2rem}
table{border-collapse:collapse;width:100%}th{background:#16613a;color:#fff}th,td{padding:.35rem
.7rem;text-align:left;border-bottom:1px solid #cdc}.sponsor{border:1px dashed #b9a;padding:.7rem;
margin:1rem 0}.grid{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem}
.bottom{background:#ecebe4;padding:1.5rem;text-align:center}
"""


class GazetteRedesign:
    """The second template."""

    def article(self, publisher: Publisher, article: DemoArticle, noise: Noise) -> str:
        authors = " / ".join(
            '<span itemprop="author" itemscope itemtype="https://schema.org/Person">'
            f'<a href="{publisher.author_path(author)}"><span itemprop="name">{escape(author)}'
            "</span></a></span>"
            for author in article.authors
        )
        blocks = [block_html(block, "Gazette picture desk") for block in article.blocks]
        body = body_with_inserts(blocks, {3: _sponsor(noise, 0), 7: _more(noise)})
        main = f"""<section class="piece" itemscope itemtype="https://schema.org/NewsArticle">
<h1 itemprop="headline">{escape(article.headline)}</h1>
<div class="dateline">{authors}, <time itemprop="datePublished" \
datetime="{article.date_published}">{article.published:%d.%m.%Y}</time>
in <span itemprop="articleSection">{escape(article.section)}</span></div>
<div class="tools">Tell a neighbour · Pin to the board · Report an error</div>
<div itemprop="articleBody">
{body}
</div>
<div class="tools"><a href="{publisher.topic_path(article.place)}">#{article.place}</a></div>
<div class="tools">Was this piece worth your time? Give it a thumb and help us to do better.</div>
</section>"""
        head = f"""<link rel="canonical" href="{escape(article.url)}">
<meta property="og:title" content="{escape(article.headline)}">
<meta property="og:description" content="{escape(article.description)}">
<meta property="og:image" content="{escape(publisher.base_url + article.image)}">"""
        return _document(publisher, article.headline, head, main, noise)

    def listing(self, publisher: Publisher, listing: Listing, noise: Noise) -> str:
        cards = "\n".join(
            f"""<div class="card"><a href="{escape(teaser.href)}">\
<img src="{teaser.image}" alt=""></a>
<h3><a href="{escape(teaser.href)}">{escape(teaser.title)}</a></h3>
<p>{escape(teaser.text)} {inline_links(teaser.authors)}</p></div>"""
            for teaser in listing.teasers
        )
        pages = links(
            tuple((f"Page {i + 1}", page) for i, page in enumerate(listing.pages)), "span"
        )
        main = f"""<h1>{escape(listing.title)}</h1>
<p class="dateline">{escape(listing.intro)}</p>
<p class="tools">{inline_links(listing.topics)}</p>
<div class="grid">
{cards}
</div>
<div class="pages">{pages}</div>"""
        return _document(publisher, listing.title, "", main, noise)

    def leaf(self, publisher: Publisher, leaf: Leaf, noise: Noise) -> str:
        main = f'<h1>{escape(leaf.title)}</h1>\n<section class="page">{leaf.markup}</section>'
        return _document(publisher, leaf.title, "", main, noise)


def _sponsor(noise: Noise, index: int) -> str:
    advert = noise.adverts[index]
    return (
        f'<div class="sponsor"><em>From our partners</em> <b>{escape(advert.title)}</b>: '
        f"{escape(advert.text)}</div>"
    )


def _more(noise: Noise) -> str:
    items = links(tuple((article.headline, article.path) for article in noise.related[:2]))
    return f'<div class="sponsor"><b>While you are here</b><ul>\n{items}\n</ul></div>'


def _document(publisher: Publisher, title: str, head: str, main: str, noise: Noise) -> str:
    menu = links(tuple((section.name, section.path) for section in publisher.sections))
    talked = "\n".join(
        f'<p><a href="{escape(article.path)}">{escape(article.headline)}</a>'
        + (f" {escape(article.description)}" if i == 0 else "")
        + "</p>"
        for i, article in enumerate(noise.most_read)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(title)} :: Gazette</title>
<link rel="alternate" type="application/rss+xml" href="/rss.xml">
{head}
<style>{_CSS}</style>
</head>
<body>
<header class="masthead"><a href="/"><strong>gazette</strong></a>
<ul>
{menu}
<li><a href="/bicycles-cats-and-sofas.html">For sale</a></li>
<li><a href="/search?q=">Look up</a></li>
<li><a href="/login.html">Your account</a></li>
</ul></header>
<div class="columns">
<div class="content">
{main}
</div>
<div class="sidebar">
<h4>Talk of the town</h4>
{talked}
{_sponsor(noise, 1)}
{_sponsor(noise, 2)}
<h4>Town diary</h4>
<p>Market on Saturday, choir on Tuesday, bins on Wednesday. Add yours at the front desk.</p>
</div>
</div>
<footer class="bottom"><p><a href="/about.html">The team</a> <a href="/contact.html">Say hello</a>
<a href="/subscribe.html">Read us on paper</a> <a href="/privacy.html">Discretion</a>
<a href="/files/rates.pdf">Book an advert</a></p>
<p>Gazette House, Lower Quay, Oldbridge. Published every day except on the feast of St Orlan.</p>
<p>We set two cookies, one to keep you signed in and one to count you. Neither of them bites.</p>
</footer>
</body>
</html>
"""
