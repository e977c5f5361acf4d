"""The 33 features of a block (Table I), under the paper's names.

The paper names them and does not define them; `DEFINITIONS` does, in one line each. `Rel…` is read
as the share of the whole page that a block has.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import numpy as np

from newsclean.site import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.browser.snapshot import Snapshot
    from newsclean.methods.visual.segmentation import Block

    Floats = NDArray[np.float64]

#: In the order of Table I, with its spelling.
DEFINITIONS = {
    "RelBlock_No_of_Extn_Link": "its external links, as a share of the page's",
    "Block_No_of_Extn_Link": "links to other sites: another registered domain",
    "Block_No_of_Intl_Link": "links to the page's own site",
    "RelBlock_No_of_Inlt_Link": "its internal links, as a share of the page's",
    "Block_no_of_iframe_extn": "frames with a page of another site",
    "RelBlock_no_of_iframe_ext": "its external frames, as a share of the page's",
    "Block_no_of_iframe": "frames",
    "Block_width": "width in pixels",
    "Block_no_of_hyperlink": "links (`a` with `href`)",
    "RelBlock_width": "width, as a share of the page's",
    "Block_no_of_script": "scripts",
    "Block_no_of_script_Intl": "scripts in the page itself, or from its site",
    "RelBlock_no_of_Script_Intl": "its internal scripts, as a share of the page's",
    "Block_No_of_Script_Extn": "scripts from other sites",
    "Block_Link_Length": "characters of shown text inside links",
    "RelBlock_textlength": "its text length, as a share of the page's",
    "RelBlock_no_of_Script_Ext": "its external scripts, as a share of the page's",
    "Block_left": "distance from the left edge of the page in pixels",
    "Block_top": "distance from the top of the page in pixels",
    "RelBlock_no_of_img_Ext": "its external pictures, as a share of the page's",
    "Block_no_of_img_Extn": "pictures from other sites",
    "Block_height": "height in pixels",
    "Block_no_of_img_intl": "pictures in the page itself, or from its site",
    "Block_fontsize": "computed font size in pixels, mean over its characters",
    "Block_no_of_table": "tables",
    "Block_no_of_img": "pictures (`img`)",
    "Block_fontwt": "computed font weight (400 is normal), mean over its characters",
    "Block_no_of_iframe_intl": "frames with a page of the same site",
    "RelBlock_img_intl": "its internal pictures, as a share of the page's",
    "Relno_of_iframe_intl": "its internal frames, as a share of the page's",
    "Rel_block_height": "height, as a share of the page's",
    "Block_Textlen": "characters of shown text",
    "RelBlock_no_of_table": "its tables, as a share of the page's",
}
FEATURES = tuple(DEFINITIONS)

#: Elements that have an address.
LINKED = {"a": "link", "iframe": "iframe", "img": "img", "script": "script"}


def block_features(snapshot: Snapshot, blocks: Sequence[Block]) -> Floats:
    """A row for each block, a column for each of `FEATURES`."""
    first = np.array([block.first for block in blocks], dtype=np.int64)
    last = np.array([block.last for block in blocks], dtype=np.int64)

    def per_block(values: NDArray[np.generic]) -> Floats:
        total = np.zeros(len(snapshot) + 1)
        np.cumsum(values, out=total[1:])
        return total[last + 1] - total[first]

    def share(values: Floats, of: float) -> Floats:
        return values / of if of else np.zeros(len(values))

    boxes = np.array([block.box for block in blocks], dtype=float).reshape(-1, 4)
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    chars = snapshot.chars * snapshot.shown
    textlen = per_block(chars)
    at_least_one = np.maximum(textlen, 1)
    counts = _counts(snapshot)
    number = {name: per_block(column) for name, column in counts.items()}
    relative = {name: share(number[name], column.sum()) for name, column in counts.items()}
    values = {
        "Block_width": width,
        "RelBlock_width": share(width, snapshot.size[0]),
        "Block_height": height,
        "Rel_block_height": share(height, snapshot.size[1]),
        "Block_left": boxes[:, 0],
        "Block_top": boxes[:, 1],
        "Block_fontsize": per_block(chars * snapshot.font_size) / at_least_one,
        "Block_fontwt": per_block(chars * snapshot.font_weight) / at_least_one,
        "Block_Textlen": textlen,
        "RelBlock_textlength": share(textlen, float(chars.sum())),
        "Block_Link_Length": per_block(chars * _in_links(snapshot)),
        "Block_no_of_hyperlink": number["link"],
        "Block_No_of_Extn_Link": number["link ext"],
        "RelBlock_No_of_Extn_Link": relative["link ext"],
        "Block_No_of_Intl_Link": number["link int"],
        "RelBlock_No_of_Inlt_Link": relative["link int"],
        "Block_no_of_iframe": number["iframe"],
        "Block_no_of_iframe_extn": number["iframe ext"],
        "RelBlock_no_of_iframe_ext": relative["iframe ext"],
        "Block_no_of_iframe_intl": number["iframe int"],
        "Relno_of_iframe_intl": relative["iframe int"],
        "Block_no_of_script": number["script"],
        "Block_no_of_script_Intl": number["script int"],
        "RelBlock_no_of_Script_Intl": relative["script int"],
        "Block_No_of_Script_Extn": number["script ext"],
        "RelBlock_no_of_Script_Ext": relative["script ext"],
        "Block_no_of_img": number["img"],
        "Block_no_of_img_intl": number["img int"],
        "RelBlock_img_intl": relative["img int"],
        "Block_no_of_img_Extn": number["img ext"],
        "RelBlock_no_of_img_Ext": relative["img ext"],
        "Block_no_of_table": number["table"],
        "RelBlock_no_of_table": relative["table"],
    }
    return np.stack([values[name] for name in FEATURES], axis=1)


def _counts(snapshot: Snapshot) -> dict[str, Floats]:
    """Which rows are links, frames, scripts, pictures and tables, of this site and of others."""
    size = len(snapshot)
    counts = {
        f"{kind}{side}": np.zeros(size) for kind in LINKED.values() for side in ("", " int", " ext")
    }
    counts["table"] = np.array([tag == "table" for tag in snapshot.tag], dtype=float)
    own = own_domain(snapshot)
    for row, tag in enumerate(snapshot.tag):
        kind = LINKED.get(tag)
        if kind is None or (kind == "link" and row not in snapshot.address):
            continue
        domain = domain_of(snapshot, snapshot.address.get(row, ""))
        counts[kind][row] = 1
        counts[f"{kind} {'int' if domain in (None, own) else 'ext'}"][row] = 1
    return counts


def own_domain(snapshot: Snapshot) -> str | None:
    """The registered domain of the page; of an unknown address, the one that it links to most."""
    if site := site_of(snapshot.url):
        return registered_domain(site)
    linked = Counter(
        domain
        for row, address in snapshot.address.items()
        if snapshot.tag[row] == "a" and (domain := domain_of(snapshot, address))
    )
    return linked.most_common(1)[0][0] if linked else None


def domain_of(snapshot: Snapshot, address: str) -> str | None:
    """The registered domain to which an address leads; None if it names none."""
    try:
        site = site_of(urljoin(snapshot.url or "", address.strip()))
    except ValueError:
        return None
    return registered_domain(site) if site else None


def _in_links(snapshot: Snapshot) -> NDArray[np.bool_]:
    """Which rows are inside a link."""
    rows = np.array([row for row in snapshot.address if snapshot.tag[row] == "a"], dtype=np.int64)
    begun = np.bincount(rows, minlength=len(snapshot))
    ended = np.bincount(snapshot.end[rows] + 1, minlength=len(snapshot) + 1)
    inside: NDArray[np.bool_] = np.cumsum(begun - ended[:-1]) > 0
    return inside
