"""All scores of a run at once, from every store."""

from __future__ import annotations

import numpy as np

from passer.domain.answer import Answer, ModelTimings
from passer.domain.generation import abstention
from passer.domain.run import RunState
from passer.domain.score import VECTOR_ORDER, Score
from passer.ports import (
    AnswerFact,
    Fact,
    Outcome,
    PairFact,
)
from tests.adapters.store.made import evaluation, sweep


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
            evaluation(1, state="answered", answer_key=abstention().key),
        ]
    )
    nothing = (None, None, None, None, None)
    assert store.outcomes("sweep-000") == [
        Outcome(0, "q0", "failed", (0, 2), None, *nothing),
        Outcome(1, "q1", "answered", (0, 0), None, True, None, 0.0, None, None),
        Outcome(2, "q2", "answered", (1, 4), "d" * 64, True, "answer", 1.5, 120, 7, 120),
    ]
    assert store.outcomes("sweep-001") == []
