"""What a long training has done already, on disk: a training that was stopped goes on from there.

Examples and networks are kept under a hash of all that they depend on: the page with its gold text,
the settings, and the code that computes them. So nothing of another version is ever taken, and
nobody has to empty the folder but to save space.
"""

from __future__ import annotations

import json
import pickle
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import xxhash

import newsclean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

#: What examples depend on, and what networks depend on beside them.
EXAMPLES = (
    "extraction/text.py",
    "urls.py",
    "extraction/page",
    "extraction/metadata",
    "extraction/methods",
    "lab/evaluate/corpus.py",
    "lab/evaluate/measures.py",
    "lab/training/block_examples.py",
)
NETWORKS = (
    *EXAMPLES,
    "lab/training/fit.py",
    "lab/training/hybrid_training.py",
    "lab/training/layers.py",
    "lab/training/optimizers.py",
)


def kept(
    folder: Path | None, code: tuple[str, ...], depends_on: Sequence[str], make: Callable[[], T]
) -> T:
    """What `make` makes, or has made before; without a folder nothing is kept."""
    if folder is None:
        return make()
    key = xxhash.xxh3_128_hexdigest(json.dumps([_code_digest(code), *depends_on]).encode())
    path = folder / f"{key}.pickle"
    if path.exists():
        with path.open("rb") as file:
            found: T = pickle.load(file)
            return found
    made = make()
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"part-{path.name}")  # half a file is never read
    part.write_bytes(pickle.dumps(made, -1))
    part.replace(path)
    return made


@cache
def _code_digest(paths: tuple[str, ...]) -> str:
    """A hash of the code in these files and folders of the package."""
    digest = xxhash.xxh3_128()
    root = Path(newsclean.__file__).parent
    for name in paths:
        path = root / name
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()
