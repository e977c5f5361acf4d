"""Small files wherever Spark writes: the plan of a job, and what it has counted."""

from __future__ import annotations

import json
from typing import Any


class HadoopFiles:
    """Hadoop's file systems, as the driver of a job reaches them."""

    def __init__(self, context: Any) -> None:
        self._java = context._jvm
        self._settings = context._jsc.hadoopConfiguration()

    def settings(self) -> dict[str, str]:
        """What was set for Hadoop, beyond what it brings along."""
        found = {}
        entries = self._settings.iterator()
        while entries.hasNext():
            entry = entries.next()
            origins = self._settings.getPropertySources(entry.getKey()) or ()
            if not all(str(origin).endswith("-default.xml") for origin in origins):
                found[str(entry.getKey())] = str(entry.getValue())
        return found

    def exists(self, path: str) -> bool:
        system, at = self._at(path)
        return bool(system.exists(at))

    def matches(self, pattern: str) -> list[str]:
        """The files of a pattern, by name."""
        system, at = self._at(pattern)
        found = system.globStatus(at) or ()
        return sorted(str(status.getPath()) for status in found)

    def read(self, path: str) -> str:
        system, at = self._at(path)
        stream = system.open(at)
        try:
            text = self._java.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")
            return str(text)
        finally:
            stream.close()

    def write(self, path: str, text: str) -> None:
        """Write a file whole: it is there with all of the text, or not at all."""
        system, at = self._at(path)
        _, draft = self._at(f"{path}.draft")
        stream = system.create(draft, True)
        try:
            stream.write(bytearray(text.encode("utf-8")))
        finally:
            stream.close()
        system.delete(at, False)
        if not system.rename(draft, at):
            raise OSError(f"cannot write {path}")

    def read_json(self, path: str) -> Any:
        """What a file says, None if there is none."""
        return json.loads(self.read(path)) if self.exists(path) else None

    def write_json(self, path: str, value: Any) -> None:
        self.write(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")

    def _at(self, path: str) -> tuple[Any, Any]:
        at = self._java.org.apache.hadoop.fs.Path(path)
        return at.getFileSystem(self._settings), at
