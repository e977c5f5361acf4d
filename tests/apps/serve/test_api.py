"""The JSON API: what it answers, to whom, and what it says of requests that it refuses."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import pytest
from jsonschema import Draft202012Validator

from newsclean.apps.search.indexed_article import packed
from newsclean.apps.serve.api import ENDPOINTS, openapi
from newsclean.apps.serve.site_library import MemoryPages, NoPages
from newsclean.memory import Memory
from newsclean.memory.site_health import STATES, SiteCounts, SiteRun, State

from .indexed import article, copies_of_the_flood, write_index
from .served import Served, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "a-token-that-is-long-enough"
#: What no program sends.
NO_COOKIE: dict[str, str | None] = {"Cookie": None}


def lines() -> list[dict[str, Any]]:
    """Twelve stories, some of one moment, and others that are unlike them."""
    found = [article(n, date_published=f"2026-03-{10 + n // 3}T12:00:00Z") for n in range(12)]
    found += copies_of_the_flood(("alpha.example", "beta.example"))
    return [
        *found,
        article(50, id="undated-1", date_published=None),
        article(51, id="undated-2", date_published="soon"),
        article(
            52,
            id="odd/../id ?&#%é",
            headline="Überflutung in Tromsø 洪水",
            language="de-AT",
            body_html="<p>Es <em>regnet</em>.</p>",
            date_published="2026-04-02T00:30:00+02:00",
        ),
    ]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with an index, and with a memory in which one site is in trouble."""
    folder = tmp_path_factory.mktemp("api")
    with closing(Memory(str(folder / "memory.sqlite"))) as memory:
        counts = SiteCounts(new=3)
        counts.dropped["blocked/login"] = 2
        memory.site_runs.finish([SiteRun(1, "example.org", 1.0, 2.0, State.FEW, counts, 40.0)])
        memory.site_runs.finish([SiteRun(1, "good.example", 1.0, 2.0, State.GOOD, SiteCounts())])
        index = write_index(folder / "index.sqlite", lines())
        with serving(folder, index=index, source=MemoryPages(memory)) as found:
            yield found


def ask(served: Served, path: str, **values: Any) -> tuple[int, Any]:
    """Ask the API as a program does, without a cookie."""
    query = f"?{urlencode(values, doseq=True)}" if values else ""
    status, text, headers = served.ask(f"/api{path}{query}", headers=NO_COOKIE)
    assert headers["content-type"] == "application/json"
    assert "access-control-allow-origin" not in headers
    return status, json.loads(text)


def error(served: Served, path: str, **values: Any) -> str:
    status, answer = ask(served, path, **values)
    assert status == 400, answer
    return str(answer["error"])


def ids(answer: dict[str, Any]) -> list[str]:
    return [line["id"] for line in answer["articles"]]


def pages(served: Served, **values: Any) -> Iterator[dict[str, Any]]:
    """All pages of the list of articles."""
    cursor: dict[str, str] = {}
    while True:
        status, answer = ask(served, "/articles", **values, **cursor)
        assert status == 200, answer
        yield answer
        if answer["next"] is None:
            return
        cursor = {"cursor": answer["next"]}


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 16, 17, 500])
def test_paging_gives_each_article_once_newest_first(served: Served, limit: int) -> None:
    found = [name for page in pages(served, limit=limit) for name in ids(page)]
    assert sorted(found) == sorted(line["id"] for line in lines())
    assert found[0] == "odd/../id ?&#%é"
    assert found[-2:] == ["undated-1", "undated-2"]


def test_a_cursor_continues_the_list_after_articles_were_added(tmp_path: Path) -> None:
    index = write_index(tmp_path / "index.sqlite", [article(n) for n in range(6)])
    with serving(tmp_path, index=index) as served:
        first = ask(served, "/articles", limit=3)[1]
        write_index(index, [article(7), article(8, date_published="2099-01-01")])
        second = ask(served, "/articles", limit=3, cursor=first["next"])[1]
    assert ids(first) == ["a5", "a4", "a3"]
    assert ids(second) == ["a2", "a1", "a0"]
    assert second["next"] is None


def test_an_article_is_its_line_with_its_html_and_all_letters(served: Served) -> None:
    expected = lines()[-1]
    status, text, headers = served.ask(
        f"/api/articles/{quote(expected['id'], safe='')}", headers=NO_COOKIE
    )
    assert status == 200
    assert headers["content-type"] == "application/json"
    assert "Überflutung in Tromsø 洪水" in text
    assert json.loads(text) == expected


@pytest.mark.parametrize(
    "name",
    ["nothing", "", "..%2F..%2Fetc%2Fpasswd", "%2e%2e/%2e%2e/etc/passwd", "%00", "a" * 5000, "%ff"],
)
def test_an_unknown_id_is_not_found_whatever_path_it_looks_like(served: Served, name: str) -> None:
    status, answer = ask(served, f"/articles/{name}")
    assert status == 404
    assert answer == {"error": "This article is not in the index."}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"site": "beta.example"}, ["flood-beta.example"]),
        (
            {"site": ["beta.example", "alpha.example"]},
            ["flood-beta.example", "flood-alpha.example"],
        ),
        ({"language": "de"}, ["odd/../id ?&#%é"]),
        ({"language": "DE_at"}, ["odd/../id ?&#%é"]),
        ({"language": "d"}, []),
        # 00:30 in Oslo is 22:30 of the day before in UTC.
        ({"since": "2026-04-02"}, []),
        ({"since": "2026-04-01T22:30:00Z"}, ["odd/../id ?&#%é"]),
        ({"since": "2026-04-02T00:30:00+02:00"}, ["odd/../id ?&#%é"]),
        ({"since": "2026-04-02T00:31:00+02:00"}, []),
        ({"until": "2026-03-10T12:00:00+00:00"}, ["flood-beta.example", "flood-alpha.example"]),
        (
            {"since": "2026-03-13T13:00:00+01:00", "until": "2026-03-13T12:01:00"},
            ["a10", "a11", "a9"],
        ),
    ],
)
def test_articles_are_filtered_by_site_language_and_time(
    served: Served, values: dict[str, Any], expected: list[str]
) -> None:
    status, answer = ask(served, "/articles", **values)
    assert status == 200
    assert ids(answer) == expected


def test_a_search_finds_what_the_page_finds(served: Served) -> None:
    status, answer = ask(served, "/search", q='headline:flood "water falls again"')
    assert status == 200
    assert answer["total"] == 1
    (hit,) = answer["hits"]
    assert hit["headline"] == "Flood goes on"
    assert hit["copies"] == len(hit["also_on"]) == 1
    first, after = hit["snippet"]["marks"][0]
    assert hit["snippet"]["text"][first:after].startswith("water")


def test_results_can_be_sorted_by_date_and_skipped(served: Served) -> None:
    _, everything = ask(served, "/search", q="lantern", sort="date", limit=4)
    _, rest = ask(served, "/search", q="lantern", sort="date", limit=3, offset=1)
    assert everything["total"] == rest["total"] == 15
    assert everything["hits"][1:] == rest["hits"]


def test_a_wrong_query_is_refused_in_the_words_of_the_page(served: Served) -> None:
    for query in ("(rain", '"rain', "heading:rain", "-rain", "r*", "x " * 4000, "a" * 2001):
        _, page, _ = served.ask(f"/search?{urlencode({'q': query})}")
        message = error(served, "/search", q=query)
        assert message.endswith(").")
        assert message.replace('"', "&#34;").replace("'", "&#39;") in page


@pytest.mark.parametrize(
    ("path", "values", "words"),
    [
        ("/articles", {"limit": "abc"}, "limit=abc: it must be a number from 1 to 500"),
        ("/articles", {"limit": "0"}, "limit=0"),
        ("/articles", {"limit": "501"}, "limit=501"),
        ("/articles", {"limit": "-1"}, "limit=-1"),
        ("/articles", {"limit": "٣"}, "limit=٣"),
        ("/articles", {"limit": "9" * 5000}, "limit=99999"),
        ("/articles", {"limit": ""}, "limit="),
        ("/articles", {"limit": ["1", "2"]}, "limit is given 2 times"),
        ("/articles", {"langauge": "en"}, "did you mean language?"),
        ("/articles", {"since": "yesterday"}, "since=yesterday: it takes a date"),
        ("/articles", {"since": "0001-01-01T00:00:00-24:00"}, "since="),
        ("/articles", {"since": "2026-03-14T10:00:00 01:00"}, "+ is written as %2B"),
        ("/articles", {"since": "2026-03-15", "until": "2026-03-14"}, "is not before until="),
        ("/articles", {"cursor": "zz"}, "`next` of an earlier answer"),
        ("/articles", {"cursor": "W05hTiwgImEiXQ"}, "`next` of an earlier answer"),  # [NaN, "a"]
        (
            "/articles",
            {"cursor": "WzEsICJcdWQ4MDAiXQ"},
            "`next` of an earlier answer",
        ),  # a lone surrogate
        ("/articles", {"cursor": "WzEsIDJd"}, "`next` of an earlier answer"),  # [1, 2]
        ("/articles", {"site": ["x"] * 101}, "site is given more than 100 times"),
        ("/articles", {"site": "x" * 10_001}, "site has more than 10,000 characters"),
        ("/search", {}, "q is missing"),
        ("/search", {"q": "  "}, "q is empty"),
        ("/search", {"q": "rain", "sort": "best"}, "sort=best: it must be score or date"),
        ("/search", {"q": "rain", "offset": "10001"}, "offset=10001"),
        ("/sites", {"q": "x"}, "unknown parameter q: this path takes none"),
        ("/openapi.json", {"x": "1"}, "has no parameters"),
    ],
)
def test_a_wrong_parameter_is_named_with_what_it_takes(
    served: Served, path: str, values: dict[str, Any], words: str
) -> None:
    assert words.lower() in error(served, path, **values).lower()


@pytest.mark.parametrize("path", ["/articles/a%0Ab", "/sites/a%0Ab", "/%0A"])
def test_a_path_with_a_line_break_is_answered_in_json(served: Served, path: str) -> None:
    status, answer = ask(served, path)
    assert status == 404
    assert "/api/articles/{id}" in answer["error"]


def test_an_unknown_path_is_answered_in_json_with_those_that_exist(served: Served) -> None:
    for path in ("/nope", "/articles.json", "/sites/a/b", "//", "/%2e%2e/login"):
        status, answer = ask(served, path)
        assert status == 404
        assert "/api/articles" in answer["error"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"])
def test_only_get_and_head_are_allowed(served: Served, method: str) -> None:
    status, text, headers = served.ask("/api/articles", headers=NO_COOKIE, method=method)
    assert status == 405
    assert headers["allow"] == "GET, HEAD"
    assert "read only" in json.loads(text)["error"]


def test_head_gives_the_headers_of_get(served: Served) -> None:
    got = served.ask("/api/articles", headers=NO_COOKIE)
    head = served.ask("/api/articles", headers=NO_COOKIE, method="HEAD")
    assert (head[0], head[1]) == (200, "")
    assert head[2]["content-length"] == got[2]["content-length"]


def test_sites_have_their_states_with_the_most_urgent_first(served: Served) -> None:
    status, answer = ask(served, "/sites")
    assert status == 200
    assert [(site["name"], site["state"], site["articles"]) for site in answer["sites"]] == [
        ("example.org", "far less than usual", 15),
        ("good.example", "good", 0),
        ("alpha.example", None, 1),
        ("beta.example", None, 1),
    ]


def test_a_site_has_its_counts_and_what_to_do(served: Served) -> None:
    status, site = ask(served, "/sites/example.org")
    assert status == 200
    assert site["is_trouble"]
    assert site["advice"] == STATES[State.FEW].advice
    assert site["run"]["new"] == 3
    assert site["run"]["expected"] == 40.0
    assert site["run"]["started"] == "1970-01-01T00:00:01+00:00"
    assert site["in_trouble_since"].startswith("1970-01-01T00:00:01")
    assert any("log-in" in note for note in site["notes"])
    status, answer = ask(served, "/sites/nothing.example")
    assert (status, answer) == (404, {"error": "Unknown site: nothing.example."})


def test_health_says_that_all_can_be_read(served: Served) -> None:
    status, health = ask(served, "/health")
    assert status == 200
    assert health == {
        "state": "good",
        "index": {
            "state": "good",
            "newest_article": "2026-04-01T22:30:00+00:00",
            "problem": None,
        },
        "memory": {"state": "good", "sites": 2, "problem": None},
    }


def test_what_is_not_there_is_named_with_its_option(tmp_path: Path) -> None:
    with serving(tmp_path, source=NoPages()) as served:
        for path in ("/articles", "/articles/a1", "/search?q=rain", "/sites"):
            status, answer = ask(served, path)
            assert status == 503
            assert "--index" in answer["error"]
        assert "--memory" in answer["error"]
        status, health = ask(served, "/health")
        assert (status, health["index"]["state"]) == (200, "not there")
        assert health["memory"]["state"] == "not there"


def test_an_empty_index_has_no_articles(tmp_path: Path) -> None:
    index = write_index(tmp_path / "index.sqlite", [])
    with serving(tmp_path, index=index, source=NoPages()) as served:
        assert ask(served, "/articles") == (200, {"articles": [], "next": None})
        assert ask(served, "/search", q="rain") == (200, {"total": 0, "hits": []})
        assert ask(served, "/sites") == (200, {"sites": []})
        assert ask(served, "/health")[1]["index"]["newest_article"] is None


def test_an_article_of_the_last_hours_of_9999_does_not_break_health(tmp_path: Path) -> None:
    late = article(1, date_published="9999-12-31T23:59:59-05:00")
    index = write_index(tmp_path / "index.sqlite", [late])
    with serving(tmp_path, index=index, source=NoPages()) as served:
        status, health = ask(served, "/health")
        assert (status, health["index"]["newest_article"]) == (200, None)


def test_a_corrupt_index_is_an_error_that_names_it(tmp_path: Path) -> None:
    text, torn = tmp_path / "text.sqlite", tmp_path / "torn.sqlite"
    text.write_text("these are no articles\n" * 100)
    write_index(torn, [article(number) for number in range(200)])
    torn.write_bytes(torn.read_bytes()[:4096] + b"\xff" * (torn.stat().st_size - 4096))
    for index in (text, torn):
        with serving(tmp_path, index=index, source=NoPages()) as served:
            for path in ("/articles", "/articles/a1", "/search?q=lantern", "/sites"):
                status, answer = ask(served, path)
                assert status == 500
                assert index.name in answer["error"]
            status, health = ask(served, "/health")
            assert (status, health["state"]) == (503, "unreadable")
            assert index.name in health["index"]["problem"]


@pytest.mark.parametrize("line", ["[1]", '{"id": NaN}', '{"id": ' + "[" * 9000 + "]" * 9000 + "}"])
def test_a_line_that_no_index_has_is_damage(tmp_path: Path, line: str) -> None:
    index = write_index(tmp_path / "index.sqlite", [article(1)])
    with closing(sqlite3.connect(index)) as database, database:
        database.execute("UPDATE line SET line = ?", (packed(line),))
    with serving(tmp_path, index=index, source=NoPages()) as served:
        for path in ("/articles", "/articles/a1", "/search?q=lantern"):
            status, answer = ask(served, path)
            assert (status, answer["error"][:20]) == (500, "The index is damaged")
        assert ask(served, "/health")[0] == 503


def test_a_memory_that_cannot_be_read_is_no_crash(tmp_path: Path) -> None:
    with (
        closing(Memory(str(tmp_path / "memory.sqlite"))) as memory,
        serving(tmp_path, source=MemoryPages(memory)) as served,
    ):
        memory.database.execute("DROP TABLE site_run")
        status, answer = ask(served, "/sites")
        assert status == 503
        assert "site_run" in answer["error"]
        status, health = ask(served, "/health")
        assert (status, health["memory"]["state"]) == (503, "unreadable")


def test_a_failure_of_the_server_is_json_that_does_not_tell_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(address: str | None) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("newsclean.apps.serve.answers.open_index", fail)
    with serving(tmp_path, source=NoPages()) as served:
        status, answer = ask(served, "/articles")
    assert status == 500
    assert answer == {"error": "The server has failed; its log says why."}


def test_pages_of_other_sites_cannot_ask_by_a_host_name_of_their_own(served: Served) -> None:
    for host in ("evil.example", f"evil.example:{served.port}", "127.0.0.1"):
        status, text, _ = served.ask("/api/articles", headers={"Host": host, "Cookie": None})
        assert status == 421
        assert json.loads(text) == {"error": "Unknown host name."}


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_other_sites_cannot_measure_answers_but_may_link_to_them(
    served: Served, site: str
) -> None:
    headers: dict[str, str | None] = {"Cookie": None, "Sec-Fetch-Site": site}
    for mode, expected in (("no-cors", 403), ("cors", 403), (None, 403), ("navigate", 200)):
        status, _, _ = served.ask("/api/sites", headers={**headers, "Sec-Fetch-Mode": mode})
        assert status == expected


@pytest.mark.parametrize("is_loopback", [True, False])
def test_a_token_that_is_set_is_needed(tmp_path: Path, is_loopback: bool) -> None:
    index = write_index(tmp_path / "index.sqlite", [article(1)])
    with serving(tmp_path, index=index, api_token=TOKEN, is_loopback=is_loopback) as served:

        def asked(value: str | None) -> tuple[int, str, dict[str, str]]:
            return served.ask("/api/health", headers={"Authorization": value, "Cookie": None})

        assert asked(f"Bearer {TOKEN}")[0] == asked(f"bearer  {TOKEN}")[0] == 200
        for wrong in ("", "Bearer", "Bearer wrong", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x"):
            status, text, headers = asked(wrong)
            assert (status, headers["www-authenticate"]) == (401, "Bearer")
            assert "The token is wrong" in json.loads(text)["error"]
        assert "The token is missing" in asked(None)[1]
        # The session of a browser is for pages, and the token for programs.
        assert served.ask("/api/health")[0] == 401
        assert (
            served.ask("/", headers={"Authorization": f"Bearer {TOKEN}", "Cookie": None})[0] == 401
        )
        assert served.ask("/api/openapi.json")[0] == 401


def test_beyond_loopback_nothing_is_answered_without_a_token(tmp_path: Path) -> None:
    with serving(tmp_path, is_loopback=False) as served:
        for value in (None, "Bearer None", "Bearer "):
            headers = {"Authorization": value, "Cookie": None}
            status, text, _ = served.ask("/api/health", headers=headers)
            assert status == 403
            assert "NEWSCLEAN_TOKEN" in json.loads(text)["error"]
        assert served.ask("/")[0] == 200


def test_openapi_has_each_path_and_each_answer_is_as_it_says(served: Served) -> None:
    status, document = ask(served, "/openapi.json")
    assert status == 200
    assert document == json.loads(json.dumps(openapi()))
    assert document["openapi"] == "3.1.0"
    assert list(document["paths"]) == [f"/api{each.path}" for each in ENDPOINTS]
    examples = {"q": "lantern", "id": "a1", "name": "example.org", "cursor": None}
    for path, item in document["paths"].items():
        operation = item["get"]
        stated = operation["parameters"]
        in_path = {each["name"]: examples[each["name"]] for each in stated if each["in"] == "path"}
        assert sorted(re.findall(r"{(\w+)}", path)) == sorted(in_path)
        required = {each["name"]: examples[each["name"]] for each in stated if each["required"]}
        query = {name: value for name, value in required.items() if name not in in_path}
        status, answer = ask(served, path.removeprefix("/api").format(**in_path), **query)
        assert status == 200
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        whole = {**schema, "components": document["components"]}
        Draft202012Validator(whole).validate(answer)
        name = schema["$ref"].rpartition("/")[2]
        properties = document["components"]["schemas"][name]["properties"]
        assert set(answer) <= set(properties)


def test_each_parameter_that_openapi_names_is_accepted_and_no_other(served: Served) -> None:
    values = {"since": "7d", "until": "1d", "q": "rain", "sort": "date", "limit": 1, "offset": 1}
    values["cursor"] = ask(served, "/articles", limit=1)[1]["next"]
    for endpoint in ENDPOINTS:
        if endpoint.in_path is not None:
            continue
        names = [each.name for each in endpoint.parameters]
        asked = {name: values.get(name, "x") for name in names}
        assert ask(served, endpoint.path, **asked)[0] == 200, endpoint.path
        assert "unknown parameter other" in error(served, endpoint.path, **asked, other="1").lower()


def test_references_of_the_document_lead_somewhere_and_operations_have_names_of_their_own() -> None:
    document = openapi()
    Draft202012Validator.check_schema({"$defs": document["components"]["schemas"]})
    for reference in re.findall(r'"\$ref": "#/components/schemas/(\w+)"', json.dumps(document)):
        assert reference in document["components"]["schemas"]
    operations = [item["get"]["operationId"] for item in document["paths"].values()]
    assert len(operations) == len(set(operations))
