"""From blocks to the article; the network is one that is written down here."""

from pathlib import Path

import numpy as np
import pytest

import newsclean
from newsclean.browser.snapshot import Rendering, Snapshot
from newsclean.extraction.methods.hybrid.network import ModelError
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.methods.visual.classifier import (
    FEATURES,
    PAPER,
    Network,
    block_features,
    choose,
    classify,
    read_network,
    write_networks,
)
from newsclean.extraction.methods.visual.segmentation import Block, Box
from newsclean.extraction.page import Page, PageError
from tests.browser.drawn import drawn

HTML = """<div><a href=/a>Home</a> <a href=https://other.example/>Partner</a></div>
<p>It has rained in Bergen for nine days, and it will go on.</p>"""


def snapshot() -> Snapshot:
    """Of `HTML`: a line of links over a paragraph, each half a screen high."""
    return drawn(HTML, "https://news.example/story", {"p": 18.0})


def network() -> Network:
    """Main is what has no links, noise what has."""
    links = FEATURES.index("Block_no_of_hyperlink")
    first = np.zeros((len(FEATURES), 2))
    first[links, 0] = 10
    second = np.array([[10.0, 0.0], [0.0, 0.0]])
    last = np.array([[-10.0, 0.0, 10.0], [0.0, 0.0, 0.0]])
    layers = (
        (first, np.array([-5.0, 0.0])),
        (second, np.array([-5.0, 0.0])),
        (last, np.array([5.0, -5.0, -5.0])),
    )
    return Network(np.zeros(len(FEATURES)), np.ones(len(FEATURES)), layers)


def test_the_features_are_the_33_of_the_paper() -> None:
    assert len(FEATURES) == 33
    assert FEATURES[0] == "RelBlock_No_of_Extn_Link"
    assert FEATURES[-1] == "RelBlock_no_of_table"


def test_features_count_what_a_block_holds_and_its_share_of_the_page() -> None:
    seen = snapshot()
    first, second = (row for row, tag in enumerate(seen.tag) if tag in ("div", "p"))
    blocks = [
        Block(first, int(seen.end[first]), Box(0, 0, 1000, 500)),
        Block(second, int(seen.end[second]), Box(0, 500, 1000, 1000)),
    ]
    rows = block_features(seen, blocks)
    menu, text = (dict(zip(FEATURES, row, strict=True)) for row in rows.tolist())
    assert menu["Block_no_of_hyperlink"] == 2
    assert menu["Block_No_of_Extn_Link"] == 1
    assert menu["Block_No_of_Intl_Link"] == 1
    assert menu["RelBlock_No_of_Extn_Link"] == 1
    assert menu["Block_Link_Length"] == menu["Block_Textlen"] == len("HomePartner")
    assert text["Block_Link_Length"] == 0
    assert text["Block_top"] == 500
    assert text["Rel_block_height"] == 0.5
    assert text["Block_fontsize"] == 18
    assert menu["RelBlock_textlength"] + text["RelBlock_textlength"] == 1


def test_blocks_are_classified_and_the_main_ones_chosen() -> None:
    seen, page = snapshot(), Page.from_html(HTML)
    assert classify(seen, network()).classes.tolist() == [2, 0]
    rows, score = choose(page, Rendering.of(page, seen), network(), PAPER)
    assert [page.text[row] for row in page.text_rows.tolist() if rows[row]] == [
        "It has rained in Bergen for nine days, and it will go on."
    ]
    assert score > 0.9


def test_the_library_takes_a_snapshot_and_another_network(tmp_path: Path) -> None:
    path = tmp_path / "own.npz"
    write_networks(path, {"": network()}, {"sites": []})
    article = newsclean.extract(HTML, method="visual", snapshot=snapshot(), model=path)
    assert article.body == "It has rained in Bergen for nine days, and it will go on."
    assert article.extraction["method"] == "visual"


def test_a_page_that_was_not_rendered_is_refused_with_the_remedy() -> None:
    with pytest.raises(PageError, match="was not rendered") as raised:
        newsclean.extract(HTML, method="visual")
    assert raised.value.reason == "not-rendered"


def test_a_method_says_whether_it_needs_a_rendered_page() -> None:
    assert method_named("stadynot+visual").needs_rendering
    assert not method_named("mss").needs_rendering


def test_a_file_that_is_no_network_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.npz"
    path.write_bytes(b"nothing")
    with pytest.raises(ModelError, match=r"none\.npz is not a network"):
        method_named("visual", path)


def test_the_shipped_network_has_the_paper_s_inputs_and_outputs() -> None:
    shipped = read_network()
    assert shipped.layers[0][0].shape[0] == 33
    assert shipped.layers[-1][1].shape == (3,)
    assert len(shipped.layers) == 3
