"""Who is answered: not without the token, not from another origin, not outside the folder."""

import socket
from pathlib import Path
from urllib.parse import urlencode

import pytest

from newsclean.apps.serve.site_library import FolderPages, NoPageError

from .served import SITE, Served, story

LABELS = {"exclude": [4]}


@pytest.mark.parametrize("cookie", [None, "", "newsclean-1=x", "a=b; c"])
def test_without_the_token_nothing_but_the_log_in_page_is_shown(
    served: Served, cookie: str | None
) -> None:
    pages = ("/", f"/sites/{SITE}", served.path("pages", "Oslo.html"), "/search", "/article?id=1")
    for path in (*pages, "/no-such-page"):
        status, text, _ = served.ask(path, headers={"Cookie": cookie})
        assert status == 401
        assert "Oslo" not in text
        assert SITE not in text
    status, text, _ = served.ask(
        served.path("try", "Oslo.html"), LABELS, headers={"Cookie": cookie}
    )
    assert status == 401
    assert "not logged in" in text


def test_the_token_is_exchanged_for_a_cookie_that_no_script_and_no_other_site_gets(
    served: Served,
) -> None:
    status, _, headers = served.ask(
        "/login", {"token": served.access.token}, headers={"Cookie": None}
    )
    assert status == 200
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert served.access.token not in cookie
    name_and_value = cookie.partition(";")[0]
    assert served.ask("/", headers={"Cookie": name_and_value})[0] == 200


@pytest.mark.parametrize("token", ["", "wrong", None, 7, ["x"]])
def test_a_wrong_token_gets_no_cookie(served: Served, token: object) -> None:
    status, _, headers = served.ask("/login", {"token": token}, headers={"Cookie": None})
    assert status == 403
    assert "set-cookie" not in headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": None},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_request_from_another_origin_changes_nothing(
    served: Served, headers: dict[str, str | None]
) -> None:
    for path in (served.path("accept", "Oslo.html"), f"/sites/{SITE}/take-back", "/login"):
        assert served.ask(path, LABELS, headers=headers)[0] == 403
    assert not served.file.exists()


def test_another_host_name_is_not_served(served: Served) -> None:
    for host in ("evil.example", f"evil.example:{served.port}", "127.0.0.1", ""):
        assert served.ask("/", headers={"Host": host})[0] in (400, 421)


@pytest.mark.parametrize(
    "name",
    [
        "../secret.html",
        "..%2Fsecret.html",
        "%2e%2e/secret.html",
        "sub/../../secret.html",
        "/etc/passwd",
        "%2Fetc%2Fpasswd",
        "outside.html",
        "nothing.html",
        "Oslo.html%00",
    ],
)
def test_a_path_outside_the_folder_is_refused(served: Served, tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.html").write_text(story("Hidden"))
    for what in ("pages", "frame"):
        status, text, _ = served.ask(f"/sites/{SITE}/{what}/{name}")
        assert status == 404
        assert "Hidden" not in text
        assert "root:" not in text


def test_a_link_in_the_folder_that_leads_outside_is_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (tmp_path / "secret.html").write_text(story("Hidden"))
    (folder / "link.html").symlink_to(tmp_path / "secret.html")
    (folder / "own.html").write_text(story("Oslo"))
    pages = FolderPages(folder, SITE)
    assert [page.name for page in pages.pages(SITE)] == ["own.html"]
    with pytest.raises(NoPageError):
        pages.read(SITE, "link.html")
    # Nor one that takes the place of a page later.
    (folder / "own.html").unlink()
    (folder / "own.html").symlink_to(tmp_path / "secret.html")
    with pytest.raises(NoPageError):
        pages.read(SITE, "own.html")


def test_every_answer_is_strict_about_scripts_frames_and_referers(served: Served) -> None:
    pages = ("/", served.path("pages", "Oslo.html"), "/search", "/article?id=1")
    for path in (*pages, "/no-such-page", "/static/teach.js"):
        _, _, headers = served.ask(path)
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "frame-ancestors 'none'" in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
    _, _, headers = served.ask(served.path("frame", "Oslo.html"))
    assert "sandbox allow-same-origin" in headers["content-security-policy"]
    assert "script-src" not in headers["content-security-policy"]


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"x=1", "application/x-www-form-urlencoded", 415),
        (b"{}", "text/plain", 415),
        (b"[" * 50_000, "application/json", 400),
        (b" " * 200_000, "application/json", 400),
        (b'{"exclude": ["x"]}', "application/json", 400),
        (b'{"exclude": [999]}', "application/json", 400),
        (b'{"exclude": [-1]}', "application/json", 400),
        (b'{"include": [1], "exclude": [1]}', "application/json", 400),
        (b'{"fields": {"price": 1}}', "application/json", 400),
        (b'{"fields": {"byline": true}}', "application/json", 400),
        (b'{"note": 7}', "application/json", 400),
    ],
)
def test_a_body_that_makes_no_sense_is_refused_with_a_reason(
    served: Served, body: bytes, kind: str, status: int
) -> None:
    found, text, _ = served.ask(
        served.path("try", "Oslo.html"), body, headers={"Content-Type": kind}
    )
    assert found == status
    assert '"error":' in text


def test_no_log_and_no_terminal_ever_sees_the_token(
    served: Served, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    served.ask("/login", {"token": served.access.token}, headers={"Cookie": None})
    served.ask("/")
    out, err = capfd.readouterr()
    assert served.access.token not in out + err + caplog.text
    assert served.access.session not in out + err + caplog.text


def test_only_this_machine_is_listened_to(served: Served) -> None:
    with socket.socket() as probe:
        probe.settimeout(2)
        assert probe.connect_ex(("127.0.0.2", served.port)) != 0


FORM = "application/x-www-form-urlencoded"


def test_the_form_of_the_log_in_page_gives_the_same_cookie_without_a_script(
    served: Served,
) -> None:
    for token in (served.access.token, f" {served.link}\n"):
        status, text, headers = served.ask(
            "/login",
            urlencode({"token": token}).encode(),
            headers={"Cookie": None, "Content-Type": FORM},
        )
        assert (status, text, headers["location"]) == (303, "", "/")
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert served.access.token not in cookie
        assert served.ask("/", headers={"Cookie": cookie.partition(";")[0]})[0] == 200


@pytest.mark.parametrize(
    "body", [b"", b"token=", b"token=wrong", b"token=%00%ff", b"\xff" * 50, b"a&" * 40_000]
)
def test_a_wrong_token_in_the_form_gets_no_cookie(served: Served, body: bytes) -> None:
    status, text, headers = served.ask(
        "/login", body, headers={"Cookie": None, "Content-Type": FORM}
    )
    assert status in (400, 403)
    assert "Log in" in text
    assert "set-cookie" not in headers


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_a_form_of_another_origin_does_not_log_in(
    served: Served, headers: dict[str, str | None]
) -> None:
    body = urlencode({"token": served.access.token}).encode()
    status, _, answered = served.ask("/login", body, headers={"Content-Type": FORM, **headers})
    assert status == 403
    assert "set-cookie" not in answered


def test_only_pages_with_a_form_may_send_one_and_only_here(served: Served) -> None:
    for path in (f"/sites/{SITE}", served.path("pages", "Oslo.html"), "/article?id=x"):
        assert "form-action 'none'" in served.ask(path)[2]["content-security-policy"]
    for path, is_log_in in (("/search", False), ("/", False), ("/", True)):
        _, _, headers = served.ask(path, headers={"Cookie": None} if is_log_in else None)
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "form-action 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        # Of the log-in page, this server alone learns which of its pages was asked for.
        expected = "same-origin" if is_log_in else "no-referrer"
        assert headers["referrer-policy"] == expected
