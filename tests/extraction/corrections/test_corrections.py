"""The corrections of a site as a value, and as the file beside its site file."""

from dataclasses import replace
from pathlib import Path

import pytest

import newsclean
from newsclean.extraction.corrections import (
    Correction,
    Corrections,
    CorrectionsError,
    CorrectionsFolder,
    Slot,
    corrections_path,
)
from newsclean.files import MAX_BYTES

from .pages import page, story

PROMO = "html body div.story div.promo p"
ENTRY = """
[[correction]]
id = "a1"
page = "https://example.org/1"
date = 2026-03-14
method = "hybrid"
slots = [{ path = "html body p", taken = true, wrong = 1, right = 0, log_odds = 0.5 }]
"""


def correction(number: int = 1, *slots: Slot, method: str = "hybrid") -> Correction:
    slots = slots or (Slot(PROMO, taken=True, wrong=1, log_odds=0.25, text='It "rains" ä\\'),)
    url = f"https://example.org/{number}"
    return Correction(url, "2026-03-14", method, slots, note="the box")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "sites" / "example.corrections.toml"
    fields = {"byline": "html body div.by"}
    one = Correction("https://example.org/2", "2026-03-15", "coreex", (), fields, shown_share=0.25)
    corrections = Corrections("example.org", (correction(), one))
    corrections.write(path)
    assert Corrections.read(path) == corrections
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_file_that_somebody_has_typed_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.corrections.toml"
    path.write_text(f'site = "example.org"\n{ENTRY}')
    (one,) = Corrections.read(path)
    assert (one.id, one.date, one.slots[0].log_odds) == ("a1", "2026-03-14", 0.5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("wrong = 1", "wrong = -1"), r"correction 1, slots 1: wrong = -1 is not a number from 0"),
        (("wrong = 1", "wrong = true"), "wrong = True is not a number"),
        (("taken = true", 'taken = "yes"'), "taken = 'yes' is neither true nor false"),
        (("log_odds = 0.5", "log_odds = nan"), "log_odds = nan is not from"),
        (("log_odds = 0.5", "log_odds = 1e9"), "is not from -100 to 100"),
        (("html body p", "x" * 5000), "path has 5,000 characters: at most 1,500"),
        (("html body p", "html\\u0000p"), "characters that cannot be printed"),
        (("2026-03-14", '"soon"'), "date = 'soon' is not a day"),
        (('id = "a1"', 'id = "../a"'), "id = '../a' is not up to 40 letters"),
        (('id = "a1"', ""), "correction 1: id is missing: add it"),
        (("method =", "command = 'rm'\nmethod ="), "unknown: 'command'; there are id, page"),
        (("slots = [", 'slots = ["html", '), "slots is a list of tables"),
        (('method = "hybrid"', 'method = "hybrid"\nfields = { price = "html" }'), "unknown"),
        (("site =", "site = [["), "is not a TOML file"),
        (("site =", "site = " + "[" * 20000), "line 1: values are nested in more than 16"),
        (("site =", "a." * 16_000 + "site ="), "line 1: a key has more than 16 parts"),
        (('site = "example.org"', ""), "site is missing"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_its_place(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    path = tmp_path / "x.corrections.toml"
    path.write_text(f'site = "example.org"\n{ENTRY}'.replace(*change, 1))
    with pytest.raises(CorrectionsError, match=message) as error:
        Corrections.read(path)
    assert str(path) in str(error.value)
    assert len(str(error.value)) < 500


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.corrections.toml"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(CorrectionsError, match="more than 4,000,000 bytes"):
        Corrections.read(path)


def test_a_file_with_too_many_entries_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.corrections.toml"
    entries = "".join(ENTRY.replace("a1", f"a{n}") for n in range(201))
    path.write_text(f'site = "example.org"\n{entries}')
    with pytest.raises(CorrectionsError, match="correction has 201 entries: at most 200"):
        Corrections.read(path)


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "x.corrections.toml"
    corrections = Corrections("example.org", (correction(),))
    corrections.write(path)
    too_many = corrections.with_(*(correction(number) for number in range(2, 202)))
    unprintable = corrections.with_(correction(2, Slot("html p\u200b", taken=True, wrong=1)))
    for wrong, problem in ((too_many, "at most 200"), (unprintable, "cannot be printed")):
        with pytest.raises(CorrectionsError, match=f"nothing is written.*{problem}"):
            wrong.write(path)
        assert Corrections.read(path) == corrections


def test_two_corrections_of_one_id_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.corrections.toml"
    path.write_text(f'site = "example.org"\n{ENTRY}{ENTRY}')
    with pytest.raises(CorrectionsError, match="two corrections have the id 'a1'"):
        Corrections.read(path)


def test_a_page_that_is_corrected_again_has_one_correction() -> None:
    other = correction(1, Slot("html body aside", taken=True, wrong=1))
    corrections = Corrections("example.org").with_(correction(), correction(2), other)
    assert [each.page[-1] for each in corrections] == ["1", "2", "1"]
    assert [each.page[-1] for each in corrections.with_(correction())] == ["2", "1"]
    assert len(corrections.with_(correction(1, method="coreex"))) == 4


def test_a_correction_is_taken_back_by_its_id_or_its_beginning() -> None:
    one = correction()
    corrections = Corrections("example.org", (one,))
    assert len(corrections.without(one.id[:5])) == 0
    with pytest.raises(KeyError, match=f"no correction has the id 'zz'; there are: {one.id}"):
        corrections.without("zz")


def test_an_id_that_begins_another_one_is_itself_meant() -> None:
    short, long = replace(correction(), id="box"), replace(correction(2), id="box-2")
    assert Corrections("example.org", (short, long)).without("box").entries == (long,)


def test_corrections_of_another_method_say_nothing() -> None:
    corrections = Corrections("example.org", (correction(),))
    assert corrections.rule("hybrid").corrections
    assert not corrections.rule("coreex").corrections


def test_two_that_say_the_opposite_of_a_slot_are_in_conflict() -> None:
    out = correction(1, Slot(PROMO, taken=True, wrong=2))
    agrees = correction(2, Slot(PROMO, taken=False, right=1))
    back = correction(3, Slot(PROMO, taken=True, right=1))
    corrections = Corrections("example.org", (out, agrees, back))
    found = {(each.belongs, each.noise) for each in corrections.conflicts}
    assert found == {(back.id, out.id), (back.id, agrees.id)}
    assert {each.path for each in corrections.conflicts} == {PROMO}
    assert not corrections.without(back.id).conflicts


def test_a_correction_whose_slots_no_page_has_is_inactive() -> None:
    one = correction()
    corrections = Corrections("example.org", (one,))
    assert corrections.inactive([page("Oslo", promo="advert")]) == (one,)
    assert corrections.inactive([page("Oslo", promo="advert"), page("Moss")]) == ()


def test_the_file_is_beside_the_site_file() -> None:
    assert corrections_path("sites/bbc.co.uk.toml") == Path("sites/bbc.co.uk.corrections.toml")
    assert corrections_path("sites/bbc.co.uk") == Path("sites/bbc.co.uk.corrections.toml")


def test_a_folder_gives_each_page_the_corrections_of_its_site(tmp_path: Path) -> None:
    Corrections("example.org", (correction(),)).write(tmp_path / "a.corrections.toml")
    (tmp_path / "b.corrections.toml").write_text("site = 1")
    (tmp_path / "a.toml").write_text("name = 'x'")
    folder = CorrectionsFolder.read(tmp_path)
    assert folder.for_page("https://news.example.org/1") is not None
    assert folder.for_page("https://example.com/1") is None
    assert folder.for_page(None) is None
    (problem,) = folder.problems
    assert "b.corrections.toml: site = 1 is not a text" in problem
    assert not CorrectionsFolder.read(tmp_path / "none")


def test_a_site_file_may_have_no_corrections_yet(tmp_path: Path) -> None:
    (tmp_path / "example.toml").write_text("")
    assert len(Corrections.of_site(tmp_path / "example.toml")) == 0
    with pytest.raises(CorrectionsError, match=r"cannot read the corrections .*other\.corrections"):
        Corrections.of_site(tmp_path / "other.toml")
    Corrections("example.org", (correction(),)).write(tmp_path / "example.corrections.toml")
    assert len(Corrections.of_site(tmp_path / "example.toml")) == 1


def test_the_library_takes_a_site_file_or_corrections_and_not_both(tmp_path: Path) -> None:
    path = tmp_path / "example.corrections.toml"
    corrections = Corrections("example.org", (correction(1, method="coreex"),))
    corrections.write(path)
    html = story("Moss")
    assert "Read all of it" in newsclean.extract(html, method="coreex").body
    assert "Read all of it" not in newsclean.extract(html, method="coreex", site=path).body
    given = newsclean.extract(html, method="coreex", corrections=corrections)
    assert "Read all of it" not in given.body
    with pytest.raises(ValueError, match="not both"):
        newsclean.extract(html, site=path, corrections=corrections)
