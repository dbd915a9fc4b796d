"""Writes a backup to a temporary name and renames it when it is complete. A server may keep running meanwhile."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import zipfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime
from pathlib import Path

from passer.adapters.archive.listing import CHROMA, DATABASE, LISTING, ArchivedFile, BackupListing, project_homes
from passer.adapters.archive.partial import SUFFIX, partial_folder, remove_forgotten
from passer.adapters.chroma.client import EmbeddedDirectory
from passer.adapters.store.database import BEFORE_MIGRATION, copy_file
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, NotFoundError, StoreUnavailable

_AT_ONCE = 1 << 20
_LONGEST_KEY = 200
_KEY = re.compile(rb"(5[HJK][1-9A-HJ-NP-Za-km-z]{49}|PVT_[A-Z0-9]{2}_[1-9A-HJ-NP-Za-km-z]{40,})")
_OF_THE_DATABASE = {DATABASE, *(f"{DATABASE}{end}" for end in ("-wal", "-shm", "-journal", BEFORE_MIGRATION))}
_OF_THE_MOMENT = {".lock", ".partial"}
"""Suffixes of files that matter only while a process uses them."""


def write_backup(
    home: Path, target: Path, *, at: datetime, version: str, leave_out: Collection[Path] = ()
) -> BackupListing:
    """Write all files below `home` to one zip archive, except `leave_out`, such as private keys.

    The database of each project is copied as of one moment; its collections are copied while nobody writes to them.
    NotFoundError if `home` has no database; ConflictError if `target` exists; StoreUnavailable if a file cannot be read
    or written.
    """
    if not (home / DATABASE).is_file():
        raise NotFoundError(sentence("backup.nothing", home=str(home)))
    if target.exists():
        raise ConflictError(sentence("backup.exists", target=str(target)))
    with _disk(target):
        remove_forgotten(target.parent)
        with partial_folder(target.parent, of=target.name) as folder:
            partial = folder / target.name
            with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                sources = _sources(home, folder, leave_out)
                files = [file for path, name in sources if (file := _add(archive, path, name))]
                files.sort(key=lambda file: file.path)
                listing = BackupListing(passer=version, made_at=at, files=tuple(files))
                archive.writestr(LISTING, listing.model_dump_json(indent=1))
            partial.replace(target)
    return listing


def _sources(home: Path, beside: Path, leave_out: Collection[Path]) -> Iterator[tuple[Path, str]]:
    """Yield files with their names in the backup; each is locked against changes while it is read."""
    homes = (home, *project_homes(home))
    for each in homes:
        copied = beside / DATABASE
        copy_file(each / DATABASE, copied)
        yield copied, (each / DATABASE).relative_to(home).as_posix()
        copied.unlink()
        collections = each / CHROMA
        with EmbeddedDirectory.at(collections).still() if collections.is_dir() else nullcontext():
            yield from _files(home, below=collections, leave_out=leave_out)
    own = {each / name for each in homes for name in (CHROMA, *_OF_THE_DATABASE)}
    yield from _files(home, below=home, leave_out={*leave_out, *own})


def _files(home: Path, *, below: Path, leave_out: Collection[Path]) -> Iterator[tuple[Path, str]]:
    left = {path.resolve() for path in leave_out}
    for folder, folders, names in os.walk(below):
        folders[:] = sorted(name for name in folders if _is_persistent(Path(folder) / name, left))
        for name in sorted(names):
            path = Path(folder) / name
            own = path.relative_to(home).as_posix()
            if path.suffix in _OF_THE_MOMENT or path.resolve() in left:
                continue
            # An upload is deleted as soon as its import has ended, also in the middle of a backup.
            with suppress(FileNotFoundError):
                if path.is_file() and not path.is_symlink() and not _is_key(path):
                    yield path, own


def _is_persistent(folder: Path, left: Collection[Path]) -> bool:
    return folder.resolve() not in left and folder.suffix != SUFFIX


def _is_key(path: Path) -> bool:
    """Return whether a file is a chain's private key. It may be in the folder although no setting names it."""
    if path.stat().st_size > _LONGEST_KEY:
        return False
    return _KEY.fullmatch(path.read_bytes().strip()) is not None


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> ArchivedFile | None:
    """Add a file; None where it was deleted meanwhile."""
    digest, size = hashlib.sha256(), 0
    try:
        source = path.open("rb")
    except FileNotFoundError:
        return None
    with source, archive.open(name, "w", force_zip64=True) as member:
        while part := source.read(_AT_ONCE):
            digest.update(part)
            size += member.write(part)
    return ArchivedFile(path=name, size=size, sha256=digest.hexdigest())


@contextmanager
def _disk(target: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as exc:
        raise StoreUnavailable(sentence("backup.not-written", reason=str(exc), folder=str(target.parent))) from exc
