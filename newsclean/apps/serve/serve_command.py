"""`newsclean serve`: start the local web server, or the MCP server of an assistant."""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import os
import re
import socket
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.apps.search.index_command import DEFAULT_INDEX
from newsclean.cli.memory import opened
from newsclean.cli.terminal import TARGET_DOWN, UNREADABLE, USAGE, CommandError, for_terminal, note
from newsclean.error_hints import install_command
from newsclean.extraction.methods.registry import DEFAULT_METHOD

if TYPE_CHECKING:
    from newsclean.apps.serve.site_library import PageSource


_DESCRIPTION = """Browse the sites of a memory in the browser, and correct them with clicks.

Each kept page is displayed beside its clean article, with its blocks tinted
(newsclean look). Click a block that is wrong, label it, and preview what would
change on the site's other kept pages; then accept the correction or cancel it.
Corrections are written to the site's corrections file, beside the site files.

The articles of an index (newsclean index) can be searched and read as well.

Programs get articles, search results and sites as JSON, read only, below /api
(/api/openapi.json describes it).

The server listens on this machine only. The link it prints contains a token. With
another --host, the API needs a token, too: from the environment variable
NEWSCLEAN_TOKEN, or --token-file.

--mcp answers an assistant instead, by the Model Context Protocol on standard input
and output, with the tools search, article and sites."""

HOST, PORT = "127.0.0.1", 8765
#: The environment variable with the token of the API.
TOKEN_VARIABLE = "NEWSCLEAN_TOKEN"
#: What a header can carry.
_TOKEN = re.compile(r"[!-~]{16,}")
_MAX_TOKEN_FILE = 10_000
#: Options without a meaning for `--mcp`.
_OF_THE_WEB_SERVER = ("host", "port", "token_file", "method")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument(
        "--memory", metavar="FILE", help="the memory to use: a file, or postgresql://…"
    )
    parser.add_argument(
        "--pages", metavar="FOLDER", help="saved pages of one site, instead of a memory"
    )
    parser.add_argument("--site", metavar="NAME", help="the site of --pages, such as example.org")
    parser.add_argument(
        "--sites",
        metavar="FOLDER",
        help="folder of site files and corrections (default: NEWSCLEAN_SITES)",
    )
    parser.add_argument(
        "--method",
        metavar="NAME",
        help=f"extraction method (default: NEWSCLEAN_METHOD, or {DEFAULT_METHOD})",
    )
    parser.add_argument(
        "--index",
        metavar="FILE",
        help=f"the index to search: a file, or the URL of a server (default: {DEFAULT_INDEX})",
    )
    parser.add_argument("--host", help=f"IP address to listen on (default: {HOST})")
    parser.add_argument("--port", type=int, help=f"0 picks a free port (default: {PORT})")
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help=f"file with the token of the API (default: the variable {TOKEN_VARIABLE})",
    )
    parser.add_argument(
        "--mcp", action="store_true", help="serve an assistant on standard input and output"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.mcp:
        return _run_mcp(options)
    options.host = HOST if options.host is None else options.host
    options.port = PORT if options.port is None else options.port
    try:
        from newsclean.apps.serve.access import make_server
    except ModuleNotFoundError as error:
        raise CommandError(f"serve needs {error.name}: {install_command('serve')}", USAGE) from None
    from scrapy.utils.project import get_project_settings

    from newsclean import Extractor
    from newsclean.apps.serve.access import Access
    from newsclean.apps.serve.app import make_app
    from newsclean.apps.serve.site_library import Library
    from newsclean.settings import defaults

    settings = get_project_settings()

    def setting(name: str) -> Any:
        return settings.get(name, defaults[name])

    sites = Path(options.sites or setting("NEWSCLEAN_SITES"))
    try:
        extractor = Extractor(
            options.method or setting("NEWSCLEAN_METHOD"), model=setting("NEWSCLEAN_MODEL")
        )
    except ValueError as error:
        raise CommandError(f"--method: {error}", USAGE) from None
    if extractor.method.needs_rendering:
        raise CommandError(f"serve cannot render pages for {extractor.method.name}", USAGE)
    index = _index_address(options)
    token = api_token(options.token_file)
    listener = _listening(options.host, options.port)
    if token is None and not _is_loopback(options.host):
        note(f"the API refuses all requests: set {TOKEN_VARIABLE} or --token-file")
    with contextlib.ExitStack() as stack:
        stack.callback(listener.close)
        source = stack.enter_context(page_source(options))
        port = listener.getsockname()[1]
        access = Access(
            _served_names(options.host, port),
            api_token=token,
            is_loopback=_is_loopback(options.host),
        )
        app = make_app(Library(source, extractor, sites), access, index)
        name = f"[{options.host}]" if ":" in options.host else options.host
        print(f"Open http://{name}:{port}/#token={access.token}", flush=True)
        print("Press Ctrl-C to stop.", flush=True)
        make_server(app).run(sockets=[listener])
    return 0


def _run_mcp(options: argparse.Namespace) -> int:
    """Answer an assistant until it closes standard input. Only the protocol is printed."""
    for name in _OF_THE_WEB_SERVER:
        if getattr(options, name) is not None:
            option = name.replace("_", "-")
            raise CommandError(
                f"--{option} is for the web server, and --mcp starts none: leave out one of them",
                USAGE,
            )
    if sys.stdin.isatty():  # where it would wait forever, as Ctrl-C does not end a blocked read
        raise CommandError(
            "--mcp speaks to an assistant, not to a terminal: name the command in the assistant's "
            "configuration (docs/api.md)",
            USAGE,
        )
    try:
        from newsclean.apps.serve.mcp_server import make_mcp_server
    except ImportError as error:
        if (error.name or "").startswith("newsclean"):
            raise
        needed = (error.name or "mcp").partition(".")[0]
        message = f"serve --mcp needs {needed}: {install_command('mcp')}"
        raise CommandError(message, USAGE) from None
    from scrapy.utils.project import get_project_settings

    from newsclean import Extractor
    from newsclean.apps.serve.answers import Answers
    from newsclean.apps.serve.site_library import Library
    from newsclean.settings import defaults

    sites = options.sites or get_project_settings().get(
        "NEWSCLEAN_SITES", defaults["NEWSCLEAN_SITES"]
    )
    index = _index_address(options)
    if not (options.memory or options.pages or _is_indexed(options) or has_memory()):
        raise CommandError(
            "there is neither an index of articles nor a memory in this folder: name one with "
            "--index (newsclean index makes it) or --memory",
            UNREADABLE,
        )
    with page_source(options) as source:
        make_mcp_server(Answers(Library(source, Extractor(), Path(sites)), index)).run()
    return 0


@contextlib.contextmanager
def page_source(options: argparse.Namespace) -> Any:
    """Open the source of the pages."""
    from newsclean.apps.serve.site_library import FolderPages, MemoryPages, NoPages

    if options.pages:
        folder = Path(options.pages)
        if not folder.is_dir():
            raise CommandError(f"--pages {options.pages}: there is no such folder", UNREADABLE)
        source: PageSource = FolderPages(folder, options.site)
        yield source
        return
    if options.site:
        raise CommandError("--site names the site of --pages, but there is no --pages", USAGE)
    if options.memory is None and _is_indexed(options) and not has_memory():
        source = NoPages()
        yield source
        return
    with opened(options) as memory:
        yield MemoryPages(memory)


def api_token(file: str | None) -> str | None:
    """Return the token of the API, None if the user has set none."""
    if file is None:
        token, where = os.environ.get(TOKEN_VARIABLE), TOKEN_VARIABLE
        if token is None:
            return None
    else:
        where = f"--token-file {for_terminal(file)}"
        try:
            with Path(file).open(encoding="utf-8") as opened_file:
                token = opened_file.read(_MAX_TOKEN_FILE)
                mode = os.fstat(opened_file.fileno()).st_mode
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not a text file"
            raise CommandError(f"{where}: {reason}", UNREADABLE) from None
        if stat.S_ISREG(mode) and mode & (stat.S_IRGRP | stat.S_IROTH):
            note(f"{where}: other users can read it; chmod 600 keeps the token to yourself")
    token = token.strip()
    if not token:
        raise CommandError(f"{where}: the token is empty", USAGE)
    if not _TOKEN.fullmatch(token):  # the token itself is not shown
        raise CommandError(
            f"{where}: a token has at least 16 characters, ASCII without spaces; make one with "
            "openssl rand -hex 32",
            USAGE,
        )
    return token


def _index_address(options: argparse.Namespace) -> str:
    """Return the index to search. `--index` must exist; the default may be created later."""
    from newsclean.apps.search import IndexTargetError, TargetDownError, open_search

    if options.index is None:
        return DEFAULT_INDEX
    try:
        open_search(options.index).close()
    except IndexTargetError as error:
        raise CommandError(f"--index: {error}", USAGE) from None
    except TargetDownError as error:
        raise CommandError(f"--index: {error}", TARGET_DOWN) from None
    return str(options.index)


def _is_indexed(options: argparse.Namespace) -> bool:
    return options.index is not None or Path(DEFAULT_INDEX).is_file()


def has_memory() -> bool:
    """Whether the memory of the settings is a database, or a file that exists."""
    from scrapy.utils.project import get_project_settings

    from newsclean.crawl_state import memory_path
    from newsclean.memory.database import is_database_url

    path = memory_path(get_project_settings())
    return is_database_url(path) or Path(path).is_file()


def _is_loopback(host: str) -> bool:
    return host == "localhost" or ipaddress.ip_address(host).is_loopback


def _listening(host: str, port: int) -> socket.socket:
    """Open a listening socket; warn if other machines can reach it."""
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise CommandError(f"--host {for_terminal(host)}: must be an IP address", USAGE) from None
    if address.is_unspecified:
        raise CommandError(f"--host {host}: name the one address to listen on", USAGE)
    if not 0 <= port < 65536:
        raise CommandError(f"--port {port}: must be a number up to 65535", USAGE)
    if not address.is_loopback:
        note(f"{host} can be reached from other machines, and the connection is not encrypted")
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((str(address), port))
        made.listen()  # so that the link works as soon as it is printed
    except OSError as error:
        made.close()
        message = f"cannot listen on {host}:{port}: {error.strerror}; try another --port"
        raise CommandError(message, UNREADABLE) from None
    return made


def _served_names(host: str, port: int) -> frozenset[str]:
    """Return the accepted values of the Host header.

    >>> sorted(_served_names("127.0.0.1", 80))
    ['127.0.0.1:80', 'localhost:80']
    """
    if host in ("localhost", "127.0.0.1"):
        return frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
    if host == "::1":
        return frozenset({f"[::1]:{port}", f"localhost:{port}"})
    return frozenset({f"[{host}]:{port}" if ":" in host else f"{host}:{port}"})
