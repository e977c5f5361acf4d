"""Small archives of a few sites, and what `newsclean extract` makes of them."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from newsclean.archives.extracting import ExtractionOptions
from newsclean.cli.extract_many import extract_many
from tests.archives.warc_files import WarcFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TOWNS = "Bergen Oslo Moss Narvik Hamar Molde Alta Vadsø Voss Skien Lom Bodø".split()
SITES = ("herald.example", "courier.example", "tidings.example")
DATE = {"WARC-Date": "2026-03-14T12:00:00Z"}


def footer(site: str) -> str:
    return f"All that {site} prints is checked by two editors, and none of it is for sale anywhere."


def page(site: str, town: str, category: str = "news") -> tuple[str, bytes]:
    """An address, and a page with a text of its own above one of its site."""
    days = f"It has rained in {town} for nine days, and the river there is as high as it ever was."
    mayor = f"The mayor of {town} says that no help is near, and asks all people to stay at home."
    picture = f'<figure><img src="/{town}.jpg" width="640" height="400"></figure>'
    html = f"<title>{town}</title><h1>Rain in {town}</h1><div><p>{days}{picture}<p>{mayor}"
    url = f"https://{site}/{category}/{town.lower()}"
    return url, f"{html}<p>{footer(site)}</div>".encode()


def write_warcs(folder: Path) -> list[str]:
    """Three files with the pages of all sites in turn, the second of them damaged."""
    folder.mkdir()
    paths = []
    for number in range(3):
        file = WarcFile()
        for town in TOWNS[number * 4 :][:4]:
            for site in SITES:
                url, body = page(site, town, "sport" if town == "Lom" else "news")
                file.add(url, body, warc=DATE)
        file.add(f"https://{SITES[0]}/gone-{number}", b"", status="404 Not Found")
        data = bytearray(file.data)
        if number == 1:
            place = file.offsets[3] + 40
            data[place : place + 40] = bytes(40)
        path = folder / f"{number}.warc.gz"
        path.write_bytes(data)
        paths.append(str(path))
    return paths


def extracted(
    paths: Sequence[str], options: ExtractionOptions | None = None
) -> tuple[list[bytes], str]:
    """The lines of `newsclean extract`, and the last that it says."""
    out, said = io.BytesIO(), [""]
    extract_many(paths, [], options or ExtractionOptions(), 1, out, said.append)
    return out.getvalue().splitlines(keepends=True), said[-1]


def article_line(row: Any) -> bytes:
    """The line of a row of Parquet files: what `newsclean extract` would have written."""
    record = row.asDict(recursive=True)
    record["extraction"] = json.loads(record["extraction"])
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
