"""The listing of a backup: its members with their digests."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from passer.domain.base import Frozen

LISTING = "backup.json"
"""Name of the member that lists the others."""
DATABASE = "passer.sqlite3"
"""Name of the database in a home folder."""
CHROMA = "chroma"
"""Name of the folder of embedded collections in a home folder."""
PROJECTS = "projects"
"""Name of the folder in a home folder with the homes of the projects."""


def _inside(path: str) -> str:
    """Refuse a path that would leave the target folder."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or str(pure) != path or {".", ".."} & set(pure.parts) or "\\" in path or path == LISTING:
        raise ValueError("a path must be relative, inside the backup, and normalised")
    return path


def project_homes(home: Path) -> list[Path]:
    """Return the homes of the projects in a home folder that have a database."""
    return sorted(path.parent for path in home.glob(f"{PROJECTS}/[!.]*/{DATABASE}"))


class ArchivedFile(Frozen):
    """One file of the home folder."""

    path: Annotated[str, AfterValidator(_inside)]
    """Path below the home folder, with slashes."""
    size: int = Field(ge=0)
    """Bytes."""
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    """SHA-256 of its bytes, hex."""


class BackupListing(Frozen):
    """The listing of a backup."""

    format: Literal[1] = 1
    """Version of the backup's form."""
    passer: str
    """PaSSER version that made it."""
    made_at: datetime
    """UTC."""
    files: tuple[ArchivedFile, ...]
    """Every other member, by path."""

    @property
    def size(self) -> int:
        """Bytes of all files together, unpacked."""
        return sum(file.size for file in self.files)
