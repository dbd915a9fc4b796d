"""Every store: in memory, SQLite, and PostgreSQL where its binaries are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, make_url, text

from passer.adapters.store.database import Database
from tests.adapters.store.made import SqlStore
from tests.adapters.store.recorded import Stores
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.postgres import postgres_url

NUMBERS = count()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres_url(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture(scope="session")
def migrated_postgres(postgres: str) -> str:
    """Name of a database that the real migrations made: to copy it takes a tenth of their time."""
    with administrator(postgres) as connection:
        connection.execute(text("CREATE DATABASE migrated"))
    Database(of_name(postgres, "migrated")).close()
    return "migrated"


@pytest.fixture
def empty_postgres(postgres: str, migrated_postgres: str) -> Iterator[str]:
    """URL of a database at the newest revision without rows, for one test alone."""
    with new_database(postgres, template=migrated_postgres) as url:
        yield url


@pytest.fixture
def unmigrated_postgres(postgres: str) -> Iterator[str]:
    """URL of a database without tables, for one test alone."""
    with new_database(postgres, template="template1") as url:
        yield url


@contextmanager
def new_database(postgres: str, *, template: str) -> Iterator[str]:
    name = f"test_{next(NUMBERS)}"
    with administrator(postgres) as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
        yield of_name(postgres, name)
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


@contextmanager
def administrator(postgres: str) -> Iterator[Connection]:
    """Yield a connection without transactions, as statements about databases need it."""
    engine = create_engine(postgres, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def of_name(postgres: str, name: str) -> str:
    return make_url(postgres).set(database=name).render_as_string(hide_password=False)


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
