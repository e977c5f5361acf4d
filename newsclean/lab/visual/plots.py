"""Pictures of what the network of `visual` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl

from newsclean.methods.visual import CLASSES

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.patches import Patch, Rectangle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from newsclean.methods.visual import ClassifiedBlocks

#: Of main, mixed and noise; they differ in brightness, too.
COLORS = ("#1a7f37", "#e08e0b", "#b3261e")


def plot_importance(path: Path, importance: Mapping[str, float]) -> None:
    """What accuracy loses without each feature, as bars."""
    names = list(importance)[::-1]
    figure, axes = plt.subplots(figsize=(8, 8), layout="constrained")
    axes.barh(names, [importance[name] * 100 for name in names], color="#3b6ea5")
    axes.set_xlabel("accuracy lost when the feature is shuffled, in points")
    axes.grid(axis="x", alpha=0.3)
    axes.tick_params(axis="y", labelsize=8)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def plot_blocks(
    path: Path, pages: Sequence[tuple[str, Path, ClassifiedBlocks]], tallest: int = 2400
) -> None:
    """Pages side by side, each a screenshot with its blocks outlined by class."""
    figure, places = plt.subplots(
        1, len(pages), figsize=(5 * len(pages), 9), layout="constrained", squeeze=False
    )
    for axes, (title, screenshot, classified) in zip(places[0], pages, strict=True):
        picture = plt.imread(screenshot)[:tallest]
        axes.imshow(picture)
        for block, number in zip(classified.blocks, classified.classes.tolist(), strict=True):
            left, top, right, bottom = block.box
            axes.add_patch(
                Rectangle(
                    (left + 2, top + 2), right - left - 4, bottom - top - 4,
                    linewidth=1.4, edgecolor=COLORS[number], facecolor=COLORS[number], alpha=0.9,
                    fill=False,
                )
            )  # fmt: skip
        axes.set_xlim(0, picture.shape[1])
        axes.set_ylim(picture.shape[0], 0)
        axes.set_title(title, fontsize=11)
        axes.axis("off")
    handles = [
        Patch(facecolor="none", edgecolor=color, label=name)
        for name, color in zip(CLASSES, COLORS, strict=True)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    figure.savefig(path, dpi=90)
    plt.close(figure)
