"""Telling somebody that a site has broken, and that it has recovered: once each."""

from __future__ import annotations

import json
import logging
import shlex
import subprocess
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import TYPE_CHECKING

from newsclean.reports.judgement import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from newsclean.reports.report import SiteReport

logger = logging.getLogger(__name__)

BROKEN, RECOVERED = "broken", "recovered"
#: Seconds that a command or a server has.
MAX_SECONDS = 30


def send_alerts(
    hook: str, alerted: Mapping[str, str], sites: Iterable[SiteReport]
) -> Iterator[SiteReport]:
    """Tell of each site that has changed; those of which somebody was told.

    `hook` is a command, which gets the alert as JSON on its standard input, or the URL of a
    webhook, to which it is posted. `alerted` are the sites that are known to be broken, each with
    its state: of a site of which nothing could be sent, something is sent after the next run.
    """
    for report in sites:
        is_broken = report.state.is_trouble
        if is_broken == (report.site in alerted):
            continue
        if not is_broken and not _has_recovered(alerted[report.site], report.state):
            continue
        alert = {"event": BROKEN if is_broken else RECOVERED, **report.to_dict()}
        try:
            _send(hook, json.dumps(alert, ensure_ascii=False).encode())
        except (OSError, ValueError, HTTPException, subprocess.SubprocessError) as error:
            logger.error(
                "the alert that %s is %s was not sent: %s", report.site, alert["event"], error
            )
        else:
            yield report


def _has_recovered(before: str, state: State) -> bool:
    """Whether trouble is over: a site that gave too little must give enough, others anything."""
    return state is State.GOOD or (state is State.TOO_SOON and before != State.FEW)


def _send(hook: str, alert: bytes) -> None:
    if is_webhook(hook):
        request = urllib.request.Request(
            hook, alert, {"Content-Type": "application/json", "User-Agent": "newsclean"}
        )
        with urllib.request.urlopen(request, timeout=MAX_SECONDS):
            return
    done = subprocess.run(
        shlex.split(hook), input=alert, capture_output=True, timeout=MAX_SECONDS, check=False
    )
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip()[-200:]
        raise subprocess.SubprocessError(f"the command ended with code {done.returncode}: {words}")


def is_webhook(hook: str) -> bool:
    """Whether a hook is a URL.

    >>> is_webhook("https://example.org/hook"), is_webhook("mail -s newsclean me@example.org")
    (True, False)
    """
    return hook.lower().startswith(("http://", "https://"))
