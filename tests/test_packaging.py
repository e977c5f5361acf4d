"""What is installed: the product with its models, and nothing that only evaluation reads."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_package_holds_the_models_for_use_and_no_fold_networks() -> None:
    setuptools = PROJECT["tool"]["setuptools"]
    assert setuptools["include-package-data"] is False
    package = ROOT / "newsclean"
    shipped = [
        path.relative_to(package).as_posix()
        for pattern in setuptools["package-data"]["newsclean"]
        for path in package.glob(pattern)
    ]
    assert set(shipped) == {"py.typed", "articles/model.json", "methods/hybrid/model.npz"}
    assert set(setuptools["package-data"]) == {"newsclean"}
    assert (package / "lab" / "folds.npz").is_file()  # for evaluation, in the repository
