"""Every store: in memory, SQLite, and PostgreSQL where its binaries are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.adapters.store.made import SqlStore
from tests.adapters.store.recorded import Stores
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.postgres import postgres_url


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres_url(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture
def empty_postgres(postgres: str) -> str:
    engine = create_engine(postgres)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return postgres


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore | SqlStore]:
    if request.param == "memory":
        yield MemoryStore(FakeClock())
        return
    url = f"sqlite:///{tmp_path / 'passer.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("empty_postgres")
    opened = SqlStore(url)
    yield opened
    opened.database.close()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    url = None if request.param == "memory" else f"sqlite:///{tmp_path / 'passer.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("empty_postgres")
    opened = Stores(url)
    yield opened
    if opened.database is not None:
        opened.database.close()


@pytest.fixture
def sql(tmp_path: Path) -> Iterator[Stores]:
    opened = Stores(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    yield opened
    opened.database.close()
