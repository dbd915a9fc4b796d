"""Values of a project in its database."""

from __future__ import annotations

from contextlib import closing

import pytest

from passer.adapters.store.database import Database
from passer.adapters.store.project_settings import DatabaseSettings


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_values_are_kept_by_name_and_deleted(kind, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'passer.sqlite3'}" if kind == "sqlite" else request.getfixturevalue("empty_postgres")
    with closing(Database(url)) as database:
        store = DatabaseSettings(database)
        assert store.values() == {}
        store.set("embedding", "embedded")
        store.set("embedding", "ollama/all-minilm")
        store.set("ledger_granularity", "run")
        assert DatabaseSettings(database).values() == {"embedding": "ollama/all-minilm", "ledger_granularity": "run"}
        assert store.unset("embedding")
        assert not store.unset("embedding")
        assert store.values() == {"ledger_granularity": "run"}


def test_projects_of_one_server_have_values_of_their_own(empty_postgres):
    with closing(Database(empty_postgres)) as one, closing(Database(empty_postgres, schema="passer-beta")) as other:
        DatabaseSettings(one).set("embedding", "embedded")
        assert DatabaseSettings(other).values() == {}
