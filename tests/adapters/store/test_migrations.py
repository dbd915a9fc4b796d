"""Every migration over tables that have rows: each row is there in the end, as far as its columns are."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, MetaData, Table, func, inspect, select, types

from passer.adapters.store.database import Database, _engine, migrations

OF_TYPE: dict[type[types.TypeEngine[Any]], Any] = {
    types.Boolean: False,
    types.Integer: 1,
    types.Float: 0.5,
    types.DateTime: datetime(2026, 1, 1, tzinfo=UTC),
    types.JSON: {},
    types.LargeBinary: b"x",
}
REWRITTEN = ("leases", "rankings")
"""Their rows went into other tables: tests of test_database.py follow them."""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_rows_of_every_version_are_still_there(kind, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}" if kind == "sqlite" else request.getfixturevalue("unmigrated_postgres")
    engine, config = _engine(url, None), migrations()
    rows: dict[str, dict[str, Any]] = {}
    for script in reversed(list(ScriptDirectory.from_config(config).walk_revisions())):
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, script.revision)
            add_missing(connection, rows)
    engine.dispose()
    database = Database(url)
    with database.connect() as connection:
        tables = reflected(connection)
        assert set(tables) >= set(rows) - set(REWRITTEN)
        for name in set(rows) - set(REWRITTEN):
            stored = [dict(row) for row in connection.execute(select(tables[name])).mappings()]
            kept = {column: value for column, value in rows[name].items() if column in tables[name].c}
            assert any(all(row[c] == v for c, v in kept.items()) for row in stored), name
    database.close()


def add_missing(connection: Connection, rows: dict[str, dict[str, Any]]) -> None:
    """Give each new table without a row one, and keep it as the database has it."""
    tables = reflected(connection, known=rows.keys())
    while tables:
        name, table = next(item for item in tables.items() if all(of in rows for of, _ in references(item[1])))
        if connection.execute(select(func.count()).select_from(table)).scalar_one() == 0:
            connection.execute(table.insert().values({column.name: value(column, rows) for column in table.c}))
        rows[name] = dict(connection.execute(select(table)).mappings().fetchmany(1)[0])
        del tables[name]


def reflected(connection: Connection, known: Collection[str] = ()) -> dict[str, Table]:
    """The tables that there are beside the known ones."""
    names = set(inspect(connection).get_table_names()) - {"alembic_version", *known}
    metadata = MetaData()
    if names:
        metadata.reflect(connection, only=names, resolve_fks=False)
    return {name: metadata.tables[name] for name in sorted(names)}


def references(of: Table | Column[Any]) -> list[list[str]]:
    """Table and column of each foreign key."""
    return [key.target_fullname.split(".") for key in of.foreign_keys]


def value(column: Column[Any], rows: dict[str, dict[str, Any]]) -> Any:
    for table, name in references(column):
        return rows[table][name]
    if isinstance(column.type, types.String):
        return "x"
    return next(given for kind, given in OF_TYPE.items() if isinstance(column.type, kind))
