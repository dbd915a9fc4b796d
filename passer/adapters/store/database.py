"""The database: engine, pragmas, migrations, and translation of its errors."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, Insert, Select, Table, bindparam, create_engine, event, inspect, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from passer.domain.dataset import Dataset
from passer.domain.extras import requires_extra
from passer.domain.lru_cache import LruCache
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import ConfigError, ConflictError, StoreUnavailable
from passer.ports import RunScores

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import RowMapping, UpdateBase

MIGRATIONS = Path(__file__).parents[2] / "migrations"
BEFORE_MIGRATION = ".before-migration"
"""Suffix of the copy of an SQLite file as it was before its last migration."""
MIGRATION_LOCK = 7_277_537
"""Key of the advisory lock that serialises migrations on one PostgreSQL server."""
MOST_COUNTS, MOST_QUESTIONS, MOST_SCORED = 50_000, 200_000, 200_000
"""Capacity of the in-memory caches of immutable results; a scored row takes about 300 bytes."""
LOOKUP = 500
"""Keys per query: below every database's limit on bound parameters."""
BUSY_TIMEOUT_S = 20
"""Time a writer waits for another process's write."""


class Database:
    """SQLite (WAL, synchronous NORMAL) or PostgreSQL, migrated to the current schema."""

    def __init__(self, url: str, *, schema: str | None = None) -> None:
        """Open the database at an address; `schema` names the one to use on PostgreSQL, which is made if it is new."""
        self.url = url
        self.finished: LruCache[tuple[str, datetime], dict[str, int]] = LruCache(MOST_COUNTS)
        """Counts of finished runs."""
        self.scores: LruCache[tuple[str, datetime], RunScores] = LruCache(
            MOST_SCORED, weigh=lambda scores: 1 + len(scores.numbers)
        )
        """Scores of finished runs, weighted by rows."""
        self.datasets: LruCache[tuple[int, str], Dataset] = LruCache(
            MOST_QUESTIONS, weigh=lambda dataset: len(dataset.questions)
        )
        """Versions of datasets, weighted by questions."""
        try:
            with requires_extra("postgres", "PostgreSQL", ConfigError):
                self._engine = _engine(url, schema)
        except (ArgumentError, NoSuchModuleError) as exc:
            raise ConfigError(sentence("database.address"), field="database_url") from exc
        self._migrate()

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Yield a write transaction that commits everything or nothing."""
        with _translated(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Yield a read connection."""
        with _translated(), self._engine.connect().execution_options(reads=True) as connection:
            yield connection

    def row(self, query: Select[Any]) -> RowMapping | None:
        """Return the only row of a query; None without one."""
        with self.connect() as connection:
            return connection.execute(query).mappings().one_or_none()

    def rows(self, query: Select[Any]) -> Sequence[RowMapping]:
        """Return all rows of a query."""
        with self.connect() as connection:
            return connection.execute(query).mappings().all()

    def values(self, query: Select[Any]) -> Sequence[Any]:
        """Return the first column of all rows of a query."""
        with self.connect() as connection:
            return connection.execute(query).scalars().all()

    def change(self, statement: UpdateBase) -> int:
        """Execute a statement in a separate transaction; return the number of changed rows."""
        with self.begin() as connection:
            return connection.execute(statement).rowcount

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._engine.dialect.name

    def insert(self, table: Table) -> Any:
        """Return the dialect's INSERT, which supports ON CONFLICT."""
        return insert_for(self._engine.dialect.name, table)

    def seconds(self, connection: Connection) -> float:
        """Return the time shared by all processes on this database: the server's, or this machine's for a file."""
        if self._engine.dialect.name != "postgresql":
            return time.time()
        return float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())

    def one_at_a_time(self, connection: Connection, name: str) -> None:
        """Let one transaction with this name run at a time, on PostgreSQL; SQLite has one writer anyway."""
        if self._engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name})

    def close(self) -> None:
        self._engine.dispose()

    def _migrate(self) -> None:
        with self.connect() as connection:
            # Most starts find it so, and then need neither Alembic nor a lock for writing.
            if _revisions(connection) == (_newest_revision(),):
                return
        from alembic import command

        config = migrations()
        with _translated(), self._engine.begin() as connection:
            if self._engine.dialect.name == "postgresql":
                # Servers that start together on a new database would each create the tables.
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            _refuse_newer(connection)
            self._keep_copy(connection)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def _keep_copy(self, connection: Connection) -> None:
        """Copy a file that is about to be migrated; who holds the write lock sees it as it was before."""
        name = self._engine.url.database
        if self.dialect != "sqlite" or not name or _revisions(connection) in ((), (_newest_revision(),)):
            return
        kept = Path(name + BEFORE_MIGRATION)
        # Its own name only once it is whole: a copy that a full disk cut off would pass for the database as it was.
        unfinished = kept.with_name(kept.name + ".partial")
        try:
            unfinished.unlink(missing_ok=True)
            copy_file(Path(name), unfinished)
            unfinished.replace(kept)
        except (OSError, sqlite3.Error) as exc:
            # What there is of it may be as large as the disk had room for.
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise StoreUnavailable(_advice(str(exc))) from exc


def copy_file(database: Path, copied: Path) -> None:
    """Copy an SQLite database as of one moment, including other processes' commits."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copied)) as copy:
        source.backup(copy)


def _revisions(connection: Connection) -> tuple[str, ...]:
    """Return the revisions that a database is at; none for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return ()
    return tuple(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


def _newest_revision() -> str:
    """Return the revision of the last migration, which the names of their files begin with."""
    return max(path.name for path in (MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]


def _refuse_newer(connection: Connection) -> None:
    if not all(knows_schema(revision) for revision in _revisions(connection)):
        raise ConfigError(sentence("database.newer"), field="database_url")


def knows_schema(revision: str) -> bool:
    """Check that a database of this revision can be opened, and migrate it to the current schema."""
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    try:
        return ScriptDirectory.from_config(migrations()).get_revision(revision) is not None
    except CommandError:
        return False


def migrations() -> Config:
    """Return Alembic's configuration; its `connection` attribute is still to be set."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def insert_for(dialect: str, table: Table) -> Insert:
    """Return the dialect's INSERT with ON CONFLICT; both dialects have the same interface."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


def by_key(
    connection: Connection, table: Table, key: str, wanted: Sequence[str], columns: tuple[str, ...] = ()
) -> dict[str, dict[str, Any]]:
    """Return the rows of a table whose key is wanted, by key; with `columns` only these, among them the key."""
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(wanted), LOOKUP):
        rows = connection.execute(_query(table, key, columns), {"wanted": wanted[start : start + LOOKUP]}).mappings()
        found.update((row[key], dict(row)) for row in rows)
    return found


@cache
def _query(table: Table, key: str, columns: tuple[str, ...]) -> Select[Any]:
    # Composed once: for a single row, composing it again takes longer than the database does.
    read = table.c[columns] if columns else table.c
    return select(*read).where(table.c[key].in_(bindparam("wanted", expanding=True)))


def _engine(url: str, schema: str | None) -> Engine:
    if not url.startswith("sqlite"):
        # A pooled connection may be dead after a restart of the server: pinged first, it is replaced instead of failing
        # a commit.
        engine = create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10})
        if schema is not None:
            # First, so that SQLAlchemy finds this schema when it asks which one is the default.
            event.listen(engine, "connect", partial(_use_schema, schema), insert=True)
        return engine
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_S})

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        # The death of the process must not lose a commit. Power loss may lose the last ones with WAL and NORMAL.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # IMMEDIATE: a writer waits at the start, within the busy timeout, instead of failing when it upgrades its lock.
        # Past SQLAlchemy, whose way takes as long as a short query.
        begin = "BEGIN" if connection.get_execution_options().get("reads") else "BEGIN IMMEDIATE"
        connection.connection.cursor().execute(begin)

    return engine


def _use_schema(schema: str, connection: Any, _record: Any) -> None:
    """Make all statements of a connection work in one schema, with no other behind it."""
    connection.autocommit = True
    with connection.cursor() as cursor:
        # Two servers that open a new project at once would both find no schema.
        cursor.execute("SELECT pg_advisory_lock(%s)", (MIGRATION_LOCK,))
        cursor.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        cursor.execute("SELECT pg_advisory_unlock(%s)", (MIGRATION_LOCK,))
        cursor.execute(f'SET search_path TO "{schema}"')
    connection.autocommit = False


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except IntegrityError as exc:
        raise ConflictError(sentence("database.conflict", cause=str(exc.orig))) from exc
    except DataError as exc:
        # No later moment helps: work that waits for the database would wait for ever.
        raise ConflictError(sentence("database.rejected", cause=str(exc.orig))) from exc
    except DBAPIError as exc:
        raise StoreUnavailable(_advice(str(exc.orig))) from exc
    except sqlite3.Error as exc:  # of the beginning of a transaction
        raise StoreUnavailable(_advice(str(exc))) from exc
    except SQLAlchemyError as exc:
        raise StoreUnavailable(sentence("database.rejected", cause=str(exc))) from exc


def _advice(problem: str) -> Sentence:
    low = problem.lower()
    if "locked" in low:
        return sentence("database.locked")
    if "full" in low or "no space" in low:
        return sentence("database.full")
    if "unable to open" in low or "readonly" in low:
        return sentence("database.read-only")
    if "connect" in low:
        return sentence("database.away")
    cause = problem.splitlines()[0] if problem else sentence("database.no-reason")
    return sentence("database.failed", cause=cause)
