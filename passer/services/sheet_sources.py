"""Where result sheets come from: a folder, or an upload of sheets and zip archives. Each is read when it is needed."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from passer.domain.sheets.sheet import place_of
from passer.errors import InputError, TooLargeError

SUFFIX = ".xlsx"
ARCHIVE = ".zip"
LAYOUT = "MODEL/threshold_T/FILE.xlsx, MODEL/threshold_T.xlsx or MODEL-T.xlsx (T = 0.01 or baseline: the baseline)"
UNPACKED_TIMES = 20
"""So many times the largest upload may come out of one archive."""

Source = Callable[[], bytes]
"""Reads a sheet; InputError where it cannot be read, TooLargeError beyond the limit."""


def folder_sources(folder: Path, *, max_bytes: int) -> dict[str, Source]:
    """Sheets of a folder by their paths within it."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: name the one that holds the sheets, as {LAYOUT}.")
    files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: partial(_of_file, name, path, max_bytes=max_bytes) for name, path in files.items() if _is_sheet(name)}


def uploaded_sources(files: Sequence[tuple[str, bytes]], *, max_bytes: int) -> dict[str, Source]:
    """Sheets of an upload by their paths; (name, content) of sheets and zip archives.

    Folders around the study are left out. InputError for a damaged archive, or two sheets of one path.
    """
    found: list[tuple[str, Source]] = []
    for name, content in files:
        if name.lower().endswith(ARCHIVE):
            found += _of_archive(name, content, max_bytes=max_bytes)
        elif _is_sheet(path := _cleaned(name)):
            found.append((path, partial(_of_upload, path, content, max_bytes=max_bytes)))
    paths = [path for path, _ in found]
    twice = sorted({path for path in paths if paths.count(path) > 1})
    if twice:
        raise InputError(f"{twice[0]} was given twice: upload one of them, or a zip of the whole folder.")
    around = _folders_around(paths)
    return {"/".join(PurePosixPath(path).parts[around:]): source for path, source in found}


def study_name(files: Sequence[tuple[str, bytes]]) -> str:
    """What an upload is called where nobody says: its one archive, or the one folder of all files."""
    first = {_cleaned(name).partition("/")[0] for name, _ in files}
    return PurePosixPath(first.pop()).stem if len(first) == 1 else "sheets"


def _is_sheet(path: str) -> bool:
    """Workbooks but those that a spreadsheet program or a system keeps for itself."""
    name = PurePosixPath(path).name
    return name.lower().endswith(SUFFIX) and not name.startswith(("~$", "."))


def _cleaned(name: str) -> str:
    return "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", ".", ".."))


def _folders_around(paths: Iterable[str]) -> int:
    """How many leading folders all paths share before any path tells a model and a threshold."""
    parts = [PurePosixPath(path).parts for path in paths]
    depth = 0
    while (
        parts
        and not any(place_of("/".join(each[depth:])) for each in parts)
        and len({each[depth] for each in parts}) == 1
        and min(map(len, parts)) > depth + 1
    ):
        depth += 1
    return depth


def _of_archive(name: str, content: bytes, *, max_bytes: int) -> list[tuple[str, Source]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except zipfile.BadZipFile as exc:
        raise InputError(f"{name} is no zip archive, or a damaged one: pack the folder again.") from exc
    sheets = [part for part in archive.infolist() if not part.is_dir() and _is_sheet(_cleaned(part.filename))]
    if sum(part.file_size for part in sheets) > UNPACKED_TIMES * max_bytes:
        raise TooLargeError(f"{name} unpacks to more than {UNPACKED_TIMES * max_bytes / 1e6:,.0f} MB: split it.")
    return [(_cleaned(part.filename), partial(_of_member, archive, part, max_bytes=max_bytes)) for part in sheets]


def _of_member(archive: zipfile.ZipFile, part: zipfile.ZipInfo, *, max_bytes: int) -> bytes:
    _check_size(part.filename, part.file_size, max_bytes)
    try:
        return archive.read(part)
    # Encrypted parts raise RuntimeError, unknown compressions NotImplementedError, damaged ones the others.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as exc:
        raise InputError(f"{part.filename} cannot be unpacked ({exc}): pack the folder again, unencrypted.") from exc


def _of_upload(path: str, content: bytes, *, max_bytes: int) -> bytes:
    _check_size(path, len(content), max_bytes)
    return content


def _of_file(name: str, path: Path, *, max_bytes: int) -> bytes:
    try:
        _check_size(name, path.stat().st_size, max_bytes)
        return path.read_bytes()
    except OSError as exc:
        raise InputError(f"{name} cannot be read ({exc.strerror}): check its permissions.") from exc


def _check_size(path: str, size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise TooLargeError(f"{path} is larger than the {max_bytes / 1e6:.0f} MB allowed: split it.")
