"""An edited text is recognised by its sketch, another text is not."""

import random

from newsclean.memory.revisions import are_alike, sketches_of

WORDS = [f"word{n}" for n in range(2_000)]


def sentence(rng: random.Random, words: int) -> list[str]:
    return rng.choices(WORDS, k=words)


def test_nearly_all_texts_with_one_other_word_are_alike() -> None:
    rng = random.Random(1)
    alike = 0
    for _ in range(200):
        before = sentence(rng, 25)
        after = [*before]
        after[rng.randrange(25)] = "edited"
        one, other = sketches_of([" ".join(before), " ".join(after)]).tolist()
        alike += are_alike(one, other)
    assert alike >= 196


def test_hardly_any_other_texts_are_alike() -> None:
    rng = random.Random(2)
    texts = [" ".join(sentence(rng, 25)) for _ in range(400)]
    sketches = sketches_of(texts).tolist()
    assert sum(map(are_alike, sketches[::2], sketches[1::2])) <= 1


def test_the_sketch_of_a_text_does_not_depend_on_the_others() -> None:
    texts = ["It rains in Bergen today", "Snow", "", "The council will meet on Monday"]
    together = sketches_of(texts).tolist()
    assert together == [int(sketches_of([text])[0]) for text in texts]
    assert sketches_of([]).tolist() == []
