"""What a long training has done already, on disk: a training that was stopped goes on from there.

Features of a page and weights of a network are kept under a hash of all that they depend on: the
page with its gold text, the settings, and the code that computes them. So nothing of another
version is ever taken, and nobody has to empty the folder but to save space.
"""

from __future__ import annotations

import json
import pickle
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import xxhash

import newsclean
from newsclean.methods.hybrid import Model, read_model, write_model
from newsclean.methods.hybrid.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newsclean.lab.training.examples import Example
    from newsclean.methods.hybrid.network import Network

#: What examples depend on, and what networks depend on beside them.
EXAMPLES = (
    "page",
    "metadata",
    "methods",
    "lab/evaluate/alignment.py",
    "lab/evaluate/corpus.py",
    "lab/training/examples.py",
    "lab/training/labels.py",
)
NETWORKS = (
    *EXAMPLES,
    "lab/training/fit.py",
    "lab/training/layers.py",
    "lab/training/run.py",
    "lab/training/settings.py",
)


class TrainingCache:
    """A folder of examples and networks; without a folder, nothing is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        #: seconds of trainings inside the one that is being done
        self._inside = 0.0
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def example(self, digest: str, read: Callable[[], Example | None]) -> Example | None:
        """The example of a page with its gold text, by the digest of both."""
        path = self._path("example", ".pickle", EXAMPLES, [digest])
        if path is None:
            return read()
        if path.exists():
            with path.open("rb") as file:
                kept: Example | None = pickle.load(file)
                return kept
        found = read()
        _write_whole(path, lambda part: part.write_bytes(pickle.dumps(found, -1)))
        return found

    def network(
        self, names: Sequence[str], depends_on: Sequence[str], fit: Callable[[], Network]
    ) -> tuple[Network, float]:
        """A network over these features and the seconds its training took, whenever that was.

        Those of a teacher that is trained on the way are not among them. `depends_on` is all that
        it depends on beside the features and the code.
        """
        path = self._path("network", ".npz", NETWORKS, [*names, *depends_on])
        if path is not None and path.exists():
            kept = read_model(path)
            return kept.network, kept.card["seconds"]
        outside, self._inside = self._inside, 0.0
        begin = time.perf_counter()
        network = fit()
        whole = time.perf_counter() - begin
        seconds = whole - self._inside
        self._inside = outside + whole
        if path is not None:
            model = Model(list(names), network, Vocabulary({}))
            _write_whole(path, lambda part: write_model(part, {"": model}, {"seconds": seconds}))
        return network, seconds

    def _path(
        self, kind: str, suffix: str, code: tuple[str, ...], depends_on: Sequence[str]
    ) -> Path | None:
        if self.folder is None:
            return None
        everything = json.dumps([code_digest(code), *depends_on])
        key = xxhash.xxh3_128_hexdigest(everything.encode())
        return self.folder / f"{kind}-{key}{suffix}"


def _write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file under another name first: half a file is never read."""
    part = path.with_name(f"part-{path.name}")
    write(part)
    part.replace(path)


@cache
def code_digest(paths: tuple[str, ...]) -> str:
    """A hash of the code in these files and folders of the package."""
    digest = xxhash.xxh3_128()
    root = Path(newsclean.__file__).parent
    for name in paths:
        path = root / name
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()
