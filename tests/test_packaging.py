"""What is installed: the product with its models, and nothing that only evaluation reads."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
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
    templates = {path.relative_to(package).as_posix() for path in package.rglob("templates/*")}
    packages = {path.partition("/")[0] for path in templates}
    assert packages == {"apps", "demo"}
    models = {
        "extraction/is_article/model.json",
        "extraction/methods/hybrid/model.npz",
        "extraction/methods/hybrid/open.npz",
        "extraction/methods/visual/network.npz",
    }
    demo = {path.relative_to(package).as_posix() for path in package.glob("demo/*/*.toml")}
    assert demo
    start_list = {"discovery/publishers.csv"}
    assert set(shipped) == {"py.typed"} | models | templates | demo | start_list
    assert set(setuptools["package-data"]) == {"newsclean"}
    assert (package / "lab" / "folds.npz").is_file()  # for evaluation, in the repository


FILES = ["requirements.txt", "requirements-test.txt"]
PLATFORMS = {"linux": "Linux", "darwin": "Darwin"}


def pins(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return [Requirement(line.rstrip(" \\")) for line in lines if "==" in line]


def applies(requirement: Requirement, environment: dict[str, str]) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(environment)


def needs(requirement: Requirement, environment: dict[str, str]) -> list[Requirement]:
    """What a package, as it is installed here, needs with its extras."""
    try:
        stated = [Requirement(line) for line in requires(requirement.name) or []]
    except PackageNotFoundError:  # it is for another version of Python
        return []
    with_extras = [environment | {"extra": extra} for extra in ("", *requirement.extras)]
    return [each for each in stated if any(applies(each, one) for one in with_extras)]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("python", ["3.11.0", "3.11.2", "3.11.9", "3.12.0", "3.13.0", "3.14.0"])
@pytest.mark.parametrize("name", FILES)
def test_all_that_is_needed_is_pinned_once_for_each_python_on_linux_and_macos(
    name: str, python: str, platform: str
) -> None:
    environment = {
        "extra": "",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "platform_system": PLATFORMS[platform],
        "python_full_version": python,
        "python_version": python.rpartition(".")[0],
        "sys_platform": platform,
    }
    here = [pin for pin in pins(name) if applies(pin, environment)]
    version = {canonicalize_name(pin.name): str(pin.specifier)[2:] for pin in here}
    assert len(version) == len(here)
    extra = PROJECT["project"]["optional-dependencies"]["test"]
    build = PROJECT["build-system"]["requires"]
    own = PROJECT["project"]["dependencies"] + (build if name == "requirements.txt" else extra)
    waiting = [each for each in map(Requirement, own) if applies(each, environment)]
    seen = set()
    while waiting:
        needed = waiting.pop()
        assert needed.specifier.contains(version[canonicalize_name(needed.name)]), needed
        if str(needed) not in seen:
            seen.add(str(needed))
            waiting += needs(needed, environment)


def test_each_extra_of_users_is_installed_and_used_by_a_test_of_its_name() -> None:
    extras = PROJECT["project"]["optional-dependencies"].keys() - {"docs", "test"}
    tests = (ROOT / "tests" / "test_wheel.py").read_text("utf-8")
    assert extras - set(re.findall(r"^def test_(\w+)\(", tests, re.MULTILINE)) == set()


def test_newsclean_is_tested_with_what_it_is_pinned_to_run_on() -> None:
    run, test = pins(FILES[0]), {str(pin) for pin in pins(FILES[1])}
    # A pin without a condition holds on every platform.
    missing = [pin for pin in run if test.isdisjoint({str(pin), f"{pin.name}{pin.specifier}"})]
    assert missing == []


@pytest.mark.parametrize("name", [*FILES, "requirements-spark.txt"])
def test_every_pin_has_a_hash_and_no_file_names_a_package_index(name: str) -> None:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    pinned = [line for line in lines if not line.startswith(("#", " "))]
    assert all("==" in line and line.endswith(" \\") for line in pinned)
    hashes = [line.strip(" \\") for line in lines if line.startswith(" ")]
    assert hashes
    assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes)
