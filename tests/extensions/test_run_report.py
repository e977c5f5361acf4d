"""Alerts by a webhook, and what happens if they cannot be sent."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from newsclean.extensions.run_report import send_alerts
from newsclean.memory.site_health import SiteCounts, State
from newsclean.memory.site_report import SiteReport


def report(state: State) -> SiteReport:
    return SiteReport("example.org", state, SiteCounts(), 0.0, 1.0)


def test_a_webhook_gets_the_report_of_the_site() -> None:
    posted = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Silent."""

    alerted: dict[str, str] = {}
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        hook = f"http://127.0.0.1:{server.server_port}/"
        for state in (
            State.GOOD,
            State.FEW,
            State.UNREACHABLE,
            State.LIMITED,
            State.TOO_SOON,
            State.GOOD,
        ):
            for site in send_alerts(hook, alerted, [report(state)]):
                alerted = {site.site: site.state} if site.state.is_trouble else {}
        server.shutdown()
    assert [(alert["event"], alert["state"]) for alert in posted] == [
        ("broken", "far less than usual"),
        ("recovered", "good"),
    ]


@pytest.mark.parametrize("hook", ["false", "no-such-command", "http://127.0.0.1:9/", "'unclosed"])
@pytest.mark.process
def test_what_was_not_sent_is_sent_after_the_next_run(
    hook: str, caplog: pytest.LogCaptureFixture
) -> None:
    broken = report(State.NO_ARTICLES)
    assert list(send_alerts(hook, {}, [broken])) == []
    assert "Alert that example.org is broken not sent" in caplog.text
    assert list(send_alerts("true", {}, [broken])) == [broken]


@pytest.mark.process
def test_a_site_that_is_back_has_recovered_also_if_it_is_too_soon_to_tell_more() -> None:
    soon = report(State.TOO_SOON)
    assert list(send_alerts("true", {"example.org": State.UNREACHABLE}, [soon])) == [soon]
    assert list(send_alerts("true", {"example.org": State.FEW}, [soon])) == []
