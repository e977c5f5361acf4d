"""What a crawl remembers from one run to the next: neighborhoods, waiting pages, what went out."""

from newsclean.memory.records import Revision, WaitingPage
from newsclean.memory.schema import MemoryFileError
from newsclean.memory.store import Memory

__all__ = ["Memory", "MemoryFileError", "Revision", "WaitingPage"]
