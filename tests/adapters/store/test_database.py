"""The database: migrations, transactions, concurrent writers."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text

from passer.adapters import store
from passer.adapters.store import database as database_module
from passer.adapters.store.database import MIGRATION_LOCK, Database, migrations
from passer.adapters.store.studies import DatabaseStudies
from passer.adapters.store.table_parts import metadata
from passer.domain.base import canonical_json
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.sweeps.run import Evaluation
from passer.errors import ConfigError, ConflictError, StoreUnavailable
from passer.ports import AnswerFact, EvaluationFact, RunQuery, WorkProgress
from tests.adapters.store.made import SqlStore, answer, sweep
from tests.forked import Captured
from tests.waiting import wait_until

for module in iter_modules(store.__path__, f"{store.__name__}."):
    import_module(module.name)  # Each adds its tables to the metadata.


def test_the_migrations_make_the_schema(tmp_path):
    opened = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    with opened.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 1
    opened.close()


def one_migration_behind(url: str) -> str:
    """Make a database as it was before the last migration, and return its revision."""
    engine, config = create_engine(url), migrations()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head-1")
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    engine.dispose()
    return str(revision)


def test_a_file_is_copied_before_it_is_migrated_and_only_then(tmp_path):
    file = tmp_path / "a.sqlite3"
    kept = tmp_path / "a.sqlite3.before-migration"
    url = f"sqlite:///{file}"
    Database(url).close()
    Database(url).close()
    assert not kept.exists()
    file.unlink()
    before = one_migration_behind(url)
    kept.with_name(kept.name + ".partial").write_bytes(b"of a process that was killed")
    Database(url).close()
    assert [path.name for path in tmp_path.iterdir() if "migration" in path.name] == [kept.name]
    with create_engine(f"sqlite:///{kept}").connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == before


def test_a_database_that_another_program_writes_for_long_is_named_and_read_meanwhile(tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT_S", 0.05)
    database = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    with closing(sqlite3.connect(tmp_path / "a.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="locked by another program"), database.begin():
            pass
        with database.connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM runs")).scalar_one() == 0
        other.execute("ROLLBACK")
    with database.begin() as connection:
        assert connection.execute(text("DELETE FROM runs")).rowcount == 0
    database.close()


def test_a_value_that_no_table_can_hold_is_not_a_database_that_is_gone_for_a_moment(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    with pytest.raises(ConflictError, match="too big"), database.connect() as connection:
        connection.execute(text("SELECT zeroblob(2000000000)"))
    database.close()


def test_a_file_that_cannot_be_copied_is_not_migrated(tmp_path):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}"
    before = one_migration_behind(url)
    (tmp_path / "a.sqlite3.before-migration.partial").mkdir()
    with pytest.raises(StoreUnavailable, match="The database failed"):
        Database(url)
    with create_engine(url).connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == before


def test_a_database_of_a_newer_program_is_refused_and_unchanged(tmp_path):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}"
    opened = Database(url)
    with opened.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    opened.close()
    with pytest.raises(ConfigError, match="newer PaSSER"):
        Database(url)
    with create_engine(url).connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "9999"


def test_a_transaction_is_whole_or_not_at_all(tmp_path):
    opened = SqlStore(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    wrong = EvaluationFact(Evaluation(run_id="no such run", number=0, question_id="q0"))
    with pytest.raises(ConflictError):
        opened.record([AnswerFact(answer()), wrong])
    assert opened.answers(["k" * 64]) == {}
    opened.database.close()


def test_two_processes_worth_of_writers_wait_for_each_other(tmp_path):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}"
    stores = [SqlStore(url), SqlStore(url)]
    problems: list[Exception] = []

    def write(store: SqlStore, mark: str) -> None:
        try:
            for number in range(50):
                store.record([AnswerFact(answer(f"{mark}{number}".ljust(64, "x")))])
        except Exception as exc:
            problems.append(exc)

    threads = [threading.Thread(target=write, args=pair) for pair in zip(stores, "ab", strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert problems == []
    keys = [f"{mark}{number}".ljust(64, "x") for mark in "ab" for number in range(50)]
    assert len(stores[0].answers(keys)) == 100
    for opened in stores:
        opened.database.close()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        Database(f"sqlite:///{tmp_path / 'missing' / 'a.sqlite3'}")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_sweeps_of_an_earlier_version_keep_their_lease_progress_and_place(kind, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}" if kind == "sqlite" else request.getfixturevalue("unmigrated_postgres")
    engine = create_engine(url)
    config = migrations()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0003")
        put = "INSERT INTO sweeps (id, spec, dataset, dataset_digest, question_count, created_at, lease_owner, "
        put += "lease_until, progress) VALUES (:id, :spec, 'farm', 'd', 3, '2026-01-01', :owner, :until, :progress)"
        spec = sweep().sweep.model_dump_json()
        progress = '{"stage": "answering", "done": 2, "total": 6, "updated_at": "2026-01-01T00:00:00Z"}'
        new = {"spec": spec, "owner": None, "until": None, "progress": None}
        connection.execute(text(put), {**new, "id": "idle"})
        connection.execute(text(put), {**new, "id": "busy", "owner": "h:1:a", "until": 9e9, "progress": progress})
        run = "INSERT INTO runs (id, sweep_id, position, name, config, is_baseline, state, held, scored_by, created_at)"
        run += " VALUES (:id, :sweep, 0, 'run', :config, :no, 'running', :no, '{}', '2026-01-01')"
        given = {"config": sweep().runs[0].config.model_dump_json(), "no": False}
        for name in ("idle", "busy"):
            connection.execute(text(run), {**given, "id": f"{name}-000", "sweep": name})
        connection.execute(text("INSERT INTO leases (name, owner, until) VALUES ('poster', 'h:1:a', 1)"))
    engine.dispose()

    opened = SqlStore(url)
    assert [(row.id, row.kind, row.owner) for row in opened.work.waiting()] == [
        ("posting", "post", None), ("idle", "sweep", None), ("busy", "sweep", "h:1:a"),
    ]  # fmt: skip
    assert opened.work.find("busy").progress == WorkProgress(message="answering", done=2, total=6)
    progress = opened.load_sweep("busy").progress
    assert (progress.stage, progress.total) == ("answering", 6)
    assert opened.load_sweep("idle").progress is None
    assert [run.id for run in opened.load_sweep("idle").runs] == ["idle-000"]
    assert opened.find_runs(RunQuery()).total == 2
    opened.database.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_rankings_of_an_earlier_version_stay_with_their_sweep(kind, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}" if kind == "sqlite" else request.getfixturevalue("unmigrated_postgres")
    engine, config = create_engine(url), migrations()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0003")
        spec = sweep().sweep.model_dump_json()
        put = "INSERT INTO sweeps (id, spec, dataset, dataset_digest, question_count, created_at) "
        for name in ("one", "two"):
            connection.execute(
                text(f"{put} VALUES (:id, :spec, 'farm', 'd', 3, '2026-01-01')"), {"id": name, "spec": spec}
            )
        for number in (0, 1):
            passage = {"id": f"p-0000{number}", "number": number}
            put = 'INSERT INTO passages (id, document, number, text, start, "end") '
            connection.execute(text(f"{put} VALUES (:id, 'book.txt', :number, 'text', 0, 4)"), passage)
        put = "INSERT INTO rankings (sweep_id, collection, question_id, passages, gold_ids, embedding_s, retrieval_s) "
        put += "VALUES (:sweep, :collection, :question, :passages, :gold, 0.5, 0.25)"
        found = {"passages": '[["p-00001", 0.75], ["p-00000", -0.25]]', "gold": '["p-00000"]'}
        connection.execute(text(put), {**found, "sweep": "one", "collection": "books", "question": "q/0"})
        connection.execute(text(put), {**found, "sweep": "one", "collection": "other", "question": "q/0", "gold": None})
        connection.execute(text(put), {**found, "sweep": "two", "collection": "books", "question": "q1"})
    engine.dispose()

    opened = SqlStore(url)
    [(question, kept)] = opened.rankings("one", RankedBy("books")).items()
    assert question == "q/0"
    assert [(each.id, each.rank, each.similarity) for each in kept.passages] == [
        ("p-00001", 1, 0.75), ("p-00000", 2, -0.25),
    ]  # fmt: skip
    assert (kept.gold_ids, kept.embedding_s, kept.retrieval_s) == (("p-00000",), 0.5, 0.25)
    assert opened.rankings("one", RankedBy("other"))["q/0"].gold_ids is None
    assert list(opened.rankings("two", RankedBy("books"))) == ["q1"]
    assert opened.effort("one").rankings == 2
    opened.database.close()


def open_and_close() -> None:
    """What each process does."""
    Database(sys.argv[1]).close()


@pytest.mark.parametrize("start", [None, "0012"])
def test_processes_that_start_together_on_postgresql_migrate_one_after_the_other(start, unmigrated_postgres):
    engine, config = create_engine(unmigrated_postgres), migrations()
    if start is not None:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, start)
            put = "INSERT INTO accounts (name, role, password, created_at) VALUES ('maria', 'admin', 'x', '2026-01-01')"
            connection.execute(text(put))
    # Of this database alone: tests beside this one wait for locks of theirs on the same server.
    here = "(SELECT oid FROM pg_database WHERE datname = current_database())"
    locks = f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = {here}"
    waiting = text(locks)
    with engine.begin() as connection:
        # As a third process that migrates, until both have found the database as it was.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        runs = f"{open_and_close.__module__}:{open_and_close.__name__}"
        started = [Captured(unmigrated_postgres, environment=dict(os.environ), runs=runs) for _ in range(2)]
        try:
            wait_until(lambda: connection.execute(waiting).scalar_one() == 2, "they do not wait", within_s=60)
        finally:
            connection.rollback()
            said = [each.communicate(timeout=60)[1] for each in started]
    assert [each.returncode for each in started] == [0, 0], said
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("SELECT count(*) FROM alembic_version")).scalar_one() == 1
        members = connection.execute(text("SELECT account, role FROM memberships")).all()
        assert [tuple(row) for row in members] == ([] if start is None else [("maria", "admin")])
    engine.dispose()


def test_studies_that_the_local_ledger_has_are_known_without_their_title(tmp_path):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}"
    engine, config = create_engine(url), migrations()
    written = {"action": "addtest", "config_digest": "c" * 64, "results": [1.0], "testid": "a" * 12}
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0037")
        for number, description in enumerate(("run 5weep-000", "study of sweep 5weep"), 1):
            row = {**dict.fromkeys(("previous", "digest", "identity"), str(number)), "sequence": number}
            entry = canonical_json({**written, "description": description, "run_digest": str(number) * 64}).decode()
            row |= {"recorded_at": "2026-01-05T09:00:00Z", "entry": entry, "testid": written["testid"]}
            connection.execute(text(f"INSERT INTO ledger ({', '.join(row)}) VALUES (:{', :'.join(row)})"), row)
    engine.dispose()
    opened = Database(url)
    [found] = DatabaseStudies(opened).published("5weep")
    assert DatabaseStudies(opened).documents(found.digest) is None
    DatabaseStudies(opened).add(found.model_copy(update={"title": "Nitrogen"}), {"study.json": b"{}"})
    [again] = DatabaseStudies(opened).published("5weep")
    assert DatabaseStudies(opened).documents(found.digest) == {"study.json": b"{}"}
    opened.close()
    assert (found.digest, found.title, found.is_kept) == ("2" * 64, None, False)
    assert (again.title, again.is_kept) == ("Nitrogen", True)
    assert found.recorded_at == datetime(2026, 1, 5, 9, tzinfo=UTC)
