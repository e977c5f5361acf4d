"""Small corpora to train on, and a pool of no processes."""

import gzip
import json
from pathlib import Path
from typing import Any

SITES = ("times", "gazette", "courier", "herald", "tribune", "observer")
MENU = "".join(f"<li><a href=/{number}>Section {number}</a>" for number in range(6))
QUICK = ("--epochs", 2, "--width", 4)


def page(site: str, number: int) -> tuple[str, str]:
    """A page and its gold text."""
    texts = [
        f"It has rained in the town of the {site} for {number} days, says part {part} of this."
        for part in range(4)
    ]
    body = "".join(f"<p>{text}</p>" for text in texts)
    return f"<title>Rain</title><ul>{MENU}</ul><div>{body}</div><p>© {site}", "\n\n".join(texts)


def write_corpus(
    folder: Path, sites: tuple[str, ...] = SITES, collections: tuple[str, ...] = ("rain",)
) -> Path:
    for collection in collections:
        pages = folder / collection / "pages"
        pages.mkdir(parents=True)
        lines = []
        for site in sites:
            for number in range(2):
                html, text = page(site, number)
                name = f"{site}-{number}"
                (pages / f"{name}.html.gz").write_bytes(gzip.compress(html.encode()))
                lines.append(json.dumps({"id": name, "site": site, "text": text}))
        (folder / collection / "gold.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


class InProcess:
    """In place of a pool: the same in this process, so that it can be watched."""

    def __init__(self, jobs: int, initializer: Any, initargs: Any) -> None:
        initializer(*initargs)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def map(self, call: Any, given: Any) -> Any:
        return map(call, given)
