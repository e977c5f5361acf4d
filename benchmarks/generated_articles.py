"""Articles made by a random number generator, for the benchmark of search indexes.

Each language has a vocabulary of its own, made of syllables and endings; how often a word is used
follows Zipf's law, as in real texts. Some articles are near copies of an earlier one on another
site: another first paragraph, some words changed, the end cut off.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

VOCABULARY = 60_000
ZIPF = 1.07
MEAN_WORDS = 450
SITES = 60
SECTIONS = ("politics", "sport", "business", "culture", "science", "local", "weather")
COPIES = 0.05
CHANGED_WORDS = 0.02
START = datetime(2024, 1, 1, tzinfo=UTC)
MINUTES = 1_000_000  # almost two years


@dataclass(frozen=True)
class Language:
    code: str
    share: float
    syllables: tuple[str, ...]
    endings: tuple[str, ...]
    between: str = " "


LANGUAGES = (
    Language(
        "en",
        0.4,
        tuple("ba con der est fin gra hol in ju kel lor men no or pla qua ri ste tor un".split()),
        ("", "s", "ed", "ing", "ation"),
    ),
    Language(
        "de",
        0.2,
        tuple("ach bei den ein für gro hau ich jä kön lich mög nur ost pfl rü schu tür".split()),
        ("", "en", "er", "ung", "ungen"),
    ),
    Language(
        "fr",
        0.15,
        tuple("au bon cé dé eau fait gar hé ill jou lé mon né oui pré quoi rê son tou".split()),
        ("", "s", "ment", "ations", "er"),
    ),
    Language(
        "ru",
        0.15,
        tuple("ба вет го дей ель жи зна ий ка лю мо но пе ро сте тор ус фи хо ция".split()),
        ("", "ами", "ого", "ые", "ость"),
    ),
    Language("zh", 0.1, tuple(map(chr, range(0x4E00, 0x4E00 + 1500))), ("",), ""),
)


class Generator:
    """Makes the same articles for the same seed."""

    def __init__(self, seed: int = 20) -> None:
        self.random = np.random.default_rng(seed)
        self.words = {language.code: self._vocabulary(language) for language in LANGUAGES}
        ranks = np.arange(1, VOCABULARY + 1) ** -ZIPF
        self._cumulated = np.cumsum(ranks / ranks.sum())
        self._recent: list[dict[str, Any]] = []

    def articles(self, count: int) -> Iterator[dict[str, Any]]:
        """Articles as a crawl exports them; `copy_of` is the id of the one that was copied."""
        for number in range(count):
            if self._recent and self.random.random() < COPIES:
                yield self._copy(number)
            else:
                article = self._article(number)
                self._recent = [*self._recent[-199:], article]
                yield article

    def sample(self, language: str, count: int) -> list[str]:
        """Words of a language, the common ones often."""
        places = np.searchsorted(self._cumulated, self.random.random(count))
        return [self.words[language][place] for place in np.minimum(places, VOCABULARY - 1)]

    def _vocabulary(self, language: Language) -> list[str]:
        """Stems of one to four syllables, with their endings; a common stem has all of them."""
        known: dict[str, None] = {}
        while len(known) < VOCABULARY:
            sizes = self.random.integers(1, 3 if not language.between else 5, 1000)
            choices = self.random.integers(len(language.syllables), size=(1000, 4))
            for size, chosen in zip(sizes.tolist(), choices.tolist(), strict=True):
                stem = "".join(language.syllables[each] for each in chosen[:size])
                known.update(dict.fromkeys(stem + ending for ending in language.endings))
        return list(known)[:VOCABULARY]

    def _article(self, number: int) -> dict[str, Any]:
        shares = [language.share for language in LANGUAGES]
        language = LANGUAGES[int(self.random.choice(len(LANGUAGES), p=shares))]
        size = int(np.clip(self.random.lognormal(np.log(MEAN_WORDS) - 0.18, 0.6), 30, 5000))
        words = self.sample(language.code, size + 10)
        return self._line(number, language, words[:10], words[10:])

    def _copy(self, number: int) -> dict[str, Any]:
        """A recent article, edited by another site."""
        source = self._recent[int(self.random.integers(len(self._recent)))]
        language = next(each for each in LANGUAGES if each.code == source["language"])
        words = list(source["words"])
        words = words[: int(len(words) * self.random.uniform(0.75, 1.0))]
        for place in self.random.integers(len(words), size=int(len(words) * CHANGED_WORDS)):
            (words[place],) = self.sample(language.code, 1)
        lead = self.sample(language.code, min(25, len(words) // 8))
        return self._line(
            number, language, self.sample(language.code, 9), lead + words[len(lead) :], source["id"]
        )

    def _line(
        self,
        number: int,
        language: Language,
        headline: list[str],
        words: list[str],
        copy_of: str | None = None,
    ) -> dict[str, Any]:
        site = f"site{int(self.random.integers(SITES)):02}.example"
        end = "。" if language.code == "zh" else ". "
        sentences = [
            language.between.join(words[at : at + 14]) + end for at in range(0, len(words), 14)
        ]
        paragraphs = ["".join(sentences[at : at + 4]).strip() for at in range(0, len(sentences), 4)]
        published = START + timedelta(minutes=int(self.random.integers(MINUTES)))
        return {
            "id": f"{number:032x}",
            "url": f"https://{site}/{number}",
            "site": site,
            "section": str(self.random.choice(SECTIONS)),
            "headline": language.between.join(headline),
            "authors": [],
            "date_published": published.isoformat(),
            "language": language.code,
            "keywords": [],
            "body": "\n\n".join(paragraphs),
            "body_html": "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs),
            "is_article": True,
            "fetched_at": published.isoformat(),
            "revision": 1,
            "words": words,
            "copy_of": copy_of,
        }  # fmt: skip


def line_of(article: dict[str, Any]) -> bytes:
    """The JSON line of an article, without what only the benchmark knows."""
    known = {name: value for name, value in article.items() if name not in ("words", "copy_of")}
    return json.dumps(known, ensure_ascii=False).encode() + b"\n"
