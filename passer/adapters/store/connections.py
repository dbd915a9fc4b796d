"""Connected model servers in the database."""

from __future__ import annotations

from sqlalchemy import delete, select

from passer.adapters.store.database import Database
from passer.adapters.store.schema import connections
from passer.domain.models.connection import Connection
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError


class DatabaseConnections:
    """ports.ConnectionStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list_connections(self) -> list[Connection]:
        return [Connection(**row) for row in self._database.rows(select(connections).order_by(connections.c.name))]

    def find(self, name: str) -> Connection:
        row = self._database.row(select(connections).where(connections.c.name == name))
        if row is None:
            raise NotFoundError(sentence("connection.unknown", name=name))
        return Connection(**row)

    def save(self, connection: Connection) -> None:
        row = {column.name: getattr(connection, column.name) for column in connections.c}
        row["places"] = connection.places and connection.places.model_dump(exclude_none=True)
        with self._database.begin() as opened:
            opened.execute(delete(connections).where(connections.c.name == connection.name))
            opened.execute(connections.insert().values(row))

    def delete(self, name: str) -> None:
        if not self._database.change(delete(connections).where(connections.c.name == name)):
            raise NotFoundError(sentence("connection.unknown", name=name))
