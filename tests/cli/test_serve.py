"""`newsclean serve`: what is refused before anything listens."""

import argparse
import builtins
import io
import re
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from newsclean.apps.search.index_command import DEFAULT_INDEX
from newsclean.apps.serve.serve_command import api_token
from newsclean.cli import main
from newsclean.cli.terminal import CommandError
from newsclean.error_hints import install_command

from .pages import run

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_its_extra_it_says_how_to_get_it(
    capsys: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = builtins.__import__

    def without_extra(name: str, *arguments: Any, **options: Any) -> Any:
        if name.startswith("newsclean.apps.serve.access"):
            raise ModuleNotFoundError("No module named 'uvicorn'", name="uvicorn")
        return find(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without_extra)
    code, _, err = run(capsys, "serve")
    assert code == 2
    assert f"serve needs uvicorn: {install_command('serve')}" in err


@pytest.mark.parametrize(
    ("host", "reason"),
    [("0.0.0.0", "name the one address"), ("::", "name the one"), ("news.local", "an IP address")],
)
def test_it_listens_only_on_a_url_that_has_one_name(
    capsys: Capture, folder: Path, host: str, reason: str
) -> None:
    code, _, err = run(capsys, "serve", "--host", host, "--port", 0)
    assert code == 2
    assert reason in err


def test_a_port_that_is_taken_is_named(capsys: Capture, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = run(capsys, "serve", "--port", port)
    assert code == 3
    assert f"cannot listen on 127.0.0.1:{port}" in err
    assert "try another --port" in err


def test_the_port_listens_when_the_link_is_printed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []

    class Terminal(io.StringIO):
        """A user who opens the link as soon as it is there."""

        def write(self, text: str) -> int:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", text):
                socket.create_connection(("127.0.0.1", int(found[1])), timeout=20).close()
                opened.append(found[0])
            return super().write(text)

    class NoServer:
        def run(self, sockets: list[socket.socket]) -> None:
            pass

    (folder / "page.html").write_text("<p>Rain</p>")
    monkeypatch.setattr("newsclean.apps.serve.access.make_server", lambda app: NoServer())
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert main(["serve", "--port", "0", "--pages", str(folder)]) == 0
    assert len(opened) == 1


def test_without_a_memory_it_says_where_it_looked(capsys: Capture, folder: Path) -> None:
    code, _, err = run(capsys, "serve", "--port", 0, "--memory", folder / "none.sqlite")
    assert code == 3
    assert "there is no memory at" in err
    assert not (folder / "none.sqlite").exists()


def test_a_folder_that_is_not_there_and_a_site_without_a_folder_are_refused(
    capsys: Capture, folder: Path
) -> None:
    code, _, err = run(capsys, "serve", "--port", 0, "--pages", folder / "none")
    assert code == 3
    assert "there is no such folder" in err
    code, _, err = run(capsys, "serve", "--port", 0, "--site", "example.org")
    assert code == 2
    assert "there is no --pages" in err


@pytest.mark.parametrize(
    ("token", "reason"),
    [("", "the token is empty"), (" \n", "is empty"), ("short", "16"), ("é" * 20, "ASCII")],
)
def test_a_token_that_no_program_could_send_or_that_is_easy_to_guess_is_refused(
    capsys: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch, token: str, reason: str
) -> None:
    (folder / "page.html").write_text("<p>Rain</p>")
    (folder / "token").write_text(token, "utf-8")
    code, _, err = run(capsys, "serve", "--port", 0, "--pages", folder, "--token-file", "token")
    assert code == 2
    assert "--token-file token: " in err
    assert reason in err
    assert token.strip() not in err or not token.strip()
    monkeypatch.setenv("NEWSCLEAN_TOKEN", token)
    code, _, err = run(capsys, "serve", "--port", 0, "--pages", folder)
    assert code == 2
    assert "NEWSCLEAN_TOKEN: " in err
    assert reason in err


def test_a_token_file_must_be_readable_text(capsys: Capture, folder: Path) -> None:
    (folder / "binary").write_bytes(b"\xff\xfe\x00" * 10)
    for name, reason in (("none", "No such file"), (".", "directory"), ("binary", "text file")):
        code, _, err = run(capsys, "serve", "--port", 0, "--token-file", name)
        assert code == 3
        assert f"--token-file {name}: " in err
        assert reason in err


def test_a_token_file_that_others_can_read_is_a_warning_and_the_token_is_not_shown(
    capsys: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "a-token-that-is-long-enough"
    monkeypatch.setenv("NEWSCLEAN_TOKEN", "another-token-that-is-not-used")
    file = folder / "token"
    file.write_text(f"{token}\n")
    for mode, is_warned in ((0o600, False), (0o640, True), (0o604, True)):
        file.chmod(mode)
        assert api_token(str(file)) == token
        out, err = capsys.readouterr()
        assert ("chmod 600" in err) == is_warned
        assert token not in out + err
    assert api_token(None) == "another-token-that-is-not-used"


def test_an_unknown_method_is_named(capsys: Capture, folder: Path) -> None:
    code, _, err = run(capsys, "serve", "--method", "guess")
    assert code == 2
    assert "guess" in err


def test_an_index_that_is_named_must_be_one(capsys: Capture, folder: Path) -> None:
    code, _, err = run(capsys, "serve", "--port", 0, "--index", folder / "none.sqlite")
    assert code == 2
    assert "--index: there is no index at" in err
    (folder / "articles.jsonl").write_text("{}\n" * 200)
    code, _, err = run(capsys, "serve", "--port", 0, "--index", folder / "articles.jsonl")
    assert code == 2
    assert "is not an index of newsclean" in err


def test_a_memory_in_a_database_is_shown_beside_an_index(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from newsclean.apps.serve.serve_command import has_memory

    assert not has_memory()
    (folder / "own_settings.py").write_text("NEWSCLEAN_MEMORY = 'postgresql://db.example/news'\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "own_settings")
    assert has_memory()


def test_articles_can_be_searched_without_a_memory(folder: Path) -> None:
    from newsclean.apps.search import open_target
    from newsclean.apps.serve.serve_command import page_source

    options = argparse.Namespace(memory=None, pages=None, site=None, index=None)
    with pytest.raises(CommandError, match="there is no memory"), page_source(options):
        pass
    open_target(DEFAULT_INDEX).close()
    with page_source(options) as source:
        assert source.sites() == {}


@pytest.mark.parametrize("option", ["--host", "--port", "--token-file", "--method"])
def test_an_assistant_needs_no_option_of_the_web_server(
    capsys: Capture, folder: Path, option: str
) -> None:
    value = "9000" if option == "--port" else "127.0.0.1"
    code, out, err = run(capsys, "serve", "--mcp", option, value)
    assert (code, out) == (2, "")
    assert f"{option} is for the web server" in err


def test_without_the_extra_for_assistants_it_says_how_to_get_it(
    capsys: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "newsclean.apps.serve.mcp_server", raising=False)
    for name in ("mcp", "mcp.server"):
        monkeypatch.setitem(sys.modules, name, None)
    code, out, err = run(capsys, "serve", "--mcp")
    assert (code, out) == (2, "")
    assert f"serve --mcp needs mcp: {install_command('mcp')}" in err


def test_a_terminal_is_no_assistant(
    capsys: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    code, out, err = run(capsys, "serve", "--mcp")
    assert (code, out) == (2, "")
    assert "not to a terminal" in err


def test_an_assistant_needs_an_index_or_a_memory(capsys: Capture, folder: Path) -> None:
    code, out, err = run(capsys, "serve", "--mcp")
    assert (code, out) == (3, "")
    assert "neither an index" in err
    assert "--index" in err
    assert "--memory" in err
