"""What a crawl stores from one run to the next: neighborhoods, stored pages, deliveries."""

from newsclean.memory.records import Revision, StoredPage
from newsclean.memory.schema import MemoryFileError
from newsclean.memory.store import Arrival, Memory

__all__ = ["Arrival", "Memory", "MemoryFileError", "Revision", "StoredPage"]
