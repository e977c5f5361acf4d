"""Parquet as a feed format, by pyarrow (extra `parquet`): a column for each field of an article.

A Parquet file ends with its table of contents. It can't be read before it is closed, and no rows
can be added to it. So `ParquetExporter` writes a new file, which begins with the rows of the
existing one, and `PartFile` puts it in its place when it is complete.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import (
    IO,
    TYPE_CHECKING,
    Any,
    get_args,
    get_origin,
    is_typeddict,
)

from itemadapter import ItemAdapter
from scrapy.exporters import BaseItemExporter

from newsclean.article import MarkdownArticle, field_types
from newsclean.error_hints import install_command
from newsclean.extensions.feed_files import PartFile
from newsclean.files import StorageError, file_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

logger = logging.getLogger(__name__)

#: Rows that are written at once. Until then they are in memory.
_ROWS = 500


def columns_of(hints: Mapping[str, Any]) -> Any:
    """Return a pyarrow schema for fields with these types."""
    import pyarrow as pa

    return pa.schema([(name, _arrow_type(hint)) for name, hint in hints.items()])


def _arrow_type(hint: Any) -> Any:
    """Return the type of a column; what differs from item to item is a text with JSON."""
    import pyarrow as pa

    if get_origin(hint) is list and (of_each := get_args(hint)[0]) in (str, int, float, bool):
        return pa.list_(pa.field("element", _arrow_type(of_each)))
    if get_origin(hint) is list and is_typeddict(of_each):
        return pa.list_(pa.field("element", pa.struct(columns_of(field_types(of_each)))))
    plain = {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    return plain.get(hint, pa.string())


def read_states(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the URL, content hash and revision of each article in a file."""
    try:
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile
    except ModuleNotFoundError:
        raise StorageError(
            f"cannot read {path}, which an earlier run has written: {install_command('parquet')}"
        ) from None
    try:
        with ParquetFile(path) as file:
            names = file.schema_arrow.names
            with_hash = ("url", "content_hash", "revision")
            wanted = with_hash if "content_hash" in names else ("url", "headline", "articleBody")
            for batch in file.iter_batches(columns=[name for name in wanted if name in names]):
                yield from batch.to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise file_error("the feed", str(path), error) from error


class ParquetExporter(BaseItemExporter):
    """Write items as rows.

    The first item says which columns there are, each with the type that its class declares.
    Objects, and values of fields without a type, are JSON in a text; a text stays as it is.
    """

    def __init__(self, file: IO[bytes], **options: Any) -> None:
        super().__init__(**options)
        self.file = file
        self._schema: Any = None
        self._writer: Any = None
        #: rows that are not written yet, each as a batch
        self._rows: list[Any] = []
        #: fields without a column: each is logged once
        self._unknown: set[str] = set()
        if not isinstance(file, PartFile) and file.seekable() and file.seek(0, 2):
            raise ValueError(
                f"{getattr(file, 'name', file)} exists, and no rows can be added to a Parquet "
                'file: overwrite it, or leave "feeds" in NEWSCLEAN_HARDEN'
            )

    def export_item(self, item: Any) -> None:
        import pyarrow as pa

        own = ItemAdapter(item).asdict()
        wanted = self.fields_to_export or {name: name for name in own}
        names = wanted if isinstance(wanted, Mapping) else {name: name for name in wanted}
        row = {column: own.get(name) for name, column in names.items()}
        if self._schema is None:
            hints = _type_hints(item)
            self._schema = columns_of({column: hints.get(n) for n, column in names.items()})
        for name in row.keys() - {*self._schema.names, *self._unknown}:
            self._unknown.add(name)
            logger.warning("Parquet: no column for the field %r, which the first item lacks", name)
        cells = {field.name: _cell(row.get(field.name), field.type) for field in self._schema}
        try:
            self._rows.append(pa.RecordBatch.from_pylist([cells], schema=self._schema))
        except (pa.ArrowException, UnicodeEncodeError) as error:
            raise ValueError(
                f"Item does not fit the columns of the Parquet file: {error}"
            ) from None
        if len(self._rows) >= _ROWS:
            self._write_rows()

    def finish_exporting(self) -> None:
        existing = self.file.existing if isinstance(self.file, PartFile) else None
        if self._schema is None and existing is None:
            # A file without rows can be read, too.
            self._schema = columns_of(field_types())
        if self._schema is not None:
            self._write_rows()
        if self._writer is not None:
            self._writer.close()

    def _write_rows(self) -> None:
        import pyarrow as pa

        if self._writer is None:
            self._writer = self._start()
        if self._writer is not None:
            table = pa.Table.from_batches(self._rows, self._schema)
            self._writer.write_table(_with_columns(table, self._writer.schema))
        self._rows.clear()

    def _start(self) -> Any:
        """Open the file, and copy the rows of the existing one; None if that is not possible."""
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile, ParquetWriter

        def write_to(schema: Any) -> Any:
            return ParquetWriter(self.file, schema, compression="zstd")

        if not isinstance(self.file, PartFile) or self.file.existing is None:
            return write_to(self._schema)
        storage, path = self.file.storage, str(self.file.existing)
        try:
            with ParquetFile(path) as old:
                columns = old.schema_arrow.remove_metadata()
                if problem := _conflict(columns, self._schema):
                    storage.failure = StorageError(f"cannot add articles to {path}: {problem}")
                    return None
                writer = write_to(pa.unify_schemas([columns, self._schema]))
                for batch in old.iter_batches(_ROWS):
                    table = pa.Table.from_batches([batch])
                    writer.write_table(_with_columns(table, writer.schema))
                return writer
        except (OSError, pa.ArrowException) as error:
            storage.failure = file_error("the feed", path, error)
            return None


def _type_hints(item: Any) -> dict[str, Any]:
    """Return the types that the class of an item declares; of a dict, those of an article."""
    kind: Any = MarkdownArticle if isinstance(item, dict) else type(item)
    try:
        return field_types(kind)
    except (NameError, TypeError):  # names that exist only for a type checker
        return {}


def _cell(value: Any, kind: Any) -> Any:
    """Return a value as its column takes it: JSON where a text is wanted and there is none."""
    import pyarrow as pa

    if value is None or isinstance(value, str) or not pa.types.is_string(kind):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _conflict(old: Any, new: Any) -> str | None:
    """Return which column has another type in an existing file, None if all fit."""
    for field in new:
        at = old.get_field_index(field.name)
        if at >= 0 and old.field(at).type != field.type:
            return f"its column {field.name!r} is {old.field(at).type}, not {field.type}"
    return None


def _with_columns(table: Any, schema: Any) -> Any:
    """Return a table with all columns of a schema in its order; new ones are empty."""
    import pyarrow as pa

    return pa.concat_tables(
        [schema.empty_table(), table.replace_schema_metadata(None)], promote_options="default"
    )
