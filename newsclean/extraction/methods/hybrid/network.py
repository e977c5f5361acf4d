"""The model: a small network over the blocks of a page, in NumPy, and a vocabulary.

The features of each block become a vector; then, in two rounds, each block receives messages from
the blocks around it in document order, from the branches of the tree around it, and from the page
as a whole. An article is mostly one stretch and one branch: this is how the answer for a block
depends on that.

Nothing in the structure of a page distinguishes an appeal to subscribe between two paragraphs from
a paragraph; its words do. Each word of the vocabulary has a weight for or against the article, from
training. Only blocks about which the network is in doubt are looked up, which are few; in a
language that the vocabulary does not know it changes nothing.
"""

from __future__ import annotations

import json
import re
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import chain
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from newsclean.extraction.text import pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

    from newsclean.extraction.page.columns import Column

    _Floats = NDArray[np.float32]
    _Doubles = NDArray[np.float64]

#: Maximum distance of a feature from its mean, in standard deviations.
CLIP = 4.0
#: For each round, how many blocks before and after send messages, and how far apart they are.
ROUNDS = ((2, 1), (2, 2))
#: Multiplications for which NumPy uses one thread.
PIECE = 1 << 18
#: Maximum weight of a block for its branch and the page, in words.
MAX_WEIGHT = 200.0

#: The network is in doubt if its log-odds are nearer to zero than this.
_DOUBT = 2.0
#: Minimum words of a block that is looked up.
MIN_WORDS = 5
#: The weight of the words beside the network.
_SHARE = 0.4

_WORD = re.compile(r"[^\W\d_]+")

#: A path, unless the package is in a zipped egg.
SHIPPED = files(__package__).joinpath("model.npz")
#: The other models that come with newsclean, by name: `open` was trained on collections under
#: licences that allow any use.
_NAMED = {"open": files(__package__).joinpath("open.npz")}

#: Models kept in memory.
MAX_READ = 8


@dataclass(frozen=True, eq=False)
class Network:
    """The weights of the network."""

    mean: _Floats
    scale: _Floats
    first: tuple[_Floats, _Floats]
    #: for each round the weights of a block's context (blocks, branches), of the page, and the bias
    rounds: tuple[tuple[_Floats, _Floats, _Floats], ...]
    last: tuple[_Floats, _Floats]

    def __call__(
        self, values: _Floats, words: NDArray[np.float64], ranges: Sequence[tuple[Column, Column]]
    ) -> _Floats:
        """Return the probability of each block, given all blocks in document order."""
        n = len(values)
        weight = np.minimum(words, MAX_WEIGHT)
        weights = weight[:, None]
        branches = _Branches.of(ranges, weight)
        x = values - self.mean
        x *= self.scale
        np.clip(x, -CLIP, CLIP, out=x)
        hidden = np.maximum(_product(x, self.first[0]) + self.first[1], 0)
        width = hidden.shape[1]
        for (reach, apart), (context_weights, page, bias) in zip(ROUNDS, self.rounds, strict=True):
            margin = reach * apart
            padded = np.zeros((n + 2 * margin, width), dtype=np.float32)
            padded[margin : margin + n] = hidden
            total = np.zeros((n + 1, width))
            np.cumsum(hidden * weights, axis=0, out=total[1:])
            whole = (total[-1] / branches.weight).astype(np.float32)
            near = [padded[start : start + n] for start in range(0, 2 * margin + 1, apart)]
            beside = len(near) * width
            messages = _product(np.concatenate(near, axis=1), context_weights[:beside])
            messages += branches.messages(total, context_weights[beside:].reshape(-1, width, width))
            messages += whole @ page + bias
            hidden = hidden + np.maximum(messages, 0, out=messages)
        logit = hidden @ self.last[0] + self.last[1]
        probability: _Floats = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
        return probability


@dataclass(frozen=True, eq=False)
class _Branches:
    """The branches around the blocks, level by level.

    Successive blocks mostly share a branch: it is computed once for such a run.
    """

    #: the first block of each run's branch, the first one after it, and one divided by its weight
    low: Column
    high: Column
    share: NDArray[np.float64]
    #: the run of each block, a row for each level, and where the runs of each level end
    run: Column
    ends: list[int]
    #: of the page
    weight: float

    @classmethod
    def of(cls, ranges: Sequence[tuple[Column, Column]], weight: NDArray[np.float64]) -> _Branches:
        low, high = np.array(ranges).transpose(1, 0, 2)
        begins = np.ones(low.shape, dtype=bool)
        begins[:, 1:] = (low[:, 1:] != low[:, :-1]) | (high[:, 1:] != high[:, :-1])
        run = np.cumsum(begins).reshape(low.shape) - 1
        low, high = low[begins], high[begins]
        sums = np.zeros(len(weight) + 1)
        np.cumsum(weight, out=sums[1:])
        share = 1 / (sums[high] - sums[low])
        return cls(low, high, share, run, (run[:, -1] + 1).tolist(), float(sums[-1]))

    def messages(self, total: NDArray[np.float64], weights: _Floats) -> _Floats:
        """Return the messages of the branches to each block, given sums over the blocks before."""
        sums = total.take(self.high, axis=0) - total.take(self.low, axis=0)
        means = (sums * self.share[:, None]).astype(np.float32)
        levels = zip([0, *self.ends], self.ends, weights, strict=False)
        of_runs = [_product(means[start:end], weight) for start, end, weight in levels]
        of_blocks: _Floats = np.concatenate(of_runs).take(self.run, axis=0).sum(axis=0)
        return of_blocks


def _product(rows: _Floats, weights: _Floats) -> _Floats:
    """Multiply matrices in pieces, each so small that NumPy uses one thread for it.

    The blocks of a page are few: threads would cost more than they gain, and a crawl has its own.
    """
    step = max(PIECE // weights.size, 1)
    if len(rows) <= step:
        return rows @ weights
    return np.concatenate([rows[k : k + step] @ weights for k in range(0, len(rows), step)])


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The weight of each word for the article, in log-odds."""

    weights: dict[str, float]

    def __call__(self, text: str) -> float:
        """Return the weight of a text: above zero it reads like an article.

        >>> vocabulary = Vocabulary({"said": 1.5, "subscribe": -2.0})
        >>> vocabulary("Subscribe, subscribe!") < vocabulary("It rains") < vocabulary("He said so")
        True
        """
        weights = self.weights
        known = [weights[word] for word in distinct_words(text) if word in weights]
        return sum(known) / sqrt(1 + len(known))

    def adjusted(self, probability: _Doubles, words: _Doubles, texts: Sequence[str]) -> _Doubles:
        """Return the probabilities, with those of doubtful blocks moved by their words."""
        if not self.weights:
            return probability
        moved = probability.copy()
        edge = 1 / (1 + np.exp(-_DOUBT))
        doubtful = (probability > 1 - edge) & (probability < edge) & (words >= MIN_WORDS)
        for block in np.flatnonzero(doubtful).tolist():
            odds = probability[block] / (1 - probability[block])
            moved[block] = 1 / (1 + np.exp(-_SHARE * self(texts[block])) / odds)
        return moved


def distinct_words(text: str) -> list[str]:
    """Return the words of a text, each once, in lower case.

    >>> distinct_words("Rain, again: rain!")
    ['rain', 'again']
    """
    found = (_WORD.findall(piece.lower()) for piece in pieces(text))
    return list(dict.fromkeys(chain.from_iterable(found)))


class ModelError(ValueError):
    """A model file that cannot be used."""


@dataclass(frozen=True, eq=False)
class Model:
    """What `newsclean train hybrid` writes, and `hybrid` uses."""

    feature_names: list[str]
    network: Network
    vocabulary: Vocabulary
    #: training pages, settings and figures
    card: dict[str, Any] = field(default_factory=dict, repr=False)
    path: Path | None = None

    @cached_property
    def salt(self) -> int:
        """A hash of the weights, equal for two models of the same weights."""
        words = json.dumps(list(self.vocabulary.weights.items()))
        digest = xxhash.xxh3_64(words.encode())
        for array in _arrays(self.network).values():
            digest.update(array.tobytes())
        return digest.intdigest()

    @property
    def fingerprint(self) -> str:
        return f"{self.salt:016x}"


def read_model(path: str | Path | Traversable = SHIPPED, name: str = "") -> Model:
    """Read a model, by default the one that comes with newsclean.

    `open` is the other model that comes with newsclean; a file of that name is `./open`. A file may
    hold several models under names.
    """
    if isinstance(path, str):
        path = _NAMED.get(path, path)
    if not isinstance(path, str | Path):
        return _read(path, name)  # type: ignore[arg-type]
    path = Path(path)
    try:
        state = path.stat()
    except OSError as error:
        raise ModelError(f"the model file {path} cannot be read: {error.strerror}") from None
    return _read(path, name, state.st_mtime_ns, state.st_size)


@lru_cache(MAX_READ)
def _read(path: Path | Traversable, name: str, *state: int) -> Model:
    # `state` makes the cache read a file again when it has changed.
    with model_file(path, "a model of newsclean") as file:
        return _model(file, path, f"{name}/" if name else "")


@contextmanager
def model_file(path: Path | Traversable, kind: str) -> Iterator[Mapping[str, NDArray[Any]]]:
    """Open a file of arrays; what is wrong with it is a `ModelError` that names the kind."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            yield file
    except KeyError as error:
        raise ModelError(f"{path} is not {kind}: it has no {error}") from None
    except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path} is not {kind}: {error}") from None


def _model(file: Mapping[str, NDArray[Any]], path: Path | Traversable, prefix: str) -> Model:
    arrays = {key: file[prefix + key] for key in _array_names()}
    network = Network(
        mean=arrays["mean"],
        scale=arrays["scale"],
        first=(arrays["first"], arrays["first_bias"]),
        rounds=tuple(
            (arrays[f"context{k}"], arrays[f"page{k}"], arrays[f"bias{k}"])
            for k in range(len(ROUNDS))
        ),
        last=(arrays["last"], arrays["last_bias"]),
    )
    names: list[str] = json.loads(str(file["feature_names"]))
    words: list[str] = json.loads(str(file["words"]))
    if len(names) != len(network.mean):
        raise ValueError(f"{len(network.mean)} weights for {len(names)} features")
    weights = arrays["word_weights"].tolist()
    return Model(
        feature_names=names,
        network=network,
        vocabulary=Vocabulary(dict(zip(words, weights, strict=True))),
        card=json.loads(str(file["card"])),
        path=path if isinstance(path, Path) else None,
    )


def _array_names() -> list[str]:
    """Return the names of the arrays of one model in a file."""
    rounds = [f"{part}{k}" for k in range(len(ROUNDS)) for part in ("context", "page", "bias")]
    return ["mean", "scale", "first", "first_bias", *rounds, "last", "last_bias", "word_weights"]


def write_model(path: Path, models: Mapping[str, Model], card: dict[str, Any]) -> None:
    """Write models of the same features and words under their names; a single one has none.

    The same models give the same bytes.
    """
    first = next(iter(models.values()))
    words = list(first.vocabulary.weights)
    arrays: dict[str, Any] = {
        "card": np.array(json.dumps(card, sort_keys=True)),
        "feature_names": np.array(json.dumps(first.feature_names)),
        "words": np.array(json.dumps(words)),
    }
    for name, model in models.items():
        prefix = f"{name}/" if name else ""
        weights = [model.vocabulary.weights[word] for word in words]
        arrays |= {f"{prefix}{key}": array for key, array in _arrays(model.network).items()}
        arrays[f"{prefix}word_weights"] = np.array(weights, dtype=np.float16)
    np.savez_compressed(path, **arrays)


def _arrays(network: Network) -> dict[str, Any]:
    arrays = {"mean": network.mean, "scale": network.scale}
    arrays |= {"first": network.first[0], "first_bias": network.first[1]}
    for k, (context, page, bias) in enumerate(network.rounds):
        arrays |= {f"context{k}": context, f"page{k}": page, f"bias{k}": bias}
    return arrays | {"last": network.last[0], "last_bias": network.last[1]}
