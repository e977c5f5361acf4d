"""Figures of the network of `visual` on the demo's pages, on which it was not trained.

python docs/visual_demo.py
"""

import random
from pathlib import Path

import numpy as np

from newsclean.browser.saved_pages import SavedPageRenderer
from newsclean.browser.snapshot import Rendering
from newsclean.demo.demo_site import Site
from newsclean.demo.world import build_world
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.methods.visual.classifier import read_network
from newsclean.extraction.page import Page
from newsclean.lab.evaluate.corpus import Gold
from newsclean.lab.evaluate.measures import word_bag_agreement
from newsclean.lab.training.rendered_blocks import example_of
from newsclean.lab.training.visual_training import Confusion

#: Pages of each look: two publishers, before and after their redesign.
PAGES = 10


def main() -> None:
    network = read_network()
    labels, predicted, f1 = [], [], []
    extractor = Extractor("visual")
    with SavedPageRenderer() as renderer:
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

                    snapshot = renderer.render(body, article.url, resources=saved)
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
    found = Confusion.of(np.concatenate(labels), np.concatenate(predicted))
    print(len(labels), "pages", found.to_dict(), "F1 of the text", round(float(np.mean(f1)), 4))


if __name__ == "__main__":
    main()
