"""Files as answers and uploads: streamed tables, pages that run and fetch nothing, uploads that stay on the disk."""

from __future__ import annotations

import mmap
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePath
from tempfile import NamedTemporaryFile
from typing import IO, Any

from fastapi import UploadFile
from fastapi.responses import HTMLResponse, StreamingResponse

from passer.domain.analysis.study_table import StudyTable
from passer.ports.tables import SUFFIXES, ExportFormat
from passer.services.exports.report_builder import ReportBuilder

TYPES = {
    ".csv": "text/csv; charset=utf-8",
    ".jsonl": "application/jsonl",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".tex": "application/x-tex; charset=utf-8",
    ".zip": "application/zip",
}
Described = dict[int | str, dict[str, Any]]


def described_files(*suffixes: str) -> Described:
    """Return the description of an answer that is a file of one of these kinds."""
    types = [TYPES[suffix].partition(";")[0] for suffix in suffixes]
    binary = {"schema": {"type": "string", "format": "binary"}}
    return {200: {"description": "The file", "content": dict.fromkeys(types, binary)}}


SHEET_FILES = described_files(".csv", ".jsonl", ".xlsx")
TABLE_FILES = described_files(".csv", ".jsonl", ".xlsx", ".tex")
ZIP_FILE = described_files(".zip")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
_BLOCK = 1 << 20


def table_response(
    report_builder: ReportBuilder,
    tables: Mapping[str, StudyTable],
    table: str,
    *,
    format: ExportFormat,
    reproducible: bool,
) -> StreamingResponse:
    """Return the table of this name as a file."""
    suffix = SUFFIXES[format]
    return file_response(
        report_builder.export(tables, table, suffix=suffix, reproducible=reproducible), name=f"{table}{suffix}"
    )


def file_response(content: IO[bytes], *, name: str) -> StreamingResponse:
    """A file to save under this name; it is closed when it has been sent."""

    def chunks() -> Iterator[bytes]:
        with content:
            while block := content.read(_BLOCK):
                yield block

    disposition = f'attachment; filename="{name}"'
    return StreamingResponse(
        chunks(), media_type=TYPES[PurePath(name).suffix], headers={"Content-Disposition": disposition}
    )


def page_response(content: bytes, *, name: str) -> HTMLResponse:
    """A page to look at or to save under this name; it can neither run anything nor fetch anything."""
    headers = {"Content-Disposition": f'inline; filename="{name}"', "Content-Security-Policy": _POLICY}
    return HTMLResponse(content, headers=headers)


@contextmanager
def on_disk(upload: UploadFile) -> Iterator[Path]:
    """Yield an upload as a file with a name, so that the process that reads it opens it itself."""
    with NamedTemporaryFile(prefix="passer-upload-") as file:
        shutil.copyfileobj(upload.file, file, _BLOCK)
        file.flush()
        yield Path(file.name)


def mapped(upload: UploadFile) -> memoryview:
    """Return the bytes of an upload as the system reads them from the disk where they are looked at."""
    descriptor = upload.file.fileno()
    upload.file.flush()
    try:
        return memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    except ValueError:
        return memoryview(b"")  # an empty file cannot be mapped
