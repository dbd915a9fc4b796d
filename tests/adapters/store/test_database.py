"""The database itself: migrations, transactions, writers beside each other."""

from __future__ import annotations

import threading

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from passer.adapters.store.database import Database
from passer.adapters.store.schema import metadata
from passer.domain.run import Evaluation
from passer.errors import ConflictError, StoreUnavailable
from passer.ports import (
    AnswerFact,
    EvaluationFact,
)
from tests.adapters.store.made import SqlStore, answer


def test_the_migrations_make_the_schema(tmp_path):
    opened = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    with opened.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 1
    opened.close()


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
