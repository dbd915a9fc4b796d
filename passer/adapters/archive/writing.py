"""A backup is written beside its name and gets it when it is whole; a server may go on working meanwhile."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import tempfile
import zipfile
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path

from passer.adapters.archive.listing import CHROMA, DATABASE, LISTING, ArchivedFile, BackupListing
from passer.adapters.chroma_client import EmbeddedDirectory
from passer.errors import ConflictError, NotFoundError, StoreUnavailable

_AT_ONCE = 1 << 20
_LONGEST_KEY = 200
_KEY = re.compile(rb"(5[HJK][1-9A-HJ-NP-Za-km-z]{49}|PVT_[A-Z0-9]{2}_[1-9A-HJ-NP-Za-km-z]{40,})")
_OF_THE_DATABASE = {DATABASE, *(f"{DATABASE}{end}" for end in ("-wal", "-shm", "-journal"))}
_OF_THE_MOMENT = {".lock", ".partial"}
"""Endings of files that mean something only while a process holds them."""


def write_backup(
    home: Path, target: Path, *, at: datetime, version: str, leave_out: Collection[Path] = ()
) -> BackupListing:
    """Everything below `home`, as one zip; `leave_out` names files that must not leave this machine.

    The database is copied as of one moment, the collections while nobody writes to them. NotFoundError where there is
    nothing; ConflictError where `target` exists; StoreUnavailable where a file cannot be read or written.
    """
    if not (home / DATABASE).is_file():
        raise NotFoundError(f"There is nothing to back up in {home}: set PASSER_HOME to the folder that PaSSER uses.")
    if target.exists():
        raise ConflictError(f"Choose another name: {target} exists already.")
    with _disk(target):
        partial = Path(tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-", suffix=".partial")[1])
    try:
        with _disk(target), zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            files = [_add(archive, path, name) for path, name in _sources(home, target.parent, {partial, *leave_out})]
            listing = BackupListing(passer=version, made_at=at, files=tuple(sorted(files, key=lambda file: file.path)))
            archive.writestr(LISTING, listing.model_dump_json(indent=1))
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return listing


def _sources(home: Path, beside: Path, leave_out: Collection[Path]) -> Iterator[tuple[Path, str]]:
    """Files with their names in the backup, each as long as it may be read."""
    with _snapshot(home / DATABASE, beside) as copied:
        yield copied, DATABASE
    collections = home / CHROMA
    with EmbeddedDirectory.at(collections).still() if collections.is_dir() else nullcontext():
        yield from _files(home, below=collections, leave_out=leave_out)
    yield from _files(home, below=home, leave_out={*leave_out, collections})


def _files(home: Path, *, below: Path, leave_out: Collection[Path]) -> Iterator[tuple[Path, str]]:
    left = {path.resolve() for path in leave_out}
    for folder, folders, names in os.walk(below):
        folders[:] = sorted(name for name in folders if (Path(folder) / name).resolve() not in left)
        for name in sorted(names):
            path = Path(folder) / name
            own = path.relative_to(home).as_posix()
            if own in _OF_THE_DATABASE or path.suffix in _OF_THE_MOMENT or path.resolve() in left:
                continue
            if path.is_file() and not path.is_symlink() and not _is_key(path):
                yield path, own


def _is_key(path: Path) -> bool:
    """Whether a file is a chain's private key: it may lie here although no setting of this shell names it."""
    if path.stat().st_size > _LONGEST_KEY:
        return False
    return _KEY.fullmatch(path.read_bytes().strip()) is not None


@contextmanager
def _snapshot(database: Path, beside: Path) -> Iterator[Path]:
    """The database as of one moment, with what other processes have committed, in a file of its own."""
    with tempfile.TemporaryDirectory(dir=beside, prefix=".passer-backup-") as folder:
        copied = Path(folder) / DATABASE
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copied)) as copy:
            source.backup(copy)
        yield copied


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> ArchivedFile:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as member:
        while part := source.read(_AT_ONCE):
            digest.update(part)
            size += member.write(part)
    return ArchivedFile(path=name, size=size, sha256=digest.hexdigest())


@contextmanager
def _disk(target: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as exc:
        raise StoreUnavailable(
            f"Look at {target.parent} and its free space, then try again: the backup was not written ({exc})."
        ) from exc
