"""One database: the engine, its pragmas, its migrations, and the translation of its errors."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, Insert, Table, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from passer.domain.dataset import Dataset
from passer.domain.remembering import Remembered
from passer.errors import ConfigError, ConflictError, StoreUnavailable
from passer.ports import RunScores

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATION_LOCK = 7_277_537
"""Any number that nobody else locks on the same server."""
MOST_COUNTS, MOST_QUESTIONS, MOST_SCORED = 50_000, 200_000, 200_000
"""How much of what cannot change is kept in memory; a scored row takes about 300 bytes."""
BUSY_TIMEOUT_S = 20
"""How long a writer waits for another process's write before it gives up."""


class Database:
    """SQLite (WAL, synchronous NORMAL) or PostgreSQL, opened and brought to the current schema."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.finished: Remembered[dict[str, int]] = Remembered(MOST_COUNTS)
        """Counts of finished runs."""
        self.scores: Remembered[RunScores] = Remembered(MOST_SCORED)
        """Scores of finished runs; weighed by their rows."""
        self.datasets: Remembered[Dataset] = Remembered(MOST_QUESTIONS)
        """Versions of datasets, which never change; weighed by their questions."""
        try:
            self._engine = _engine(url)
        except (ArgumentError, NoSuchModuleError, ImportError) as exc:
            raise ConfigError(
                "PASSER_DATABASE_URL is no address of a database: write postgresql+psycopg://user@host/name "
                '(after `pip install "passer[postgres]"`), or leave it out.',
                field="database_url",
            ) from exc
        self._migrate()

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """A transaction that writes: all of it or nothing."""
        with _translated(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """A connection that reads."""
        with _translated(), self._engine.connect().execution_options(reads=True) as connection:
            yield connection

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._engine.dialect.name

    def insert(self, table: Table) -> Any:
        """The dialect's INSERT, which knows ON CONFLICT."""
        return insert_for(self._engine.dialect.name, table)

    def seconds(self, connection: Connection) -> float:
        """Time as every process on this database sees it: the server's clock, or this machine's for a file."""
        if self._engine.dialect.name != "postgresql":
            return time.time()
        return float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    def _migrate(self) -> None:
        from alembic import command

        config = _migrations()
        with _translated(), self._engine.begin() as connection:
            if self._engine.dialect.name == "postgresql":
                # Servers that start together on a new database would each make the tables.
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def knows_schema(revision: str) -> bool:
    """Whether a database with this revision can be opened, and brought to the current schema."""
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    try:
        return ScriptDirectory.from_config(_migrations()).get_revision(revision) is not None
    except CommandError:
        return False


def _migrations() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parents[2] / "migrations"))
    return config


def insert_for(dialect: str, table: Table) -> Insert:
    """INSERT with ON CONFLICT of a dialect; both dialects spell it the same."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10})
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_S})

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        # Process death must not lose a commit; power loss may lose the last ones, which is what WAL + NORMAL gives.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # IMMEDIATE: a writer waits at the start, within the busy timeout, instead of failing when it upgrades its lock.
        connection.exec_driver_sql("BEGIN" if connection.get_execution_options().get("reads") else "BEGIN IMMEDIATE")

    return engine


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except IntegrityError as exc:
        raise ConflictError(f"The database holds something that this contradicts: {exc.orig}.") from exc
    except DBAPIError as exc:
        raise StoreUnavailable(_advice(str(exc.orig))) from exc
    except SQLAlchemyError as exc:
        raise StoreUnavailable(f"The database refused: {exc}.") from exc


def _advice(problem: str) -> str:
    low = problem.lower()
    if "locked" in low:
        return "The database is locked by another program: stop that program, then try again."
    if "full" in low or "no space" in low:
        return "The disk that holds the database is full: free some space, then resume."
    if "unable to open" in low or "readonly" in low:
        return "The database cannot be opened for writing: check the folder's permissions, or set PASSER_HOME."
    if "connect" in low:
        return "The database does not answer: start it, or check PASSER_DATABASE_URL."
    return f"The database failed: {problem.splitlines()[0] if problem else 'no reason given'}."
