"""CSV files of articles."""

import csv
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from newsclean.article import Article
from newsclean.extensions.feed_files import ArticleCsvExporter


def export(path: Path, article: Article) -> None:
    with path.open("ab") as file:
        exporter = ArticleCsvExporter(file)
        exporter.start_exporting()
        exporter.export_item(article)
        exporter.finish_exporting()


def test_columns_are_those_of_an_article_and_come_once(tmp_path: Path) -> None:
    path = tmp_path / "articles.csv"
    export(path, Article(url="a", authors=["Ann Lee", "Bo, Jr."], body="One.\n\nTwo"))
    export(path, Article(url="b", extraction={"score": 1}))
    with path.open(newline="", encoding="utf-8") as file:
        head, first, second = csv.reader(file)
    assert head == [field.name for field in fields(Article)]
    one, two = dict(zip(head, first, strict=True)), dict(zip(head, second, strict=True))
    assert (one["url"], one["body"], two["url"]) == ("a", "One.\n\nTwo", "b")
    assert json.loads(one["authors"]) == ["Ann Lee", "Bo, Jr."]
    assert json.loads(two["extraction"]) == {"score": 1}


@pytest.mark.parametrize("start", [*"=+-@\t\r\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_cell_is_a_formula_for_a_spreadsheet(tmp_path: Path, start: str) -> None:
    path = tmp_path / "articles.csv"
    formula = f'{start}HYPERLINK("https://example.org/";"Rain")'
    export(path, Article(headline=formula, authors=[formula], body=formula))
    with path.open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["headline"], row["body"]) == (f"'{formula}", f"'{formula}")
    assert json.loads(row["authors"]) == [formula]
    assert not any(cell.startswith(start) for cell in row.values())


def test_numbers_and_other_texts_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "articles.csv"
    texts: dict[str, Any] = {
        "headline": "-5",
        "kicker": "+12.5",
        "section": "It's = 3",
        "url": "https://a.b/=c",
    }
    export(path, Article(**texts, article_probability=-0.5, revision=-1, body="a\n=b"))
    with path.open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert {name: row[name] for name in texts} == texts
    assert (row["article_probability"], row["revision"], row["body"]) == ("-0.5", "-1", "a\n=b")


def test_a_file_to_which_is_appended_keeps_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "articles.csv"
    path.write_bytes(b"headline,url\r\nRain,a\r\n")
    export(path, Article(url="b", headline="Snow"))
    assert path.read_bytes() == b"headline,url\r\nRain,a\r\nSnow,b\r\n"
