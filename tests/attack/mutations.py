"""Pages that went wrong: generated ones, and what bad luck or bad will makes of them."""

from __future__ import annotations

import gzip
import random
import re
from functools import cache
from typing import TYPE_CHECKING

from newsclean.demo.demo_site import Site
from newsclean.demo.world import build_world
from tests.attack.shapes import SHAPES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORLD_SEED = 7
#: Bytes of a page made from a shape.
SHAPE_SIZE = 5_000
MAX_MUTATIONS = 4
#: Bytes by which a mutation makes a page larger at most.
MAX_ADDED = 60_000

ENCODINGS = (
    "utf-8 utf-8-sig utf-16 utf-32 latin-1 cp1251 shift_jis gb18030 iso2022_jp koi8-r".split()
)
LABELS = [*ENCODINGS, "utf-7", "x-user-defined", "none", "hex", "undefined", "\u00e9", "a" * 300]
ODD = "\x00\x01\x07\x0b\x1b\x7f\x85\u00a0\u00ad\u200b\u200d\u2028\u202e\ufeff\ufffd\ufffe\U0010ffff"
TAGS = (
    "a b i p div span pre table tr td li ul dl dt script style title svg form select option".split()
)
TAGS += "textarea template iframe noscript figure img h1 blockquote body html head x-y br".split()
_TAG = re.compile(rb"<[^<>]*>")


@cache
def generated() -> tuple[bytes, ...]:
    """The pages of the demo's sites, and a small one of each shape."""
    rng = random.Random(WORLD_SEED)
    pages = [
        site.respond(article.path, redesigned, rng).body
        for publisher in build_world(WORLD_SEED)
        for site in [Site(publisher)]
        for article in publisher.articles
        for redesigned in (False, True)
    ]
    shaped = [shape.page(SHAPE_SIZE) for _, shape in sorted(SHAPES.items())]
    return (*pages, *(page.encode("utf-8", "surrogatepass") for page in shaped))


def pages_in(folder: Path) -> tuple[bytes, ...]:
    """The pages of a folder, packed or not."""
    found = sorted(path for path in folder.rglob("*.htm*") if path.is_file())
    return tuple(
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in found
    )


def mutated(pages: tuple[bytes, ...], rng: random.Random) -> tuple[bytes, list[str]]:
    """One of the pages after a few mutations, and their names."""
    page = rng.choice(pages)
    names = rng.choices(sorted(MUTATIONS), k=rng.randint(1, MAX_MUTATIONS))
    for name in names:
        if name == "splice":
            page = splice(rng, page, rng.choice(pages))
        else:
            page = MUTATIONS[name](rng, page)
    return page, names


def flip_bits(rng: random.Random, page: bytes) -> bytes:
    changed = bytearray(page)
    for _ in range(rng.choice((1, 10, 100, 1000)) if page else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(rng: random.Random, page: bytes) -> bytes:
    start, end = sorted((rng.randrange(len(page) + 1), rng.randrange(len(page) + 1)))
    return rng.choice((page[:start], page[start:], page[:start] + page[end:]))


def repeat(rng: random.Random, page: bytes) -> bytes:
    start = rng.randrange(len(page) + 1)
    piece = page[start : start + rng.choice((1, 10, 100, 1000))]
    times = min(rng.choice((2, 20, 200)), MAX_ADDED // max(len(piece), 1))
    return page[:start] + piece * times + page[start:]


def splice(rng: random.Random, page: bytes, other: bytes) -> bytes:
    return page[: rng.randrange(len(page) + 1)] + other[rng.randrange(len(other) + 1) :]


def shuffle_tags(rng: random.Random, page: bytes) -> bytes:
    tags = _TAG.findall(page)
    rng.shuffle(tags)
    return _TAG.sub(lambda _: tags.pop(), page)


def drop_tags(rng: random.Random, page: bytes) -> bytes:
    share = rng.choice((0.01, 0.1, 0.5))
    return _TAG.sub(lambda tag: b"" if rng.random() < share else tag[0], page)


def leave_open(rng: random.Random, page: bytes) -> bytes:
    """Without end tags, or without the ends of tags, or of quotes."""
    what = rng.choice((rb"</[^<>]*>", rb">", rb"[\"']", rb"-->", rb"</script>"))
    share = rng.choice((0.01, 0.3, 1.0))
    return re.sub(what, lambda found: b"" if rng.random() < share else found[0], page)


def nest(rng: random.Random, page: bytes) -> bytes:
    tag = rng.choice(TAGS).encode()
    depth = rng.choice((10, 300, 3000))
    place = rng.randrange(len(page) + 1)
    closed = (b"</%s>" % tag) * depth if rng.random() < 0.5 else b""
    return page[:place] + (b"<%s>" % tag) * depth + page[place:] + closed


def insert_tags(rng: random.Random, page: bytes) -> bytes:
    for _ in range(rng.choice((1, 10, 100))):
        place = rng.randrange(len(page) + 1)
        sign = rng.choice((b"<%s>", b"</%s>", b"<%s", b"<%s/>")) % rng.choice(TAGS).encode()
        page = page[:place] + sign + page[place:]
    return page


def add_attributes(rng: random.Random, page: bytes) -> bytes:
    """Many attributes, or a large one, in a tag."""
    value = rng.choice(("=1", "", "='>'", '="<b>"', "=javascript:x", "=&#0;"))
    many = "".join(f" a{n}{value}" for n in range(rng.choice((5, 400, 600, 4000))))
    large = f" title='{'x ' * rng.choice((100, 20_000))}'"
    added = rng.choice((many, large)).encode()
    ends = [found.start() for found in re.finditer(rb">", page)] or [len(page)]
    place = rng.choice(ends)
    return page[:place] + added + page[place:]


def insert_characters(rng: random.Random, page: bytes) -> bytes:
    for _ in range(rng.choice((1, 20))):
        place = rng.randrange(len(page) + 1)
        odd = rng.choice((*ODD, "\ud800", "&#0;", "&#x110000;", "&#27;", "&nosuch;"))
        page = page[:place] + odd.encode("utf-8", "surrogatepass") + page[place:]
    return page


def encode(rng: random.Random, page: bytes) -> bytes:
    return page.decode("utf-8", "replace").encode(rng.choice(ENCODINGS), "ignore")


def declare(rng: random.Random, page: bytes) -> bytes:
    """An encoding that the page may not have."""
    label = rng.choice(LABELS).encode("utf-8")
    return b"<meta charset='%s'>" % label + page


MUTATIONS: dict[str, Callable[[random.Random, bytes], bytes]] = {
    "add attributes": add_attributes,
    "cut": cut,
    "declare": declare,
    "drop tags": drop_tags,
    "encode": encode,
    "flip bits": flip_bits,
    "insert characters": insert_characters,
    "insert tags": insert_tags,
    "leave open": leave_open,
    "nest": nest,
    "repeat": repeat,
    "shuffle tags": shuffle_tags,
    "splice": lambda rng, page: splice(rng, page, page),
}
