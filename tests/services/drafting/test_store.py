"""The migration to drafted questions: marks of assessments stay, and belong to their assessment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import create_engine, text

from passer.adapters.store.database import Database, migrations
from tests.adapters.store.test_migrations import add_missing


def test_marks_survive_the_migration_to_drafts(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}"
    engine, config = create_engine(url), migrations()
    rows: dict[str, dict[str, Any]] = {}
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0015")
        add_missing(connection, rows)
    engine.dispose()
    database = Database(url)
    with database.begin() as connection:
        assert connection.execute(text("SELECT sweep_id FROM assessments")).scalars().all() == [
            rows["assessments"]["sweep_id"]
        ]
        marks = text("SELECT assessment_id, item_key FROM marks")
        kept = rows["marks"]
        assert connection.execute(marks).all() == [(kept["assessment_id"], kept["item_key"])]
        # The marks still belong to their assessment.
        connection.execute(text("DELETE FROM assessments"))
        assert connection.execute(marks).all() == []
    database.close()
