"""`newsclean teach` as a user meets it."""

import re
from pathlib import Path

import pytest

from newsclean.extraction.corrections import Corrections
from tests.extraction.corrections.pages import PROMO, SENTENCE, story

from .pages import run

Capture = pytest.CaptureFixture[str]
TOWNS = ("Oslo", "Moss", "Hamar", "Bergen")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with saved pages of a site, which is where the command runs."""
    (tmp_path / "pages").mkdir()
    for town in TOWNS:
        (tmp_path / "pages" / f"{town}.html").write_text(story(town), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def teach(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    return run(capsys, "teach", "--method", "coreex", *arguments)


PAGE = ("--page", "pages/Oslo.html", "--url", "https://example.org/oslo", "--pages", "pages")
EXCLUDE = (*PAGE, "--exclude", "read all of it")
FILE = Path("sites/example.org.corrections.toml")


def test_what_would_change_is_shown_and_saved_only_if_it_is_accepted(
    folder: Path, capsys: Capture
) -> None:
    code, out, _ = teach(capsys, *EXCLUDE)
    assert code == 0
    assert "It changes 4 of 4 pages:" in out
    assert f"- {PROMO.format('Moss')[:60]}" in out
    assert "Nothing saved yet" in out
    assert not FILE.exists()
    code, out, _ = teach(capsys, *EXCLUDE, "--accept", "--note", "the promo box")
    assert code == 0
    (one,) = Corrections.read(FILE)
    assert (one.note, one.shown_pages, one.method) == ("the promo box", 4, "coreex")
    assert one.id in out


def test_a_saved_page_that_cannot_be_used_is_left_out_and_named(
    folder: Path, capsys: Capture
) -> None:
    Path("pages/empty.html").touch()
    code, out, err = teach(capsys, *EXCLUDE)
    assert (code, "It changes 4 of 4 pages:" in out) == (0, True)
    assert "pages/empty.html left out" in err


def test_extract_uses_what_was_taught(folder: Path, capsys: Capture) -> None:
    teach(capsys, *EXCLUDE, "--accept")
    one = ("extract", "pages/Moss.html", "--method", "coreex")
    assert PROMO.format("Moss") in run(capsys, *one).out
    assert PROMO.format("Moss") not in run(capsys, *one, "--site", "example.org").out
    assert PROMO.format("Moss") not in run(capsys, *one, "--site", FILE).out
    many = ("extract", "pages", "--method", "coreex", "--site", "example.org")
    assert "comes each morning" not in run(capsys, *many).out


def test_a_correction_is_taken_back(folder: Path, capsys: Capture) -> None:
    teach(capsys, *EXCLUDE, "--accept")
    (one,) = Corrections.read(FILE)
    code, _, err = teach(capsys, "--site", "example.org", "--undo", one.id)
    assert (code, len(Corrections.read(FILE))) == (0, 0)
    assert "1 removed, 0 left" in err
    code, _, err = teach(capsys, "--site", "example.org", "--undo", one.id)
    assert code == 2
    assert f"no correction has the id '{one.id}'" in err


def test_the_list_names_what_is_inactive_and_what_is_of_another_method(
    folder: Path, capsys: Capture
) -> None:
    teach(capsys, *EXCLUDE, "--accept")
    listing = ("--site", "example.org", "--list", "--pages", "pages")
    assert "0 blocks added, 1 removed" in teach(capsys, *listing)[1]
    assert "another method" in run(capsys, "teach", *listing, "--method", "mss")[1]
    for town in TOWNS:
        Path(f"pages/{town}.html").write_text(story(town, promo="advert"), "utf-8")
    assert "inactive: none of 4 pages has its slots" in teach(capsys, *listing)[1]


def test_the_text_of_an_article_corrects_its_page(folder: Path, capsys: Capture) -> None:
    text = "\n\n".join(f"{n} {SENTENCE.format('Oslo')}" for n in range(3))
    Path("oslo.txt").write_text(f"{text}\n\n{SENTENCE.format('Oslo')}")
    code, out, _ = teach(capsys, *PAGE, "--text", "oslo.txt")
    assert code == 0
    assert f"- {PROMO.format('Hamar')[:60]}" in out
    assert "+" not in out.replace("+0", "")


def test_a_folder_of_texts_corrects_their_pages(folder: Path, capsys: Capture) -> None:
    Path("golds").mkdir()
    for town in TOWNS[:2]:
        text = "\n\n".join(f"{n} {SENTENCE.format(town)}" for n in range(3))
        Path(f"golds/{town}.txt").write_text(f"{text}\n\n{SENTENCE.format(town)}")
    site = ("--url", "https://example.org/", "--pages", "pages")
    code, _, _ = teach(capsys, "--page", "pages", "--text", "golds", *site, "--accept")
    assert code == 0
    assert [each.page for each in Corrections.read(FILE)] == ["pages/Moss.html", "pages/Oslo.html"]


def test_a_block_that_stays_because_its_slot_is_right_is_named(
    folder: Path, capsys: Capture
) -> None:
    _, out, _ = teach(capsys, *PAGE, "--exclude", "1 It has rained")
    assert "It changes 0 of 4 pages" in out
    assert "Not changed, because most of its slot is right: 1 It has rained" in out


def test_a_site_file_names_the_corrections_of_its_site(folder: Path, capsys: Capture) -> None:
    Path("sites").mkdir()
    Path("sites/times.toml").write_text('feeds = ["https://www.example.org/rss"]')
    teach(capsys, *EXCLUDE, "--accept")
    assert [path.name for path in sorted(Path("sites").iterdir())] == [
        "times.corrections.toml",
        "times.toml",
    ]


def test_a_page_on_which_methods_disagree_is_suggested_with_its_slot(
    folder: Path, capsys: Capture
) -> None:
    links = "<aside class=more>" + "".join(f"<p><a href=/{n}>{PROMO}</a></p>" for n in range(9))
    Path("pages/Moss.html").write_text(story("Moss", extra=links), "utf-8")
    code, out, _ = run(capsys, "teach", "--method", "tree", "--suggest", "--pages", "pages")
    assert code == 0
    assert "doubtful words: pages/Moss.html" in out
    assert "aside.more" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*PAGE, "--exclude", "Nothing of this"), "no block of .* begins with 'Nothing of this'"),
        (PAGE, "nothing to correct: give --include, --exclude, --text or a field"),
        (("--page", "pages/Oslo.html", "--exclude", "x"), "no site: give --site NAME, or --url"),
        (("--site", "example.org"), "neither does a site file beside it: give --url"),
        ((*EXCLUDE, "--include", "Read all"), "name the same block"),
        (("--page", "pages", "--url", "https://example.org/"), "nothing to correct"),
    ],
)
def test_wrong_arguments_are_told(
    folder: Path, capsys: Capture, arguments: tuple[str, ...], message: str
) -> None:
    code, _, err = teach(capsys, *arguments)
    assert code == 2
    assert err.count("\n") <= 2
    assert re.search(message, err)


def test_a_damaged_file_is_refused_and_not_overwritten(folder: Path, capsys: Capture) -> None:
    Path("sites").mkdir()
    FILE.write_text("site = 1")
    code, _, err = teach(capsys, *EXCLUDE, "--accept")
    assert code == 3
    assert "site = 1 is not a text" in err
    assert FILE.read_text() == "site = 1"
