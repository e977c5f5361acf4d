"""The language of a text, where the page does not declare it."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from py3langid import langid

from newsclean.metadata import detected_language, language

THREADS = 12
TEXT = "It has rained in Bergen for nine days now, and the river is as high as it ever was."


def test_threads_that_ask_at_the_same_time_load_the_model_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load = langid._load_identifier
    loads = []

    def slow_load() -> object:
        loads.append(1)
        time.sleep(0.05)  # so that all other threads ask meanwhile
        return load()

    monkeypatch.setattr(langid, "_load_identifier", slow_load)
    monkeypatch.setattr(langid, "IDENTIFIER", None)
    language._loaded_py3langid.cache_clear()
    together = Barrier(THREADS)

    def ask(_: int) -> str | None:
        together.wait()
        return detected_language(TEXT)

    with ThreadPoolExecutor(THREADS) as pool:
        assert set(pool.map(ask, range(THREADS))) == {"en"}
    assert len(loads) == 1
