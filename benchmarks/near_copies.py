"""How many near copies are found, and how many articles are called copies that are none.

    python benchmarks/near_copies.py CORPUS

Of each gold text of an article, copies are made in which 0, 10 and 30 % of the sentences are
replaced by sentences of other articles. Originals and copies go through the memory as in a crawl
with `--copies`: first all originals, then the copies as articles of another site. Recall is the
share of copies that are found as copies of their original; precision is the share of these among
all that are called copies. Originals that are called copies of another site's are printed, to be
looked at. The time is that of the process, for the fingerprint and for the memory (in RAM).
"""

from __future__ import annotations

import argparse
import random
import re
import time
from pathlib import Path

from newsclean.extraction.near_copies import Fingerprints, words_of
from newsclean.lab.evaluate.corpus import read_corpus
from newsclean.memory import Memory
from newsclean.memory.recent_copies import RecentCopies

SHARES = (0.0, 0.1, 0.3)
_END = re.compile(r"(?<=[.!?。！？])\s*")


def sentences_of(text: str) -> list[str]:
    return [each for each in _END.split(text) if each.strip()]


def copy_of(sentences: list[str], share: float, others: list[str], rng: random.Random) -> str:
    """Return a text in which a share of the sentences is replaced by others."""
    changed = set(rng.sample(range(len(sentences)), round(share * len(sentences))))
    return " ".join(
        rng.choice(others) if place in changed else each for place, each in enumerate(sentences)
    )


class Finder:
    """Looks for copies as `CopyPipeline` does, and measures the time."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.copies, self.fingerprints = RecentCopies(self.memory.database), Fingerprints()
        self.of_prints = self.of_memory = 0.0

    def original_of(self, name: str, site: str, text: str) -> str | None:
        start = time.process_time()
        (found,) = self.fingerprints.of([words_of(text)])
        printed = time.process_time()
        original = None if found is None else self.copies.add(name, site, found)
        self.of_prints += printed - start
        self.of_memory += time.process_time() - printed
        return original


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    golds = {gold.text: gold for gold in read_corpus(parser.parse_args().corpus).golds}
    texts = {gold.name: sentences_of(text) for text, gold in golds.items()}
    sites = {gold.name: f"{gold.site}.example" for gold in golds.values()}
    pool = [each for sentences in texts.values() for each in sentences]
    for share in SHARES:
        finder, rng = Finder(), random.Random(7)
        known = {}
        for name, sentences in texts.items():
            original = finder.original_of(name, sites[name], " ".join(sentences))
            known[name] = original or name
            if original and share == SHARES[0]:
                print(f"original {name} is called a copy of {original}")
        hits = wrong = 0
        for name, sentences in texts.items():
            copied = copy_of(sentences, share, pool, rng)
            found = finder.original_of(f"copy of {name}", "copies.example", copied)
            hits += found == known[name]
            wrong += found not in (None, known[name])
        total, each = len(texts), 1e3 / (2 * len(texts))
        print(
            f"{share:.0%} of sentences changed: recall {hits / total:.3f}, precision "
            f"{hits / max(hits + wrong, 1):.3f} ({total:,} copies, {wrong} wrong); per article "
            f"{finder.of_prints * each:.2f} ms fingerprint, {finder.of_memory * each:.2f} ms memory"
        )
        finder.memory.close()


if __name__ == "__main__":
    main()
