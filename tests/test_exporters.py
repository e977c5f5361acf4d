"""CSV files of articles."""

import csv
import json
from dataclasses import fields
from pathlib import Path

from newsclean.article import Article
from newsclean.exporters import ArticleCsvExporter


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


def test_a_file_to_which_is_appended_keeps_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "articles.csv"
    path.write_bytes(b"headline,url\r\nRain,a\r\n")
    export(path, Article(url="b", headline="Snow"))
    assert path.read_bytes() == b"headline,url\r\nRain,a\r\nSnow,b\r\n"
