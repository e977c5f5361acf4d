"""Labels the figures of a corpus by a written rule, with nothing of newsclean.

    python benchmarks/figure_labels.py CORPUS [--out FILE] [--pages 200]

The rule is in docs/figures.md and figure_rule.py. A label holds a page's name, numbers and 64-bit
hashes: no text and no address of a page.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

from figure_rule import Labels, label, words_of

LABELS = Path(__file__).parent.parent / "newsclean" / "lab" / "figure_labels.jsonl"
#: Pages with labels, each of another site.
PAGES = 200


def hash_of(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def as_line(name: str, labels: Labels) -> dict[str, Any]:
    figures = []
    for figure in labels.figures:
        words = words_of(figure.caption)
        figures.append(
            {
                "addresses": sorted({hash_of(address) for address in figure.addresses}),
                "lead": figure.lead,
                "caption": {"words": len(words), "hash": hash_of(" ".join(words))}
                if words
                else None,
            }
        )
    real = {hash_of(address) for figure in labels.figures for address in figure.addresses}
    return {
        "page": name,
        "figures": figures,
        "junk": sorted({hash_of(address) for address in labels.junk} - real),
        "placeholders": sorted({hash_of(address) for address in labels.placeholders} - real),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, default=LABELS)
    parser.add_argument("--pages", type=int, default=PAGES, help="of different sites; 0: all")
    options = parser.parse_args()
    sites: set[str] = set()
    lines = []
    for gold_file in sorted(options.corpus.glob("*/gold.jsonl")):
        for line in gold_file.read_text("utf-8").split("\n"):
            gold = json.loads(line) if line.strip() else {}
            if gold.get("kind", "article") != "article" or gold.get("site", "") in sites | {""}:
                continue
            path = gold_file.parent / "pages" / f"{gold['id']}.html.gz"
            labels = label(gzip.decompress(path.read_bytes()), gold["text"], gold.get("url") or "")
            if labels and labels.figures:  # the first page of each site that has any
                sites.add(gold["site"])
                lines.append(as_line(f"{gold_file.parent.name}/{gold['id']}", labels))
    # An order that has nothing to do with what is on the pages.
    lines = sorted(lines, key=lambda line: hash_of(line["page"]))[: options.pages or None]
    options.out.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    figures = [figure for line in lines for figure in line["figures"]]
    captions = sum(figure["caption"] is not None for figure in figures)
    print(f"{len(lines)} pages of different sites, {len(figures)} figures, {captions} captions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
