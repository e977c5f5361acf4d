"""The tools that people use now, each called as its own documentation says for an article's text.

One function a peer, with the peer's default settings but for these: trafilatura leaves readers'
comments out; readability, which hands back HTML, is read with a line for each text node; jusText
gets the stop list of the page's language; boilerpy3 is not to raise; newspaper4k and goose3 fetch
no images; resiliparse is asked for the main content, without comments, bullets, links, alternative
texts, form fields and `<noscript>`.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import logging
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from newsclean.extraction.metadata.language import detected_language, primary_subtag
from newsclean.extraction.page.decode import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True)
class Source:
    """A page as peers take it; what is cached here is prepared before the clock runs."""

    body: bytes

    @cached_property
    def html(self) -> str:
        """Decoded by newsclean, for the peers that take no bytes."""
        return decode(self.body).replace("\x00", "")

    @cached_property
    def language(self) -> str | None:
        """Declared by the page, else guessed from its visible text: never from the gold."""
        from lxml import etree

        parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, huge_tree=True)
        try:
            root = etree.fromstring(self.html.encode("utf-8", "surrogatepass"), parser)
        except etree.XMLSyntaxError:
            return None
        if root is None:
            return None
        if declared := primary_subtag(root.get("lang") or root.get("xml:lang")):
            return declared
        etree.strip_elements(root, "script", "style", "noscript", "head", with_tail=False)
        return detected_language(" ".join(" ".join(map(str, root.itertext())).split()))


@dataclass(frozen=True)
class Peer:
    name: str
    #: its name on PyPI
    package: str
    module: str
    text: Callable[[Source], str]
    #: what to say of a page that it could not treat as others
    note: Callable[[Source], str | None] = lambda source: None

    @property
    def installed(self) -> bool:
        return importlib.util.find_spec(self.module) is not None

    @property
    def version(self) -> str:
        return importlib.metadata.version(self.package)


def trafilatura(source: Source) -> str:
    from trafilatura import extract

    return extract(source.body, include_comments=False) or ""


def readability(source: Source) -> str:
    from lxml.html import fromstring
    from readability import Document

    summary = Document(source.html).summary()
    return "\n".join(map(str, fromstring(summary).itertext()))


def justext(source: Source) -> str:
    """With the stop list of the page's language; without one, as jusText's own `-s None` does."""
    import justext as package

    stoplist = _STOPLISTS.get(source.language or "")
    if stoplist:
        paragraphs = package.justext(source.body, package.get_stoplist(stoplist))
    else:
        paragraphs = package.justext(source.body, (), stopwords_low=0, stopwords_high=0)
    return "\n\n".join(str(part.text) for part in paragraphs if not part.is_boilerplate)


def _without_stoplist(source: Source) -> str | None:
    if (source.language or "") in _STOPLISTS:
        return None
    return f"no stop list for {source.language or 'an unknown language'}: used without one"


def boilerpy3(source: Source) -> str:
    from boilerpy3.extractors import ArticleExtractor

    return str(ArticleExtractor(raise_on_failure=False).get_content(source.html))


def newspaper4k(source: Source) -> str:
    from newspaper import Article

    article = Article("https://example.org/", fetch_images=False)
    article.download(input_html=source.html)
    article.parse()
    return str(article.text)


def goose3(source: Source) -> str:
    from goose3 import Goose

    with Goose({"enable_image_fetching": False}) as goose:
        return str(goose.extract(raw_html=source.html).cleaned_text)


def resiliparse(source: Source) -> str:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    return str(
        extract_plain_text(
            HTMLTree.parse(source.html),
            main_content=True,
            comments=False,
            list_bullets=False,
            links=False,
            alt_texts=False,
            form_fields=False,
            noscript=False,
        )
    )


PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer("trafilatura", "trafilatura", "trafilatura", trafilatura),
        Peer("readability", "readability-lxml", "readability", readability),
        Peer("justext", "jusText", "justext", justext, _without_stoplist),
        Peer("boilerpy3", "boilerpy3", "boilerpy3", boilerpy3),
        Peer("newspaper4k", "newspaper4k", "newspaper", newspaper4k),
        Peer("goose3", "goose3", "goose3", goose3),
        Peer("resiliparse", "Resiliparse", "resiliparse", resiliparse),
    )
}


@contextmanager
def quiet() -> Iterator[None]:
    """Without what peers log and warn of, page after page."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


#: jusText's lists by ISO 639 code
_STOPLISTS = {
    "af": "Afrikaans", "an": "Aragonese", "ar": "Arabic", "ast": "Asturian", "az": "Azerbaijani",
    "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali", "br": "Breton", "bs": "Bosnian",
    "ca": "Catalan", "ceb": "Cebuano", "cs": "Czech", "cv": "Chuvash", "cy": "Welsh",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto",
    "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish",
    "fr": "French", "fy": "West_Frisian", "ga": "Irish", "gl": "Galician", "gu": "Gujarati",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "ht": "Haitian", "hu": "Hungarian",
    "hy": "Armenian", "id": "Indonesian", "ig": "Igbo", "io": "Ido", "is": "Icelandic",
    "it": "Italian", "iw": "Hebrew", "jv": "Javanese", "ka": "Georgian", "kk": "Kazakh",
    "kn": "Kannada", "ko": "Korean", "ku": "Kurdish", "ky": "Kyrgyz", "la": "Latin",
    "lb": "Luxembourgish", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian",
    "ml": "Malayalam", "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "nb": "Norwegian_Bokmal",
    "ne": "Nepali", "nl": "Dutch", "nn": "Norwegian_Nynorsk", "no": "Norwegian_Bokmal",
    "oc": "Occitan", "pl": "Polish", "pt": "Portuguese", "qu": "Quechua", "ro": "Romanian",
    "ru": "Russian", "scn": "Sicilian", "sh": "Serbo_Croatian", "sk": "Slovak", "sl": "Slovenian",
    "sq": "Albanian", "sr": "Serbian", "su": "Sundanese", "sv": "Swedish", "sw": "Swahili",
    "ta": "Tamil", "te": "Telugu", "tk": "Turkmen", "tl": "Tagalog", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "wa": "Walloon",
    "yo": "Yoruba",
}  # fmt: skip


@dataclass(frozen=True)
class Fields:
    """The fields of an article as a tool gives them."""

    headline: str | None = None
    authors: list[str] = field(default_factory=list)
    date: str | None = None
    keywords: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class FieldPeer(Peer):
    """A tool with the call that gives fields, and which of them it gives at all."""

    text: Callable[[Source], str] = lambda source: ""
    fields: Callable[[Source, str | None], Fields] = lambda source, url: Fields()
    names: tuple[str, ...] = ("headline", "authors", "date", "keywords")


def _trafilatura_fields(source: Source, url: str | None) -> Fields:
    from trafilatura import bare_extraction

    found = bare_extraction(source.body, url=url, with_metadata=True, include_comments=False)
    if found is None:
        return Fields()
    given = found if isinstance(found, dict) else found.as_dict()
    authors = (given.get("author") or "").split(";")
    keywords = given.get("tags") or []
    return Fields(given.get("title"), _filled(authors), given.get("date"), _filled(keywords))


def _newspaper4k_fields(source: Source, url: str | None) -> Fields:
    from newspaper import Article

    article = Article(url or "https://example.org/", fetch_images=False)
    article.download(input_html=source.html)
    article.parse()
    date = article.publish_date
    keywords = article.meta_keywords or article.tags
    return Fields(
        article.title or None,
        _filled(article.authors),
        date.isoformat() if hasattr(date, "isoformat") else None,
        _filled(keywords),
    )


def _htmldate_fields(source: Source, url: str | None) -> Fields:
    from htmldate import find_date

    return Fields(date=find_date(source.html, original_date=True, url=url))


FIELD_PEERS = {
    peer.name: peer
    for peer in (
        FieldPeer("trafilatura", "trafilatura", "trafilatura", fields=_trafilatura_fields),
        FieldPeer("newspaper4k", "newspaper4k", "newspaper", fields=_newspaper4k_fields),
        FieldPeer("htmldate", "htmldate", "htmldate", fields=_htmldate_fields, names=("date",)),
    )
}


def _filled(texts: object) -> list[str]:
    found = [str(text).strip() for text in texts] if isinstance(texts, list | set | tuple) else []
    return [text for text in found if text]
