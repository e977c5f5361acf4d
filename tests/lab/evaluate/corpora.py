"""Small invented corpora on disk."""

import gzip
import json
from pathlib import Path
from typing import Any

TOWNS = ("Bergen", "Oslo", "Moss", "Narvik", "Hamar")
MENU = "<ul>" + "".join(f"<li><a href=/{k}>Section {k}</a>" for k in range(9)) + "</ul>"
FOOTER = "Example Times is a member of the press council and follows its rules in all it prints."


def paragraphs(town: str) -> list[str]:
    return [
        f"It has rained in {town} for nine days, and the river there is as high as it ever was.",
        f"The mayor of {town} says that no help is near, and asks all people to stay at home.",
    ]


def page(town: str) -> str:
    body = "".join(f"<p>{text}</p>" for text in paragraphs(town))
    return (
        f"<html lang=en><title>Rain in {town} goes on</title>{MENU}<h1>Rain in {town} goes on</h1>"
        f"<div>{body}<p>{FOOTER}</p></div>"
    )


def gold(town: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": town,
        "site": "times",
        "kind": "article",
        "text": "\n\n".join(paragraphs(town)),
        **fields,
    }


def write_corpus(folder: Path, collection: str = "rain", towns: tuple[str, ...] = TOWNS) -> Path:
    """A collection of one site; the corpus' folder."""
    write_golds(folder, [gold(town) for town in towns], collection)
    for town in towns:
        write_page(folder, town, page(town).encode(), collection)
    return folder


def write_golds(folder: Path, golds: list[dict[str, Any]], collection: str = "rain") -> Path:
    path = folder / collection / "gold.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(fields, ensure_ascii=False) for fields in golds]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def write_page(folder: Path, name: str, body: bytes, collection: str = "rain") -> Path:
    path = folder / collection / "pages" / f"{name}.html.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(body))
    return path
