"""Encodings as browsers decide them, wrong declarations, and what is not an HTML page."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse, TextResponse

import newsclean
from newsclean.extraction.page import Page, PageError
from newsclean.extraction.page.decode import (
    MIN_UTF8_CHARACTERS,
    PIECE_SIZE,
    decode,
    is_utf8,
    is_utf8_declared_as,
)
from newsclean.middlewares.responses import page_of

JAPANESE = "<p>東京都は水曜日に新しい交通規則を発表した。市民の多くは歓迎している。</p>" * 20
RUSSIAN = "<p>Правительство города объявило о новых правилах дорожного движения.</p>" * 20


def test_a_byte_order_mark_beats_the_header() -> None:
    assert decode("\ufeffé".encode("utf-16-le"), "text/html; charset=utf-8") == "é"


def test_the_header_beats_the_meta_tag() -> None:
    body = '<meta charset="koi8-r">ж'.encode("windows-1251")
    assert decode(body, "text/html; charset=windows-1251").endswith("ж")


def test_the_meta_tag_counts_without_a_header() -> None:
    assert "ж" in decode('<meta charset="koi8-r">ж'.encode("koi8-r"))


def test_latin_1_means_windows_1252() -> None:
    assert decode(b"\x93hi\x94", "text/html; charset=iso-8859-1") == "“hi”"


def test_utf_8_under_a_latin_label_is_utf_8() -> None:
    assert decode("naïve – “café”".encode(), "text/html; charset=iso-8859-1") == "naïve – “café”"


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp"])
def test_japanese_declared_as_utf_8_is_read(encoding: str) -> None:
    body = ('<meta charset="utf-8">' + JAPANESE).encode(encoding)
    assert "新しい交通規則" in decode(body, "text/html; charset=utf-8")


def test_cyrillic_declared_as_utf_8_is_read() -> None:
    body = RUSSIAN.encode("windows-1251")
    assert "Правительство" in decode(body, "text/html; charset=utf-8")


def test_a_stray_byte_does_not_refute_the_declaration() -> None:
    body = ("Größe " * 500).encode() + b"\xff"
    assert decode(body, "text/html; charset=utf-8").startswith("Größe")


def test_an_unknown_label_is_not_an_error() -> None:
    assert decode("é".encode(), "text/html; charset=x-no-such") == "é"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("El alcalde anunció el miércoles que las escuelas cerrarán mañana. ", "cp1252"),
        ("Været på Sørlandet blir dårlig på lørdag, sier meteorologen. ", "cp1252"),
        ("Größe und Höhe des Flusses sind heute so, wie sie noch niemals waren. ", "cp1252"),
        ("Ogłosił w środę, że szkoły będą zamknięte. Mieszkańcy są zadowoleni. ", "iso8859-2"),
        ("Правительство города объявило о новых правилах движения. ", "koi8-r"),
    ],
)
def test_a_page_that_does_not_say_is_read_as_it_was_most_likely_written(
    text: str, encoding: str
) -> None:
    page = f"<p>{text * 30}</p>"
    assert decode(page.encode(encoding)) == page


def test_utf_8_that_does_not_say_so_survives_a_stray_byte() -> None:
    assert decode(("Größe " * 500).encode() + b"\xc3").startswith("Größe")


@pytest.mark.parametrize("label", ["undefined", "rot13", "utf-16", "idna", "punycode", "hex"])
def test_a_codec_that_is_not_an_encoding_of_pages_is_not_believed(label: str) -> None:
    page = f'<meta charset="{label}"><p>Größe und Höhe'
    assert decode(page.encode()) == page
    assert decode(page.encode("cp1252"), f"text/html; charset={label}") == page


@given(st.integers(PIECE_SIZE - 5, PIECE_SIZE + 5), st.text(max_size=8), st.binary(max_size=3))
def test_utf_8_is_told_as_by_decoding_all_of_it(before: int, text: str, odd: bytes) -> None:
    """A letter that lies across two of the pieces is whole; a byte that fits nowhere is found."""
    body = b"a" * before + text.encode("utf-8", "surrogatepass") + odd + b"a" * PIECE_SIZE
    try:
        body.decode()
    except UnicodeDecodeError:
        assert not is_utf8(body)
    else:
        assert is_utf8(body)


WRONG = (
    "gb2312 gbk gb18030 big5 big5-hkscs shift_jis euc-jp iso-2022-jp euc-kr ks_c_5601-1987 "
    "windows-1250 windows-1251 windows-1252 windows-1254 windows-1256 windows-874 tis-620 koi8-r"
).split()

TEXTS = {
    "zh": "市政府星期三宣布了新的交通规则。许多市民对此表示欢迎，但也有人担心费用。",
    "ja": "東京都は水曜日に新しい交通規則を発表した。市民の多くは歓迎している。",
    "ko": "서울시는 수요일에 새로운 교통 규칙을 발표했다. 많은 시민들이 환영하고 있다.",
    "ru": "Правительство города объявило о новых правилах дорожного движения.",
    "de": "Die Größe der Flüsse übersteigt alles, „was wir je für möglich hielten“, so Müller.",
    "en": "“It’s wet,” she said – and it’s ‘the river’ that we’re worried about, isn’t it?",
}

#: Encodings with the first and second bytes of their letters.
LEGACY = {
    "gb2312": (range(0xB0, 0xF8), range(0xA1, 0xFF)),
    "gbk": (range(0x81, 0xFF), range(0x40, 0xFF)),
    "big5-hkscs": (range(0xA4, 0xFA), range(0x40, 0xFF)),
    "euc-kr": (range(0xB0, 0xC9), range(0xA1, 0xFF)),
    "euc-jp": (range(0xA4, 0xF4), range(0xA1, 0xFF)),
    "shift_jis": ([*range(0x82, 0xA0), *range(0xE0, 0xEA)], range(0x40, 0xFD)),
}
TRIES = 3000


def page(text: str, label: str) -> str:
    title = text.split(".")[0].split("。")[0]
    paragraphs = "".join(f"<p>{text}</p>" for _ in range(5))
    head = f'<meta charset="{label}"><title>{title}</title>'
    return f"<html><head>{head}</head><body><h1>{title}</h1>{paragraphs}"


@pytest.mark.parametrize("label", WRONG)
@pytest.mark.parametrize("language", TEXTS)
def test_utf_8_is_read_whatever_is_declared(language: str, label: str) -> None:
    html = page(TEXTS[language], label)
    assert decode(html.encode()) == html
    assert decode(html.encode(), f"text/html; charset={label}") == html


@pytest.mark.parametrize("label", ["gb2312", "big5", "shift_jis", "euc-kr", "windows-1251"])
def test_a_crawl_reads_utf_8_whatever_is_declared(label: str) -> None:
    html = page(TEXTS["zh"], label)
    headers = {"Content-Type": f"text/html; charset={label}"}
    response = HtmlResponse("https://example.org/1", headers=headers, body=html.encode())
    article = newsclean.extract(page_of(response))
    assert article.body == "\n\n".join([TEXTS["zh"]] * 5)


@pytest.mark.parametrize("label", WRONG)
@pytest.mark.parametrize("lost", [1, 2])
def test_a_last_character_that_is_cut_refutes_nothing(label: str, lost: int) -> None:
    html = page(TEXTS["ja"], label) + "雨"
    assert decode(html.encode()[:-lost]) == html[:-1]


@pytest.mark.parametrize(
    ("language", "encoding"),
    [
        ("zh", "gb2312"),
        ("zh", "gb18030"),
        ("ja", "shift_jis"),
        ("ja", "euc-jp"),
        ("ja", "iso-2022-jp"),
        ("ko", "euc-kr"),
        ("ko", "iso-2022-kr"),
        ("ru", "koi8-r"),
        ("ru", "windows-1251"),
    ],
)
def test_a_page_that_is_what_it_declares_is_read_as_that(language: str, encoding: str) -> None:
    html = page(TEXTS[language], encoding)
    body = html.encode(encoding)
    assert decode(body) == html
    response = HtmlResponse("https://example.org/1", body=body)
    assert not is_utf8_declared_as(body, response.encoding)
    assert TEXTS[language] in newsclean.extract(page_of(response)).body


@pytest.mark.parametrize("encoding", LEGACY)
def test_a_few_characters_of_another_encoding_are_not_taken_for_utf_8(encoding: str) -> None:
    """One in five would be if a single character counted."""
    leads, trails = LEGACY[encoding]
    characters = []
    for pair in (bytes([lead, trail]) for lead in leads for trail in trails):
        try:
            pair.decode(encoding)
        except UnicodeDecodeError:
            continue
        characters.append(pair)
    rng = random.Random(encoding)
    for _ in range(TRIES):
        chosen = rng.choices(characters, k=MIN_UTF8_CHARACTERS)
        body = b"<p>A name: " + b", ".join([b"".join(chosen[:4]), b"".join(chosen[4:])])
        assert decode(body, f"text/html; charset={encoding}") == body.decode(encoding)


def test_half_width_katakana_are_not_taken_for_utf_8() -> None:
    rng = random.Random(1)
    for _ in range(TRIES):
        body = bytes(rng.choices(range(0xA1, 0xE0), k=2 * MIN_UTF8_CHARACTERS))
        assert decode(body, "text/html; charset=shift_jis") == body.decode("shift_jis")


def test_one_character_again_and_again_is_not_enough() -> None:
    """The sign of the yuan in GBK is a letter in UTF-8."""
    body = ("<p>" + ", ".join(f"Soup {price}元" for price in range(40))).encode("gbk")
    assert "元" in decode(body, "text/html; charset=gbk")


def test_bytes_that_do_not_decode_as_declared_and_are_utf_8_are_that() -> None:
    assert decode("Größe".encode(), "text/html; charset=iso-2022-jp") == "Größe"


WORDS = "It has rained in Bergen for nine days, and the river is as high as it ever was."
RSS = f"<rss version='2.0'><channel><item><description>{WORDS}</description></item></channel></rss>"
ATOM = f"<feed xmlns='http://www.w3.org/2005/Atom'><entry><summary>{WORDS}</summary></entry></feed>"
PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made <today> -->\n'
XHTML = f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{WORDS}</p></body></html>'


def refusal(html: str | bytes, content_type: str | None = None) -> str:
    with pytest.raises(PageError) as caught:
        Page.from_html(html, content_type=content_type)
    assert caught.value.reason == "not-html"
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (RSS, "an RSS feed"),
        (PROLOG + RSS, "an RSS feed"),
        ("<rdf:RDF xmlns:rdf='x'><item>x</item></rdf:RDF>", "an RSS feed"),
        (PROLOG + ATOM, "an Atom feed"),
        (PROLOG + "<urlset><url><loc>https://example.org/</loc></url></urlset>", "a sitemap"),
        (f'{{"body": "<p>{WORDS}</p>"}}', "JSON"),
        (f'\n [["{WORDS}"]]\n', "JSON"),
        (f'{{"body": "<p>{WORDS}</p>"}}\n{{"body": "<p>{WORDS}</p>"}}\n', "JSON"),
    ],
)
def test_what_is_not_a_page_is_refused_under_its_own_name(source: str, name: str) -> None:
    for html in (source, source.encode(), b"\xef\xbb\xbf" + source.encode()):
        assert refusal(html) == f"not an HTML page: it is {name}"
    assert refusal(source.encode("utf-16")) == f"not an HTML page: it is {name}"


@pytest.mark.parametrize(
    ("content_type", "name"),
    [
        ("application/json; charset=utf-8", "JSON"),
        ("application/rss+xml", "an RSS feed"),
        ("application/atom+xml", "an Atom feed"),
        ("Text/Plain", "plain text"),
        ("image/png", "image/png"),
    ],
)
def test_what_the_server_calls_something_else_is_believed(content_type: str, name: str) -> None:
    assert f"it is {name}" in refusal(XHTML, content_type)


@pytest.mark.parametrize("content_type", [None, "application/xhtml+xml", "application/xml"])
def test_xhtml_is_a_page(content_type: str | None) -> None:
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/x.dtd">'
    for source in (XHTML, PROLOG + XHTML, f"{PROLOG}{doctype}\n{XHTML}"):
        page = Page.from_html(source.encode(), content_type=content_type)
        assert page.blocks.text == [WORDS]


@pytest.mark.parametrize(
    "source", [f"[1] <p>{WORDS}", f"{{a}}<p>{WORDS}", "[" * 100_000 + f"<p>{WORDS}"]
)
def test_a_page_may_begin_with_brackets(source: str) -> None:
    assert Page.from_html(source).blocks.text[-1] == WORDS


def test_text_without_tags_is_a_page_if_the_server_says_so() -> None:
    assert Page.from_html(WORDS, content_type="text/html").blocks.text == [WORDS]


def test_many_declarations_are_read_once() -> None:
    source = "<!-- a -->" * 400 + "<!x>" * 400 + f"<p>{WORDS}"
    assert Page.from_html(source).blocks.text == [WORDS]


def test_the_crawl_refuses_the_same() -> None:
    url = "https://example.org/1"
    html = {"Content-Type": "text/html; charset=utf-8"}
    for body in (RSS, '{"a": 1}'):
        with pytest.raises(PageError, match=r"it is (an RSS feed|JSON)"):
            page_of(HtmlResponse(url, headers=html, body=body.encode()))
    with pytest.raises(PageError, match="it is plain text"):
        page_of(TextResponse(url, headers={"Content-Type": "text/plain"}, body=XHTML.encode()))
    assert page_of(HtmlResponse(url, headers=html, body=XHTML.encode())).blocks.text == [WORDS]


def test_what_a_server_calls_a_page_is_named_without_control_characters() -> None:
    assert (
        refusal("<p>x", "image/\x1b[31mpng\x9b")
        == "not an HTML page: it is image/\\x1b[31mpng\\x9b"
    )
