"""Phrases to look for in an index: none of the noise has a word of the article's text in it."""

from pathlib import Path

from benchmarks.noise_in_index import WORDS, article_phrases, noise_phrases
from newsclean.apps.search import SearchRequest, open_search, open_target

GOLD = "The river rises for nine days.\n\nThe mayor waits at home for help."
MENU = "Home\nNews\nSport\nMoney\nWeather\nLog in"
PAGE = f"{MENU}\nFlood goes on\nThe river rises for nine days.\nThe mayor waits at home for help."


def test_noise_is_what_neither_the_gold_nor_the_headline_has() -> None:
    found = noise_phrases(PAGE + "\nAll rights are reserved here", [GOLD, "Flood goes on"], 99, "")
    assert "Home News Sport Money Weather" in found
    assert "All rights are reserved here" in found
    for phrase in found:
        assert len(phrase.split()) == WORDS
        assert not {"river", "mayor", "help", "The"} & set(phrase.replace(".", "").split())


def test_phrases_of_the_article_are_within_a_line() -> None:
    found = article_phrases(GOLD, 99, "")
    assert len(found) == 2 + 3
    assert all(phrase in GOLD for phrase in found)


def test_the_same_phrases_are_drawn_each_time() -> None:
    words = " ".join(f"word{number}" for number in range(200))
    drawn = noise_phrases(words, [], 10, "collection/page")
    assert drawn == noise_phrases(words, [], 10, "collection/page")
    assert drawn != noise_phrases(words, [], 10, "collection/other")
    assert len(set(drawn)) == 10


def test_every_phrase_is_found_in_an_index_of_its_text(tmp_path: Path) -> None:
    texts = {
        "quotes": 'He said "no more rain" and “went home” for the day, « bien sûr », he did.',
        "chinese": "北京市发布新规定，雨水很多。市长说水位还会上升，请大家留在家里。",
        "operators": "AND OR NOT NEAR (x y) a* b:c -d ^e {f} title:rain; DROP TABLE words",
    }
    path = str(tmp_path / "index.sqlite")
    target = open_target(path)
    target.write([{"id": name, "body": text, "site": name} for name, text in texts.items()])
    target.close()
    index = open_search(path)
    for name, text in texts.items():
        phrases = noise_phrases(text, [], 99, name)
        assert len(phrases) >= 5
        for phrase in phrases:
            assert index.search(SearchRequest(f'body:"{phrase}"', (name,))).total == 1, phrase
    index.close()
