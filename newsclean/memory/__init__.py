"""What a crawl stores from one run to the next: neighborhoods, stored pages, deliveries."""

from newsclean.memory.database import MemoryFileError
from newsclean.memory.revisions import Revision
from newsclean.memory.store import Arrival, Memory
from newsclean.memory.stored_pages import StoredPage

__all__ = ["Arrival", "Memory", "MemoryFileError", "Revision", "StoredPage"]
