"""Teaching over HTTP: what would change is shown, accepted, and taken back."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from newsclean import Extractor
from newsclean.apps.serve.site_library import MemoryPages
from newsclean.extraction.corrections import Correction, Corrections
from newsclean.extraction.page import Page
from newsclean.memory import Memory, StoredPage
from newsclean.memory.stored_pages import pack_page
from tests.cli.pages import run

from .served import PROMO, SITE, TOWNS, Served, serving, story, uneven_story


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
    assert "because of correction" in text
    assert name in text


def test_accepting_can_be_undone(served: Served) -> None:
    ids = accept(served, without_promo())
    status, _ = served.post(f"/sites/{SITE}/take-back", {"ids": ids})
    assert status == 200
    assert list(served.corrections) == []
    _, text, _ = served.ask(served.path("pages", "Moss.html"))
    assert "because of correction" not in text


def test_undoing_a_second_correction_on_a_page_brings_the_first_one_back(served: Served) -> None:
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


def test_a_label_that_agrees_with_the_method_is_not_accepted(served: Served) -> None:
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


def test_two_labels_that_contradict_each_other_are_shown(served: Served) -> None:
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


@contextmanager
def serving_kept(folder: Path) -> Iterator[Served]:
    """A server of the pages of a memory."""
    with closing(Memory(str(folder / "memory.sqlite"), keep_pages=10)) as memory:
        for town in TOWNS:
            url = f"https://{SITE}/{town}.html"
            body = uneven_story(town).encode()
            stored = StoredPage(url, SITE, "news", "text/html", "", body)
            packed = pack_page(stored)
            assert packed is not None
            memory.kept.add(memory.pages.add(packed), url)
            method = Extractor().method
            page = Page.from_html(body, url)
            memory.sites.learn(SITE, "news", url, method.keys(page, method.score_blocks(page)))
        with serving(folder, source=MemoryPages(memory)) as served:
            yield served


@contextmanager
def serving_folder(folder: Path) -> Iterator[Served]:
    """A server of a folder of saved pages."""
    with serving(folder) as served:
        for town in TOWNS:
            (folder / "pages" / f"{town}.html").write_text(uneven_story(town), "utf-8")
        yield served


def unnamed(correction: Correction) -> Correction:
    return replace(correction, page="", id="none")


@pytest.mark.parametrize("kind", ["kept", "saved"])
def test_the_same_label_makes_the_same_correction_in_the_browser_and_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    own_sites = tmp_path / "sites-of-the-command"
    with (serving_kept if kind == "kept" else serving_folder)(tmp_path) as served:
        # The first says that the method is wrong; the second, that the first one is.
        for town, what in (("Oslo", "exclude"), ("Moss", "include")):
            words = PROMO.format(town=town)
            url = f"https://{SITE}/{town}.html"
            texts = Page.from_html(uneven_story(town)).blocks.text
            number = next(n for n, text in enumerate(texts) if text.startswith(words))
            name = str(TOWNS.index(town) + 1) if kind == "kept" else f"{town}.html"
            _, shown = served.post(served.path("try", name), {what: [number]})
            values = {what: [number], "shown": shown["shown"]}
            status, found = served.post(served.path("accept", name), values)
            assert status == 200, found
            pages: tuple[object, ...] = ("--page", url, "--memory", tmp_path / "memory.sqlite")
            if kind == "saved":
                folder = tmp_path / "pages"
                pages = ("--page", folder / f"{town}.html", "--url", url, "--pages", folder)
            command = ("teach", *pages, "--sites", own_sites, f"--{what}", words, "--accept")
            code, out, err = run(capsys, *command)
            assert code == 0, err
            taught = Corrections.read(own_sites / f"{SITE}.corrections.toml")
            # The command names a saved page by its file, the browser by its URL.
            assert list(map(unnamed, taught)) == list(map(unnamed, served.corrections))
            if kind == "kept":
                assert taught == served.corrections
            assert f"It changes {len(shown['pages'])} of {len(TOWNS)} pages" in out
