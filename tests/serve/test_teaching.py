"""Teaching over HTTP: what would change is shown, accepted, and taken back."""

from typing import Any

import pytest

from newsclean import Extractor
from newsclean.page import Page

from .served import PROMO, SITE, TOWNS, Served, story


def block(words: str, town: str = "Oslo") -> int:
    texts = Page.from_html(story(town)).blocks.text
    return next(number for number, text in enumerate(texts) if text.startswith(words))


def without_promo(town: str = "Oslo") -> dict[str, Any]:
    return {"exclude": [block(PROMO.format(town=town)[:20], town)]}


def accept(served: Served, values: dict[str, Any], town: str = "Oslo") -> list[str]:
    """Look and accept; the ids, of which the first is that of the page that was clicked."""
    _, shown = served.post(served.path("try", f"{town}.html"), values)
    status, found = served.post(
        served.path("accept", f"{town}.html"), values | {"shown": shown["shown"]}
    )
    assert status == 200, found
    ids: list[str] = found["ids"]
    return ids


def test_the_box_came_through_before_anybody_taught() -> None:
    text = Extractor()(Page.from_html(story("Oslo"))).text
    assert PROMO.format(town="Oslo") in text


def test_what_would_change_is_shown_for_every_other_page_and_nothing_is_written(
    served: Served,
) -> None:
    status, found = served.post(served.path("try", "Oslo.html"), without_promo())
    assert status == 200
    assert len(found["pages"]) == len(TOWNS)
    assert found["pages"][0]["is_this"]
    assert found["unchanged"] == 0
    other = found["pages"][1]
    assert other["after"] < other["before"]
    assert other["removed"] == other["before"] - other["after"]
    (change,) = other["changes"]
    assert not change["is_added"]
    assert change["text"].startswith("The letter that our editors write in")
    assert not served.file.exists()


def test_accepting_writes_the_slot_with_page_date_and_what_was_shown(served: Served) -> None:
    name, *_ = accept(served, without_promo() | {"note": "the letter"})
    correction = served.corrections[name]
    assert correction.page == f"https://{SITE}/Oslo.html"
    assert correction.note == "the letter"
    assert correction.shown_pages == len(TOWNS)
    (slot,) = correction.contradictions
    assert slot.path.endswith("div.insert p")
    _, text, _ = served.ask(served.path("pages", "Moss.html"))
    assert "by the correction" in text
    assert name in text


def test_accepting_can_be_undone(served: Served) -> None:
    ids = accept(served, without_promo())
    status, _ = served.post(f"/sites/{SITE}/take-back", {"ids": ids})
    assert status == 200
    assert list(served.corrections) == []
    _, text, _ = served.ask(served.path("pages", "Moss.html"))
    assert "by the correction" not in text


def test_undoing_a_second_lesson_on_a_page_brings_the_first_one_back(served: Served) -> None:
    first = accept(served, without_promo())
    second = accept(served, {"include": [block("All rights")]})
    assert first[0] not in {each.id for each in served.corrections}
    served.post(f"/sites/{SITE}/take-back", {"ids": second})
    assert {each.id for each in served.corrections} == {*first}


def test_what_was_not_shown_is_not_accepted(served: Served) -> None:
    _, shown = served.post(served.path("try", "Oslo.html"), {"include": [block("All rights")]})
    values = without_promo() | {"shown": shown["shown"]}
    status, found = served.post(served.path("accept", "Oslo.html"), values)
    assert status == 409
    assert "look again" in found["error"]
    assert served.post(served.path("accept", "Oslo.html"), without_promo())[0] == 409
    assert not served.file.exists()


def test_a_lesson_that_agrees_with_the_method_is_not_accepted(served: Served) -> None:
    values = {"exclude": [block("All rights")]}
    _, shown = served.post(served.path("try", "Oslo.html"), values)
    assert shown["is_empty"]
    assert shown["pages"] == []
    status, found = served.post(
        served.path("accept", "Oslo.html"), values | {"shown": shown["shown"]}
    )
    assert status == 400
    assert "nothing to accept" in found["error"]


def test_the_slots_of_headline_byline_and_date_can_be_taught(served: Served) -> None:
    values = {"fields": {"headline": block("All rights")}}
    _, shown = served.post(served.path("try", "Oslo.html"), values)
    moss = next(page for page in shown["pages"] if page["path"].endswith("Moss.html"))
    assert moss["fields"]["headline"] == ["Flood in Moss goes on", "All rights in Moss"]
    accept(served, values)
    (correction,) = served.corrections
    assert correction.fields["headline"].endswith("p.end")


def test_two_lessons_that_contradict_each_other_are_shown(served: Served) -> None:
    first = accept(served, without_promo())
    promo = block(PROMO.format(town="Moss")[:20], "Moss")
    _, found = served.post(served.path("try", "Moss.html"), {"include": [promo]})
    assert {conflict["id"] for conflict in found["conflicts"]} == {*first}
    accept(served, {"include": [promo]}, "Moss")
    _, text, _ = served.ask(f"/sites/{SITE}")
    assert "Conflicts" in text


@pytest.mark.parametrize("name", ["nothing", "", 7, None])
def test_a_correction_that_is_not_there_cannot_be_taken_back(served: Served, name: object) -> None:
    status, found = served.post(f"/sites/{SITE}/take-back", {"ids": [name]})
    assert status == 400
    assert "correction" in found["error"]


def test_a_damaged_file_of_corrections_is_named_and_not_overwritten(served: Served) -> None:
    served.sites.mkdir()
    served.file.write_text("site = ")
    status, text, _ = served.ask("/")
    assert (status, "corrections.toml" in text) == (200, True)
    status, found = served.post(served.path("try", "Oslo.html"), without_promo())
    assert status == 400
    assert "TOML" in found["error"]
    assert served.file.read_text() == "site = "
