"""Blocks with their features as a data set file, in XML as the paper keeps them (section III)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from newsclean.methods.visual.features import FEATURES
from newsclean.methods.visual.network import CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from newsclean.lab.visual.examples import Example


def write_dataset(path: Path, examples: Iterable[Example]) -> int:
    """One `page` a page with one `block` a block, features as attributes; the number of blocks.

    No text of a page is in it.
    """
    blocks = 0
    with etree.xmlfile(str(path), encoding="utf-8") as file:
        file.write_declaration()
        with file.element("dataset", classes=" ".join(CLASSES)):
            for example in examples:
                page = etree.Element("page", id=example.gold.name, site=example.gold.site)
                for values, label in zip(example.features, example.label, strict=True):
                    block = etree.SubElement(page, "block", {"class": CLASSES[label]})
                    for name, value in zip(FEATURES, values.tolist(), strict=True):
                        block.set(name, f"{value:.6g}")
                file.write(page)
                blocks += len(example)
    return blocks
