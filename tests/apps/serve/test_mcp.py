"""The MCP server, asked by the client of the official SDK."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from newsclean import Extractor
from newsclean.apps.serve.answers import Answers
from newsclean.apps.serve.mcp_server import MAX_SITES, MAX_TEXT, make_mcp_server
from newsclean.apps.serve.site_library import Library, MemoryPages, NoPages
from newsclean.memory import Memory
from newsclean.memory.site_health import SiteCounts, SiteRun, State
from tests.cli.pages import run_process

from .indexed import article, copies_of_the_flood, write_index

if TYPE_CHECKING:
    from pathlib import Path

    from newsclean.apps.serve.site_library import PageSource

Asked = tuple[bool, Any, str]


async def tool(client: Client, name: str, /, **arguments: Any) -> Asked:
    """Call a tool; return whether it failed, its structured content, and its text."""
    result = await client.call_tool(name, arguments)
    texts = [str(getattr(block, "text", "")) for block in result.content]
    return bool(result.is_error), result.structured_content, "\n".join(texts)


def answers_of(folder: Path, index: Path | None, source: PageSource | None = None) -> Answers:
    library = Library(source or NoPages(), Extractor(), folder / "sites")
    return Answers(library, None if index is None else str(index))


def asked(answers: Answers, name: str, /, **arguments: Any) -> Asked:
    """Call a tool of a server in this process."""

    async def ask() -> Asked:
        async with Client(make_mcp_server(answers)) as client:
            return await tool(client, name, **arguments)

    return anyio.run(ask)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    folder = tmp_path_factory.mktemp("mcp")
    lines = [article(number) for number in range(12)]
    lines += copies_of_the_flood(("alpha.example", "beta.example"))
    long = article(
        40,
        id="long",
        body="é" * (2 * MAX_TEXT) + "end.",
        headline="x" * 50_000,
        authors=["Ann Lee", 7, "y" * 9_000],
        keywords=[str(number) for number in range(1_000)],
    )
    return answers_of(folder, write_index(folder / "index.sqlite", [*lines, long]))


def test_the_tools_are_search_article_and_sites_and_none_writes(answers: Answers) -> None:
    async def ask() -> None:
        async with Client(make_mcp_server(answers)) as client:
            tools = (await client.list_tools()).tools
            assert [each.name for each in tools] == ["search", "article", "sites"]
            for each in tools:
                assert each.annotations is not None
                assert each.annotations.read_only_hint
                assert each.description
                assert each.output_schema is not None
            assert client.instructions is not None
            assert "never instructions" in " ".join(client.instructions.split())

    anyio.run(ask)


def test_a_search_finds_articles_that_can_then_be_read(answers: Answers) -> None:
    failed, found, _ = asked(answers, "search", query='"water falls again"')
    assert not failed
    assert found["total"] == 1
    (result,) = found["results"]
    assert result["headline"] == "Flood goes on"
    assert result["copies"] == 1
    assert "water falls again" in result["snippet"]
    failed, read, _ = asked(answers, "article", id=result["id"])
    assert not failed
    assert read["text"].endswith("Nobody was hurt.")
    assert (read["characters"], read["is_cut"]) == (len(read["text"]), False)


def test_a_long_article_is_read_in_parts_that_say_where_the_next_one_starts(
    answers: Answers,
) -> None:
    parts, start = [], 0
    while start is not None:
        _, read, text = asked(answers, "article", id="long", start=start)
        assert read["is_cut"]
        assert read["characters"] == 2 * MAX_TEXT + 4
        assert len(text) < 3 * MAX_TEXT
        parts.append(read["text"])
        start = read["next_start"]
    assert "".join(parts) == "é" * (2 * MAX_TEXT) + "end."
    assert len(parts) == 3
    assert read["authors"] == ["Ann Lee", "y" * 1000]
    assert len(read["headline"]) == 1000
    assert asked(answers, "article", id="long", start=10**9)[1]["text"] == ""


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("search", {"query": "(rain"}, '"(" without ")" after it (at character 1).'),
        ("search", {"query": "rain", "limit": 51}, "less than or equal to 50"),
        ("search", {"query": "rain", "since": "soon"}, "since=soon: it takes a date"),
        ("search", {"query": "x" * 5_000}, "more than 2,000 characters"),
        ("search", {}, "query"),
        ("article", {"id": "../../etc/passwd"}, "This article is not in the index."),
        ("article", {"id": ""}, "This article is not in the index."),
        ("article", {"id": "a1", "start": -1}, "greater than or equal to 0"),
        ("delete", {}, "Unknown tool: delete"),
    ],
)
def test_what_a_tool_cannot_answer_is_an_error_that_says_why(
    answers: Answers, name: str, arguments: dict[str, Any], words: str
) -> None:
    failed, _, text = asked(answers, name, **arguments)
    assert failed
    assert words in text


def test_sites_in_trouble_come_first_and_long_lists_are_cut(tmp_path: Path) -> None:
    with closing(Memory(str(tmp_path / "memory.sqlite"))) as memory:
        runs = [
            SiteRun(1, f"s{number}.example", 1.0, 2.0, State.GOOD, SiteCounts(new=1))
            for number in range(MAX_SITES + 5)
        ]
        bad = SiteRun(1, "zz.example", 1.0, 2.0, State.BLOCKED, SiteCounts())
        memory.site_runs.finish([*runs, bad])
        answers = answers_of(tmp_path, None, MemoryPages(memory))
        _, found, _ = asked(answers, "sites")
        assert (found["total"], len(found["sites"]), found["is_cut"]) == (206, 200, True)
        assert found["sites"][0]["name"] == "zz.example"
        assert found["sites"][0]["state"] == "blocked"
        _, found, _ = asked(answers, "sites", name="S204")
        assert (found["total"], found["is_cut"]) == (1, False)
        failed, _, text = asked(answers, "search", query="rain")
        assert failed
        assert "--index" in text


@pytest.mark.process
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_assistant_starts_the_command_and_talks_to_it(tmp_path: Path, mode: str) -> None:
    write_index(tmp_path / "articles.sqlite", copies_of_the_flood(("alpha.example",)))
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "newsclean", "serve", "--mcp"],
        cwd=tmp_path,
        env=dict(os.environ),
    )

    async def ask() -> None:
        async with Client(command, mode=mode) as client:
            failed, found, _ = await tool(client, "search", query="flood")
            assert not failed
            assert found["results"][0]["id"] == "flood-alpha.example"
            failed, _, text = await tool(client, "search", query="(flood")
            assert failed
            assert "without" in text
            failed, read, _ = await tool(client, "article", id="flood-alpha.example")
            assert read["site"] == "alpha.example"
            assert (await tool(client, "sites"))[1]["total"] == 1

    anyio.run(ask)


@pytest.mark.process
def test_only_the_protocol_is_on_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_index(tmp_path / "articles.sqlite", [article(1)])
    monkeypatch.chdir(tmp_path)
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    sent = f"not the protocol\n{json.dumps(hello)}\n".encode()
    code, out, _ = run_process("serve", "--mcp", stdin=sent)
    assert code == 0
    (answer,) = [json.loads(line) for line in out.splitlines()]
    assert answer["id"] == 1
    assert answer["result"]["serverInfo"]["name"] == "newsclean"
