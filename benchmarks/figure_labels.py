"""Labels the figures of a corpus by a written rule, with nothing of newsclean.

    python benchmarks/figure_labels.py CORPUS [--out FILE] [--pages 200]

The rule is in docs/figures.md: it reads a page with lxml and the gold text alone. A label holds a
page's name, numbers and 64-bit hashes: no text and no address of a page.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

LABELS = Path(__file__).parent.parent / "newsclean" / "lab" / "figure_labels.jsonl"
#: Pages with labels, each of another site.
PAGES = 200
#: Characters from which on a text shows where the article is.
MIN_GOLD_KEY = 25
#: The article is the innermost element with this share of the gold that was found.
ARTICLE_SHARE = 0.9
#: Gold that must be found on a page, or nothing can be said of it.
MIN_FOUND = 0.5
#: A figure is not smaller than this in either direction, as far as it says; pixels.
MIN_SIDE = 100
#: The box around a picture has at most this many words, fewer than half of them in links.
MAX_BOX_WORDS = 80
#: Between the lead picture and the article's first words are at most this many others.
MAX_WORDS_BELOW_LEAD = 120
MAX_CAPTION_WORDS = 80

#: Tags and names of what belongs to the site, not to the article.
SITE_TAGS = {"nav", "footer", "aside", "form", "button", "template"}
SITE_NAME = re.compile(
    r"(?:^|[\W_])(?:nav|navbar|menu|sidebar|related|recommend\w*|promo|newsletter|share|sharing|"
    r"social|comments?|footer|breadcrumbs?|author|authors|byline|bio|avatar|profile|logo|ads?|"
    r"advert\w*|sponsor\w*|banner|subscribe|signup|cookie|popular|trending|teaser|outbrain|taboola)"
    r"(?:$|[\W_])",
    re.I,
)
NO_FIGURE = re.compile(
    r"logo|icon|avatar|gravatar|headshot|portrait|pixel|sprite|emoji|badge|spacer|blank|"
    r"placeholder|loading|1x1|transparent|button|favicon|banner|author",
    re.I,
)
CAPTION_NAME = re.compile(r"caption|legend|bildunter|didascalia|pie-?de-?foto|leyenda", re.I)
SPLIT = re.compile(r"\s+|,(?=https?:)")
DESCRIPTOR = re.compile(r"[\d.]+[wxh]")
ADDRESS_NAME = re.compile(r"src|original|lazy|full|large|url|image|img", re.I)
SILENT = ("script", "style", "template", "title", "svg")


@dataclass
class Figure:
    """One picture of the article."""

    addresses: list[str]
    lead: bool
    caption: str = ""


@dataclass
class Labels:
    """What a page shows."""

    figures: list[Figure] = field(default_factory=list)
    #: addresses of logos, portraits, icons and pixels
    junk: list[str] = field(default_factory=list)
    #: addresses in place of a picture whose real one is on the page
    placeholders: list[str] = field(default_factory=list)


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def key_of(text: str) -> str:
    return "".join(words_of(text))


def label(source: bytes, gold: str, url: str) -> Labels | None:
    """The figures of a page, or None if the gold is not found on it."""
    root = _parse(source)
    if root is None:
        return None
    base = urljoin(url or "https://page.invalid/", next(iter(root.xpath("//base/@href")), ""))
    order = list(root.iter())
    place = {element: number for number, element in enumerate(order)}
    golden = _gold_elements(order, key_of(gold))
    found = sum(golden.values())
    if found < MIN_FOUND * len(key_of(gold)):
        return None
    article = _innermost(golden, ARTICLE_SHARE * found)
    inside = [element for element in golden if _is_in(element, article)]
    first, last = place[inside[0]], place[inside[-1]]
    labels = Labels()
    pictures = [
        e for e in order if e.tag in ("img", "amp-img") and _ancestor(e, {"noscript"}) is None
    ]
    above: list[tuple[Any, list[str]]] = []
    for picture in pictures:
        real, fake = urls_of(picture, base)
        reason = _no_figure(picture, real, golden)
        if reason == "junk":
            labels.junk += [*real, *fake]
        if reason:
            continue
        labels.placeholders += fake
        number = place[picture]
        if first < number < last and _is_in(picture, article):
            labels.figures.append(Figure(real, False, _caption(picture, golden)))
        elif number < first:
            above.append((picture, real))
    if above:
        picture, real = above[-1]
        between = order[place[picture] : first]
        words = sum(len(words_of(_own_text(element))) for element in between)
        if words <= MAX_WORDS_BELOW_LEAD:
            labels.figures.insert(0, Figure(real, True, _caption(picture, golden)))
    return labels


def _parse(source: bytes) -> Any:
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError:
        text = source.decode("cp1252", "replace")
    text = re.sub(r"^\s*<\?xml[^>]*>", "", text.replace("\0", ""))
    try:
        root = html.document_fromstring(text)
    except (etree.ParserError, ValueError):
        return None
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    etree.strip_elements(root, *SILENT, with_tail=False)
    return root


def _own_text(element: Any) -> str:
    return f"{element.text or ''} {element.tail or ''}"


def _full_text(element: Any) -> str:
    return " ".join(element.itertext())


def _gold_elements(order: list[Any], gold: str) -> dict[Any, int]:
    """The innermost elements whose text is in the gold, and the characters of it."""
    golden: dict[Any, int] = {}
    for element in order:
        if element.tag not in ("p", "li", "div", "span", "td", "h2", "h3", "blockquote", "pre"):
            continue
        if any(child.tag in ("p", "div", "li", "table", "section") for child in element):
            continue
        key = key_of(_full_text(element))
        if len(key) >= MIN_GOLD_KEY and key in gold and element.getparent() not in golden:
            golden[element] = len(key)
    return golden


def _innermost(golden: dict[Any, int], enough: float) -> Any:
    weight: dict[Any, int] = {}
    for element, chars in golden.items():
        for around in [element, *element.iterancestors()]:
            weight[around] = weight.get(around, 0) + chars
    fitting = [element for element, chars in weight.items() if chars >= enough]
    return max(fitting, key=lambda element: sum(1 for _ in element.iterancestors()))


def _is_in(element: Any, article: Any) -> bool:
    return element is article or article in element.iterancestors()


def _ancestor(element: Any, tags: set[str]) -> Any:
    return next((around for around in element.iterancestors() if around.tag in tags), None)


def _names(element: Any) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''} {element.get('role') or ''}"


def _box(picture: Any, golden: dict[Any, int]) -> Any:
    """The largest element around a picture without gold in it."""
    box = picture
    for around in picture.iterancestors():
        if any(element in golden for element in around.iter()) or around.tag == "body":
            return box
        box = around
    return box


def _no_figure(picture: Any, real: list[str], golden: dict[Any, int]) -> str | None:
    """Why a picture is not a figure of the article, if it is not."""
    sizes = [_pixels(picture.get(name)) for name in ("width", "height")]
    if any(size is not None and size < MIN_SIDE for size in sizes):
        return "junk"
    named = f"{_names(picture)} {picture.get('alt') or ''}"
    files = [urlsplit(address).path.rpartition("/")[2] for address in real]
    if NO_FIGURE.search(named) or any(map(NO_FIGURE.search, files)):
        return "junk"
    if not real or all(address.split("?")[0].endswith(".svg") for address in real):
        return "no address"
    for around in picture.iterancestors():
        if around.tag in ("body", "html", "article", "main"):
            break
        is_site = around.tag in SITE_TAGS or SITE_NAME.search(_names(around))
        if is_site and not any(element in golden for element in around.iter()):
            return "site"
    box = _box(picture, golden)
    words = len(words_of(_full_text(box)))
    linked = sum(len(words_of(_full_text(link))) for link in box.iter("a"))
    pictures = sum(1 for _ in box.iter("img", "amp-img"))
    if words > MAX_BOX_WORDS * max(1, pictures) or 2 * linked > max(words, 6):
        return "box"
    return None


def _pixels(value: str | None) -> int | None:
    match = re.fullmatch(r"\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*", value or "")
    return int(match[1]) if match else None


def urls_of(picture: Any, base: str) -> tuple[list[str], list[str]]:
    """The addresses of a picture: real ones, and those of a placeholder in `src`."""
    holders = [picture]
    around = picture.getparent()
    whole = _ancestor(picture, {"picture"})
    if whole is not None:
        holders += whole.iter("source")
    near = [*picture.itersiblings()][:2]
    if around is not None:
        near += [*around.itersiblings()][:1]
    holders += [copy for other in near if other.tag == "noscript" for copy in other.iter("img")]
    late: list[str] = []
    for holder in holders:
        for name, value in holder.items():
            if (name == "src" and holder is picture) or not ADDRESS_NAME.search(name):
                continue
            if value.lstrip()[:1] in ("{", "["):  # JSON
                late += re.findall(r"https?://[^\s\"'\\]+", value.replace("\\/", "/"))
                continue
            parts = [part.strip(",") for part in SPLIT.split(value)]
            listed = [part for part in parts if part and not DESCRIPTOR.fullmatch(part)]
            late += [urljoin(base, part) for part in listed if "/" in part or "." in part]
    late = [address for address in late if _is_real(address)]
    source = urljoin(base, (picture.get("src") or "").strip())
    if not _is_real(source):
        return late, []
    lazy = any(name.startswith("data-") and "src" in name for name in picture.attrib)
    if late and (NO_FIGURE.search(source.rpartition("/")[2]) or (lazy and source not in late)):
        return late, [source]
    return [source, *late], []


def _is_real(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and len(parts.path) > 1 and "{" not in address


def _caption(picture: Any, golden: dict[Any, int]) -> str:
    """The text of the `figcaption` or of what is named a caption in the picture's box."""
    figure = _ancestor(picture, {"figure"})
    box = figure if figure is not None else _box(picture, golden)
    for element in box.iter():
        if element.tag == "figcaption" or CAPTION_NAME.search(_names(element)):
            text = _full_text(element)
            if element is not picture and 0 < len(words_of(text)) <= MAX_CAPTION_WORDS:
                return text
    return ""


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
