"""New SQLite databases of the tests are copies of one that the real migrations made, once per process.

To migrate takes a quarter of a second of processor time and to copy five milliseconds; the tests open more than a
thousand new databases. The real code opens each copy, and finds it at the newest revision. Processes that the tests
start migrate their own databases.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from uuid import uuid4

import pytest

from passer.adapters.store.database import Database


@contextmanager
def copied_databases(folder: Path) -> Iterator[None]:
    """Open new SQLite databases as copies of one in this folder."""
    migrate, making, first = Database._migrate, Lock(), folder / "migrated.sqlite3"

    def copy_or_migrate(self: Database) -> None:
        path = Path(self._engine.url.database or ":memory:")
        if self.dialect == "sqlite" and path not in (Path(":memory:"), first) and not path.exists():
            with making:
                if not first.exists():
                    Database(f"sqlite:///{first}").close()
            copy(first, path)
        migrate(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_migrate", copy_or_migrate)
        yield


def copy(file: Path, path: Path) -> None:
    """Copy a file, whole or not at all and never over another; where it cannot be copied, the real code says why."""
    part = path.with_name(f"{path.name}.{uuid4().hex}")
    with suppress(OSError):
        try:
            shutil.copyfile(file, part)
            os.link(part, path)
        finally:
            part.unlink(missing_ok=True)
