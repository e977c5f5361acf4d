"""Encodings as browsers decide them, and wrong declarations survived."""

import pytest

from newsclean.page.decode import decode

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


def test_an_unknown_label_is_no_error() -> None:
    assert decode("é".encode(), "text/html; charset=x-no-such") == "é"
