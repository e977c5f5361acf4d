"""Find the encoding of a page, and whether it is an HTML page at all.

The order is that of browsers: byte order mark, HTTP header, `<meta>`. If the declared encoding
cannot be right (the bytes do not decode, or are UTF-8 beyond chance), it is guessed from the bytes.
"""

from __future__ import annotations

import codecs
import json
import re

from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

_ONE_BYTE = re.compile(
    r"(cp|windows-?)125\d|(iso)?-?8859|latin|koi8|mac|ascii|cp(437|85\d|86\d|87\d)"
)
# Codecs that only Python knows, and wide encodings, which need a byte order mark.
_NOT_AN_ENCODING = re.compile(
    r"utf-?(7|16|32)|undefined|idna|punycode|palmos|(raw-)?unicode-escape|rot-?13"
    r"|base64|bz2|hex|quopri|uu|zlib"
)
# What is left open reaches to the end, so that the search for its end is not repeated.
_TAG = re.compile(rb"<(script|style)\b.*?(?:</\1|\Z)|<[^<>]*(?:>|\Z)", re.DOTALL | re.IGNORECASE)
_ASCII = re.compile("[\x00-\x7f]+")
_BINARY = tuple(b"%PDF- \x89PNG GIF8 \xff\xd8\xff PK\x03\x04 \x1f\x8b RIFF".split(b" "))

#: The encoding that browsers take for a page that declares none.
_DEFAULT = "cp1252"
#: Encodings of web pages that declare none.
_GUESSES = [_DEFAULT, *"cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp874".split()]
_GUESSES += "iso8859_2 koi8_r cp932 euc_jp gb18030 big5 cp949".split()

#: Bytes that are checked at a time; larger pieces do not fit in the caches.
PIECE_SIZE = 1 << 14

#: Bytes of the page's visible text from which the encoding is guessed.
MAX_SAMPLE = 64_000

#: Bytes are UTF-8 beyond chance if they hold at least this many characters outside ASCII, of this
#: many kinds, and none that is broken. A character of a text in GB2312, Big5, EUC-KR, EUC-JP or
#: Shift_JIS is valid UTF-8 in at most one case of five, two half-width katakana in one of four: of
#: texts with that many, less than one in 50,000 is.
MIN_UTF8_CHARACTERS = 8
_MIN_UTF8_KINDS = 3

#: Content types of HTML pages: XHTML has many, and some servers call every page a byte stream.
_HTML_TYPES = re.compile(r"html|octet-stream|application/xml|text/xml")

#: The first element after declarations and comments.
_FEED = re.compile(
    rb"(?:\s|<\?[^>]*>|<!--.*?-->|<!(?!--)[^>]*>)*+<(?:\w+:)?(rss|feed|rdf|urlset|sitemapindex)[\s>]",
    re.DOTALL | re.IGNORECASE,
)
_FEEDS = {b"rss": "an RSS feed", b"rdf": "an RSS feed", b"feed": "an Atom feed"}
_NAMES = {"json": "JSON", "rss": "an RSS feed", "atom": "an Atom feed", "text/plain": "plain text"}

#: Bytes in which the first element is searched.
_MAX_HEAD = 4096


def decode(body: bytes, content_type: str | None = None) -> str:
    """Return the text of an HTML document.

    >>> decode("Größe".encode("latin-1"), "text/html; charset=iso-8859-1")
    'Größe'
    >>> decode("Größe".encode(), "text/html; charset=iso-8859-1")  # a wrong header
    'Größe'
    """
    text = _text_unless_utf8(body, content_type)
    return body.decode() if text is None else text


def as_utf8(body: bytes, content_type: str | None = None) -> bytes:
    """Return the text of an HTML document as UTF-8; most pages are left as they are.

    >>> as_utf8("Größe".encode("latin-1"), "text/html; charset=iso-8859-1").decode()
    'Größe'
    """
    text = _text_unless_utf8(body, content_type)
    return body if text is None else text.encode("utf-8", "surrogatepass")


def _text_unless_utf8(body: bytes, content_type: str | None) -> str | None:
    """Return the text, or None if the bytes are UTF-8."""
    marked, bom = read_bom(body)
    if marked and bom:
        return body[len(bom) :].decode(marked, "replace")
    declared = http_content_type_encoding(content_type) or html_body_declared_encoding(body[:4096])
    if declared and _NOT_AN_ENCODING.match(declared):
        declared = None
    if declared is None or declared == "utf-8":
        return None if is_utf8(body) else repair(body, declared)
    if _ONE_BYTE.match(declared) and is_utf8(body):
        return None
    text = _text_if_utf8(body)
    if text is None:
        text = _strict(body, declared)
    if text is None and not is_utf8(body):
        text = repair(body, declared)
    return text


def is_utf8_declared_as(body: bytes, declared: str) -> bool:
    """Return whether these bytes are UTF-8 although another encoding is declared.

    >>> is_utf8_declared_as("Größe".encode(), "cp1252"), is_utf8_declared_as(b"size", "cp1252")
    (True, False)
    """
    if declared == "utf-8" or body.isascii():
        return False
    if _ONE_BYTE.match(declared) and is_utf8(body):
        return True
    return _text_if_utf8(body) is not None


def _text_if_utf8(body: bytes) -> str | None:
    """Return the text of bytes that are UTF-8 beyond chance; the last character may be cut.

    >>> _text_if_utf8("東京都は新しい規則".encode()[:-1]), _text_if_utf8("東京".encode())
    ('東京都は新しい規', None)
    """
    if body.isascii():
        return None
    try:
        text, _ = codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return None
    letters = _ASCII.sub("", text)
    enough = len(letters) >= MIN_UTF8_CHARACTERS and len(set(letters)) >= _MIN_UTF8_KINDS
    return text if enough else None


def _strict(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(resolve_encoding(encoding) or encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def is_utf8(body: bytes) -> bool:
    """Return whether these bytes are UTF-8, without decoding them as a whole.

    >>> is_utf8("Größe".encode()), is_utf8("Größe".encode("latin-1")), is_utf8("ö".encode()[:1])
    (True, False, False)
    """
    if body.isascii():
        return True
    start = 0
    try:
        while start < len(body):
            end = start + PIECE_SIZE
            start += codecs.utf_8_decode(body[start:end], "strict", end >= len(body))[1]
    except UnicodeDecodeError:
        return False
    return True


def repair(body: bytes, declared: str | None = None) -> str:
    """Return the text of bytes that do not decode as declared."""
    broken = body.decode(resolve_encoding(declared or "utf-8") or "utf-8", "replace")
    # A stray byte, or a character cut at the end, does not refute a declaration, nor UTF-8 without
    # one.
    bad = broken.count("\ufffd")
    good = sum(letter > "\x7f" for letter in broken[:MAX_SAMPLE]) - bad
    if bad <= 2 + len(broken) // 2000 and (declared or good > bad):
        return broken
    for encoding in _guesses(body):
        text = body.decode(encoding, "replace")
        if text.count("\ufffd") < bad:
            return text
    return broken if declared else body.decode(_DEFAULT, "replace")


def _guesses(body: bytes) -> list[str]:
    """Return encodings that would explain the page's visible text, most likely first."""
    from charset_normalizer import from_bytes  # slow to import, rarely needed

    sample = b" ".join(_TAG.sub(b" ", body[: 16 * MAX_SAMPLE]).split())[:MAX_SAMPLE]
    matches = list(from_bytes(sample, cp_isolation=_GUESSES))
    # Of encodings that explain it equally well, the default of browsers comes first.
    best = [(match.chaos, match.coherence) for match in matches[:1]]
    western = any(
        _DEFAULT in match.could_be_from_charset
        for match in matches
        if (match.chaos, match.coherence) in best
    )
    return [_DEFAULT] * western + [match.encoding for match in matches]


def looks_binary(body: bytes) -> bool:
    """Return whether these bytes are a picture, an archive or a PDF rather than text.

    >>> looks_binary(b"%PDF-1.7 ...")
    True
    """
    head = body[:1024].lstrip()
    if head.startswith(_BINARY):
        return True
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE))
    return not wide and head.count(0) > len(head) // 20


def other_type(content_type: str | None) -> str | None:
    """Return the name of a content type, None if it may be that of an HTML page.

    >>> other_type("application/json; charset=utf-8"), other_type("image/png")
    ('JSON (the server calls it application/json; charset=utf-8)', 'image/png')
    >>> other_type("application/xhtml+xml"), other_type(None)
    (None, None)
    """
    kind = (content_type or "").strip().lower()
    if not kind or _HTML_TYPES.search(kind):
        return None
    if not kind.isprintable():
        kind = ascii(kind)[1:-1]  # it is shown to people
    name = next((name for part, name in _NAMES.items() if part in kind), None)
    return f"{name} (the server calls it {kind})" if name else kind


def other_contents(source: bytes) -> str | None:
    """Return what a document in UTF-8 is if it is not an HTML page; text without tags may be one.

    >>> other_contents(b'{"a": 1}'), other_contents(b'<?xml version="1.0"?><rss><channel>')
    ('JSON', 'an RSS feed')
    >>> other_contents(b"One.<p>Two.")
    """
    head = source[:_MAX_HEAD].removeprefix(b"\xef\xbb\xbf")
    feed = _FEED.match(head)
    if feed:
        return _FEEDS.get(feed[1].lower(), "a sitemap")
    if head.lstrip().startswith((b"{", b"[")) and _is_json(source):
        return "JSON"
    return None


def _is_json(source: bytes) -> bool:
    """Return whether this is one JSON value, or JSON lines."""
    text = source.decode("utf-8-sig", "replace").lstrip()
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    rest = text[end : end + _MAX_HEAD].lstrip()
    return not rest or rest.startswith("{")
