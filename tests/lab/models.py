"""Invented models in place of those that come with newsclean."""

from pathlib import Path

import pytest

from newsclean.extraction.methods.hybrid.network import Model, read_model, write_model
from newsclean.lab import folds
from newsclean.lab.folds import FOLDS, mark_of
from tests.extraction.methods.hybrid.networks import model_that_takes


def replace_models(
    monkeypatch: pytest.MonkeyPatch, folder: Path, use: Model, in_folds: str, seen: str
) -> None:
    """Have a model for use that was trained on a site, and one for each fold, not two alike.

    Those of the folds take the blocks for which the feature `in_folds` is 1.
    """
    card = {"sites": [mark_of(seen)]}
    path, folds_path = folder / "model.npz", folder / "folds.npz"
    write_model(path, {"": use}, card)
    models = {str(fold): model_that_takes(in_folds, sure=10.0 + fold) for fold in range(FOLDS)}
    write_model(folds_path, models, card)
    monkeypatch.setattr(read_model, "__defaults__", (path, ""))
    monkeypatch.setattr(folds, "FOLDS_FILE", folds_path)
