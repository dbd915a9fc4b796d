"""Tables out, read back by the standard library and openpyxl."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import openpyxl
import pytest

from passer.adapters.tables import table_writers
from passer.domain.analysis.run_rows import RunRows
from passer.domain.dataset import Question
from passer.domain.models.answer import Answer, ModelTimings
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.retrieval.passages import RetrievedPassage, Rewriting
from passer.domain.score import VECTOR_ORDER, Score
from passer.domain.sweeps.run import Evaluation, Run, RunConfig
from passer.errors import InputError
from passer.ports import BareRanking
from passer.services.analysis.sweep_analysis import analyse
from passer.services.exports.exported_rows import RAGELO_COLUMNS
from passer.services.exports.sheet_export import EvaluationExport
from passer.services.exports.table_export import CLOCK_COLUMNS, COMPOSITE_COLUMNS, TableExport
from tests.analysis_rows import question

EXPORTING = TableExport(writers=table_writers())
SCORES = {column: Score(value=number / 100) for number, column in enumerate(VECTOR_ORDER)}


def item(
    number: int = 0, *, started: datetime = datetime(2026, 1, 2, tzinfo=UTC), **seconds: float
) -> EvaluationExport:
    run = Run(
        id="s-1",
        sweep_id="s",
        position=1,
        name="Similarity ≥ 0.60",
        config=RunConfig(dataset="d", collection="c", retrieval=ScorePolicy(min_similarity=0.6)),
        created_at=started,
        started_at=started,
    )
    answer = Answer(
        key="k",
        text="=HYPERLINK(1)",
        raw="=HYPERLINK(1)",
        timings=ModelTimings(eval_count=50, eval_duration_ns=2_000_000_000),
        generation_s=seconds.get("generation_s", 1.5),
    )
    return EvaluationExport(
        sweep_name="A sweep",
        run=run,
        model=run.config.model.label,
        question=Question(id=f"q{number}", text="Why, then?", reference='He said "so".\nTwice.'),
        evaluation=Evaluation(
            run_id="s-1",
            number=number,
            question_id=f"q{number}",
            state="scored",
            kept=(0, 3),
            answer_key="k",
            scores=SCORES | {"METEOR": Score(value=None, reason="wordnet_unavailable")},
        ),
        ranking=BareRanking((), None, embedding_s=0.1, retrieval_s=0.2),
        answer=answer,
    )


def table(suffix: str, items: list[EvaluationExport], **more: bool) -> bytes:
    with EXPORTING.evaluations(iter(items), suffix=suffix, **more) as stream:
        return stream.read()


def test_a_row_of_the_evaluations_table() -> None:
    row = json.loads(table(".jsonl", [item()]))
    expected = {
        "sweep": "A sweep",
        "run": "Similarity ≥ 0.60",
        "model": "extractive",
        "policy": "Similarity ≥ 0.60",
        "threshold": 0.6,
        "k": 100,
        "number": 1,
        "question_id": "q0",
        "question": "Why, then?",
        "reference": 'He said "so".\nTwice.',
        "answer": "=HYPERLINK(1)",
        "passages_kept": 3,
        "covered": True,
        "state": "scored",
        "reason": None,
        "eval_count": 50,
        "tokens_per_s": 25.0,
        "BLEU": 0.01,
        "METEOR": None,
        "missing_scores": {"METEOR": "wordnet_unavailable"},
        "embedding_s": 0.1,
        "generation_s": 1.5,
        "run_started_at": "2026-01-02T00:00:00+00:00",
        "run_finished_at": None,
    }
    assert {name: row[name] for name in expected} == expected
    assert [name for name in row if name in VECTOR_ORDER] == list(VECTOR_ORDER)


def test_retrieval_can_be_computed_from_the_row() -> None:
    """Five retrieved, three kept, gold at ranks 2 and 5 and one lost: recall 1/3 and reciprocal rank 1/2 by hand."""
    retrieved = tuple((name, 0.9 - place / 10) for place, name in enumerate("abcde"))
    rewriting = Rewriting(asked=("Why, then? because",))
    made = replace(item(), ranking=BareRanking(retrieved, ("b", "e", "z"), 0.1, 0.2, rewriting))
    row = json.loads(table(".jsonl", [made]))
    assert row["retriever"] == "Dense"
    assert row["passage_ids"] == ["a", "b", "c"]
    assert row["similarities"] == pytest.approx([0.9, 0.8, 0.7])
    assert (row["searched"], row["not_rewritten"]) == (["Why, then? because"], None)
    assert (row["gold_ids"], row["gold_ranks"]) == (["b", "e", "z"], [2, 5, None])
    found = [rank for rank in row["gold_ranks"] if rank is not None and rank <= row["passages_kept"]]
    assert (len(found) / len(row["gold_ids"]), 1 / min(found)) == (pytest.approx(1 / 3), 0.5)


def test_the_files_of_ragelo_name_questions_and_passages_once_and_every_answer() -> None:
    retrieved = tuple(
        RetrievedPassage(id=name, document="d", number=0, text=f"About {name}.", start=0, end=1, rank=1, similarity=0)
        for name in "abcd"
    )
    first = replace(item(), passages=retrieved)
    other = replace(first, run=first.run.model_copy(update={"name": "k = 3"}))
    unanswered = replace(first, question=Question(id="q9", text="Who?", reference=""), passages=(), answer=None)
    rows = {}
    for name in RAGELO_COLUMNS:
        with EXPORTING.ragelo(name, [first, other, unanswered], suffix=".csv") as stream:
            rows[name] = list(csv.reader(io.StringIO(stream.read().decode("utf-8-sig"))))
    assert rows["ragelo-queries"] == [["qid", "query"], ["q0", "Why, then?"], ["q9", "Who?"]]
    # Three of the four passages were kept.
    assert rows["ragelo-documents"][1:] == [["q0", name, f"About {name}."] for name in "abc"]
    assert [row[:2] for row in rows["ragelo-answers"]] == [
        ["qid", "agent"],
        ["q0", "Similarity ≥ 0.60"],
        ["q0", "k = 3"],
    ]


def test_csv_and_xlsx_hold_the_same() -> None:
    text = table(".csv", [item(0), item(1)]).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["question_id"] for row in rows] == ["q0", "q1"]
    assert rows[0]["answer"] == "'=HYPERLINK(1)"
    assert rows[0]["reference"] == 'He said "so".\nTwice.'
    assert (rows[0]["METEOR"], rows[0]["BLEU"]) == ("", "0.01")
    sheet = openpyxl.load_workbook(io.BytesIO(table(".xlsx", [item(0), item(1)]))).active
    assert sheet is not None
    header, first, _ = sheet.iter_rows(values_only=True)
    cells = dict(zip(header, first, strict=True))
    assert list(rows[0]) == list(header)
    assert (cells["BLEU"], cells["METEOR"], cells["covered"], cells["answer"]) == (0.01, None, True, "=HYPERLINK(1)")
    assert sheet.cell(2, header.index("answer") + 1).data_type == "s"


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".xlsx"])
def test_reproducible_tables_hold_no_clock_and_no_seconds(suffix: str) -> None:
    later = item(started=datetime(2031, 5, 6, tzinfo=UTC), generation_s=9.0)
    assert table(suffix, [item()], reproducible=True) == table(suffix, [later], reproducible=True)
    assert table(suffix, [item()]) != table(suffix, [later])
    row = json.loads(table(".jsonl", [item()], reproducible=True))
    assert not set(row) & set(CLOCK_COLUMNS)
    assert row["eval_duration_ns"] == 2_000_000_000  # what the model reports is part of the record


def test_a_question_that_failed_or_waits_has_a_row_too() -> None:
    failed = item().evaluation.model_copy(
        update={"state": "failed", "reason": "The model is gone.", "scores": None, "kept": (0, 0)}
    )
    waiting = failed.model_copy(update={"state": "pending", "reason": None})
    rows = [
        json.loads(table(".jsonl", [EvaluationExport("s", item().run, "m", item().question, evaluation)]))
        for evaluation in (failed, waiting)
    ]
    assert [(row["state"], row["reason"], row["covered"], row["BLEU"], row["answer"]) for row in rows] == [
        ("failed", "The model is gone.", False, None, None),
        ("pending", None, None, None, None),
    ]


def test_rows_are_streamed() -> None:
    made = item()
    assert made.answer is not None
    one = replace(made, answer=made.answer.model_copy(update={"text": "word " * 500}))

    def rows() -> Iterator[EvaluationExport]:
        for _ in range(500):
            yield one

    for suffix in (".csv", ".jsonl"):
        table(suffix, [one])  # What is loaded at the first use stays, and is no part of the rows.
        tracemalloc.start()
        with EXPORTING.evaluations(rows(), suffix=suffix) as stream:
            size = stream.seek(0, 2)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert size > 1_000_000
        assert peak < size / 3


def test_an_unknown_kind_lists_the_known() -> None:
    with pytest.raises(InputError, match=r"^\.pdf is not a table format\. Use one of \.csv, \.jsonl, \.xlsx\.$"):
        EXPORTING.evaluations([], suffix=".pdf")


def analysed() -> Any:
    def rows(run_id: str, height: float, *, baseline: bool) -> RunRows:
        policy = {} if baseline else {"retrieval": ScorePolicy(min_similarity=0.6)}
        heights = [height + 0.015 * place + height / 10 * (place % 3) for place in range(24)]
        questions = tuple(question(number, value) for number, value in enumerate(heights))
        config = RunConfig(dataset="d", collection="c", **policy)
        return RunRows(run_id=run_id, name=run_id, config=config, is_baseline=baseline, questions=questions)

    return analyse([rows("base", 0.1, baseline=True), rows("better", 0.4, baseline=False)])


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".xlsx"])
def test_the_composites_table(suffix: str) -> None:
    analysis = analysed()
    with EXPORTING.composites(analysis, suffix=suffix, reproducible=True) as stream:
        content = stream.read()
    rows: list[dict[str, Any]]
    if suffix == ".xlsx":
        header, *cells = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0].iter_rows(values_only=True)
        rows = [dict(zip(header, row, strict=True)) for row in cells]
    elif suffix == ".csv":
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    else:
        rows = [json.loads(line) for line in content.splitlines()]
    assert [tuple(row) for row in rows] == [COMPOSITE_COLUMNS] * 2
    base, better = rows
    result = analysis.configurations[1]
    assert (base["name"], base["p"] in (None, ""), better["baseline"]) == ("base", True, "base")
    assert float(better["mean_cps"]) == pytest.approx(result.mean_cps)
    assert float(better["gain"]) == pytest.approx(result.comparison.gain)
    assert float(better["gain_ci_low"]) == pytest.approx(result.comparison.ci.low)
    assert float(better["p_adjusted"]) == pytest.approx(result.comparison.judged.p)
    assert better["outcome"] == "better"
    assert float(better["METEOR"]) == pytest.approx(0.6125)  # .4 + .015 x 11.5 + .04
    assert [str(row["is_recommended"]).lower() for row in rows] == ["false", "true"]
    assert better["stars"] == result.comparison.stars
