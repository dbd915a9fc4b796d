"""Time stamps as files in the home folder of a project: DIGEST.tsr."""

from __future__ import annotations

import secrets
from pathlib import Path


class StampFiles:
    """ports.StampStore; a stamp that is there stays, because an older one shows more."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def stamp(self, digest: str) -> bytes | None:
        try:
            return self._path(digest).read_bytes()
        except FileNotFoundError:
            return None

    def keep(self, digest: str, reply: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(digest)
        # A name of its own: another process may keep a stamp of the same digest now.
        partial = path.with_suffix(f".{secrets.token_hex(8)}.part")
        partial.write_bytes(reply)
        try:
            # A link and no renaming: it fails where another process has kept an older stamp in this moment.
            path.hardlink_to(partial)
        except FileExistsError:
            pass
        except OSError:
            # A file system without links.
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self._folder / f"{digest}.tsr"
