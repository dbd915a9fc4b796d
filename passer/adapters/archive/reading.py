"""A backup is unpacked beside the home folder, held to its digests, and put in place when all of it is right."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pydantic import ValidationError

from passer.adapters.archive.listing import DATABASE, LISTING, ArchivedFile, BackupListing
from passer.adapters.store.database import knows_schema
from passer.errors import ConflictError, InputError, StoreUnavailable

_AT_ONCE = 1 << 20


def restore_backup(source: Path, home: Path) -> BackupListing:
    """Unpack a backup as a new home folder, whole or not at all.

    ConflictError where `home` holds something; InputError where the file is no backup, was changed, or comes from a
    newer PaSSER; StoreUnavailable where it cannot be read or written.
    """
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise ConflictError(f"Set PASSER_HOME to a new folder, or move {home} away: it holds something already.")
    with _readable(source), zipfile.ZipFile(source) as archive, _folder_beside(home) as unpacked:
        listing = _listing(archive, source)
        for file in listing.files:
            _unpack(archive, file, unpacked, source)
        _make_ready(unpacked / DATABASE, source)
        if home.exists():
            home.rmdir()
        unpacked.rename(home)
    return listing


@contextmanager
def _folder_beside(home: Path) -> Iterator[Path]:
    """A new folder on the same disk, which is gone afterwards unless it got another name."""
    home.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=home.parent, prefix=f".{home.name}-restoring-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _listing(archive: zipfile.ZipFile, source: Path) -> BackupListing:
    try:
        listing = BackupListing.model_validate_json(archive.read(LISTING))
    except KeyError as exc:
        raise InputError(f"Give a file that `passer backup` wrote: {source} holds no {LISTING}.") from exc
    except ValidationError as exc:
        field = ".".join(str(part) for part in exc.errors()[0]["loc"])
        raise InputError(
            f"Give another backup, or a newer PaSSER: {LISTING} of {source} cannot be read at {field or 'its start'}.",
            field=field or None,
        ) from exc
    there = sorted(name for name in archive.namelist() if name != LISTING)
    listed = sorted(file.path for file in listing.files)
    if there != listed or DATABASE not in listed:
        odd = next(iter(sorted(set(there) ^ set(listed))), DATABASE)
        raise InputError(f"Give another backup: {source} was changed, {odd} is listed or there, but not both once.")
    return listing


def _unpack(archive: zipfile.ZipFile, file: ArchivedFile, folder: Path, source: Path) -> None:
    target, digest, size = folder / file.path, hashlib.sha256(), 0
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(file.path) as member, target.open("wb") as out:
        # No more than is listed: a zip can hold a petabyte of zeros.
        while size <= file.size and (part := member.read(_AT_ONCE)):
            digest.update(part)
            size += out.write(part)
    if (size, digest.hexdigest()) != (file.size, file.sha256):
        raise InputError(f"Give another backup: {file.path} in {source} is not what was written.", field=file.path)


def _make_ready(database: Path, source: Path) -> None:
    """Refuse what this program does not know, and let go of what others were doing when the backup was made."""
    try:
        with closing(sqlite3.connect(database)) as connection, connection:
            revisions = [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")]
            if not all(knows_schema(revision) for revision in revisions):
                raise InputError(
                    f"Install the PaSSER that wrote {source}, or a newer one: this one does not know its database."
                )
    except sqlite3.DatabaseError as exc:
        raise InputError(f"Give another backup: the database in {source} cannot be read.") from exc
    try:
        with closing(sqlite3.connect(database)) as connection, connection:
            _release_leases(connection)
    except sqlite3.DatabaseError as exc:
        raise StoreUnavailable(f"Make room where {database} is to lie: it cannot be written ({exc}).") from exc


def _release_leases(connection: sqlite3.Connection) -> None:
    """Whoever holds one works in the home that the backup was made of, and would be waited for in vain."""
    connection.execute("UPDATE sweeps SET lease_owner = NULL, lease_until = NULL")
    # The first versions had none but those of sweeps.
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'leases'").fetchone():
        connection.execute("DELETE FROM leases")


@contextmanager
def _readable(source: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as exc:
        raise InputError(f"Give a file that `passer backup` wrote: {source} is no whole zip ({exc}).") from exc
    except OSError as exc:
        raise StoreUnavailable(
            f"Look at {source} and the disk's free space: the backup was not unpacked ({exc})."
        ) from exc
