"""Oldbridge Gazette: tables inside one whole-page form, no semantic tags, meta tags only."""

from html import escape

from newsclean.demo.blocks import (
    Block,
    Bullets,
    Figure,
    Paragraph,
    Quote,
    Runs,
    Subheading,
    plain,
)
from newsclean.demo.page import Leaf, Listing, Noise, inline, inline_links
from newsclean.demo.world import DemoArticle, Publisher

_CSS = """
body{margin:0;background:#d9d4c7;font:14px/1.5 Verdana,Arial,sans-serif}
a{color:#7a1f1f}#page{background:#fff;margin:0 auto}.top{background:#7a1f1f;color:#fff}
.top a{color:#fff}.menu{background:#efe9da;width:150px}.menu a{display:block;padding:5px 10px}
.txt{font-size:15px;line-height:1.65;padding:0 22px 20px}.hl{font:bold 27px Georgia,serif}
.by{color:#777;font-size:12px}.sub{font-weight:bold;font-size:17px;color:#7a1f1f;margin:14px 0 6px}
.q{margin:12px 26px;font-style:italic;color:#444}.pic{margin:10px 0}.cap{font-size:11px;color:#777}
.data td{border:1px solid #bbb;padding:4px 9px}.box{background:#f7f3e8;border:1px solid #ddd;
padding:8px;margin:8px 0;font-size:12px}.foot{font-size:11px;color:#666;text-align:center}
.right{width:210px;font-size:12px}
"""


class Gazette:
    """The first template."""

    def article(self, publisher: Publisher, article: DemoArticle, noise: Noise) -> str:
        # Half of the articles part their paragraphs with two line breaks, half with p.
        breaks = sum(map(ord, article.path)) % 2 == 0
        authors = ", ".join(
            f'<a href="{publisher.author_path(author)}">{escape(author)}</a>'
            for author in article.authors
        )
        main = f"""<div class="by">{escape(article.section)}</div>
<div class="hl">{escape(article.headline)}</div>
<div class="by">{authors} | {article.published:%A, %B %d, %Y, %I:%M %p}</div>
{_SHARE}
<div id="articleText">
{_soup(article.blocks, breaks, _inside(noise))}
</div>
<div class="by">Tags: <a href="{publisher.topic_path(article.place)}">{article.place}</a></div>
{_SHARE_BELOW}
<div class="box"><b>Related stories</b><br>
{_story_links(noise.related, with_text=True)}
</div>"""
        head = f"""<link rel="canonical" href="{escape(article.url)}">
<meta name="description" content="{escape(article.description)}">
<meta name="author" content="{escape(", ".join(article.authors))}">
<meta name="date" content="{article.date_published}">
<meta name="section" content="{escape(article.section)}">"""
        return _document(publisher, article.headline, head, main, noise)

    def listing(self, publisher: Publisher, listing: Listing, noise: Noise) -> str:
        rows = "\n".join(
            f"""<tr><td valign="top"><img src="{teaser.image}" width="110" alt=""></td>
<td valign="top"><a href="{escape(teaser.href)}"><b>{escape(teaser.title)}</b></a><br>
<font size="2">{escape(teaser.text)} <i>{inline_links(teaser.authors)}</i></font>
<a href="{escape(teaser.href)}">more &raquo;</a></td></tr>"""
            for teaser in listing.teasers
        )
        numbers = " | ".join(
            f"<b>{i + 1}</b>" if i == listing.current else f'<a href="{escape(page)}">{i + 1}</a>'
            for i, page in enumerate(listing.pages)
        )
        main = f"""<div class="hl">{escape(listing.title)}</div>
<div class="by">{escape(listing.intro)}</div>
<div class="by">{inline_links(listing.topics, " | ")}</div>
<table cellpadding="6" border="0">
{rows}
</table>
<div class="pages">{"Page: " + numbers if numbers else ""}</div>"""
        return _document(publisher, listing.title, "", main, noise)

    def leaf(self, publisher: Publisher, leaf: Leaf, noise: Noise) -> str:
        main = f'<div class="hl">{escape(leaf.title)}</div>\n<div>{leaf.markup}</div>'
        return _document(publisher, leaf.title, "", main, noise)


def _soup(blocks: tuple[Block, ...], breaks: bool, inside: str) -> str:
    parts: list[str] = []
    for i, block in enumerate(blocks):
        if i == 4:
            parts.append(inside)
        if isinstance(block, Paragraph):
            text = _inline(block.runs)
            parts.append(f"{text}\n<br><br>" if breaks else f"<p>{text}</p>")
        elif isinstance(block, Subheading):
            parts.append(f'<div class="sub">{_inline(block.runs)}</div>')
        elif isinstance(block, Quote):
            parts.append(f'<div class="q">{_inline(block.runs)}</div>')
        elif isinstance(block, Bullets):
            tag = "ol" if block.ordered else "ul"
            items = "\n".join(f"<li>{_inline(item)}" for item in block.items)
            parts.append(f"<{tag}>\n{items}\n</{tag}>")
        elif isinstance(block, Figure):
            parts.append(
                f'<div class="pic"><img src="{block.image}" width="480" '
                f'alt="{escape(plain(block.caption))}">'
                f'<div class="cap">{_inline(block.caption)} (Gazette archive)</div></div>'
            )
        else:
            rows = "\n".join(
                "<tr>\n" + "\n".join(f"<td>{_inline(cell)}</td>" for cell in row) + "\n</tr>"
                for row in (block.head, *block.rows)
            )
            parts.append(f'<table class="data" cellspacing="0">\n{rows}\n</table><br>')
    return "\n".join(parts)


def _inline(runs: Runs) -> str:
    return inline(runs, em="i", strong="b")


def _inside(noise: Noise) -> str:
    advert = noise.adverts[0]
    return (
        '<table class="box" align="right" width="200"><tr><td>'
        '<font size="1">ADVERTISEMENT</font><br>'
        f'<a href="https://ads.example/inside"><b>{escape(advert.title)}</b></a><br>'
        f"{escape(advert.text)}</td></tr></table>"
    )


def _story_links(articles: tuple[DemoArticle, ...], with_text: bool = False) -> str:
    return "\n".join(
        f'&bull; <a href="{escape(article.path)}">{escape(article.headline)}</a><br>'
        + (f"<i>{escape(article.description)}</i><br>" if with_text and i % 2 == 0 else "")
        for i, article in enumerate(articles)
    )


def _document(publisher: Publisher, title: str, head: str, main: str, noise: Noise) -> str:
    menu = "\n".join(
        f'<a href="{section.path}">{escape(section.name)}</a>' for section in publisher.sections
    )
    adverts = "\n".join(
        f'<div class="box"><font size="1">ADVERTISEMENT</font><br><b>{escape(advert.title)}</b><br>'
        f"{escape(advert.text)}</div>"
        for advert in noise.adverts[1:]
    )
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<title>{escape(publisher.name)} - {escape(title)}</title>
<link rel="alternate" type="application/rss+xml" title="Gazette feed" href="/rss.xml">
{head}
<style type="text/css">{_CSS}</style>
</head>
<body>
<form name="aspnetForm" method="post" action="/postback" id="aspnetForm">
<table id="page" width="980" cellpadding="8" cellspacing="0" border="0">
<tr><td colspan="3" class="top"><a href="/"><font size="6">{escape(publisher.name)}</font></a>
&nbsp; {escape(publisher.motto)}</td></tr>
<tr><td colspan="3" class="box">This website uses cookies. By staying here you agree to that. \
<a href="/about.html">Find out more</a></td></tr>
<tr>
<td class="menu" valign="top">
<a href="/">Front page</a>
{menu}
<a href="/photos/derby-day-in-pictures-104411.html">Photos</a>
<a href="/tv/the-bakers-of-herring-lane-104873.html">Gazette TV</a>
<a href="/bicycles-cats-and-sofas.html">Small ads</a>
<a href="/search?q=">Search</a>
<a href="/login.html">Members</a>
<a href="/subscribe.html">Home delivery</a>
<div class="box">Lost a cat? Found a bicycle? Small ads cost only two crowns a line.</div>
</td>
<td class="txt" valign="top">
{main}
</td>
<td class="right" valign="top">
<div class="box"><b>Most popular today</b><br>
{_story_links(noise.most_read)}
</div>
{adverts}
<div class="box"><b>Gazette by post</b><br>Get the weekend edition delivered to your door for six \
crowns a month. Ask at any newsagent in town.</div>
</td>
</tr>
<tr><td colspan="3" class="foot"><a href="/about.html">Who we are</a> |
<a href="/contact.html">Write to the editor</a> | <a href="/subscribe.html">Subscriptions</a> |
<a href="/privacy.html">What we know about our readers</a> |
<a href="/files/rates.pdf">Advertising rates</a><br>
Copyright 2026 Oldbridge Gazette Ltd. Reproduction in any form is forbidden. Opinions in letters \
are those of their writers.</td></tr>
</table>
</form>
</body>
</html>
"""


_SHARE = """<div class="by"><a href="#mail">Mail this story to a friend</a> |
<a href="#print">Printer-friendly page</a> | <a href="#bigger">Larger text</a></div><br>"""

_SHARE_BELOW = """<div class="box">Do you have an opinion about this story? Letters of up to two \
hundred words are welcome and may be shortened. <a href="/contact.html">Send a letter</a></div>"""
