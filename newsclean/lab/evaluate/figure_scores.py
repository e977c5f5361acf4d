"""How many of an article's figures and captions come out, and how much that is none of it.

The labels are in `newsclean/lab/figure_labels.jsonl`: a page's name, numbers and hashes, made by
`benchmarks/figure_labels.py` by the rule in docs/figures.md, which uses no code of newsclean.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from lxml import html

from newsclean.extraction.text import counted
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.field_scores import interval
from newsclean.lab.evaluate.measures import Mean, ratio
from newsclean.lab.evaluate.peers import quiet
from newsclean.lab.evaluate.score_tables import Table
from newsclean.lab.evaluate.systems import extraction_of

if TYPE_CHECKING:
    from newsclean.lab.evaluate.corpus import Corpus, Gold
    from newsclean.lab.evaluate.systems import System

_LABELS = Path(__file__).parent.parent / "figure_labels.jsonl"
#: Against which labels and systems resolve URLs on a page whose own is not known.
_NO_ADDRESS = "https://page.invalid/"
#: What has labels and may be kept, and what should not come out at all.
KEPT = ("figures", "leads", "captions")
COUNTED = {
    "pages with a placeholder": "pages_with_placeholder",
    "pages with a logo, portrait …": "pages_with_junk",
}


@dataclass
class FigureScore:
    """Counts over pages."""

    pages: int = 0
    figures: int = 0
    figures_kept: int = 0
    leads: int = 0
    leads_kept: int = 0
    captions: int = 0
    captions_kept: int = 0
    #: pictures that came out, and those of them that no label knows
    shown: int = 0
    unlabelled: int = 0
    #: pages that show a placeholder although they have the real URL, a logo, a portrait …
    pages_with_placeholder: int = 0
    pages_with_junk: int = 0
    failed: list[str] = field(default_factory=list)

    @classmethod
    def total(cls, scores: Iterable[FigureScore]) -> FigureScore:
        total = cls()
        for score in scores:
            for part in fields(cls):
                setattr(total, part.name, getattr(total, part.name) + getattr(score, part.name))
        return total


@dataclass(frozen=True)
class Shown:
    """What a system made of a page: the URLs of pictures, and all words."""

    addresses: list[str]
    words: list[str]


def measure_figures(
    corpus: Corpus,
    systems: Sequence[System],
    progress: Callable[[int, int], object] = lambda done, total: None,
    labels: Path = _LABELS,
) -> dict[str, list[FigureScore]]:
    """The scores of each system, a score a page that has labels.

    Peers that give no pictures are left out.
    """
    known = read_labels(labels)
    golds = [gold for gold in corpus.golds if gold.name in known]
    systems = [one for one in systems if not one.is_peer or one.name in PEERS]
    scores: dict[str, list[FigureScore]] = {system.label: [] for system in systems}
    for number, gold in enumerate(golds):
        progress(number, len(golds))
        for system in systems:
            try:
                with quiet():
                    shown = _shown_by(system, gold, corpus.others(gold))
                score = score_page(shown, known[gold.name])
            except Exception as error:  # a peer may raise anything
                score = score_page(Shown([], []), known[gold.name])
                score.failed.append(f"{gold.name}: {error}")
            scores[system.label].append(score)
    progress(len(golds), len(golds))
    return scores if golds else {}


def figure_tables(scores: dict[str, list[FigureScore]]) -> list[Table]:
    """A table with a row a system; none without pages that have labels."""
    if not scores:
        return []
    pages = len(next(iter(scores.values())))
    heads = ["", "figures kept", "lead pictures kept", "captions kept", *COUNTED]
    rows = []
    for label, each in scores.items():
        total = FigureScore.total(each)
        shares = [interval(share(each, part)) for part in KEPT]
        rows.append([label, *shares, *(str(getattr(total, COUNTED[name])) for name in COUNTED)])
    return [Table(f"figures and captions: {counted(pages, 'page')} with labels", heads, rows)]


def share(scores: Sequence[FigureScore], part: str) -> Mean | None:
    """How much of what has labels was kept, of all pages together."""
    return ratio(
        [getattr(score, f"{part}_kept") for score in scores],
        [getattr(score, part) for score in scores],
    )


def figures_as_json(scores: dict[str, list[FigureScore]]) -> list[dict[str, Any]]:
    """The shares and counts of each system."""
    return [
        {
            "system": label,
            **asdict(FigureScore.total(each)),
            "shares": {part: got._asdict() for part in KEPT if (got := share(each, part))},
        }
        for label, each in scores.items()
    ]


def read_labels(path: Path = _LABELS) -> dict[str, dict[str, Any]]:
    with path.open("rb") as file:
        return {(label := json.loads(line))["page"]: label for line in file}


def score_page(shown: Shown, label: dict[str, Any]) -> FigureScore:
    """What of a page's labels came out."""
    came = [hash_of(address) for address in shown.addresses]
    score = FigureScore(pages=1, shown=len(came))
    known = set()
    for figure in label["figures"]:
        addresses = set(figure["addresses"])
        known |= addresses
        kept = not addresses.isdisjoint(came)
        score.figures += 1
        score.figures_kept += kept
        score.leads += figure["lead"]
        score.leads_kept += figure["lead"] and kept
        if caption := figure["caption"]:
            score.captions += 1
            score.captions_kept += _has_words(shown.words, caption["words"], caption["hash"])
    score.unlabelled = sum(address not in known for address in came)
    score.pages_with_placeholder = int(_any(label, "placeholders", came))
    score.pages_with_junk = int(_any(label, "junk", came))
    return score


def _any(label: dict[str, Any], kind: str, came: list[str]) -> bool:
    return not set(label[kind]).isdisjoint(came)


def _has_words(words: list[str], count: int, hashed: str) -> bool:
    """Whether a run of so many words has this hash."""
    return any(
        hash_of(" ".join(words[start : start + count])) == hashed
        for start in range(len(words) - count + 1)
    )


def hash_of(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _shown_by(system: System, gold: Gold, others: Sequence[Gold]) -> Shown:
    """What a system shows of a page."""
    address = gold.url or _NO_ADDRESS
    if system.is_peer:
        return PEERS[system.name](read_page(gold.path), address)
    return _shown(extraction_of(gold, others, system, address).html, "img", "")


def _trafilatura(body: bytes, address: str) -> Shown:
    from trafilatura import extract

    text = extract(body, include_images=True, include_comments=False, output_format="xml")
    return _shown(text or "", "graphic", address)


#: The peers whose answers have pictures.
PEERS: dict[str, Callable[[bytes, str], Shown]] = {"trafilatura": _trafilatura}


def _shown(markup: str, tag: str, base: str) -> Shown:
    if not markup.strip():
        return Shown([], [])
    root = html.fragment_fromstring(markup, create_parent="div")
    addresses = [urljoin(base, image.get("src") or "") for image in root.iter(tag)]
    text = " ".join(map(str, root.itertext()))
    # What trafilatura knows of a picture's words is in attributes.
    texts = [text, *(image.get("title") or "" for image in root.iter("graphic"))]
    return Shown(addresses, re.findall(r"\w+", " ".join(texts).lower()))
