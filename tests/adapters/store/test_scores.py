"""All scores of a run at once, from every store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import func, select

from passer.adapters.store import run_tables
from passer.adapters.store.database import Database
from passer.domain.models.answer import Answer, ModelTimings
from passer.domain.models.generation import abstention
from passer.domain.score import VECTOR_ORDER, Score
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import sentence
from passer.ports import AnswerFact, Fact, Outcome, PairFact
from tests.adapters.store.made import SqlStore, evaluation, sweep


def test_scores_of_a_run_come_as_arrays_with_their_reasons(store):
    store.create_sweep(sweep())
    found = {"METEOR": Score(value=0.5), "BLEU": Score(value=None, reason="no_tokens")}
    cut = {"F1 Score": Score(value=0.25, note="answer_cut_off")}
    store.record(
        [
            PairFact("p" * 64, found | cut, scoring_s=0.0),
            evaluation(2, state="scored", pair_key="p" * 64),
            evaluation(0, state="failed", reason="gone"),
            evaluation(1, state="answered"),
        ]
    )
    scores = store.run_scores("sweep-000")
    assert scores.numbers == (0, 2)
    columns = scores.table.columns
    failed, scored = (dict(zip(columns, row, strict=True)) for row in scores.table.reasons)
    assert set(failed.values()) == {"generation_failed"}
    assert (scored["METEOR"], scored["BLEU"], scored["F1 Score"], scored["Rouge-1.f"]) == (
        None,
        "no_tokens",
        None,
        "not_requested",
    )
    values = dict(zip(columns, scores.table.values[1], strict=True))
    assert (values["METEOR"], values["F1 Score"], values["BLEU"]) == (0.5, 0.25, 0.0)
    noted = {row: dict(zip(columns, notes, strict=True)) for row, notes in scores.table.notes.items()}
    assert {row: {column for column, note in notes.items() if note} for row, notes in noted.items()} == {
        1: {"F1 Score"}
    }
    assert noted[1]["F1 Score"] == "answer_cut_off"
    assert store.run_scores("sweep-001").numbers == ()


def test_scores_of_a_long_run_are_what_was_recorded_to_the_last_bit(store):
    store.create_sweep(sweep())
    expected = np.random.default_rng(7).normal(0, 3, (2100, 24))
    facts: list[Fact] = []
    for number, row in enumerate(expected):
        # Two columns change places, as they would in what an older version kept.
        names = VECTOR_ORDER if number != 1500 else (*VECTOR_ORDER[1::-1], *VECTOR_ORDER[2:])
        values = dict(zip(VECTOR_ORDER, map(float, row), strict=True))
        key = f"{number:064d}"
        facts.append(PairFact(key, {name: Score(value=values[name]) for name in names}, scoring_s=0.0))
        facts.append(evaluation(number, state="scored", pair_key=key))
    store.record(facts)
    scores = store.run_scores("sweep-000")
    assert np.array_equal(scores.table.values, expected)
    assert scores.table.present.all()
    assert scores.numbers == tuple(range(2100))


def test_scores_of_a_finished_run_that_is_opened_again_are_those_of_now(store):
    store.create_sweep(sweep())
    scores = {name: Score(value=0.5) for name in VECTOR_ORDER}
    store.record(
        [
            PairFact("p" * 64, scores, scoring_s=0.0),
            evaluation(0, state="scored", pair_key="p" * 64),
            evaluation(1, state="failed", reason="gone"),
        ]
    )
    store.set_state(["sweep-000"], RunState.FINISHED)
    assert store.run_scores("sweep-000").numbers == (0, 1)
    assert store.run_scores("sweep-000").table.present.all(axis=1).tolist() == [True, False]
    store.reopen(["sweep-000"])
    assert store.run_scores("sweep-000").numbers == (0,)
    store.record([evaluation(1, state="scored", pair_key="p" * 64)])
    store.set_state(["sweep-000"], RunState.FINISHED)
    assert store.run_scores("sweep-000").table.present.all()


def test_what_became_of_each_question_comes_without_texts(store):
    store.create_sweep(sweep())
    said = Answer(
        key="a" * 64,
        text="Clover.",
        raw="Clover.",
        abstained=True,
        truncated="answer",
        timings=ModelTimings(prompt_eval_count=120, eval_count=7),
        generation_s=1.5,
    )
    store.record(
        [
            AnswerFact(said),
            AnswerFact(abstention()),
            evaluation(2, state="answered", answer_key=said.key, prompt_digest="d" * 64, kept=(1, 4)),
            evaluation(0, state="failed", reason="gone", kept=(0, 2)),
            evaluation(3, state="failed", reason=sentence("server.context", server="s", said="too long")),
            evaluation(1, state="answered", answer_key=abstention().key),
        ]
    )
    nothing = (None, None, None, None, None)
    assert store.outcomes("sweep-000") == [
        Outcome(0, "q0", "failed", (0, 2), None, *nothing),
        Outcome(1, "q1", "answered", (0, 0), None, True, None, 0.0, None, None),
        Outcome(2, "q2", "answered", (1, 4), "d" * 64, True, "answer", 1.5, 120, 7, 120),
        Outcome(3, "q3", "failed", (0, 0), None, *nothing, is_too_long=True),
    ]
    assert store.outcomes("sweep-001") == []


@pytest.fixture
def sql(tmp_path: Path) -> Iterator[SqlStore]:
    opened = SqlStore(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    yield opened
    opened.database.close()


@pytest.fixture
def stored_tables(monkeypatch):
    """Runs of two questions are worth a table."""
    monkeypatch.setattr(run_tables, "FEWEST_STORED", 2)


def _mixed(answer_key: str) -> list[Fact]:
    """Questions that are scored, in part and with a note, answered only, and failed."""
    whole = {name: Score(value=n / 7) for n, name in enumerate(VECTOR_ORDER)}
    partly = {"METEOR": Score(value=-0.0), "BLEU": Score(value=None, reason="no_tokens")}
    noted = whole | {"F1 Score": Score(value=0.25, note="answer_cut_off")}
    timings = ModelTimings(prompt_eval_count=120, cached_count=20, eval_count=7)
    return [
        AnswerFact(Answer(key=answer_key, text="Жито.", raw="Жито.", truncated="prompt", timings=timings)),
        *(PairFact(f"{n}" * 64, scores, scoring_s=0.0) for n, scores in enumerate((whole, partly, noted))),
        *(
            evaluation(n, state="scored", answer_key=answer_key, pair_key=f"{n}" * 64, kept=(0, n), prompt_digest="d")
            for n in range(3)
        ),
        evaluation(3, state="failed", reason="gone"),
        evaluation(4, state="answered", answer_key=answer_key),
    ]


def test_the_table_of_a_finished_run_says_what_its_rows_say(store, stored_tables):
    store.create_sweep(sweep())
    store.record(_mixed("a" * 64))
    before, scores = store.outcomes("sweep-000"), store.run_scores("sweep-000")
    store.set_state(["sweep-000"], RunState.FINISHED)
    # The first reading stores the table, and the second reads it.
    for _ in range(2):
        assert store.outcomes("sweep-000") == before
        found = store.run_scores("sweep-000")
        assert (found.numbers, found.table.ids) == (scores.numbers, scores.table.ids)
        assert (found.table.reasons, dict(found.table.notes)) == (scores.table.reasons, dict(scores.table.notes))
        assert found.table.values.tobytes() == scores.table.values.tobytes()
    assert before[1].read_tokens == 100


def test_a_run_that_is_opened_again_gets_another_table(sql, stored_tables):
    sql.create_sweep(sweep())
    sql.record(_mixed("a" * 64))
    sql.set_state(["sweep-000"], RunState.FINISHED)
    assert [each.state for each in sql.outcomes("sweep-000")][3] == "failed"
    sql.reopen(["sweep-000"])
    assert len(sql.outcomes("sweep-000")) == 4
    sql.record([evaluation(3, state="scored", pair_key="0" * 64)])
    sql.set_state(["sweep-000"], RunState.FINISHED)
    assert [each.state for each in sql.outcomes("sweep-000")][3] == "scored"
    assert sql.run_scores("sweep-000").numbers == (0, 1, 2, 3)
    assert _tables(sql.database) == 1


def test_a_short_run_and_one_under_way_have_no_table(sql, monkeypatch):
    sql.create_sweep(sweep())
    sql.record(_mixed("a" * 64))
    monkeypatch.setattr(run_tables, "FEWEST_STORED", 5)
    sql.outcomes("sweep-000")
    assert _tables(sql.database) == 0, "it can still change"
    sql.set_state(["sweep-000"], RunState.FINISHED)
    monkeypatch.setattr(run_tables, "FEWEST_STORED", 6)
    sql.outcomes("sweep-000")
    assert _tables(sql.database) == 0, "it is read at once"
    monkeypatch.setattr(run_tables, "FEWEST_STORED", 5)
    sql.outcomes("sweep-000")
    assert _tables(sql.database) == 1


def _tables(database: Database) -> int:
    with database.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(run_tables.run_tables)).scalar_one())
