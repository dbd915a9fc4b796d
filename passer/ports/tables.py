"""Tables of others in, tables of ours out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO, Protocol

from passer.domain.sheets.sheet import Place, Sheet


class TableReader(Protocol):
    """Reads one kind of table file."""

    suffixes: tuple[str, ...]
    """Lower-case file suffixes it reads, with the dot."""

    def read(self, content: bytes) -> list[dict[str, Any]]:
        """Rows as dicts, in order; a blank one is {}, and what stands in no named column lies under the key "".

        DatasetError names row and column of what cannot be read.
        """
        ...


class TableWriter(Protocol):
    """Writes one kind of table file."""

    suffix: str
    """With the dot."""

    def write(
        self, stream: BinaryIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, reproducible: bool = False
    ) -> None:
        """All rows; numbers as numbers, None as an empty cell; `reproducible` keeps clock times out of the file."""
        ...


class SheetReader(Protocol):
    """Reads result sheets of earlier PaSSER versions."""

    def read(self, content: bytes, *, path: str, place: Place) -> Sheet:
        """The scores of one configuration; DatasetError names the file and every row that is none."""
        ...
