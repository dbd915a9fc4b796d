"""The migration to drafted questions: assessments of answers keep their marks and draws."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from sqlalchemy import text

from passer.adapters.store.database import migrations
from passer.domain.judging.marks import Mark
from passer.ports import MarkFact
from tests.services.judging.made import Judged


def test_marks_survive_the_migration_back_and_forth(tmp_path: Path) -> None:
    judged = Judged(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    judged.fill()
    assessment_id = judged.create()
    marks = [Mark(assessment_id=assessment_id, item_key=f"{n}" * 64, column="Faithfulness", value=0.5) for n in "ab"]
    judged.store.record([MarkFact(mark) for mark in marks])
    for revision in ("0015", "head"):
        with judged.store.database.begin() as connection:
            config = migrations()
            config.attributes["connection"] = connection
            (command.downgrade if revision == "0015" else command.upgrade)(config, revision)
    assert judged.judgements.marks(assessment_id) == marks
    assert judged.judgements.assessment(assessment_id).sweep_id == "sweep"
    with judged.store.database.begin() as connection:
        # The marks still belong to their assessment.
        connection.execute(text("DELETE FROM assessments"))
    assert judged.judgements.marks(assessment_id) == []
    judged.close()
