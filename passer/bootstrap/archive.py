"""Backup and restore by the settings."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from passer import __version__
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError
from passer.settings import Settings

if TYPE_CHECKING:
    from passer.adapters.archive.listing import BackupListing


def back_up(settings: Settings, target: Path) -> BackupListing:
    """Write a project to one file, or of the default project the whole home folder; private keys are left out."""
    from passer.adapters.archive.writing import write_backup

    _refuse_servers(settings)
    keys = (settings.key_file, *([settings.chain_key_file] if settings.chain_key_file else []))
    return write_backup(settings.project_home, target, at=datetime.now(UTC), version=__version__, leave_out=keys)


def restore(settings: Settings, source: Path) -> BackupListing:
    """Create the home folder, or that of a project, from a backup."""
    from passer.adapters.archive.reading import read_listing, restore_backup
    from passer.adapters.reading.limits import ReaderLimits
    from passer.adapters.reading.pool import ReaderPool

    _refuse_servers(settings)
    limits = ReaderLimits(memory_mb=settings.reader_memory_mb, cpu_s=settings.reader_seconds, wall_s=120.0)
    with closing(ReaderPool(limits)) as pool:
        return restore_backup(
            source, settings.project_home, listing_of=partial(pool.call, read_listing, name=str(source))
        )


def _refuse_servers(settings: Settings) -> None:
    """Refuse if a database or Chroma server stores the data: a backup without it would look complete."""
    for name, value, means in (
        ("PASSER_DATABASE_URL", settings.database_url, "pg_dump"),
        ("PASSER_CHROMA_URL", settings.chroma_url, sentence("backup.copy-of-chroma")),
    ):
        if value:
            raise ConfigError(sentence("backup.elsewhere", name=name, means=means), field=name)
