"""64-bit hashes as a database stores them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def to_signed(key: int) -> int:
    """A key as a database's integer, which has a sign."""
    return key - (1 << 64) if key >> 63 else key


def from_signed(number: int) -> int:
    return number % (1 << 64)


def to_blob(hashes: NDArray[np.uint64]) -> bytes:
    return hashes.astype("<u8").tobytes()


def from_blob(blob: bytes) -> NDArray[np.uint64]:
    """Raises ValueError for a value that is not a row of hashes."""
    if len(blob) % 8:
        raise ValueError("not a row of 64-bit hashes")
    return np.frombuffer(blob, dtype="<u8").astype(np.uint64)
