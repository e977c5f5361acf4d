"""UTF-8 under a wrong label is read as UTF-8, and what truly is another encoding as that."""

import random

import pytest
from scrapy.http import HtmlResponse

import newsclean
from newsclean.extraction.page.decode import MIN_UTF8_CHARACTERS, decode, is_utf8_declared_as
from newsclean.middlewares.responses import page_of

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
