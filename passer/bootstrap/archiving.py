"""Backups of what is kept on this machine."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from passer import __version__
from passer.errors import ConfigError
from passer.settings import Settings

if TYPE_CHECKING:
    from passer.adapters.archive.listing import BackupListing


def back_up(settings: Settings, target: Path) -> BackupListing:
    """Write everything that is kept in the home folder as one file; keys are left out."""
    from passer.adapters.archive.writing import write_backup

    _refuse_servers(settings)
    keys = (settings.chain_key_file,) if settings.chain_key_file else ()
    return write_backup(settings.home, target, at=datetime.now(UTC), version=__version__, leave_out=keys)


def restore(settings: Settings, source: Path) -> BackupListing:
    """Make the home folder from such a file."""
    from passer.adapters.archive.reading import restore_backup

    _refuse_servers(settings)
    return restore_backup(source, settings.home)


def _refuse_servers(settings: Settings) -> None:
    """What servers keep is theirs to back up; half a backup would look like a whole one."""
    for name, value, means in (
        ("PASSER_DATABASE_URL", settings.database_url, "pg_dump"),
        ("PASSER_CHROMA_URL", settings.chroma_url, "a copy of the stopped server's folder"),
    ):
        if value:
            raise ConfigError(
                f"Back up what the server of {name} keeps with {means}: passer backup and restore are for what PaSSER "
                "keeps itself.",
                field=name,
            )
