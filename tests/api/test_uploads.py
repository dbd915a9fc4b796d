"""Uploads stay on the disk: the server holds what was read from them, not their bytes."""

from __future__ import annotations

import hashlib
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

import pytest
from fastapi import UploadFile

from passer.adapters.reading.isolated import IsolatedSheets, IsolatedTables
from passer.adapters.reading.pool import ReaderPool
from passer.adapters.sheets import XlsxSheetReader
from passer.adapters.tables import table_readers
from passer.api.files import mapped, on_disk
from passer.services.sheets.sheet_library import SheetLibrary
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.result_sheets import row_of, write_sheet

LARGE = 8 << 20
MOST = 3 << 20
"""Of memory for one large upload: blocks of a megabyte are copied."""


@contextmanager
def upload_of(content: bytes) -> Iterator[UploadFile]:
    """As the framework makes it: in memory up to a megabyte, in a file without a name beyond."""
    with SpooledTemporaryFile(max_size=1 << 20) as file:
        file.write(content)
        file.seek(0)
        yield UploadFile(cast("BinaryIO", file), filename="upload")


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    with closing(ReaderPool(processes=1)) as made:
        yield made


@contextmanager
def little_memory() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()


def test_a_large_table_is_read_without_its_bytes_in_the_server(pool):
    reader = IsolatedTables(table_readers()[1], pool)
    with (
        upload_of(b'{"question": "What fixes nitrogen?"}' + b"\n" * LARGE) as upload,
        little_memory(),
        on_disk(upload) as path,
    ):
        assert reader.read(path) == [{"question": "What fixes nitrogen?"}]
    assert not path.exists()


def test_large_result_sheets_of_an_archive_are_read_without_their_bytes_in_the_server(pool, tmp_path):
    sheets, archive = [tmp_path / "study" / "m" / f"threshold_{t}.xlsx" for t in (0.5, 0.6)], tmp_path / "study.zip"
    store, reader = MemoryStore(FakeClock()), IsolatedSheets(XlsxSheetReader(), pool)
    sheet_library = SheetLibrary(imports=store, reader=reader, datasets=store, clock=FakeClock())
    for sheet in sheets:
        write_sheet(sheet, [row_of("one?", 0.5), row_of("two?", 0.8)])
    sheet_library.import_folder(tmp_path / "study")  # what the first import loads is no part of the measure
    for sheet in sheets:
        with zipfile.ZipFile(sheet, "a") as book:
            book.writestr("xl/media/image.bin", b"\x5a" * LARGE)
    with zipfile.ZipFile(archive, "w") as study:
        for sheet in sheets:
            study.write(sheet, f"study/m/{sheet.name}")
    with little_memory():
        imported = sheet_library.import_uploads([("study.zip", archive)])
    assert (imported.name, imported.rows) == ("study", 4)
    digests = [hashlib.sha256(sheet.read_bytes()).hexdigest() for sheet in sheets]
    assert [each.digest for each in imported.sheets] == digests


def test_a_large_bundle_is_looked_at_where_it_lies():
    with upload_of(b"x" * LARGE + b"end") as upload, little_memory():
        content = mapped(upload)
        assert (len(content), bytes(content[-3:])) == (LARGE + 3, b"end")


@pytest.mark.parametrize("content", [b"", b"x", b"small" * 100])
def test_a_small_bundle_too(content):
    with upload_of(content) as upload:
        assert bytes(mapped(upload)) == content
