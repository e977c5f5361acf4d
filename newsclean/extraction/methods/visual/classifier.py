"""Measure the blocks, classify them, and choose the main ones (section III, phases 2 to 4).

The paper has 33 inputs and 3 outputs in section IV, 21 and 2 in section III: ours has 33, all of
Table I, and 3, the classes that it labels, with two layers between them as in section III. All
activations are sigmoids. Counts, lengths and pixels enter as logarithms: the paper does not give
their scale, and without it a few long blocks would outweigh all others.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import numpy as np

from newsclean.browser.snapshot import NONE
from newsclean.extraction.methods.chain import Choice, Stage, Step
from newsclean.extraction.methods.hybrid.network import ModelError, model_file
from newsclean.extraction.methods.visual import segmentation
from newsclean.extraction.page import PageError
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

    from newsclean.browser.snapshot import Rendering, Snapshot
    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.methods.visual.segmentation import Block, Thresholds
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

    _Floats = NDArray[np.floating[Any]]
    _Doubles = NDArray[np.float64]

#: The classes of a block, in the order of the network's outputs.
CLASSES = ("main", "mixed", "noise")
MAIN, MIXED, NOISE = range(len(CLASSES))

#: The network that comes with newsclean.
_SHIPPED = files(__package__).joinpath("network.npz")

#: Maximum distance of a feature from its mean, in standard deviations.
CLIP = 4.0

_ARRAYS = ("mean", "scale", "weights0", "bias0", "weights1", "bias1", "weights2", "bias2")

#: Table I in its order and spelling. The paper does not define the features; these lines do. `Rel…`
#: is read as the share of the whole page that a block has.
_DEFINITIONS = {
    "RelBlock_No_of_Extn_Link": "its external links, as a share of the page's",
    "Block_No_of_Extn_Link": "links to other sites: another registered domain",
    "Block_No_of_Intl_Link": "links to the page's own site",
    "RelBlock_No_of_Inlt_Link": "its internal links, as a share of the page's",
    "Block_no_of_iframe_extn": "frames with a page of another site",
    "RelBlock_no_of_iframe_ext": "its external frames, as a share of the page's",
    "Block_no_of_iframe": "frames",
    "Block_width": "width in pixels",
    "Block_no_of_hyperlink": "links (`a` with `href`)",
    "RelBlock_width": "width, as a share of the page's",
    "Block_no_of_script": "scripts",
    "Block_no_of_script_Intl": "scripts in the page itself, or from its site",
    "RelBlock_no_of_Script_Intl": "its internal scripts, as a share of the page's",
    "Block_No_of_Script_Extn": "scripts from other sites",
    "Block_Link_Length": "characters of shown text inside links",
    "RelBlock_textlength": "its text length, as a share of the page's",
    "RelBlock_no_of_Script_Ext": "its external scripts, as a share of the page's",
    "Block_left": "distance from the left edge of the page in pixels",
    "Block_top": "distance from the top of the page in pixels",
    "RelBlock_no_of_img_Ext": "its external pictures, as a share of the page's",
    "Block_no_of_img_Extn": "pictures from other sites",
    "Block_height": "height in pixels",
    "Block_no_of_img_intl": "pictures in the page itself, or from its site",
    "Block_fontsize": "computed font size in pixels, mean over its characters",
    "Block_no_of_table": "tables",
    "Block_no_of_img": "pictures (`img`)",
    "Block_fontwt": "computed font weight (400 is normal), mean over its characters",
    "Block_no_of_iframe_intl": "frames with a page of the same site",
    "RelBlock_img_intl": "its internal pictures, as a share of the page's",
    "Relno_of_iframe_intl": "its internal frames, as a share of the page's",
    "Rel_block_height": "height, as a share of the page's",
    "Block_Textlen": "characters of shown text",
    "RelBlock_no_of_table": "its tables, as a share of the page's",
}
FEATURES = tuple(_DEFINITIONS)

#: Elements with a URL.
_LINKED = {"a": "link", "iframe": "iframe", "img": "img", "script": "script"}

_NOT_RENDERED = (
    "visual needs the page as a browser shows it, and this one was not rendered: "
    "`newsclean extract` does that; in Python, give extract() a snapshot of newsclean.browser"
)


@dataclass(frozen=True)
class Parameters:
    thresholds: Thresholds = segmentation.PAPER
    #: weight of the output for mixed beside the one for main; 0: main blocks only
    mixed: float = 0.0
    #: minimum of their sum; None: the largest output decides
    least: float | None = None


PAPER = Parameters()
#: Taking mixed blocks in doubt (mixed=0.5, least=0.5) measured worse: F1 0.902, not 0.906.
TUNED = PAPER


def steps(parameters: Parameters, network: Network | None = None) -> tuple[Step, ...]:
    """Return the step, with the network that comes with newsclean unless another one is given."""

    def content(page: Page, evidence: Evidence, before: Choice) -> Choice:
        if evidence.rendering is None:
            raise PageError("not-rendered", _NOT_RENDERED)
        rows, score = choose(page, evidence.rendering, network or read_network(), parameters)
        return replace(before, rows=before.rows & rows, score=score)

    return (Step(Stage.CONTENT, content, needs_rendering=True),)


def choose(
    page: Page, rendering: Rendering, network: Network, parameters: Parameters = PAPER
) -> tuple[Mask, float]:
    """Return the rows of the main blocks, and their mean score by characters (phase 4)."""
    snapshot = rendering.snapshot
    classified = classify(snapshot, network, parameters.thresholds)
    score = classified.outputs[:, MAIN] + parameters.mixed * classified.outputs[:, MIXED]
    is_main = classified.classes == MAIN
    taken = is_main if parameters.least is None else score >= parameters.least
    of_row = np.zeros(len(snapshot))
    for block, value in zip(classified.blocks, np.where(taken, score, 0.0).tolist(), strict=True):
        of_row[block.first : block.last + 1] = value
    values = np.where(rendering.rows == NONE, 0.0, (of_row * snapshot.shown)[rendering.rows])
    chosen = np.zeros(len(page), dtype=bool)
    chosen[page.text_rows[values > 0]] = True
    chars = page.chars[page.text_rows] * (values > 0)
    mean = float((values * chars).sum() / chars.sum()) if chars.any() else 0.0
    return _with_pictures(page, chosen), mean


def _with_pictures(page: Page, chosen: Mask) -> Mask:
    """Return the chosen texts with the pictures, rules and breaks between two of them."""
    texts = page.text_rows
    taken = chosen[texts]
    rows = chosen.copy()
    for at in np.flatnonzero(taken[:-1] & taken[1:]).tolist():
        rows[texts[at] : texts[at + 1]] = True
    return rows


@dataclass(frozen=True, eq=False)
class ClassifiedBlocks:
    """The blocks of a page, and the network's outputs for each."""

    blocks: list[Block]
    outputs: _Floats

    @property
    def classes(self) -> Column:
        """The class of each block, which has the largest output."""
        found: Column = self.outputs.argmax(axis=1)
        return found


def classify(
    snapshot: Snapshot, network: Network, thresholds: Thresholds = segmentation.PAPER
) -> ClassifiedBlocks:
    """Segment a page, measure its blocks and classify them (phases 1 to 3)."""
    blocks = segmentation.segment(snapshot, thresholds)
    return ClassifiedBlocks(blocks, network(block_features(snapshot, blocks)))


def block_features(snapshot: Snapshot, blocks: Sequence[Block]) -> _Doubles:
    """Return a row for each block, with a column for each of `FEATURES` (phase 2)."""
    first = np.array([block.first for block in blocks], dtype=np.int64)
    last = np.array([block.last for block in blocks], dtype=np.int64)

    def per_block(values: NDArray[np.generic]) -> _Doubles:
        total = np.zeros(len(snapshot) + 1)
        np.cumsum(values, out=total[1:])
        return total[last + 1] - total[first]

    def share(values: _Doubles, of: float) -> _Doubles:
        return values / of if of else np.zeros(len(values))

    boxes = np.array([block.box for block in blocks], dtype=float).reshape(-1, 4)
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    chars = snapshot.chars * snapshot.shown
    textlen = per_block(chars)
    at_least_one = np.maximum(textlen, 1)
    counts = _counts(snapshot)
    number = {name: per_block(column) for name, column in counts.items()}
    relative = {name: share(number[name], column.sum()) for name, column in counts.items()}
    values = {
        "Block_width": width,
        "RelBlock_width": share(width, snapshot.size[0]),
        "Block_height": height,
        "Rel_block_height": share(height, snapshot.size[1]),
        "Block_left": boxes[:, 0],
        "Block_top": boxes[:, 1],
        "Block_fontsize": per_block(chars * snapshot.font_size) / at_least_one,
        "Block_fontwt": per_block(chars * snapshot.font_weight) / at_least_one,
        "Block_Textlen": textlen,
        "RelBlock_textlength": share(textlen, float(chars.sum())),
        "Block_Link_Length": per_block(chars * _in_links(snapshot)),
        "Block_no_of_hyperlink": number["link"],
        "Block_No_of_Extn_Link": number["link ext"],
        "RelBlock_No_of_Extn_Link": relative["link ext"],
        "Block_No_of_Intl_Link": number["link int"],
        "RelBlock_No_of_Inlt_Link": relative["link int"],
        "Block_no_of_iframe": number["iframe"],
        "Block_no_of_iframe_extn": number["iframe ext"],
        "RelBlock_no_of_iframe_ext": relative["iframe ext"],
        "Block_no_of_iframe_intl": number["iframe int"],
        "Relno_of_iframe_intl": relative["iframe int"],
        "Block_no_of_script": number["script"],
        "Block_no_of_script_Intl": number["script int"],
        "RelBlock_no_of_Script_Intl": relative["script int"],
        "Block_No_of_Script_Extn": number["script ext"],
        "RelBlock_no_of_Script_Ext": relative["script ext"],
        "Block_no_of_img": number["img"],
        "Block_no_of_img_intl": number["img int"],
        "RelBlock_img_intl": relative["img int"],
        "Block_no_of_img_Extn": number["img ext"],
        "RelBlock_no_of_img_Ext": relative["img ext"],
        "Block_no_of_table": number["table"],
        "RelBlock_no_of_table": relative["table"],
    }
    return np.stack([values[name] for name in FEATURES], axis=1)


def _counts(snapshot: Snapshot) -> dict[str, _Doubles]:
    """Return which rows are links, frames, scripts, pictures and tables, of which sites."""
    size = len(snapshot)
    counts = {
        f"{kind}{side}": np.zeros(size)
        for kind in _LINKED.values()
        for side in ("", " int", " ext")
    }
    counts["table"] = np.array([tag == "table" for tag in snapshot.tag], dtype=float)
    own = _own_domain(snapshot)
    for row, tag in enumerate(snapshot.tag):
        kind = _LINKED.get(tag)
        if kind is None or (kind == "link" and row not in snapshot.address):
            continue
        domain = _domain_of(snapshot, snapshot.address.get(row, ""))
        counts[kind][row] = 1
        counts[f"{kind} {'int' if domain in (None, own) else 'ext'}"][row] = 1
    return counts


def _own_domain(snapshot: Snapshot) -> str | None:
    """Return the registered domain of the page; without a URL, the one that it links to most."""
    if site := site_of(snapshot.url):
        return registered_domain(site)
    linked = Counter(
        domain
        for row, address in snapshot.address.items()
        if snapshot.tag[row] == "a" and (domain := _domain_of(snapshot, address))
    )
    return linked.most_common(1)[0][0] if linked else None


def _domain_of(snapshot: Snapshot, address: str) -> str | None:
    """Return the registered domain of a URL, None if it has none."""
    try:
        site = site_of(urljoin(snapshot.url or "", address.strip()))
    except ValueError:
        return None
    return registered_domain(site) if site else None


def _in_links(snapshot: Snapshot) -> NDArray[np.bool_]:
    """Return which rows are inside a link."""
    rows = np.array([row for row in snapshot.address if snapshot.tag[row] == "a"], dtype=np.int64)
    begun = np.bincount(rows, minlength=len(snapshot))
    ended = np.bincount(snapshot.end[rows] + 1, minlength=len(snapshot) + 1)
    inside: NDArray[np.bool_] = np.cumsum(begun - ended[:-1]) > 0
    return inside


@dataclass(frozen=True, eq=False)
class Network:
    """The feed-forward network (phase 3): weights, and the scale of the features."""

    mean: _Floats
    scale: _Floats
    #: weights and biases of each layer
    layers: tuple[tuple[_Floats, _Floats], ...]
    #: training pages, settings and figures
    card: dict[str, Any] = field(default_factory=dict, repr=False)

    def inputs(self, features: _Floats) -> _Floats:
        """Scale the features of blocks for the first layer."""
        values: _Floats = np.clip((scaled(features) - self.mean) * self.scale, -CLIP, CLIP)
        return values

    def __call__(self, features: _Floats) -> _Floats:
        """Return the three outputs for each block, each from 0 to 1."""
        values = self.inputs(features)
        for weights, bias in self.layers:
            values = sigmoid(values @ weights + bias)
        return values


def scaled(features: _Floats) -> _Floats:
    """Return counts, lengths and pixels as logarithms, shares as roots, with their signs."""
    is_share = np.array([name.startswith("Rel") for name in FEATURES])
    size = np.abs(features)
    values: _Floats = np.sign(features) * np.where(is_share, np.sqrt(size), np.log1p(size))
    return values


def sigmoid(values: _Floats) -> _Floats:
    result: _Floats = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
    return result


@cache
def read_network(path: Path | Traversable = _SHIPPED, name: str = "") -> Network:
    """Read a network, by default the one that comes with newsclean.

    A file may hold several under names.
    """
    prefix = f"{name}/" if name else ""
    with model_file(path, "a network of visual") as file:
        card: dict[str, Any] = json.loads(str(file["card"]))
        arrays = {key: file[prefix + key].astype(np.float64) for key in _ARRAYS}
    if len(arrays["mean"]) != len(FEATURES) or arrays["bias2"].shape != (len(CLASSES),):
        raise ModelError(f"{path} was trained on other features or classes: train it anew")
    layers = tuple((arrays[f"weights{k}"], arrays[f"bias{k}"]) for k in range(3))
    return Network(arrays["mean"], arrays["scale"], layers, card)


def write_networks(path: Path, networks: Mapping[str, Network], card: dict[str, Any]) -> None:
    """Write networks under their names; a single one has the empty name."""
    arrays: dict[str, Any] = {"card": np.array(json.dumps(card, sort_keys=True))}
    for name, network in networks.items():
        prefix = f"{name}/" if name else ""
        values = [network.mean, network.scale, *(part for pair in network.layers for part in pair)]
        arrays |= {
            f"{prefix}{key}": value.astype(np.float32)
            for key, value in zip(_ARRAYS, values, strict=True)
        }
    np.savez_compressed(path, **arrays)
