"""Sources of result sheets: a folder, or an upload of sheets and zip archives.

They are files on the disk, and those of an archive are unpacked to it one at a time: the process that reads a sheet
opens it itself, so that the server has none of them in memory.
"""

from __future__ import annotations

import lzma
import os
import shutil
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import NamedTemporaryFile

from passer.domain.sheets.sheet import place_of
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, TooLargeError

SUFFIX = ".xlsx"
OTHER_FORMATS = (".csv", ".ods", ".tsv", ".xls", ".xlsb", ".xlsm")
"""Tables that are not read; they are listed, so that nobody takes a part of a study for the whole."""
ARCHIVE = ".zip"
LAYOUT = (
    "MODEL/threshold_T/FILE.xlsx, MODEL/threshold_T.xlsx or MODEL-T.xlsx (T = 0.01 or baseline: the baseline; or a "
    "strategy: hierarchical, collaborative, competitive)"
)
UNPACKED_TIMES = 20
"""Largest unpacked size of an archive, in multiples of the largest upload."""

NAMED = 3
"""Most parts of an upload that its default name lists."""
NAME_CHARS = 200

MOST_SHEETS = 2_000
"""Tables of an archive; the largest published study has 51."""

Source = Callable[[], AbstractContextManager[Path]]
"""Yields the file of a sheet; InputError where it cannot be read, TooLargeError beyond the limit."""


def folder_sources(folder: Path, *, max_bytes: int) -> dict[str, Source]:
    """Return the sheets and other tables of a folder, by path within the folder."""
    if not folder.is_dir():
        raise InputError(sentence("sheet.no-folder", folder=str(folder), layout=LAYOUT))
    files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: partial(_of_file, name, path, max_bytes=max_bytes) for name, path in files.items() if _is_table(name)}


def uploaded_sources(files: Sequence[tuple[str, Path]], *, max_bytes: int) -> dict[str, Source]:
    """Return the sheets and other tables of an upload, by path; uploads are (name, file) of sheets and zips.

    Folders around the study are left out. InputError for a damaged archive, or two sheets of one path.
    """
    found: list[tuple[str, Source]] = []
    for name, file in files:
        if name.lower().endswith(ARCHIVE):
            found += _of_archive(name, file, max_bytes=max_bytes)
        elif _is_table(path := _cleaned(name)):
            found.append((path, partial(_of_file, path, file, max_bytes=max_bytes)))
    paths = [path for path, _ in found]
    twice = sorted(path for path, count in Counter(paths).items() if count > 1)
    if twice:
        raise InputError(sentence("sheet.uploaded-twice", name=twice[0]))
    around = _folders_around(paths)
    return {"/".join(PurePosixPath(path).parts[around:]): source for path, source in found}


def study_name(files: Sequence[tuple[str, Path]]) -> str:
    """Return the default name of an upload: its archives, folders or the models of loose sheets; of many the first."""
    found = list(dict.fromkeys(_named(_cleaned(name)) for name, _ in files))
    return ", ".join([*found[:NAMED], *(["…"] if len(found) > NAMED else [])])[:NAME_CHARS]


def _named(path: str) -> str:
    folder, _, within = path.partition("/")
    place = None if within else place_of(path)
    return folder if within else place.model if place else PurePosixPath(path).stem


def is_sheet(path: str) -> bool:
    """Return whether a file has the format of a result sheet."""
    return path.lower().endswith(SUFFIX)


def _is_table(path: str) -> bool:
    """Return whether a file is a table, and not one that a spreadsheet program or a system keeps for itself."""
    name = PurePosixPath(path).name
    return name.lower().endswith((SUFFIX, *OTHER_FORMATS)) and not name.startswith(("~$", "."))


def _cleaned(name: str) -> str:
    return "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", ".", ".."))


def _folders_around(paths: Iterable[str]) -> int:
    """Return the number of leading folders shared by all paths before the folders of model and threshold."""
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


def _of_archive(name: str, file: Path, *, max_bytes: int) -> list[tuple[str, Source]]:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as exc:
        raise InputError(sentence("sheet.not-zip", name=name)) from exc
    sheets = [part for part in archive.infolist() if not part.is_dir() and _is_table(_cleaned(part.filename))]
    if len(sheets) > MOST_SHEETS:
        raise TooLargeError(sentence("sheet.many-tables", name=name, tables=len(sheets), most=MOST_SHEETS))
    if sum(part.file_size for part in sheets) > UNPACKED_TIMES * max_bytes:
        raise TooLargeError(sentence("sheet.unpacks", name=name, most=round(UNPACKED_TIMES * max_bytes / 1e6)))
    return [(_cleaned(part.filename), partial(_of_member, archive, part, max_bytes=max_bytes)) for part in sheets]


@contextmanager
def _of_member(archive: zipfile.ZipFile, part: zipfile.ZipInfo, *, max_bytes: int) -> Iterator[Path]:
    _check_size(part.filename, part.file_size, max_bytes)
    with NamedTemporaryFile(prefix="passer-sheet-", suffix=SUFFIX) as file:
        try:
            # zipfile never unpacks more of a member than its declared size.
            with archive.open(part) as packed:
                shutil.copyfileobj(packed, file)
        # Encrypted parts raise RuntimeError, unknown compressions NotImplementedError, damaged ones the others.
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError) as exc:
            raise InputError(sentence("sheet.not-unpacked", name=part.filename, why=str(exc))) from exc
        file.flush()
        yield Path(file.name)


@contextmanager
def _of_file(name: str, path: Path, *, max_bytes: int) -> Iterator[Path]:
    try:
        with path.open("rb") as file:
            _check_size(name, os.fstat(file.fileno()).st_size, max_bytes)
    except OSError as exc:
        raise InputError(sentence("sheet.unreadable", name=name, why=str(exc.strerror))) from exc
    yield path


def _check_size(path: str, size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise TooLargeError(sentence("sheet.too-large", name=path, most=round(max_bytes / 1e6)))
