"""The network of `visual` on the demo's pages, on which it was not trained: figures and a picture.

python docs/visual_demo.py docs/pictures/visual-blocks.png
"""

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib as mpl
import numpy as np

from newsclean.browser.saved_pages import SavedPageRenderer
from newsclean.browser.snapshot import Rendering
from newsclean.demo.demo_site import Site
from newsclean.demo.world import build_world
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.methods.visual.classifier import (
    CLASSES,
    ClassifiedBlocks,
    classify,
    read_network,
)
from newsclean.extraction.page import Page
from newsclean.lab.evaluate.corpus import Gold
from newsclean.lab.evaluate.measures import word_bag_agreement
from newsclean.lab.training.rendered_blocks import example_of
from newsclean.lab.training.visual_training import Confusion

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.patches import Patch, Rectangle

#: Pages of each look: two publishers, before and after their redesign.
PAGES = 10
#: Of main, mixed and noise; they differ in brightness, too.
COLORS = ("#1a7f37", "#e08e0b", "#b3261e")


def main(picture: Path) -> None:
    network = read_network()
    labels, predicted, shown, f1 = [], [], [], []
    extractor = Extractor("visual")
    with SavedPageRenderer() as renderer, TemporaryDirectory() as folder:
        for publisher in build_world(7):
            site = Site(publisher)
            for redesigned in (False, True):
                for number, article in enumerate(publisher.articles[:PAGES]):
                    body = site.respond(article.path, redesigned, random.Random(number)).body

                    def saved(address: str, site: Site = site) -> bytes | None:
                        path = "/" + address.split("/", 3)[3]
                        is_picture = path.startswith("/images/")
                        return (
                            site.respond(path, False, random.Random(1)).body if is_picture else None
                        )

                    name = f"{publisher.name}, {'redesigned' if redesigned else 'at first'}"
                    first = number == 0 and len(shown) < 3
                    file = Path(folder) / f"{len(shown)}.png"
                    snapshot = renderer.render(
                        body, article.url, resources=saved, picture=file if first else None
                    )
                    if first:
                        shown.append((name, file, classify(snapshot, network)))
                    gold = Gold(
                        "demo", article.path, "demo", article.gold, Path(), 0, url=article.url
                    )
                    example = example_of(gold, body, snapshot)
                    labels.append(example.label)
                    predicted.append(network(example.features).argmax(axis=1))
                    page = Page.from_html(body, article.url)
                    evidence = Evidence(rendering=Rendering.of(page, snapshot))
                    text = extractor(page, evidence).text
                    f1.append(word_bag_agreement(text, article.gold).f1)
        plot_blocks(picture, shown)
    found = Confusion.of(np.concatenate(labels), np.concatenate(predicted))
    print(len(labels), "pages", found.to_dict(), "F1 of the text", round(float(np.mean(f1)), 4))


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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
