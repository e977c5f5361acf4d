"""Jinja templates of the applications and the demo, with autoescaping."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined


def template_environment(*packages: str, **options: Any) -> Environment:
    """Return an environment with the templates of the packages; earlier packages win."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        **options,
    )


def template_file(package: str, name: str) -> str:
    """Return the text of a style sheet or script in the templates folder of a package."""
    return (files(package) / "templates" / name).read_text("utf-8")
