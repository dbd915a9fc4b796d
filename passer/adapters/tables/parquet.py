"""Reads Parquet with pyarrow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from passer.adapters.tables.cells import NothingHidden
from passer.adapters.tables.decoding import bytes_of
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError, InputError, TooLargeError

if TYPE_CHECKING:
    from passer.ports import TableContent

_PANDAS_INDEX = "__index_level_"
"""Name prefix of the columns that pandas adds for its row numbers."""
_BATCH = 16


_Narrow = Mapping[str, Callable[[float], Any]]
"""Numpy's types of less precision than Python's numbers, by the names of pyarrow."""


def _value(value: Any, kind: Any, narrow: _Narrow) -> Any:
    """Return days, times and decimal numbers as text, as a workbook shows them: 2018-05-30, and 12.50.

    A number of a narrow `kind` is the shortest one with its bits: 0.1, and not 0.10000000149. Whole numbers, which may
    be ids, stay: of 65504 the shortest is 65500.
    """
    # Lists have it, and columns whose repeated values are stored once.
    inner = getattr(kind, "value_type", kind)
    if isinstance(value, list):
        return [_value(each, inner, narrow) for each in value]
    if isinstance(value, dict):
        return {name: _value(each, kind.field(name).type, narrow) for name, each in value.items()}
    if isinstance(value, float) and str(inner) in narrow and not value.is_integer():
        return float(str(narrow[str(inner)](value)))
    if isinstance(value, bytes):
        return _text(value)
    if isinstance(value, datetime):
        is_day = not any((value.hour, value.minute, value.second, value.microsecond, value.tzinfo))
        return (value.date() if is_day else value).isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    return f"{value:f}" if isinstance(value, Decimal) else value


def _text(value: bytes) -> str | bytes:
    """Return bytes as text, which older programs do not distinguish; others as they are."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


class ParquetReader(NothingHidden):
    """Reads a Parquet file; lists and structures become lists and dicts."""

    suffixes: tuple[str, ...] = (".parquet",)

    def __init__(self, *, max_unpacked_bytes: int = 256 * 1024 * 1024, max_rows: int = 1_000_000) -> None:
        self._max_unpacked_bytes = max_unpacked_bytes
        self._max_rows = max_rows

    def read(self, content: TableContent) -> list[dict[str, Any]]:
        """Return the rows in order, without pandas' index columns."""
        content = bytes_of(content)
        if not content:
            raise DatasetError(sentence("file.empty"))
        import pyarrow
        from pyarrow import parquet

        try:
            with parquet.ParquetFile(pyarrow.BufferReader(content)) as file:
                metadata = file.metadata
                self._check_size(
                    metadata.num_rows,
                    sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups)),
                )
                names = file.schema_arrow.names
                if len(set(names)) != len(names):
                    raise DatasetError(sentence("file.parquet-twice"))
                return self._rows(file)
        # ArrowMemoryError is both a MemoryError and an ArrowException: without memory a file is not damaged.
        except (InputError, MemoryError):
            raise
        except (pyarrow.ArrowException, OSError, ValueError) as exc:
            raise DatasetError(sentence("file.parquet-damaged")) from exc

    def _rows(self, file: Any) -> list[dict[str, Any]]:
        import numpy as np

        rows: list[dict[str, Any]] = []
        unpacked, narrow, schema = 0, {"halffloat": np.float16, "float": np.float32}, file.schema_arrow
        # Read few rows at a time: a dictionary-encoded column can expand far beyond the size in its metadata.
        for batch in file.iter_batches(batch_size=_BATCH):
            unpacked += batch.nbytes
            self._check_size(len(rows), unpacked)
            names = [name for name in batch.schema.names if not name.startswith(_PANDAS_INDEX)]
            found = batch.select(names).to_pylist()
            rows += [{name: _value(row[name], schema.field(name).type, narrow) for name in names} for row in found]
        return rows

    def _check_size(self, rows: int, unpacked: int) -> None:
        if rows > self._max_rows or unpacked > self._max_unpacked_bytes:
            raise TooLargeError(
                sentence(
                    "file.parquet-large",
                    rows=rows,
                    size=round(unpacked / 1e6),
                    most_rows=self._max_rows,
                    most=round(self._max_unpacked_bytes / 1e6),
                )
            )
