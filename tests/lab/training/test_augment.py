"""Pages made of pages: what is inserted is never the article."""

from pathlib import Path

import pytest

from newsclean.lab.evaluate.corpus import Gold
from newsclean.lab.folds import fold_of
from newsclean.lab.training.augment import AUGMENTATIONS, augmented, augmented_examples
from newsclean.lab.training.examples import Example, example_of

COMMENT = "I was there when it rained in {}, and it was quite different from what you say here."


def page(folder: Path, town: str, site: str = "times") -> Example:
    texts = [
        f"It has rained in {town} for {day} days, and the river of {town} is as high as ever, say "
        f"all of the {day} people who live on its banks and measure it each morning."
        for day in range(2, 7)
    ]
    body = "".join(f"<p class=text>{text}</p>" for text in texts)
    comments = "".join(f"<li>{COMMENT.format(town)} {n}</li>" for n in range(4))
    related = "".join(f"<p><a href=/{n}>More rain in {town}, part {n}</a></p>" for n in range(9))
    html = (
        f"<title>Rain</title><div id=story><h1>Rain in {town}</h1>{body}</div>"
        f"<ul class=comments>{comments}</ul><div class=related>{related}</div>"
    )
    path = folder / f"{town}.html"
    path.write_text(html)
    gold = Gold("rain", town, site, "\n\n".join(texts), path, 1, digest=town)
    example = example_of(gold, html)
    assert example is not None
    return example


def taken(example: Example) -> list[str]:
    pairs = zip(example.texts, example.is_article, strict=True)
    return [text for text, is_article in pairs if is_article]


@pytest.mark.parametrize("kind", AUGMENTATIONS)
def test_the_article_stays_what_it_was(tmp_path: Path, kind: str) -> None:
    one, other = page(tmp_path, "Oslo"), page(tmp_path, "Moss")
    made = augmented(one, other, kind)
    assert made is not None
    assert taken(made) == taken(one)
    assert len(taken(one)) == 5


@pytest.mark.parametrize(
    ("kind", "inserted"),
    [
        ("comments", COMMENT.format("Moss") + " 0"),
        ("side column", "More rain in Moss, part 3"),
        ("second article", "Rain in Moss"),
    ],
)
def test_a_piece_of_the_other_page_is_inserted(tmp_path: Path, kind: str, inserted: str) -> None:
    made = augmented(page(tmp_path, "Oslo"), page(tmp_path, "Moss"), kind)
    assert made is not None
    assert inserted in made.texts


def test_names_are_gone_and_old_pages_have_no_paragraphs(tmp_path: Path) -> None:
    one, other = page(tmp_path, "Oslo"), page(tmp_path, "Moss")
    place = {name: number for number, name in enumerate(one.feature_names)}
    for kind, name in (("no names", "content 0"), ("old tags", "in p")):
        made = augmented(one, other, kind)
        assert made is not None
        assert one.features[one.is_article, place[name]].all()
        assert not made.features[made.is_article, place[name]].any()


def test_both_pages_are_of_one_fold(tmp_path: Path) -> None:
    sites = {fold_of(site): site for site in map(str, range(100, 140))}
    examples = [page(tmp_path, f"Town{n}", site) for n, site in enumerate(sites.values())]
    of_town = {example.gold.id: example.gold.site for example in examples}
    made = augmented_examples(examples, examples, ["comments", "second article"], 10)
    assert len(made) > 5
    for example in made:
        first, *_, other = example.gold.id.split(" ")
        assert fold_of(of_town[first]) == fold_of(of_town[other])
    again = augmented_examples(examples, examples, ["comments", "second article"], 10)
    assert [e.gold.id for e in again] == [e.gold.id for e in made]
