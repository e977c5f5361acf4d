"""A trained model: the network, the vocabulary that goes with it, and what it was trained on."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from newsclean.methods.hybrid.network import ROUNDS, Network
from newsclean.methods.hybrid.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

#: A path, unless the package is in a zipped egg.
SHIPPED = files(__package__).joinpath("model.npz")
#: The other models that come with newsclean, by name: `open` has learned from collections under
#: licences that allow any use.
NAMED = {"open": files(__package__).joinpath("open.npz")}

#: Models that are kept in memory.
MAX_READ = 8


class ModelError(ValueError):
    """A model file that cannot be used."""


@dataclass(frozen=True, eq=False)
class Model:
    """What `newsclean train hybrid` writes and `hybrid` uses."""

    feature_names: list[str]
    network: Network
    vocabulary: Vocabulary
    #: training pages, settings and figures
    card: dict[str, Any] = field(default_factory=dict, repr=False)
    path: Path | None = None

    @cached_property
    def salt(self) -> int:
        """A hash of the weights: two models of the same weights are the same."""
        words = json.dumps(list(self.vocabulary.weights.items()))
        digest = xxhash.xxh3_64(words.encode())
        for array in _arrays(self.network).values():
            digest.update(array.tobytes())
        return digest.intdigest()

    @property
    def fingerprint(self) -> str:
        return f"{self.salt:016x}"


def read_model(path: str | Path | Traversable = SHIPPED, name: str = "") -> Model:
    """The model in a file, the one that comes with newsclean if none is named.

    In place of a file, `open` names the other model that comes with newsclean; a file of that name
    is `./open`. Of a file that holds several models, the one of a name.
    """
    if isinstance(path, str):
        path = NAMED.get(path, path)
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
    """A file is read again when it has changed, and not otherwise."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            return _model(file, path, f"{name}/" if name else "")
    except KeyError as error:
        raise ModelError(f"{path} is not a model of newsclean: it has no {error}") from None
    except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path} is not a model of newsclean: {error}") from None


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
    """The arrays of one model in a file."""
    rounds = [f"{part}{k}" for k in range(len(ROUNDS)) for part in ("context", "page", "bias")]
    return ["mean", "scale", "first", "first_bias", *rounds, "last", "last_bias", "word_weights"]


def write_model(path: Path, models: Mapping[str, Model], card: dict[str, Any]) -> None:
    """Write models of the same features and words; a single one has the empty name.

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
