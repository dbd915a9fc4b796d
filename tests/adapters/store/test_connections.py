"""Connected model servers: the same tests for the database and the fake."""

from __future__ import annotations

from contextlib import closing

import pytest

from passer.adapters.store.connections import DatabaseConnections
from passer.adapters.store.database import Database
from passer.domain.models.connection import Connection
from passer.errors import NotFoundError
from passer.ports import ConnectionStore
from tests.fake_connections import FakeConnections

LAB = {"name": "lab", "kind": "openai", "url": "http://gpu:8000/v1"}


def held(store: ConnectionStore) -> None:
    store.save(Connection(**LAB, sealed_key="sealed"))
    store.save(Connection(**{**LAB, "name": "attic"}))
    assert store.find("lab").sealed_key == "sealed"
    store.save(Connection(**LAB, key_variable="PASSER_KEY_LAB"))
    assert [(each.name, each.key) for each in store.list_connections()] == [("attic", "none"), ("lab", "environment")]
    store.delete("lab")
    for act in (store.find, store.delete):
        with pytest.raises(NotFoundError, match="no connected model server"):
            act("lab")


def test_connections_are_kept_by_name_in_the_database(tmp_path):
    with closing(Database(f"sqlite:///{tmp_path / 'passer.sqlite3'}")) as database:
        held(DatabaseConnections(database))


def test_the_fake_keeps_them_alike():
    held(FakeConnections())
