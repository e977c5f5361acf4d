"""Addresses of databases, and that no message shows a password."""

import logging

import pytest

from newsclean.memory import Memory, MemoryFileError
from newsclean.memory import postgresql as module
from newsclean.memory.database import hide_password, without_password

SECRET = "s3cr:t/pa@ss"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ann:s3cr%3At@db/news", "postgresql://ann@db/news"),
        ("postgres://ann:a:b@c@db:5/x?sslmode=require", "postgres://ann@db:5/x?sslmode=require"),
        ("postgresql://db/news?user=ann&password=x", "postgresql://db/news?user=ann"),
        ("postgresql:///news", "postgresql:///news"),
        ("postgresql://ann:x@[::1/news", "postgresql://…"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    assert without_password(address) == shown


def test_a_message_of_a_library_loses_the_password_in_any_spelling() -> None:
    address = "postgresql://ann:s3cr%3At%2Fpa@ss@db/news"
    for said in (f'invalid URI: "{address}"', f"bad word {SECRET}", "bad word s3cr%3At%2Fpa@ss"):
        assert "s3cr" not in hide_password(said, address)


@pytest.mark.parametrize(
    "place", ["127.0.0.1:1/news", "[::1/news", "127.0.0.1:port/news", "127.0.0.1:1/x?nonsense=1"]
)
def test_a_database_that_cannot_be_opened_is_refused_without_its_password(
    place: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "OPENING_PATIENCE", 0.3)
    with caplog.at_level(logging.DEBUG), pytest.raises(MemoryFileError) as caught:
        Memory(f"postgresql://ann:secret-word@{place}")
    assert "cannot open the memory postgresql://" in str(caught.value)
    assert "secret-word" not in str(caught.value) + caplog.text
