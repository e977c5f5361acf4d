"""Which network of `visual` has not seen a site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.methods.visual import read_network

if TYPE_CHECKING:
    from newsclean.methods.visual import Network

FOLDS_FILE = Path(__file__).with_name("folds.npz")


def has_fold_networks() -> bool:
    """Whether there are networks of the folds, of the same training as the one for use."""
    return FOLDS_FILE.is_file() and read_network(FOLDS_FILE, "0").card == read_network().card


def unseen_network(mark: int, fold: int) -> Network:
    """A network that was not trained on the site of a mark, as far as there is one."""
    shipped = read_network()
    if mark in shipped.card["sites"] and has_fold_networks():
        return read_network(FOLDS_FILE, str(fold))
    return shipped
