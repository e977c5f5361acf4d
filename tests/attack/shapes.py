"""Shapes of pages that strangers may write, each at any size.

A shape is what is repeated, and what is before and after it. A shape that nests opens its unit
again and again, and closes it (or does not) behind the innermost text.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = "<!DOCTYPE html><html lang=en><head><title>Rain in Bergen</title></head><body>"
SENTENCE = "The harbour master closed the old bridge for the night, because the river rose again. "
TEXT = f"<h1>Rain in Bergen</h1><p>{SENTENCE * 2}<p>It rained, and {SENTENCE}<p>Then {SENTENCE * 2}"


#: Units for each element in which all of them are.
WIDTH = 20


@dataclass(frozen=True)
class Shape:
    """A page of any size: `unit` many times between `before` and `after`.

    `{n}` in the unit becomes the number of the copy; `close` closes it after the innermost text.
    Some need a second part that grows along: `lead`, which comes first of all, or `deep`, which
    opens once for `WIDTH` units and holds them all.
    """

    unit: str
    before: str = HEAD + TEXT
    after: str = ""
    close: str = ""
    lead: str = ""
    lead_before: str = ""
    lead_after: str = ""
    deep: str = ""

    def page(self, size: int) -> str:
        """A page of about this many characters."""
        count = max(size // (len(self.unit) + len(self.close) + len(self.lead)), 1)
        if "{n}" in self.unit:
            middle = "".join(self.unit.replace("{n}", str(n)) for n in range(count))
        else:
            middle = self.unit * count
        end = SENTENCE + self.close * count if self.close else ""
        lead = f"{self.lead_before}{self.lead * count}{self.lead_after}"
        deep = self.deep * (count // WIDTH)
        return f"{lead}{self.before}{deep}{middle}{end}{self.after}"


def _nested(tag: str, *, closed: bool) -> Shape:
    return Shape(f"<{tag}>", close=f"</{tag}>" if closed else "", after=SENTENCE)


_OPEN = HEAD + TEXT
_LD = '<script type="application/ld+json">'

SHAPES: dict[str, Shape] = {
    # Text alone.
    "paragraphs": Shape(f"<p>{SENTENCE}{{n}}</p>"),
    "repeated paragraphs": Shape(f"<p>{SENTENCE}</p>"),
    "one giant text": Shape(SENTENCE),
    "one giant word": Shape("rain"),
    "white space": Shape(" \n\t"),
    "no-break spaces": Shape("&nbsp; "),
    "signs": Shape(".,:;-!? "),
    "CJK without spaces": Shape("东京发布新规定，市民表示欢迎。"),
    "CJK paragraphs": Shape("<p>东京发布新规定，市民表示欢迎。</p>"),
    "right to left": Shape("<p dir=rtl>المطر يتساقط على المدينة منذ تسعة أيام</p>"),
    "combining marks": Shape("e\u0301\u0327\u0302"),
    "zero-width spaces": Shape("a\u200b\u00ad"),
    "emoji": Shape("\U0001f468\u200d\U0001f469\u200d\U0001f467 "),
    "NUL and surrogates": Shape("<p>It\x00 has \ud800 rained</p>"),
    "control characters": Shape("<p>It\x1b has \x07 rained\x7f</p>"),
    "entities": Shape("&amp;&lt;&eacute;&#8212;&nosuch;&"),
    "numbers and dates": Shape("<p>Published 5 Jan 2026, 10:30 – updated 6 Jan 2026</p>"),
    "colons": Shape("<p>Read also: Rain: snow: wind</p>"),
    "slashes in start tags": Shape("<div/><p>It has rained {n}</p></div>"),
    "slashes in tags of many names": Shape("<x{n}/>It has rained</x{n}>"),
    # Inline tags.
    "one-letter inline tags": Shape("<b>a</b> "),
    "nested inline tags": _nested("b", closed=True),
    "unclosed inline tags": _nested("i", closed=False),
    "crossed inline tags": Shape("<b><i>rain</b></i> "),
    "font tags": Shape("<font size=2 color=red>rain "),
    "spans with styles": Shape('<span style="font-size:12px;color:#333">rain</span> '),
    "links": Shape('<a href="/rain-{n}.html">Rain in Bergen {n}</a> '),
    "one-letter links": Shape("<a href=x>a</a>"),
    "nested links": _nested("a href=x", closed=False),
    "links to the front page": Shape("<a href=/>Home</a>"),
    "br runs": Shape("<br>"),
    "words between br": Shape("rain<br>"),
    "abbreviations": Shape("<abbr title='World Health Organization'>WHO</abbr> "),
    # Blocks.
    "wide siblings": Shape("<div></div>"),
    "one-word blocks": Shape("<div>rain</div>"),
    "deep nesting": _nested("div", closed=True),
    "unclosed div": _nested("div", closed=False),
    "unclosed p": Shape("<p>rain"),
    "unclosed li": Shape("<li>rain"),
    "unclosed td": Shape("<td>rain"),
    "unknown tags": Shape("<x-{n}>rain</x-{n}>"),
    "end tags alone": Shape("</div></p></b>"),
    "headings": Shape("<h1>Rain in Bergen {n}</h1>"),
    "long heading": Shape("<b>Rain</b> ", before=HEAD + "<h1>"),
    "quotes in quotes": _nested("blockquote", closed=True),
    "articles": Shape(f"<article><h2>Rain</h2><p>{SENTENCE}</p></article>"),
    "sections in sections": _nested("section", closed=False),
    # Lists and tables.
    "lists": Shape("<ul><li>rain<li>snow</ul>"),
    "lists in lists": Shape("<ul><li>", close="</ul>"),
    "list items with paragraphs": Shape("<li><p>It has rained</p>", before=_OPEN + "<ul>"),
    "definition lists": Shape("<dt>rain<dd>water", before=_OPEN + "<dl>"),
    "table of one column": Shape("<tr><td>rain", before=_OPEN + "<table>"),
    "table of one row": Shape("<td>rain", before=_OPEN + "<table><tr>"),
    "data tables": Shape("<table><tr><th>a<th>b<tr><td>1<td>2</table>"),
    "tables in tables": Shape("<table><tr><td>rain", close="</table>"),
    "table with loose text": Shape("rain<tr><td>snow", before=_OPEN + "<table>"),
    "wide spans": Shape("<td colspan=1000 rowspan=1000>a", before=_OPEN + "<table><tr>"),
    # Preformatted text.
    "pre with blocks": Shape("<div>It has rained</div>", before=_OPEN + "<pre>"),
    "pre with paragraphs": Shape("<p>It has rained", before=_OPEN + "<pre>"),
    "pre with inline tags": Shape("<b>rain</b>\n", before=_OPEN + "<pre>"),
    "blank lines in pre": Shape(
        "\n", before=_OPEN + "<pre>\n", after=f"{SENTENCE * 3}</pre><p>{SENTENCE}"
    ),
    "many pre": Shape("<pre>rain\nsnow</pre>"),
    "pre with pictures": Shape("<div>a<img src=/a.jpg></div>", before=_OPEN + "<pre>"),
    # Pictures and media.
    "pictures": Shape("<img src=/rain-{n}.jpg alt=Rain>"),
    "base64 pictures": Shape("<img src='data:image/png;base64," + "iVBORw0KGgo" * 40 + "'>"),
    "figures with captions": Shape(
        "<figure><img src=/a.jpg><figcaption>Rain in Bergen</figcaption></figure>"
    ),
    "long srcset": Shape(
        "<img src=/a.gif data-srcset='" + "/rain-{n}.jpg 300w, /r/{n}.jpg 900w, " * 20 + "'>",
        after=f"<p>{SENTENCE}",
    ),
    "one srcset": Shape(
        "/rain-{n}.jpg {n}w, ", before=_OPEN + "<img srcset='", after=f"'><p>{SENTENCE}"
    ),
    "sources and pictures of one picture": Shape(
        "<i><source srcset='/a-{n}.jpg 9w'></i><img src=/b-{n}.jpg>",
        before=_OPEN + "<picture>",
        after=f"</picture><p>{SENTENCE}",
    ),
    "copies in noscript": Shape(
        "<img src=/blank.gif><noscript><img src=/rain-{n}.jpg></noscript>",
        after=f"<p>{SENTENCE}",
    ),
    "signs in a caption": Shape(
        "-",
        before=_OPEN + "<figure><img src=/a.jpg><figcaption>",
        after=f"x</figcaption></figure><p>{SENTENCE}",
    ),
    "figures in figures": _nested("figure", closed=False),
    "svg": Shape("<svg><path d='M0 0L1 1'/><text>rain</text></svg>"),
    "iframes": Shape("<iframe src=x>rain</iframe>"),
    "videos": Shape("<video><source src=a.mp4>rain</video>"),
    "players": Shape(
        "<iframe src=https://player.example/embed/{n}?a=b></iframe>", after=f"<p>{SENTENCE}"
    ),
    "posts": Shape(
        "<blockquote class=tweet>Rain <a href=https://twitter.com/a/status/{n}>now</a></blockquote>",
        after=f"<p>{SENTENCE}",
    ),
    "links in posts in posts": Shape(
        "<a href=/rain>rain</a> ", before=_OPEN + "<blockquote class=tweet>" * 90
    ),
    "dots in the address of a post": Shape(
        "a.",
        before=_OPEN + "<blockquote class=tweet>Rain <a href='https://",
        after=f"'>now</a></blockquote><p>{SENTENCE}",
    ),
    "addresses in the address of a post": Shape(
        "https://facebook.com/",
        before=_OPEN + "<blockquote class=tweet>Rain <a href='",
        after=f"'>now</a></blockquote><p>{SENTENCE}",
    ),
    "math": Shape("<math><mi>x</mi></math>"),
    "objects": Shape("<object><param name=a value=b>rain</object>"),
    # Forms.
    "options": Shape("<option>rain", before=_OPEN + "<select>"),
    "forms": Shape("<form><input name=a><button>go</button></form>"),
    "nested forms": _nested("form", closed=False),
    "textareas": Shape("<textarea>rain</textarea>"),
    "labels": Shape("<label>rain <input></label>"),
    # What is not shown.
    "comments": Shape("rain<!-- snow -->"),
    "empty comments": Shape("<!---->"),
    "one long comment": Shape("snow ", before=_OPEN + "<!--"),
    "processing instructions": Shape("<?php rain ?>"),
    "CDATA": Shape("<![CDATA[rain]]>"),
    "doctypes": Shape("<!DOCTYPE html>"),
    "scripts": Shape("<script>var rain = {n};</script>"),
    "unclosed script": Shape("var rain = '<p>'; ", before=_OPEN + "<script>"),
    "styles": Shape("<style>p { color: red }</style>"),
    "rules that hide": Shape(
        ".a{n}, #b{n} { display : none } @media print { .c{n} { visibility: hidden } } ",
        before=HEAD + "<style>",
        after=f"</style>{TEXT}<p class=a1>{SENTENCE}",
    ),
    "half rules": Shape("display  : {{;/", before=HEAD + "<style>", after=f"</style>{TEXT}"),
    "noscript": Shape("<noscript>rain</noscript>"),
    "templates": Shape("<template><p>rain</p></template>"),
    "hidden blocks": Shape("<div hidden>rain</div>"),
    "titles": Shape("<title>Rain</title>"),
    # The head.
    "long title": Shape("Rain in Bergen | ", before="<title>"),
    "title of spaces": Shape(" ", before="<title>Rain", after=f"Snow</title>{TEXT}"),
    "title of separators": Shape(" - ", before="<title>Rain", after=f"Snow</title>{TEXT}"),
    "title of colons": Shape(":", before="<title>Rain", after=f"Snow</title>{TEXT}"),
    "long title and many headings": Shape(
        "<h2>Rain in Bergen and snow in Oslo</h2>",
        before=f"<title>{'Rain in Bergen and snow in Oslo ' * 40}</title>",
    ),
    "meta tags": Shape("<meta property=article:tag content='rain {n}'>", after=TEXT),
    "authors": Shape("<meta name=author content='Ann Lee {n}'>", after=TEXT),
    "long author": Shape("Ann Lee, ", before="<meta name=author content='", after=f"'>{TEXT}"),
    "long keywords": Shape("rain, ", before="<meta name=keywords content='", after=f"'>{TEXT}"),
    "link tags": Shape("<link rel=canonical href=/{n}>", after=TEXT),
    "base tags": Shape("<base href=/{n}>", after=TEXT),
    "times": Shape("<time datetime=2026-01-05>5 January</time>"),
    "bylines": Shape("<span class=byline>By Ann Lee</span> "),
    "nested bylines": Shape("<div class=byline>By ", close="</div>"),
    "lines below the headline": Shape(
        "<p>By Ann Lee, 3/4/2024 | Updated 5 Jan 2026 {n}</p>",
        before=f"{HEAD}<h1>Rain in Bergen</h1>",
    ),
    "datelines": Shape("<div class=date>Published </div>"),
    "JSON-LD scripts": Shape(f'{_LD}{{"@type": "NewsArticle", "headline": "Rain"}}</script>'),
    "deep JSON-LD": Shape("[", before=_OPEN + _LD, after="</script>"),
    "nested JSON-LD": Shape('{"a":', before=_OPEN + _LD, after="</script>"),
    "wide JSON-LD": Shape(
        '{"@type": "Article", "@id": "{n}"},', before=f"{_OPEN}{_LD}[", after="{}]</script>"
    ),
    "broken JSON-LD": Shape('"headline": "rain", ', before=_OPEN + _LD, after="</script>"),
    "JSON-LD of quotes": Shape('"', before=_OPEN + _LD + "{", after="</script>"),
    "JSON-LD of slips": Shape(",\n/*", before=_OPEN + _LD + "{", after="</script>"),
    "JSON-LD body": Shape(
        SENTENCE,
        before=f'{_OPEN}{_LD}{{"@type": "Article", "articleBody": "',
        after='"}</script>' + "<p>The harbour master closed the bridge.</p>" * 50,
    ),
    # Pages that leave their text to their scripts.
    "texts in a state": Shape(
        f'{{"text": "{SENTENCE}{{n}}"}},', before=f"{HEAD}<script>window.a=[", after="{}]</script>"
    ),
    "HTML in a state": Shape(
        f"<p>{SENTENCE}<img src=/{{n}}.jpg>",
        before=f'{HEAD}<script>window.a={{"html": "',
        after='"}</script>',
    ),
    "attributes in a state": Shape(
        " a{n}",
        before=f'{HEAD}<script>window.a={{"html": "{SENTENCE * 9}<p',
        after='>"}</script>',
    ),
    "assignments": Shape('window.a=["rain", ', before=f"{HEAD}<script>", after="</script>"),
    "roots in roots": Shape(
        "<svg></svg>",
        before=f"{HEAD}<script></script><p>{SENTENCE * 4}" + "<svg id=root>" * 200,
        after="<b></b>",
    ),
    # Attributes.
    "many attributes": Shape(" a{n}=1", before=_OPEN + "<p", after=f">{SENTENCE}"),
    "many short attributes": Shape(" a", before=_OPEN + "<p", after=f">{SENTENCE}"),
    "attributes of many tags": Shape("<p" + "".join(f" a{n}=1" for n in range(40)) + ">rain"),
    "attributes in an end tag": Shape(" a{n}=1", before=_OPEN + "</p", after=f">{SENTENCE}"),
    "attributes of an unclosed tag": Shape(" a{n}=1", before=_OPEN + "<p"),
    "attributes of several html tags": Shape("<html a{n}=1>"),
    "attributes of several body tags": Shape("<body b{n}=1>"),
    "slashes in a tag": Shape("/a", before=_OPEN + "<p", after=f">{SENTENCE}"),
    "quotes in a tag": Shape("'", before=_OPEN + "<p ", after=f">{SENTENCE}"),
    "long attribute": Shape("x", before=_OPEN + "<p title='", after=f"'>{SENTENCE}"),
    "unclosed attribute": Shape("x<p>", before=_OPEN + "<p title='"),
    "long class": Shape("rain-{n} ", before=_OPEN + "<p class='", after=f"'>{SENTENCE}"),
    "long style": Shape("color:red;", before=_OPEN + "<p style='", after=f"'>{SENTENCE}"),
    "classes and ids": Shape("<p class='c{n} articleBody' id=i{n}>rain"),
    "camel case names": Shape("aB", before=_OPEN + "<p class='", after=f"'>{SENTENCE}"),
    "long addresses": Shape("<a href='/" + "rain-" * 100 + "'>rain</a>"),
    "long base": Shape("<a href=x>rain</a>", before=f"<base href=/{'a' * 2000}>{TEXT}"),
    # Much inside much: what is done for each of many costs nothing that grows with the others.
    "wide below deep inline tags": Shape("<i>a</i> ", deep="<b>"),
    "wide below deep blocks": Shape("<p>rain</p>", deep="<div>"),
    "wide below deep quotes": Shape("<p>rain</p>", deep="<blockquote>"),
    "wide below deep lists": Shape("<li>rain</li>", deep="<ul><li>"),
    "wide below deep datelines": Shape("<i></i>", deep="<div class=date>"),
    "wide below deep headings": Shape("<i>a</i> ", deep="<h1><div>"),
    "wide below deep links": Shape("<i>a</i> ", deep="<a href=/><div>"),
    "wide below deep tables": Shape("<p>rain</p>", deep="<table><tr><td>"),
    "long title over many headings": Shape(
        "<h2>Rain in Bergen, snow {n}</h2>",
        lead="Rain in Oslo and snow in Moss ",
        lead_before="<title>",
        lead_after="</title>",
    ),
    "JSON-LD body over many paragraphs": Shape(
        "<p>The old bridge {n} was closed for the night.</p>",
        lead=SENTENCE,
        lead_before=f'{_LD}{{"@type": "Article", "articleBody": "',
        lead_after='"}</script>',
    ),
    "links with microdata": Shape("<link itemprop=image href=/{n}>", after=TEXT),
    "types of linked data": Shape(
        '{"@type": [' + ", ".join(f'"t{k}-{{n}}"' for k in range(20)) + "]},",
        before=f"{_OPEN}{_LD}[",
        after="{}]</script>",
    ),
    "attributes with tag ends": Shape(" a{n}='>'", before=_OPEN + "<p", after=f">{SENTENCE}"),
    "attributes after a comment": Shape(" a{n}", before=_OPEN + "<!-- <i a=' --><p", after=">"),
    "tag starts in a tag": Shape("<a <a <a <a >"),
    "tag starts in a name": Shape("<a"),
    # Documents in documents.
    "several bodies": Shape("<html><body>rain</body></html>"),
    "end tags of the page": Shape("</body></html>rain"),
    "frames": Shape("<frame src=x>", before="<html><frameset>"),
    "markup signs": Shape("<", before=_OPEN),
    "unfinished tags": Shape("<a <b <", before=_OPEN),
    "open comments": Shape("<!--<script", before=_OPEN),
}
