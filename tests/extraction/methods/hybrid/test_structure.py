"""What comes along with the chosen blocks of a page, and what goes, by its structure."""

import pytest

from .networks import decided, scripted_page
from .stories import TEASER, chosen, paragraph, story


@pytest.mark.parametrize(
    ("between", "sure", "taken"), [(14, 0.8, False), (14, 0.95, True), (5, 0.8, True)]
)
def test_a_doubtful_stretch_far_behind_the_article_is_left(
    between: int, sure: float, taken: bool
) -> None:
    texts = [paragraph("Oslo", number) for number in range(6)]
    links = "".join(f"<li><a href=/{number}>Other news {number}</a>" for number in range(between))
    html = "".join(f"<p>{text}</p>" for text in texts) + f"<ul>{links}</ul><p>{TEASER}</p>"
    page = scripted_page(html, [*[0.9] * 6, *[0.1] * between, sure])
    assert chosen(page, decided(page)) == [*texts, *[TEASER] * taken]


def test_a_large_stretch_far_behind_stays() -> None:
    texts = [paragraph("Oslo", number) for number in range(6)]
    links = "".join(f"<li><a href=/{number}>Other news {number}</a>" for number in range(14))
    html = f"<p>{texts[0]}</p><ul>{links}</ul>" + "".join(f"<p>{text}</p>" for text in texts[1:])
    page = scripted_page(html, [0.9, *[0.1] * 14, *[0.8] * 5])
    assert chosen(page, decided(page)) == texts


# Headings


@pytest.mark.parametrize(
    ("sure", "after", "taken"), [(0.45, 0.9, True), (0.2, 0.9, False), (0.45, 0.1, False)]
)
def test_a_doubtful_heading_is_taken_between_two_chosen_paragraphs(
    sure: float, after: float, taken: bool
) -> None:
    first, *others = [paragraph("Oslo", number) for number in range(4)]
    html = f"<p>{first}</p><h2>What the town says</h2>" + "".join(f"<p>{p}</p>" for p in others)
    page = scripted_page(html, [0.9, sure, after, 0.9, 0.9])
    assert ("What the town says" in chosen(page, decided(page))) is taken


@pytest.mark.parametrize(("between", "taken"), [(0, True), (1, True), (2, False)])
def test_one_caption_may_stand_between_a_heading_and_the_text_above_it(
    between: int, taken: bool
) -> None:
    first, *others = [paragraph("Oslo", number) for number in range(4)]
    captions = "".join(f"<figure>The town, view {n}</figure>" for n in range(between))
    html = f"<p>{first}</p>{captions}<h2>What the town says</h2>"
    html += "".join(f"<p>{text}</p>" for text in others)
    page = scripted_page(html, [0.9, *[0.1] * between, 0.45, 0.9, 0.9, 0.9])
    assert chosen(page, decided(page)) == [first, *["What the town says"] * taken, *others]


@pytest.mark.parametrize(
    ("line", "sure", "taken"),
    [
        ("What the town says", 0.37, True),
        ("What the town says", 0.3, False),
        ("<a href=/town>What the town says</a>", 0.47, False),
        ("What the town says of all this and of much else, too", 0.47, False),
    ],
)
def test_a_heading_without_its_tag_is_taken_between_two_chosen_paragraphs(
    line: str, sure: float, taken: bool
) -> None:
    first, *others = [paragraph("Oslo", number) for number in range(4)]
    html = f"<p>{first}</p><div>{line}</div>" + "".join(f"<p>{p}</p>" for p in others)
    page = scripted_page(html, [0.9, sure, 0.9, 0.9, 0.9])
    assert any("What the town says" in text for text in chosen(page, decided(page))) is taken


@pytest.mark.parametrize("below", [False, True])
def test_a_date_in_its_own_element_is_left_out_above_the_first_paragraph(below: bool) -> None:
    texts = [paragraph("Oslo", number) for number in range(4)]
    lines = [f"<p>{text}</p>" for text in texts]
    lines.insert(2 * below, "<time>4 March 2024</time>")
    page = scripted_page("".join(lines), [0.9] * 5)
    dated = [*texts[:2], "4 March 2024", *texts[2:]]
    assert chosen(page, decided(page)) == (dated if below else texts)


# Once


def test_an_article_that_stands_on_its_page_twice_is_taken_once() -> None:
    texts = [paragraph("Oslo", number) for number in range(3)]
    body = "".join(f"<p>{text}</p>" for text in texts) + "<p>Rain</p>"
    page = scripted_page(f"<div class=wide>{body}</div><div class=narrow>{body}</div>", [0.9] * 8)
    assert chosen(page, decided(page)) == [*texts, "Rain"]


@pytest.mark.parametrize("again", [(2,), (1, 2, 1, 2, 1, 2, 1, 2)])
def test_what_an_article_repeats_stays(again: tuple[int, ...]) -> None:
    texts = [paragraph("Oslo", number) for number in (0, 1, 2, 3, 4, 5, *again)]
    page = scripted_page("".join(f"<p>{text}</p>" for text in texts), [0.9] * len(texts))
    assert chosen(page, decided(page)) == texts


def test_a_copy_with_other_punctuation_goes_as_a_whole() -> None:
    texts = [paragraph("Oslo", number) for number in range(6)]
    again = [*texts[:3], *(text.replace(",", " –").upper() for text in texts[3:])]
    body, copy = ("".join(f"<p>{text}</p>" for text in version) for version in (texts, again))
    page = scripted_page(f"<div>{body}</div><div id=print>{copy}</div>", [0.9] * 12)
    assert chosen(page, decided(page)) == texts


@pytest.mark.parametrize("count", [2, 3])
def test_a_poem_keeps_its_refrain(count: int) -> None:
    refrain = [f"{paragraph('Bergen', number)} Oh {number}" for number in range(3)]
    verses = [[paragraph(town, n) for n in range(3)] for town in ("Oslo", "Moss", "Skien")[:count]]
    stanzas = [lines for verse in verses for lines in (verse, refrain)]
    html = "".join(f"<div>{''.join(f'<p>{line}</p>' for line in lines)}</div>" for lines in stanzas)
    page = scripted_page(html, [0.9] * 6 * count)
    assert chosen(page, decided(page)) == [line for lines in stanzas for line in lines]


def test_a_list_of_lines_that_are_all_alike_stays() -> None:
    lines = [paragraph("Oslo", number % 4) for number in range(40)]
    html = "".join(f"<div><p>{line}</p></div>" for line in lines)
    page = scripted_page(html, [0.9] * 40)
    assert chosen(page, decided(page)) == lines


def test_short_texts_are_no_copies() -> None:
    texts = ["Rain", paragraph("Oslo"), *["Rain", "Snow", "Snow"] * 4]
    page = scripted_page("".join(f"<p>{text}</p>" for text in texts), [0.9] * len(texts))
    assert chosen(page, decided(page)) == texts


# Which network


def test_a_headline_that_was_chosen_with_the_text_is_left_out() -> None:
    title = "<title>Rain in Oslo | Example Times</title>"
    page = scripted_page(f"{title}<h1>Rain in Oslo</h1>{story('Oslo')}", [0.9, 0.9, 0.9, 0.9, 0.1])
    assert chosen(page, decided(page)) == [paragraph("Oslo", n) for n in range(3)]
    page = scripted_page(f"{title}<h1>Wind in Moss</h1>{story('Oslo')}", [0.9, 0.9, 0.9, 0.9, 0.1])
    assert chosen(page, decided(page))[0] == "Wind in Moss"


# Tables


def test_a_table_of_data_is_taken_as_a_whole() -> None:
    cells = "".join(f"<tr><td>Town {n}<td>{n} mm of rain</tr>" for n in range(5))
    page = scripted_page(f"{story('Oslo')}<table>{cells}</table>", [*[0.9] * 4, *[0.2, 0.9] * 5])
    assert "Town 4" in chosen(page, decided(page))


def test_a_table_that_holds_the_columns_of_the_page_is_not() -> None:
    comment = "I was there, and it was all quite different, said one reader of many."
    columns = f"<tr><td>Weather<td>{story('Oslo')}<tr><td>More<td><p>{comment}</p>"
    page = scripted_page(f"<table>{columns}</table>", [0.1, *[0.9] * 4, 0.1, 0.2])
    assert comment not in chosen(page, decided(page))
