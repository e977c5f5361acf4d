"""The corpus that the command line of a benchmark names, or a sample of its pages."""

from __future__ import annotations

import argparse
from pathlib import Path

from newsclean.lab.evaluate.corpus import Corpus, read_corpus


def sampled_corpus(doc: str | None) -> Corpus:
    """The corpus of `CORPUS [--sample N]`; the first line of `doc` is the help of the command."""
    parser = argparse.ArgumentParser(description=doc.split("\n")[0] if doc else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sample", type=int, metavar="N", help="only N pages of each collection")
    options = parser.parse_args()
    corpus = read_corpus(options.corpus)
    return corpus.sample(options.sample) if options.sample else corpus
