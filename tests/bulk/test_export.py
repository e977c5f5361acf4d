"""`newsclean export --bulk`: files that search servers take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from newsclean.bulk import SERVERS
from newsclean.bulk.document import DATES, FLAGS, LISTS, NAMES, STORED_OBJECTS, STORED_TEXTS, TEXTS
from newsclean.cli import main

from .lines import article_id, line, write_lines
from .rules import bulk_pairs, meilisearch_documents, typesense_documents

Capture = pytest.CaptureFixture[str]
SCHEMA = json.loads((Path(__file__).parents[2] / "docs/article.schema.json").read_text("utf-8"))
HOSTILE = (
    "<script>alert(1)</script> '; DROP TABLE article; -- NEAR(\"a* \x00 \ud83d \n\r\u2028 "
    '\u202eיום טוב\u202c 🌧️ {"index":{}}\n'
)


def export(server: str, out: Path, *arguments: object) -> int:
    return main(["export", "--bulk", server, *map(str, arguments), "--out", str(out)])


def requests(out: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(out.glob("articles-*"))]


def documents(server: str, out: Path) -> list[dict[str, Any]]:
    """All documents of an export, each request checked by the server's rules."""
    found: list[dict[str, Any]] = []
    for request in requests(out):
        if server == "meilisearch":
            found += meilisearch_documents(request)
        elif server == "typesense":
            schema = json.loads((out / "schema.json").read_text("utf-8"))
            found += typesense_documents(request, schema)
        else:
            found += [source for _, _, source in bulk_pairs(request) if source is not None]
    return found


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "bulk"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "articles.jsonl"


@pytest.mark.parametrize("server", SERVERS)
def test_every_article_is_in_a_request_that_the_server_takes(
    server: str, out: Path, file: Path
) -> None:
    write_lines(file, *map(line, range(30)))
    assert export(server, out, file) == 0
    assert [each["id"] for each in documents(server, out)] == [article_id(n) for n in range(30)]


@pytest.mark.parametrize("server", SERVERS)
def test_the_newest_revision_is_exported_wherever_it_is_in_the_input(
    server: str, out: Path, file: Path
) -> None:
    new, old = line(1, revision=3, headline="Sun"), line(1, revision=2)
    write_lines(file, line(1), new, old)
    assert export(server, out, file) == 0
    (found,) = documents(server, out)
    assert (found["headline"], found["revision"]) == ("Sun", 3)


def test_the_revision_is_the_version_by_which_an_older_one_never_replaces_a_newer(
    out: Path, file: Path
) -> None:
    write_lines(file, line(1, revision=7))
    assert export("opensearch", out, file) == 0
    ((name, meta, _),) = bulk_pairs(requests(out)[0])
    assert name == "index"
    assert meta == {"_id": article_id(1), "version": 7, "version_type": "external"}


@pytest.mark.parametrize("server", SERVERS)
def test_no_request_is_larger_than_asked_for(server: str, out: Path, file: Path) -> None:
    write_lines(file, *(line(n, body="rain " * 20_000) for n in range(40)))
    assert export(server, out, file, "--max-mb", 1) == 0
    assert len(requests(out)) > 4
    assert all(len(request) <= 1_000_000 for request in requests(out))
    assert len(documents(server, out)) == 40


def test_an_article_that_is_larger_than_a_request_has_one_of_its_own(
    out: Path, file: Path, capsys: Capture
) -> None:
    write_lines(file, line(1), line(2, body="rain " * 1_000_000), line(3))
    assert export("meilisearch", out, file, "--max-mb", 1) == 0
    assert [len(meilisearch_documents(each)) for each in requests(out)] == [1, 1, 1]
    assert "1 articles are larger than --max-mb 1" in capsys.readouterr().err


def test_an_export_into_the_same_folder_leaves_no_file_of_the_one_before(
    out: Path, file: Path
) -> None:
    write_lines(file, *(line(n, body="rain " * 20_000) for n in range(40)))
    export("meilisearch", out, file, "--max-mb", 1)
    (out / "notes.txt").write_text("mine", "utf-8")
    write_lines(file, line(1))
    export("meilisearch", out, file)
    names = sorted(path.name for path in out.iterdir())
    assert names == ["articles-00001.ndjson", "notes.txt", "settings.json"]


def test_one_file_is_written_where_a_file_is_named(tmp_path: Path, file: Path) -> None:
    write_lines(file, *map(line, range(3)))
    assert export("typesense", tmp_path / "all.jsonl", file) == 0
    schema = json.loads((tmp_path / "all.schema.json").read_text("utf-8"))
    assert len(typesense_documents((tmp_path / "all.jsonl").read_bytes(), schema)) == 3


def test_lines_that_cannot_be_used_are_named_and_counted_and_the_others_exported(
    out: Path, file: Path, capsys: Capture
) -> None:
    write_lines(file, line(1), line(2, id=None), line(3, id="a/b"), line(4, revision="two"))
    with file.open("a", encoding="utf-8") as more:
        more.write("{broken\n" + json.dumps(line(5, is_article=False)) + "\n")
    assert export("opensearch", out, file) == 0
    said = capsys.readouterr().err
    assert "line 2: it has no id" in said
    assert "line 3: its id 'a/b' is not made of letters" in said
    assert "line 4: its revision 'two'" in said
    assert "left out: 4 lines that cannot be used, 1 pages that are no articles" in said
    assert [each["id"] for each in documents("opensearch", out)] == [article_id(1)]


@pytest.mark.parametrize("server", SERVERS)
def test_hostile_content_stays_in_its_field_and_in_its_line(
    server: str, out: Path, file: Path
) -> None:
    hostile = dict.fromkeys((*TEXTS, "section", "site", "url", "body_html"), HOSTILE)
    odd = {"authors": [HOSTILE, 7, None], "keywords": "rain", "article_probability": float("nan")}
    stored = {"extraction": {HOSTILE: [HOSTILE, 1]}, "images": [float("inf")], "own": HOSTILE}
    dates = {"date_published": "32 May", "date_modified": 5, "fetched_at": "2026-03-01"}
    write_lines(file, line(1, **hostile, **odd, **stored, **dates), line(2))
    assert export(server, out, file) == 0
    first, second = documents(server, out)
    assert second["headline"] == "Rain, day 2"
    shown = HOSTILE.replace("\x00", "\ufffd").replace("\ud83d", "\ufffd")
    assert [first[name] for name in hostile] == [shown] * len(hostile)
    assert first["authors"] == [shown]
    assert first["extraction"] == {shown: [shown, 1]}
    assert first["own"] == shown
    assert first["fetched_at"] == "2026-03-01"
    left_out = {"keywords", "article_probability", "images", "date_published", "date_modified"}
    assert not left_out & set(first)


def test_a_text_is_also_in_the_field_of_its_language(out: Path, file: Path) -> None:
    german = line(1, language="de-AT", headline="Die Häuser", body="Es regnet.")
    write_lines(file, german, line(2, language="tlh"), line(3, language="nb"))
    for server in ("opensearch", "typesense"):
        assert export(server, out / server, file) == 0
        first, second, third = documents(server, out / server)
        assert first["text_de"].startswith("Die Häuser")
        assert first["text_de"].endswith("Es regnet.")
        assert not [name for name in second if name.startswith("text_")]
        assert "text_no" in third


def test_dates_are_seconds_where_the_server_compares_numbers(out: Path, file: Path) -> None:
    write_lines(file, line(1, date_published="1970-01-02T01:00:00+01:00", date_modified=None))
    for server in ("meilisearch", "typesense"):
        assert export(server, out / server, file) == 0
        (found,) = documents(server, out / server)
        assert found["date_published_seconds"] == 86_400
        assert "date_modified_seconds" not in found


def test_the_mapping_knows_every_field_of_an_article(out: Path, file: Path) -> None:
    kinds = (*TEXTS, *NAMES, *LISTS, *DATES, *FLAGS, *STORED_TEXTS, *STORED_OBJECTS)
    assert {*kinds, "revision", "article_probability"} == set(SCHEMA["properties"])
    write_lines(file, line())
    assert export("elasticsearch", out, file) == 0
    index = json.loads((out / "index.json").read_text("utf-8"))
    properties = index["mappings"]["properties"]
    assert set(SCHEMA["properties"]) <= set(properties)
    analyzers = {field.get("analyzer") for field in properties.values()} - {None}
    assert "newsclean" in analyzers
    assert {"english", "german", "cjk", "thai"} <= analyzers


def test_nothing_to_export_is_an_error(out: Path, file: Path, capsys: Capture) -> None:
    write_lines(file)
    assert export("opensearch", out, file) == 1
    assert "no article in the input" in capsys.readouterr().err
    assert export("opensearch", out, file.with_name("none.jsonl")) == 3
    assert "no such file" in capsys.readouterr().err
