"""Pages that a script makes, for the small site, and crawls that render them."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from newsclean.browser.chromium import find_chromium

from .demo_sites import HURRY, newsclean_process
from .scrapy_command import Run
from .small_site import Answer, section, story

SCRIPT = """fetch("/data" + location.pathname).then((response) => response.json())
.then((html) => { document.getElementById("root").innerHTML = html; });"""
SHELL = (
    "<!DOCTYPE html><html lang=en><title>News</title><body><div id=root></div>"
    "<script src=/app.js></script></body></html>"
)
HANGING = f"{SHELL}<script>while (true) {{}}</script>"


def path_of(title: str) -> str:
    return f"/news/{title.lower().replace(' ', '-')}-10001.html"


def data(html: str) -> Answer:
    return Answer(json.dumps(html), "application/json")


def scripted(*titles: str, etag: str = "") -> dict[str, Answer]:
    """A list and its articles, all shells with the same script."""
    links = {path_of(title): title for title in titles}
    answers = {"/app.js": Answer(SCRIPT, "text/javascript"), "/news": Answer(SHELL)}
    answers["/data/news"] = data(section(links))
    for path, title in links.items():
        answers |= {path: Answer(SHELL, etag=etag), f"/data{path}": data(story(title))}
    return answers


def crawl(folder: Path, *urls: str, **settings: Any) -> Run:
    """`newsclean crawl` with a log; NEWSCLEAN_RENDER is `empty` unless it is given."""
    options = [f"-s{k}={v}" for k, v in ({"NEWSCLEAN_RENDER": "empty"} | settings).items()]
    log = folder / "crawl.log"
    log.unlink(missing_ok=True)
    ended = newsclean_process(folder, "crawl", *urls, *HURRY, *options, f"--log={log}")
    text = log.read_text("utf-8") if log.exists() else ""
    return Run(folder, ended.exit_code, ended.output, text + ended.errors)


def browser_with_log(folder: Path, before: str = "") -> Path:
    """A program that notes its process id in `pids`, and then is Chromium."""
    program = folder / "my-chromium"
    program.write_text(
        f'#!/bin/sh\necho $$ >> {folder}/pids\n{before}\nexec {find_chromium()} "$@"\n'
    )
    program.chmod(0o755)
    return program


def pids(folder: Path) -> list[int]:
    path = folder / "pids"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and is not waited for does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def wait_until(is_so: Callable[[], object], seconds: float = 90.0) -> bool:
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(is_so())
