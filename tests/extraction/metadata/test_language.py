"""The language that a page declares, else that of its text."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from py3langid import langid

import newsclean
from newsclean.extraction.metadata import language
from newsclean.extraction.metadata.language import detected_language, primary_subtag

from .pages import read, script

THREADS = 12
TEXT = "It has rained in Bergen for nine days now, and the river is as high as it ever was."


def test_threads_that_ask_at_the_same_time_load_the_model_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load = langid._load_identifier
    loads = []

    def slow_load() -> object:
        loads.append(1)
        time.sleep(0.05)  # so that all other threads ask meanwhile
        return load()

    monkeypatch.setattr(langid, "_load_identifier", slow_load)
    monkeypatch.setattr(langid, "IDENTIFIER", None)
    language._loaded_py3langid.cache_clear()
    together = Barrier(THREADS)

    def ask(_: int) -> str | None:
        together.wait()
        return detected_language(TEXT)

    with ThreadPoolExecutor(THREADS) as pool:
        assert set(pool.map(ask, range(THREADS))) == {"en"}
    assert len(loads) == 1


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("EN", "en"),
        (" pt_BR ", "pt"),
        ("zh-Hans-CN", "zh"),
        ("de, en", "de"),
        ("deu", "deu"),
        ("ckb-IQ", "ckb"),
        ("iw", "iw"),
        ("English", "en"),
    ],
)
def test_a_tag_names_a_language_by_its_primary_subtag(tag: str, code: str) -> None:
    assert primary_subtag(tag) == code


@pytest.mark.parametrize(
    "tag",
    [
        *"utf-8 UTF-8 utf iso-8859-1 win-1251 gb2312 jp cn us xx und zxx mul x-default".split(),
        *"i-klingon qaa- html www e en8 eng1 --en".split(),
        *("", " ", "text/html; charset=utf-8", "not set", "{{lang}}", "\x1b[31m", None, 7),
    ],
)
def test_what_is_not_a_language_is_none(tag: object) -> None:
    assert primary_subtag(tag) is None


@pytest.mark.parametrize(
    "head",
    [
        '<html lang="utf-8">',
        '<meta http-equiv="Content-Language" content="utf-8">',
        '<meta property="og:locale" content="UTF-8">',
    ],
)
def test_an_encoding_where_a_language_belongs_is_passed_over(head: str) -> None:
    assert newsclean.extract(f"{head}<h1>Rain</h1><p>{TEXT}").language == "en"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ঢাকায় আজ সকাল থেকে বৃষ্টি হচ্ছে, এবং নদীর পানি বেড়েছে। ", "bn"),
        ("С утра в городе идёт дождь, и вода в реке поднялась. ", "ru"),
        ("今朝から雨が降り続き、川の水位が上がっている。 ", "ja"),
        (f"{TEXT} The name of the town is written ঢাকা. ", "en"),
    ],
)
def test_a_page_that_declares_english_and_is_written_in_other_letters_is_not_english(
    text: str, expected: str
) -> None:
    page = f"<html lang=en><h1>Rain</h1><p>{text * 4}"
    assert newsclean.extract(page).language == expected


def test_a_language_is_detected_only_in_enough_text() -> None:
    german = "Am Montag hat es in den Bergen stark geregnet, und die Flüsse sind gestiegen. " * 3
    assert detected_language(german) == "de"
    assert detected_language("Oui.") is None


def test_the_language_is_what_the_page_declares() -> None:
    assert read('<html lang="en-GB"><p>x</p></html>').language == "en"
    assert read('<html lang="und"><p>x</p></html>').language is None
    assert read(script({"@type": "Article", "inLanguage": {"name": "en-US"}})).language == "en"
