"""Encodings as browsers decide them, and wrong declarations survived."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.extraction.page.decode import PIECE_SIZE, decode, is_utf8

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
