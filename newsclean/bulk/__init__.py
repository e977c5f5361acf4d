"""Articles as search servers take them: documents, mappings, and files for their bulk APIs."""

from newsclean.bulk.export import ExportResult, export_files
from newsclean.bulk.servers import SERVERS

__all__ = ["SERVERS", "ExportResult", "export_files"]
