"""Small pages, and soups of tags such as no template would make, for the tests of bodies."""

import re
from dataclasses import dataclass, field

from hypothesis import strategies as st

from newsclean.extraction.body.html import render_html
from newsclean.extraction.body.rows import Body, body_of, render_text
from newsclean.extraction.methods.chain import Choice
from newsclean.extraction.page import Page

URL = "https://example.org/news/story"

#: Tags in no good order: what opens may not close, what closes may not be open.
TAGS = """
<div>|</div>|<p>|</p>|<span>|</span>|<b>|</b>|<em>|</em>|<a href=/x>|</a>|<a href=/y><div>|<br>
|<br><br>|<ul>|<li>|</li>|</ul>|<ol>|</ol>|<dl>|<dt>|<dd>|</dl>|<table>|<tr>|<td>|<th>|</td>|</tr>
|</table>|<table><tr><td>|<tbody>|<caption>|</caption>|<pre>|</pre>|<h1>|</h1>|<h2>|</h2>|<h3>
|<blockquote>|</blockquote>|<figure>|</figure>|<figcaption>|</figcaption>|<img src=/i.jpg alt=i>
|<form>|</form>|<button>|<select><option>|<section>|</section>|<!-- note -->|<script>f()</script>
|<style>p{}</style>|<textarea>|</textarea>|<noscript>|</noscript>|<svg><text>|</svg>|<hr>|&amp;
|<ul><li>|<nav>|</nav>|<q>|</q>|<code>|</code>|<template>|<i|>
""".replace("\n", "").split("|")

#: What somebody would write who wants his script to run where the article is shown.
HOSTILE = """
<script>alert(1)</script>~<SCRIPT SRC=//evil.example/x.js></SCRIPT>~<img src=x onerror=alert(1)>
~<a href="javascript:alert(1)">go</a>~<a href="java&#10;script:alert(1)">go</a>
~<a href=" &#1; JaVaScRiPt:alert(1)">go</a>~<a href="data:text/html,<script>x</script>">go</a>
~<a href=vbscript:x>go</a>~<img src="data:image/svg+xml,<svg onload=x>">
~<p onclick=x() style="background:url(javascript:x)">words</p>~<svg onload=alert(1)>~</svg>~<math>
~<mtext>~<mglyph>~<style>~</style>~<noscript><p title="</noscript><img src=x onerror=x>">
~<iframe srcdoc="<script>x</script>">~</iframe>~<object data=javascript:x>~<embed src=x>~<form
action=javascript:x>~<button formaction=javascript:x>~<input onfocus=x autofocus>~<base
href="javascript:x//">~<base href="data:,">~<meta http-equiv=refresh content="0;url=javascript:x">
~<link rel=stylesheet href=x>~<template><script>~</template>~<xmp>~</xmp>~<plaintext>~<textarea>
~</textarea>~<title>~</title>~<!--~-->~<![CDATA[~]]>~&lt;script&gt;alert(1)&lt;/script&gt;
~<td colspan="2 onclick=x">~<a href='https://example.org/"><script>x</script>'>go</a>
~<img src=https://example.org/a.jpg alt='"><script>x</script>'>~<a href=//evil.example>go</a>
~<a href="http://[">go</a>~<table><tr><td>~<pre>~</pre>~<li>~<figure><img src=/p.jpg><figcaption>
~words of a paragraph ~<p>~</p>~<b>~<div>~</div>~</table>~<h2>~<x-y z>~<a href=mailto:a@b.example>
""".replace("\n", " ").split("~")


@dataclass(frozen=True)
class Names:
    """What the page's metadata say of its headline and authors."""

    headline: str | None = None
    authors: list[str] = field(default_factory=list)


soups = st.lists(st.sampled_from([*TAGS, " ", ""]), min_size=1, max_size=40)
hostile = st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=25).map("".join)


def everything(html: str) -> tuple[Page, Choice]:
    page = Page.from_html(f"<body>{html}", URL)
    return page, Choice.everything(page)


def html_of(html: str, *, images: bool = True) -> str:
    """The clean HTML of a page of which all is chosen."""
    page, choice = everything(html)
    return render_html(page, choice.rows, images=images)


def text_of(html: str) -> str:
    """The plain text of a page of which all is chosen."""
    page, choice = everything(html)
    return render_text(page, choice.rows)


def body_text(html: str, names: Names | None = None) -> str:
    """The plain text of the body of a page of which all is chosen."""
    page, choice = everything(html)
    return render_text(page, body(page, choice, names).text)


def body(page: Page, choice: Choice, names: Names | None = None) -> Body:
    return body_of(page, choice, names or Names())


def with_words(tags: list[str]) -> str:
    """The soup with a word of its own after each tag: w0, w1, w2 and so on."""
    return "".join(f"{tag} w{n} " for n, tag in enumerate(tags))


def numbers(text: str) -> list[int]:
    """The numbers of the words w0, w1 … in a text, in order; glued words are an error."""
    words = [word for word in text.split() if re.search(r"w\d", word)]
    assert all(re.fullmatch(r"w\d+", word) for word in words)
    return [int(word[1:]) for word in words]
