"""Bundles with the verdict of a sweep: the run of `MadeRun` beside configurations that differ from it by chance."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from passer.domain.analysis.run_rows import EvaluatedQuestion, RunRows
from passer.domain.base import canonical_json, digest_of
from passer.domain.bundle.judged_document import JudgementRecord
from passer.domain.bundle.verdict_document import document_bytes
from passer.domain.canonical import read_canonical
from passer.domain.dataset import Question
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.score import VECTOR_ORDER, MissingReason, Score, ScoreRow
from passer.domain.verdict.judged_rule import JudgedBy, JudgedColumn, JudgeStatus
from passer.domain.verdict.verdict import VerdictRule
from passer.metrics.judged.grades import CORRECTNESS
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.verdict.bundle_content import VerdictSource
from passer.services.analysis.verdict.judged_column_reader import NO_REPLIES, JudgeReplies
from tests.analysis_rows import run
from tests.bundles import RUN_ID, SWEEP_ID, MadeRun, members_of, rebuilt, weight_of

Json = dict[str, Any]
JUDGED = "Answer correctness"


def texts_of(bundle: bytes) -> dict[str, tuple[str, str, str | None]]:
    """Question, reference and answer of each record, by id."""
    records = map(json.loads, members_of(bundle)["questions.jsonl"].splitlines())
    return {each["id"]: (each["question"], each["reference"], each["answer"]) for each in records}


def own_items(bundle: bytes) -> list[EvaluatedQuestion]:
    """The run's questions with the scores that its records have."""
    items = []
    for line in members_of(bundle)["questions.jsonl"].splitlines():
        record = json.loads(line)
        scores = record["scores"] and {
            column: Score(value=value, reason=record["missing"].get(column))
            for column, value in record["scores"].items()
        }
        row = scores and ScoreRow.of(scores)
        items.append(EvaluatedQuestion(question_id=record["id"], state=record["state"], scores=row))
    return items


def moved(items: list[EvaluatedQuestion], by: float, *, seed: int) -> list[EvaluatedQuestion]:
    """Other answers to the same questions: every score moved by about so much, by another amount each time."""
    dice = random.Random(seed)
    found = []
    for item in items:
        scores = item.scores and {
            column: Score(value=None, reason=reason)
            if (reason := item.scores.reasons[place])
            else Score(value=float(item.scores.values[place]) + dice.gauss(by, 0.4))
            for place, column in enumerate(VECTOR_ORDER)
        }
        found.append(replace(item, scores=scores and ScoreRow.of(scores)))
    return found


def by_one_amount(items: list[EvaluatedQuestion]) -> list[EvaluatedQuestion]:
    """Every score moved by the same .1, except of the first three questions: those are equal."""
    found = items[:3]
    for item in items[3:]:
        scores = item.scores and {
            column: Score(value=None if reason else float(item.scores.values[place]) + 0.1, reason=reason)
            for place, column in enumerate(VECTOR_ORDER)
            for reason in [item.scores.reasons[place]]
        }
        found.append(replace(item, scores=scores and ScoreRow.of(scores)))
    return found


def rows_of(bundle: bytes, *others: float | None, repeats: int = 1, alike: bool = False) -> list[RunRows]:
    """A sweep: a baseline, the bundle's own run (a second time with two repeats), and thresholds that differ.

    With None instead of a difference every question of a threshold failed. `alike` adds one that differs from the
    baseline by one amount.
    """
    items = own_items(bundle)
    more: Json = {"sweep_id": SWEEP_ID, "planned": len(items), "panel": "text-1", "normalisation": "winsorised"}
    # A baseline with open questions has no verdict.
    done = [replace(item, **({"state": "failed"} if item.state == "answered" else {})) for item in items]
    base = moved(done, 0.0, seed=99)
    found = [run(f"{SWEEP_ID}-base", base, retrieval=NormalPolicy(), baseline=True, **more)]
    own = ScorePolicy(min_similarity=0.25)
    found.append(run(RUN_ID, items, retrieval=own, name="own", **more))
    for repeat in range(2, repeats + 1):
        again = moved(items, 0.0, seed=repeat)
        found.append(run(f"{RUN_ID}-{repeat}", again, retrieval=own, name="own", repeat=repeat, **more))
    for place, by in enumerate(others):
        policy = ScorePolicy(min_similarity=0.3 + place / 10)
        failed = [replace(item, state="failed", scores=None) for item in items]
        here = failed if by is None else moved(items, by, seed=place)
        found.append(run(f"{SWEEP_ID}-{place}", here, retrieval=policy, **more))
    if alike:
        policy = ScorePolicy(min_similarity=0.9)
        found.append(run(f"{SWEEP_ID}-alike", by_one_amount(base), retrieval=policy, **more))
    return found


def judged_column(
    rows: list[RunRows], status: JudgeStatus, texts: dict[str, tuple[str, str, str | None]]
) -> tuple[JudgedColumn, JudgeReplies]:
    """A judge's grade of each answer that there is, higher in later runs; one answer of each run is an abstention.

    One reply on the run of the bundle cannot be read, and the server failed to give another.
    """
    dice = random.Random(5)
    scores: dict[str, dict[str, Score]] = {}
    keys: dict[str, dict[str, tuple[str, ...]]] = {}
    judgements: dict[str, JudgementRecord] = {}
    for place, each in enumerate(rows):
        scores[each.run_id], keys[each.run_id] = {}, {}
        for number, item in enumerate(each.questions):
            lost: MissingReason | None = (
                "generation_failed" if item.state == "failed" else "abstained" if number == 3 else None
            )
            if lost is not None:
                scores[each.run_id][item.question_id] = Score(value=None, reason=lost)
                continue
            grade = dice.randrange(3) + 2 * place
            if each.run_id.endswith("-alike") and (base := scores[rows[0].run_id][item.question_id].value) is not None:
                grade = round(10 * base) + (1 if number > 5 else 0)
            if place == 1 and number == 8:
                # The judge's server failed: no reply is kept.
                scores[each.run_id][item.question_id] = Score(value=None, reason="judge_failed")
                continue
            reply = {"a_reason": "So.", "b_grade": grade}
            reason: MissingReason | None = "off_schema" if place == 1 and number == 7 else None
            given = list(zip(("question", "reference", "answer"), texts[item.question_id], strict=True))
            judgement = JudgementRecord(
                key=digest_of([each.run_id, number]), task="correctness", task_digest=CORRECTNESS.digest,
                given_digest=digest_of([list(part) for part in given]), prompt_digest=digest_of([each.run_id, number]),
                reply_digest=digest_of(reply), model_digest="unknown", value=None if reason else reply, reason=reason,
            )  # fmt: skip
            judgements[judgement.key] = judgement
            scores[each.run_id][item.question_id] = Score(value=None if reason else grade / 10, reason=reason)
            keys[each.run_id][item.question_id] = (judgement.key,)
    by = JudgedBy(assessment="a1", judge="J", status=status)
    column = JudgedColumn(
        by=by, column=JUDGED, scores=scores, labels=None, judgement_keys=keys, is_recorded=True
    )  # fmt: skip
    return column, JudgeReplies(judgements, (CORRECTNESS.text,))


@cache
def with_verdict(
    bundle: bytes | None = None,
    *,
    others: tuple[float | None, ...] = (0.8, 0.0),
    rule: VerdictRule | None = None,
    clusters: bool = False,
    weights: bool = False,
    repeats: int = 1,
    judge: JudgeStatus | None = None,
    alike: bool = False,
) -> bytes:
    """The bundle of a run with the verdict of its sweep; with a judge its column is the primary metric."""
    made = bundle or MadeRun(odd_numbers=False, clusters=clusters, weights=weights).bundle("nowhere")
    rows = rows_of(made, *others, repeats=repeats, alike=alike)
    recorded = (rule or VerdictRule()).model_copy(update={"draws": 999, "most_missing": 0.4})
    column, replies = (None, NO_REPLIES) if judge is None else judged_column(rows, judge, texts_of(made))
    if column is not None:
        recorded = recorded.model_copy(update={"primary": JUDGED, "judged_by": column.by})
    ids = [item.question_id for item in rows[0].questions]
    questions = [
        Question(
            id=each,
            text="?",
            reference="!",
            cluster=f"c{place // 3}" if clusters else None,
            weight=weight_of(each) if weights else 1.0,
        )
        for place, each in enumerate(ids)
    ]
    verdict = analyse(rows, recorded=recorded, questions=questions, judged=column).verdict
    judged = VerdictSource(SWEEP_ID, verdict.digest, rows, questions, recorded, column, replies)
    return rebuilt(members_of(made) | {"verdict.json": document_bytes(judged.content(lambda _: "a" * 64))})


def forged_verdict(bundle: bytes, change: Callable[[Json], object]) -> bytes:
    """The bundle with something changed in its verdict, the verdict's own digest put right again."""
    members = members_of(bundle)
    document = read_canonical(members["verdict.json"])
    del document["digest"]
    change(document)
    content = canonical_json({**document, "digest": digest_of(document)})
    return rebuilt(members | {"verdict.json": content})
