"""Settings of a project in its database."""

from __future__ import annotations

from sqlalchemy import delete, select

from passer.adapters.store.database import Database
from passer.adapters.store.schema import project_settings


class DatabaseSettings:
    """ports.SettingStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def values(self) -> dict[str, str]:
        with self._database.connect() as opened:
            return {row.name: row.value for row in opened.execute(select(project_settings))}

    def set(self, name: str, value: str) -> None:
        with self._database.begin() as opened:
            opened.execute(delete(project_settings).where(project_settings.c.name == name))
            opened.execute(project_settings.insert().values(name=name, value=value))

    def unset(self, name: str) -> bool:
        return bool(self._database.change(delete(project_settings).where(project_settings.c.name == name)))
