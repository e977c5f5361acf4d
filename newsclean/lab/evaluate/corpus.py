"""Collections of pages with gold texts, checked before anything long begins.

A corpus is a folder of collections. A collection is a folder with `gold.jsonl`, a line a page, and
`pages/ID.html.gz` (or `pages/ID.html`); `docs/evaluate.md` describes the fields.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import defaultdict
from dataclasses import dataclass, field, replace
from os.path import isfile  # unlike a Path's, no error in a folder that may not be read
from pathlib import Path
from typing import TYPE_CHECKING, Any

import xxhash

from newsclean.extraction.metadata.language import detected_language, primary_subtag
from newsclean.files import MAX_SINGLE_SIZE, PageSizeError, read_page_file

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_GOLD_FILE = "gold.jsonl"
#: Problems that are listed; who has more has one and the same problem in many places.
_MAX_PROBLEMS = 20

_BLANK_LINE = re.compile(r"\n\s*\n")


class CorpusError(ValueError):
    """What is wrong with a corpus, a line a problem, each with its file and line."""

    def __init__(self, problems: list[str]) -> None:
        rest = len(problems) - _MAX_PROBLEMS
        more = [f"… and {rest} more"] if rest > 0 else []
        super().__init__("\n".join(problems[:_MAX_PROBLEMS] + more))
        self.problems = problems


class UnknownNameError(ValueError):
    """A collection or page that the corpus does not have."""


@dataclass(frozen=True)
class Gold:
    """A page and what its article says."""

    collection: str
    id: str
    site: str
    text: str
    #: where the page's bytes are
    path: Path
    #: the line of `gold.jsonl`, to name it
    line: int
    kind: str = "article"
    url: str | None = None
    paragraphs: tuple[str, ...] = ()
    #: paragraphs that may be there or not
    optional: tuple[str, ...] = ()
    language: str | None = None
    #: what the page says of its article, None or empty where the gold does not say
    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    topics: tuple[str, ...] = ()
    #: changes when the line or the page does
    digest: str = ""

    @property
    def name(self) -> str:
        return f"{self.collection}/{self.id}"

    @property
    def language_code(self) -> str:
        """The language that the line names by its code, or the one that the text looks like."""
        return primary_subtag(self.language) or detected_language(self.text) or "?"

    @property
    def versions(self) -> tuple[str, ...]:
        """The texts that are right: with the optional paragraphs, and without."""
        if not self.optional:
            return (self.text,)
        return self.text, "\n\n".join(p for p in self.paragraphs if p not in self.optional)


@dataclass(frozen=True)
class Corpus:
    """The pages to measure, and for each site all pages that it has."""

    golds: tuple[Gold, ...]
    sites: dict[tuple[str, str], tuple[Gold, ...]] = field(repr=False)

    def others(self, gold: Gold) -> tuple[Gold, ...]:
        """The other pages of a page's site."""
        site = self.sites[gold.collection, gold.site]
        return tuple(other for other in site if other.id != gold.id)

    def find(self, name: str) -> Gold:
        """The page of an ID, or of COLLECTION/ID."""
        found = [gold for gold in self.golds if name in (gold.id, gold.name)]
        if not found:
            raise UnknownNameError(f"no page {name!r} among the {len(self.golds)} pages")
        if len(found) > 1:
            names = ", ".join(gold.name for gold in found)
            raise UnknownNameError(f"{name!r} is the ID of several pages: {names}")
        return found[0]

    def only(self, golds: Iterable[Gold]) -> Corpus:
        return replace(self, golds=tuple(golds))

    def sample(self, count: int) -> Corpus:
        """So many pages of each collection, always the same; their neighbors stay what they were.

        A larger sample holds the smaller one.
        """
        taken: dict[str, int] = defaultdict(int)
        kept = set()
        for gold in sorted(self.golds, key=lambda gold: xxhash.xxh3_64_intdigest(gold.id.encode())):
            if taken[gold.collection] < count:
                taken[gold.collection] += 1
                kept.add(gold.name)
        return self.only(gold for gold in self.golds if gold.name in kept)


def read_corpus(
    folder: Path, collections: Collection[str] = (), kinds: Collection[str] = ("article",)
) -> Corpus:
    """The gold lines of a corpus, or of some of its collections; `CorpusError` if one is bad."""
    golds: list[Gold] = []
    problems: list[str] = []
    for path in _gold_files(folder, collections):
        golds += _read_golds(path, problems)
    if problems:
        raise CorpusError(problems)
    golds = [gold for gold in golds if gold.kind in kinds]
    if not golds:
        raise CorpusError([f"{folder}: no page of the kind {' or '.join(kinds)}"])
    sites = defaultdict(list)
    for gold in golds:
        sites[gold.collection, gold.site].append(gold)
    return Corpus(tuple(golds), {site: tuple(pages) for site, pages in sites.items()})


def check_pages(corpus: Corpus, seen: Callable[[], object] = lambda: None) -> Corpus:
    """The corpus with digests, once each page that will be asked for has been unpacked.

    `seen` is called for each of them.
    """
    wanted = dict.fromkeys((gold.collection, gold.site) for gold in corpus.golds)
    problems = []
    checked = {}
    for gold in [gold for site in wanted for gold in corpus.sites[site]]:
        try:
            body = read_page(gold.path)
        except CorpusError as error:
            line = f"{gold.path.parent.parent / _GOLD_FILE}:{gold.line}"
            problems.append(f"{error} (page {gold.id!r} of {line})")
        else:
            digest = xxhash.xxh3_64_hexdigest(repr(replace(gold, path=Path(), line=0)).encode())
            checked[gold.name] = replace(gold, digest=digest + xxhash.xxh3_64_hexdigest(body))
        seen()
    if problems:
        raise CorpusError(problems)
    sites = {site: tuple(checked[gold.name] for gold in corpus.sites[site]) for site in wanted}
    return Corpus(tuple(checked[gold.name] for gold in corpus.golds), sites)


def read_page(path: Path) -> bytes:
    """The bytes of a page, unpacked."""
    try:
        return read_page_file(str(path), MAX_SINGLE_SIZE)
    except FileNotFoundError:
        raise CorpusError([f"{path}: the page is missing"]) from None
    except (OSError, EOFError, zlib.error, PageSizeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CorpusError([f"{path}: cannot be read: {reason}"]) from None


def _gold_files(folder: Path, collections: Collection[str]) -> list[Path]:
    """The gold files of a corpus; a folder with one of its own is a collection."""
    try:
        if not folder.is_dir():
            raise CorpusError([f"{folder}: no such folder"])
        inner = [folder] if (folder / _GOLD_FILE).is_file() else sorted(folder.iterdir())
    except OSError as error:
        raise CorpusError([f"{folder}: cannot be read: {error.strerror}"]) from None
    found = [path / _GOLD_FILE for path in inner if _may_be_collection(path)]
    if not found:
        raise CorpusError([f"{folder}: no collection in it (a folder with a {_GOLD_FILE})"])
    named = {path.resolve().parent.name: path for path in found}
    if unknown := [name for name in collections if name not in named]:
        raise UnknownNameError(
            f"no collection named {', '.join(map(repr, unknown))} in {folder}; "
            f"there are: {', '.join(named)}"
        )
    return [named[name] for name in collections or named]


def _may_be_collection(folder: Path) -> bool:
    """Whether a folder has a gold file, or may not be asked: reading will then say why."""
    try:
        return (folder / _GOLD_FILE).is_file()
    except OSError:
        return True


def _read_golds(path: Path, problems: list[str]) -> list[Gold]:
    golds: list[Gold] = []
    lines: dict[str, int] = {}
    collection = path.resolve().parent.name
    try:
        file = path.open("rb")
    except OSError as error:
        problems.append(f"{path}: cannot be read: {error.strerror}")
        return []
    with file:
        # In binary mode a line ends at a line feed only, and not at U+2028 inside a text.
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                gold = _gold(json.loads(line), collection, path.parent / "pages", number)
            except UnicodeDecodeError as error:
                problems.append(f"{path}:{number}: not UTF-8: {error.reason}")
                continue
            except ValueError as error:
                problems.append(f"{path}:{number}: {error}")
                continue
            if gold.id in lines:
                problems.append(
                    f"{path}:{number}: the id {gold.id!r} appears in line {lines[gold.id]} already"
                )
                continue
            lines[gold.id] = number
            golds.append(gold)
    return golds


def _gold(fields: Any, collection: str, pages: Path, line: int) -> Gold:
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    for name in ("id", "site", "text"):
        if name not in fields:
            raise ValueError(f"the field {name!r} is missing")
        if not isinstance(fields[name], str):
            raise ValueError(f"the field {name!r} is not a text: {fields[name]!r}")
    for name in ("kind", "url", "language", "title", "date"):
        if not isinstance(fields.get(name), str | None):
            raise ValueError(f"the field {name!r} is not a text: {fields[name]!r}")
    if not fields["site"].strip():
        raise ValueError("the field 'site' is empty")
    page_id = fields["id"]
    if not page_id or "/" in page_id or "\\" in page_id or "\0" in page_id:
        raise ValueError(f"the id {page_id!r} is no file name")
    text = fields["text"]
    paragraphs = _texts(fields, "paragraphs") or tuple(_BLANK_LINE.split(text))
    packed = pages / f"{page_id}.html.gz"
    plain = pages / f"{page_id}.html"
    return Gold(
        collection=collection,
        id=page_id,
        site=fields["site"],
        text=text,
        path=plain if isfile(plain) and not isfile(packed) else packed,
        line=line,
        kind=fields.get("kind") or "article",
        url=fields.get("url") or None,
        paragraphs=paragraphs,
        optional=_texts(fields, "optional"),
        language=fields.get("language") or None,
        title=fields.get("title") or None,
        authors=_texts(fields, "authors"),
        date=fields.get("date") or None,
        topics=_texts(fields, "topics"),
    )


def _texts(fields: dict[str, Any], name: str) -> tuple[str, ...]:
    texts = fields.get(name) or []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"the field {name!r} is not a list of texts")
    return tuple(texts)
