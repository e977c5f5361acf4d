"""What is installed: the product with its models, and nothing that only evaluation reads."""

import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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
    templates = {path.relative_to(package).as_posix() for path in package.glob("*/templates/*")}
    assert {path.partition("/")[0] for path in templates} == {"noise_map", "reader", "serve"}
    models = {
        "articles/model.json",
        "methods/hybrid/model.npz",
        "methods/hybrid/open.npz",
        "methods/visual/network.npz",
    }
    assert set(shipped) == {"py.typed"} | models | templates
    assert set(setuptools["package-data"]) == {"newsclean"}
    assert (package / "lab" / "folds.npz").is_file()  # for evaluation, in the repository


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-test.lock"])
def test_what_an_extra_of_a_locked_package_needs_is_locked_too(name: str) -> None:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    locked = [Requirement(line.rstrip(" \\")) for line in lines if "==" in line]
    pinned = {canonicalize_name(one.name) for one in locked}
    for one in locked:
        for extra in one.extras:
            needed = map(Requirement, requires(one.name) or [])
            missing = [
                each.name
                for each in needed
                if each.marker is not None
                and each.marker.evaluate({"extra": extra})
                and not each.marker.evaluate({"extra": ""})
                and canonicalize_name(each.name) not in pinned
            ]
            assert not missing, f"{one.name}[{extra}]"
