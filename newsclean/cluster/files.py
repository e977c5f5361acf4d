"""Files of a cluster: names, and a local copy of a file that is elsewhere.

Spark's `binaryFiles` would hand a whole WARC file to Python as one value, a gigabyte of memory for
each task, and the Python side of a worker has no way to Hadoop's file systems. But each worker has
Java and Spark's jars, and with them Hadoop's own `fs -get`: it reads whatever Spark reads (HDFS,
S3A, …) with the same settings, and copies it to the disk in small pieces. One file system for all,
no Python package for each. Local files are read where they are.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from glob import glob, has_magic
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

from newsclean.archives import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST_SUFFIXES = (".txt", ".paths", ".lst")
#: Seconds before another try, and the longest message of Hadoop that is shown.
PAUSE, MAX_MESSAGE = 2.0, 300


def is_local(path: str) -> bool:
    """
    >>> is_local("/data/a.warc.gz"), is_local("s3a://bucket/a.warc.gz")
    (True, False)
    """
    return "://" not in path and not path.startswith("file:")


def local_name(path: str) -> str:
    """A `file:` address as the path that it is; any other path as it is.

    >>> local_name("file:///data/a%20b.warc.gz"), local_name("hdfs://host/a.warc.gz")
    ('/data/a b.warc.gz', 'hdfs://host/a.warc.gz')
    """
    return unquote(urlsplit(path).path) if path.startswith("file:") else path


def is_list(path: str) -> bool:
    """Whether an input is a list of paths, one a line.

    >>> is_list("warc.paths"), is_list("CC-NEWS-20260314.warc.gz")
    (True, False)
    """
    return path.lower().endswith(LIST_SUFFIXES)


def local_matches(pattern: str) -> list[str]:
    """The files of a local pattern by name; a path that is no pattern is itself, there or not."""
    return sorted(glob(pattern)) if has_magic(pattern) else [pattern]


@dataclass(frozen=True)
class FileCopies:
    """How a worker gets files that are not local."""

    #: the settings of Hadoop, as Spark has them
    settings: dict[str, str] = field(default_factory=dict, repr=False)
    tries: int = 3
    pause: float = PAUSE

    @contextmanager
    def local(self, path: str) -> Iterator[str]:
        """The file itself if it is local, else a copy for as long as it is read.

        `ArchiveError` if there is no way to copy it, after several tries.
        """
        if is_local(path):
            yield path
            return
        with tempfile.TemporaryDirectory(prefix="newsclean-") as folder:
            copy = os.path.join(folder, os.path.basename(urlsplit(path).path) or "archive")
            self._copy(path, copy, folder)
            yield copy

    def _copy(self, path: str, copy: str, folder: str) -> None:
        self._write_settings(folder)
        classes = os.pathsep.join([folder, *_jars(), *_given_classes()])
        command = [_java(), "-cp", classes, "org.apache.hadoop.fs.FsShell", "-get", "-f"]
        message = ""
        for attempt in range(self.tries):
            if attempt:
                time.sleep(self.pause)
            done = subprocess.run(
                [*command, path, copy], capture_output=True, text=True, errors="replace"
            )
            if done.returncode == 0:
                return
            lines = [line for line in done.stderr.splitlines() if line.startswith("get:")]
            message = (lines or done.stderr.splitlines() or ["no message"])[-1]
        raise ArchiveError(f"cannot read {path}: {message.removeprefix('get: ')[:MAX_MESSAGE]}")

    def _write_settings(self, folder: str) -> None:
        """In a file for this user alone: settings may hold passwords, which commands show."""
        with open(
            os.open(os.path.join(folder, "core-site.xml"), os.O_CREAT | os.O_WRONLY, 0o600),
            "w",
            encoding="utf-8",
        ) as file:
            file.write("<configuration>")
            for name, value in self.settings.items():
                file.write(f"<property><name>{escape(name)}</name>")
                file.write(f"<value>{escape(value)}</value></property>")
            file.write("</configuration>")


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    return os.path.join(home, "bin", "java") if home else "java"


def _jars() -> list[str]:
    """Spark's own jars, in which Hadoop is: of its folder, its package, or a container of YARN."""
    import pyspark

    homes = (os.environ.get("SPARK_HOME"), os.path.dirname(pyspark.__file__))
    folders = [*(os.path.join(home, "jars") for home in homes if home), "__spark_libs__"]
    return [os.path.join(folder, "*") for folder in folders if os.path.isdir(folder)][:1]


def _given_classes() -> list[str]:
    """Where the cluster's settings are, and the jars that the job brings (`--jars`, S3A's)."""
    from pyspark import SparkFiles

    given = [os.environ[name] for name in ("HADOOP_CONF_DIR",) if os.environ.get(name)]
    return [*given, os.path.join(SparkFiles.getRootDirectory(), "*")]
