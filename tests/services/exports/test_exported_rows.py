"""Rows of a sweep are read in parts, and are those that are stored."""

from __future__ import annotations

import pytest

from passer.domain.retrieval.retriever import RankedBy
from passer.services.exports import exported_rows
from tests.fake_evaluations import MemoryEvaluations
from tests.studies import PublishedSweep

AT_ONCE = 4
"""Not a divisor of the number of questions."""


def test_rows_are_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rankings and scores of all questions took gigabytes. The last evaluation of a part may be missing, as of a sweep
    that was paused."""
    monkeypatch.setattr(exported_rows, "AT_ONCE", AT_ONCE)
    sweep = PublishedSweep(questions=10)
    store, questions = sweep.study.store, sweep.study.store.load_dataset("farm").questions
    read: list[int] = []
    for name in ("rankings", "bare_rankings"):
        whole = getattr(MemoryEvaluations, name)

        def counted(self, *given, whole=whole):
            found = whole(self, *given)
            read.append(len(found))
            return found

        monkeypatch.setattr(type(store), name, counted)
    missing = sweep.stored.runs[0].id, 3
    every = store.evaluations
    monkeypatch.setattr(
        store,
        "evaluations",
        lambda run_id, *, after=-1, limit=None: [
            each for each in every(run_id, after=after) if (run_id, each.number) != missing
        ][:limit],
    )
    rows = list(exported_rows.exported_rows(sweep.stored, questions, store, with_passages=True))
    assert max(read) == AT_ONCE
    expected = [(run.id, number) for run in sweep.stored.runs for number in range(10) if (run.id, number) != missing]
    assert [(row.run.id, row.evaluation.number) for row in rows] == expected
    found = store.rankings(sweep.stored.id, RankedBy("books"))
    for row in rows:
        assert row.question.id == row.evaluation.question_id
        assert row.passages == found[row.question.id].passages
        assert row.ranking.ids == tuple(each.id for each in row.passages)
        assert row.answer.key == row.evaluation.answer_key
