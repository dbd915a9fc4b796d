"""Restores a backup: unpacks it next to the home folder, checks every digest, then moves it into place."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pydantic import ValidationError

from passer.adapters.archive.listing import DATABASE, LISTING, ArchivedFile, BackupListing, project_homes
from passer.adapters.archive.partial import partial_folder, remove_forgotten
from passer.adapters.store.database import knows_schema
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError, StoreUnavailable, TooLargeError

_AT_ONCE = 1 << 20
MOST_LISTING_BYTES = 64 << 20
"""Size of the listing: one line a file."""


def restore_backup(source: Path, home: Path, *, listing_of: Callable[[Path], BackupListing]) -> BackupListing:
    """Unpack a backup as a new home folder, whole or not at all. `listing_of` reads its listing (`read_listing`).

    ConflictError if `home` is not empty; InputError if the file is no backup, was changed, or comes from a newer
    PaSSER; StoreUnavailable if it cannot be read or written.
    """
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise ConflictError(sentence("backup.home-in-use", home=str(home)))
    listing = listing_of(source)
    with _readable(source), zipfile.ZipFile(source) as archive, _unpacking(home) as unpacked:
        _check_space(listing, home)
        for file in listing.files:
            _unpack(archive, file, unpacked, source)
        for each in (unpacked, *project_homes(unpacked)):
            _make_ready(each / DATABASE, source)
        if home.exists():
            home.rmdir()
        unpacked.rename(home)
    return listing


@contextmanager
def _unpacking(home: Path) -> Iterator[Path]:
    home.parent.mkdir(parents=True, exist_ok=True)
    remove_forgotten(home.parent)
    with partial_folder(home.parent, of=home.name) as folder:
        yield folder


def _check_space(listing: BackupListing, home: Path) -> None:
    free = shutil.disk_usage(home.parent).free
    if listing.size > free:
        raise StoreUnavailable(
            sentence("backup.no-room", size=listing.size / 1e6, folder=str(home.parent), free=free / 1e6)
        )


def read_listing(source: Path) -> BackupListing:
    """Return the listing of a backup whose members are those listed.

    Raises InputError for any other file, and StoreUnavailable if it cannot be unpacked.
    """
    with _readable(source), zipfile.ZipFile(source) as archive:
        return _listing(archive, source)


def _listing(archive: zipfile.ZipFile, source: Path) -> BackupListing:
    try:
        if archive.getinfo(LISTING).file_size > MOST_LISTING_BYTES:
            raise TooLargeError(
                sentence("backup.listing-too-large", listing=LISTING, source=str(source), most=MOST_LISTING_BYTES >> 20)
            )
        listing = BackupListing.model_validate_json(archive.read(LISTING))
    except KeyError as exc:
        raise InputError(sentence("backup.no-listing", source=str(source), listing=LISTING)) from exc
    except ValidationError as exc:
        field = ".".join(str(part) for part in exc.errors()[0]["loc"])
        raise InputError(
            sentence(
                "backup.listing-unreadable",
                listing=LISTING,
                source=str(source),
                place=field or sentence("backup.its-start"),
            ),
            field=field or None,
        ) from exc
    there = sorted(name for name in archive.namelist() if name != LISTING)
    listed = sorted(file.path for file in listing.files)
    if there != listed or DATABASE not in listed:
        odd = next(iter(sorted(set(there) ^ set(listed))), DATABASE)
        raise InputError(sentence("backup.changed", source=str(source), odd=odd))
    return listing


def _unpack(archive: zipfile.ZipFile, file: ArchivedFile, folder: Path, source: Path) -> None:
    target, digest, size = folder / file.path, hashlib.sha256(), 0
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(file.path) as member, target.open("wb") as out:
        # Read no more than the listed size: a zip can expand to a petabyte of zeros.
        while size <= file.size and (part := member.read(_AT_ONCE)):
            digest.update(part)
            size += out.write(part)
    if (size, digest.hexdigest()) != (file.size, file.sha256):
        raise InputError(sentence("backup.other-digest", path=file.path, source=str(source)), field=file.path)


def _check_version(database: Path, source: Path) -> None:
    """Raise InputError if a database cannot be read, or is of a newer version."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            revisions = [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")]
    except sqlite3.DatabaseError as exc:
        raise InputError(sentence("backup.database-unreadable", source=str(source))) from exc
    if not all(map(knows_schema, revisions)):
        raise InputError(sentence("backup.newer", source=str(source)))


def _make_ready(database: Path, source: Path) -> None:
    """Refuse a database of a newer version, and release leases that were held when the backup was made."""
    _check_version(database, source)
    try:
        with closing(sqlite3.connect(database)) as connection, connection:
            _release_leases(connection)
    except sqlite3.DatabaseError as exc:
        raise StoreUnavailable(
            sentence("backup.database-not-written", database=str(database), reason=str(exc))
        ) from exc


def _release_leases(connection: sqlite3.Connection) -> None:
    """Release the leases: their owners run in the original home, so they would never be released here."""
    # Earlier versions stored the leases of sweeps in `sweeps`, and the lease for posting in `leases`.
    named = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.execute(f"UPDATE {'work' if 'work' in named else 'sweeps'} SET lease_owner = NULL, lease_until = NULL")
    if "leases" in named:
        connection.execute("DELETE FROM leases")


@contextmanager
def _readable(source: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as exc:
        raise InputError(sentence("backup.not-zip", source=str(source), reason=str(exc))) from exc
    except OSError as exc:
        raise StoreUnavailable(sentence("backup.not-unpacked", reason=str(exc), source=str(source))) from exc
