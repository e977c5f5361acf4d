"""Small networks and model files, and pages that have been judged already."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from newsclean.methods.hybrid import Judged
from newsclean.methods.hybrid.evidence import page_evidence
from newsclean.methods.hybrid.folds import FOLDS
from newsclean.methods.hybrid.network import ROUNDS, Model, Network, write_model
from newsclean.methods.hybrid.surroundings import Surroundings
from newsclean.methods.hybrid.vocabulary import Vocabulary
from newsclean.page import Page


def random_network(seed: int, questions: int = 4, levels: int = 2, width: int = 3) -> Network:
    random = np.random.default_rng(seed)

    def some(*shape: int) -> Any:
        return random.normal(size=shape).astype(np.float32)

    return Network(
        questions=tuple(f"question {number}" for number in range(questions)),
        mean=some(questions),
        scale=np.abs(some(questions)) + np.float32(0.5),
        first=(some(questions, width), some(width)),
        rounds=tuple(
            (some(width * (2 * reach + 1 + levels), width) / 4, some(width, width), some(width))
            for reach, _ in ROUNDS
        ),
        last=(some(width), some(1)),
    )


def network_that_takes(question: str, sure: float = 10.0) -> Network:
    """A network of one hidden value that chooses the blocks for which a question is answered 1."""
    page = Surroundings(Page.from_html("<p>It rains."))
    questions, _ = page_evidence(page)
    size, levels = len(questions), len(page.ranges) - 1
    first = np.zeros((size, 1), dtype=np.float32)
    first[questions.index(question)] = 1
    nothing = np.zeros(1, dtype=np.float32)
    no_page = np.zeros((1, 1), dtype=np.float32)
    return Network(
        questions=tuple(questions),
        mean=np.zeros(size, dtype=np.float32),
        scale=np.ones(size, dtype=np.float32),
        first=(first, nothing),
        rounds=tuple(
            (np.zeros((2 * reach + 1 + levels, 1), dtype=np.float32), no_page, nothing)
            for reach, _ in ROUNDS
        ),
        last=(np.array([2 * sure], dtype=np.float32), np.array([-sure], dtype=np.float32)),
    )


def model_file(
    path: Path,
    use: Network,
    folds: Network,
    sites: Sequence[int],
    words: dict[str, float] | None = None,
) -> Model:
    """A model with one network for use and another one for all folds, and one vocabulary."""
    networks = {"all": use, **{str(fold): folds for fold in range(FOLDS)}}
    vocabularies = dict.fromkeys(networks, Vocabulary(words or {}))
    write_model(path, use.questions, networks, vocabularies, {"sites": list(sites)})
    return Model(path)


def judged_page(html: str, probability: Sequence[float], url: str | None = None) -> Page:
    """A page on whose blocks the network has spoken."""
    page = Page.from_html(html, url)
    at = Surroundings(page)
    assert len(at) == len(probability)
    page.notes["hybrid None"] = Judged(
        at=at,
        network=random_network(0),
        questions=[],
        values=np.empty((len(at), 0), dtype=np.float32),
        alone=np.array(probability, dtype=float),
        probability=np.array(probability, dtype=float),
    )
    return page
