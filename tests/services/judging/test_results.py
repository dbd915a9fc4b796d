"""Plans of assessments, and what is shown of those that ran."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from passer.domain.base import digest_of
from passer.domain.judging.marks import Label
from passer.domain.models.chat import FrozenTemplate
from passer.domain.sweeps.budget import Price
from passer.domain.sweeps.run import Run, RunState
from passer.errors import ConfigError, ConflictError, NotFoundError
from passer.metrics.judged import grades
from passer.services.judging.assessments import AssessmentRequest
from passer.services.judging.items import ItemSource
from passer.services.judging.judged_columns import JudgedColumns
from tests.services.judging.made import JUDGE, NOW, Judged, grade


def test_what_cannot_judge_is_refused_when_it_is_chosen(judged: Judged) -> None:
    with pytest.raises(ConfigError, match="cannot judge"):
        judged.assessments.plan(request(judge=JUDGE.model_copy(update={"provider": "extractive"})))
    with pytest.raises(Exception, match="no judged metric Kindness"):
        judged.assessments.plan(request(columns=("Kindness",)))
    with pytest.raises(NotFoundError):
        judged.assessments.plan(request(target="nothing"))


def request(**given: Any) -> Any:
    return AssessmentRequest(**{"target": "sweep", "judge": JUDGE, "columns": ("Answer correctness",), **given})


def test_a_plan_counts_asks_before_any_is_sent(judged: Judged) -> None:
    plan = judged.assessments.plan(request(price=Price(input=1.0, output=2.0)))
    assert (plan.items, plan.asks, plan.known, plan.is_complete) == (5, 4, 0, True)
    assert plan.output_tokens == 4 * grades.CORRECTNESS.budget
    assert plan.cost == pytest.approx((plan.input_tokens + 2 * plan.output_tokens) / 1e6)
    judged.run(judged.create())
    after = judged.assessments.plan(request())
    assert (after.asks, after.known, after.input_tokens, after.cost) == (4, 4, 0, None)
    steps = judged.assessments.plan(request(columns=("Faithfulness",)))
    assert steps.columns == ("Faithfulness", "Not contradicted")
    assert not steps.is_complete


def test_a_table_has_means_reasons_and_warnings(judged: Judged) -> None:
    judged.judge.script = lambda request: grade(10 if "bees" in request.messages[-1].content else 5)
    assessment_id = judged.create()
    judged.run(assessment_id)
    table = judged.results.table(assessment_id)
    one, other = table.cells
    assert (one.run_id, one.questions, one.judged, one.mean) == ("sweep-000", 3, 3, pytest.approx(2 / 3))
    assert (other.judged, other.reasons) == (2, {"generation_failed": 1})
    assert "uncalibrated" in table.columns[0].warnings[0]
    scores = judged.results.scores(assessment_id, "sweep-001")
    assert scores.ids == ("q0", "q1", "q2")
    assert scores.columns == ("Answer correctness",)
    assert scores.reasons[2] == ("generation_failed",)
    judged.judge.script = lambda _: grade(5)
    equal = judged.create(seed=7)
    judged.run(equal)
    assert any("no information" in warning for warning in judged.results.table(equal).columns[0].warnings)


def test_a_template_that_tells_what_the_judge_looks_for_is_named(
    judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = max(grades.CORRECTNESS.instruction.splitlines(), key=len)
    stored = judged.store.load_sweep("sweep")
    coached = FrozenTemplate(name="default", digest="f" * 64, text=f"{{% block user %}}{told}{{% endblock %}}")
    before = judged.assessments.plan(request()).warnings
    monkeypatch.setattr(ItemSource, "sweeps_of", lambda *_: [stored.model_copy(update={"templates": (coached,)})])
    [found] = set(judged.assessments.plan(request()).warnings) - set(before)
    assert str(found).startswith("The prompt template default contains a sentence of the judge's instructions (")
    assessment_id = judged.create()
    judged.run(assessment_id)
    assert found in judged.results.table(assessment_id).warnings


def test_means_wait_for_the_end_of_the_sweep(judged: Judged) -> None:
    assessment_id = judged.create()
    judged.run(assessment_id)
    judged.store.set_state(["sweep-001"], RunState.PAUSED)
    table = judged.results.table(assessment_id)
    assert [(each.judged, each.mean, each.low, each.high) for each in table.cells] == [
        (3, None, None, None),
        (2, None, None, None),
    ]
    assert "Results are shown when the sweep is finished or cancelled" in table.warnings[0]
    with pytest.raises(ConflictError, match="finished or cancelled"):
        judged.calibrator.of(assessment_id)
    judged.store.set_state(["sweep-001"], RunState.CANCELLED)
    assert judged.results.table(assessment_id).cells[0].mean == pytest.approx(0.7)
    assert judged.calibrator.of(assessment_id).columns[0].runs[0].judge_mean == pytest.approx(0.7)


def test_means_are_weighted_as_the_dataset_states(tmp_path: Path) -> None:
    made = Judged(f"sqlite:///{tmp_path / 'w.sqlite3'}", lambda asked: grade(10 if "bees" in str(asked) else 5))
    made.fill(1.0, 1.0, 2.0)
    assessment_id = made.create()
    made.run(assessment_id)
    table = made.results.table(assessment_id)
    # Grades of .5, .5 and 1 with weights 1, 1 and 2: mean .75.
    one = table.cells[0]
    assert (one.judged, one.mean) == (3, pytest.approx(0.75))
    # Kish's size 8/3. An eighth of 0 and 1 beside weights .75, .75, 1.5: centre .730769, variance .081361 of at
    # most .196746, a ratio of .413534; (t / z)^2 is 4.819187, so 8/3 / (.413534 (1 + .586466 x 3.819187)) = 1.990381
    # zeros and ones: Wilson's interval of .75 is .585325 +- .388104.
    assert (one.low, one.high) == pytest.approx((0.197221, 0.973429), abs=1e-5)
    assert any("weighted as the dataset states" in warning for warning in table.warnings)
    [column] = made.calibrator.of(assessment_id).columns
    assert any("count each question once" in warning for warning in column.warnings)
    made.close()


def test_a_judgement_can_be_read_whole(judged: Judged) -> None:
    assessment_id = judged.create()
    judged.run(assessment_id)
    key = judged.judgements.marks(assessment_id)[0].judgement_keys[0]
    found = judged.results.judgement(key)
    assert found.judgement.value == {"a_reason": "Because.", "b_grade": 7}
    assert found.prompt is not None
    assert found.prompt.messages[0].role == "system"
    assert [reply.raw for reply in found.replies] == [grade()]
    with pytest.raises(NotFoundError):
        judged.results.judgement("0" * 64)


def test_a_bundle_states_the_digests_of_prompts_and_replies(judged: Judged) -> None:
    assessment_id = judged.create()
    judged.run(assessment_id)
    columns = JudgedColumns(
        judgements=judged.judgements, labels=judged.labels, items=judged.items, calibrator=judged.calibrator
    )
    column = columns.of("sweep", assessment_id, None)
    replies = columns.judge_replies(column)
    sent = {digest_of([each.model_dump() for each in request.messages]) for request in judged.judge.asked}
    assert {each.prompt_digest for each in replies.judgements.values()} == sent
    assert {each.reply_digest for each in replies.judgements.values()} == {sha256(grade().encode()).hexdigest()}
    assert {each.task_digest for each in replies.judgements.values()} == {task.digest for task in replies.tasks}
    (key,) = column.judgement_keys["sweep-000"]["q0"]
    answer = judged.items.items(["sweep-000"], only=["q0"])
    (given,) = [
        [["question", item.question], ["reference", item.reference], ["answer", item.answer]] for _, item in answer
    ]
    assert replies.judgements[key].given_digest == digest_of(given)


def test_values_are_read_question_by_question(judged: Judged) -> None:
    judged.judge.script = lambda request: grade(10 if "bees" in request.messages[-1].content else 5)
    assessment_id = judged.create(repeats=2)
    judged.run(assessment_id)
    run = judged.answers.of_run(assessment_id, "sweep-001")
    scores = [question.scores["Answer correctness"] for question in run.questions]
    assert [score.value for score in scores] == [0.5, 0.5, None]
    assert scores[2].reason == "generation_failed"
    (answer,) = judged.answers.of_answer("sweep-000", 2)
    assert [(mark.repeat, mark.value) for mark in answer.marks] == [(1, 1.0), (2, 1.0)]
    assert judged.answers.of_answer("sweep-001", 2) == ()
    one = judged.create(target="sweep-000")
    with pytest.raises(NotFoundError, match="does not judge run sweep-001"):
        judged.answers.of_run(one, "sweep-001")


def test_a_column_is_read_where_every_answer_of_the_runs_has_a_mark(judged: Judged) -> None:
    columns = JudgedColumns(judged.judgements, judged.labels, judged.items, judged.calibrator)
    both = ("sweep-000", "sweep-001")
    assert columns.newest("sweep", both, "Answer correctness") is None
    created = judged.create()
    assert columns.newest("sweep", both, "Answer correctness") is None, "not judged yet"
    judged.run(created)
    found = columns.newest("sweep", both, "Answer correctness")
    assert found is not None
    assert {n: each.value for n, each in found.scores["sweep-001"].items()} == {0: 0.7, 1: 0.7, 2: None}
    assert found.scores["sweep-001"][2].reason == "generation_failed"
    assert columns.newest("sweep", both, "Faithfulness") is None
    one = judged.create(target="sweep-000")
    judged.run(one)
    assert columns.newest("sweep", both, "Answer correctness") == found, "the newer one covers one run only"


def test_a_judge_is_named_uncalibrated_until_people_rate_an_answer_that_it_judged_in_the_column(
    judged: Judged,
) -> None:
    columns = JudgedColumns(judged.judgements, judged.labels, judged.items, judged.calibrator)
    created = judged.create()
    judged.run(created)

    def named() -> tuple[str, int, int, int]:
        found = columns.newest("sweep", ("sweep-000", "sweep-001"), "Answer correctness")
        assert found is not None
        ((across,),) = (each for run, each in columns.of_question("sweep", ["sweep-000"], 0).items())
        (mean,) = columns.means("sweep")
        (answer,) = judged.answers.of_answer("sweep-000", 0)
        assert answer.rated == judged.answers.of_run(created, "sweep-001").rated == judged.labels.rated(created)
        [column] = judged.results.table(created).columns
        return found.judge.label, across.rated, mean.rated, column.labels

    item = judged.items.keys(("sweep-000",), number=0)[0].key or ""
    label = Label(item_key=item, column="Answer correctness", rater="ana", value=0.5, at=NOW)
    judged.labels.add_labels([
        label.model_copy(update={"column": "Faithfulness"}),
        label.model_copy(update={"item_key": "f" * 64}),
    ])  # fmt: skip
    assert named() == ("judge (uncalibrated)", 0, 0, 0), "another column, and an answer that nobody judged"
    # Two raters of one answer: one answer is rated.
    judged.labels.add_labels([label, label.model_copy(update={"rater": "boris"})])
    assert named() == ("judge", 1, 1, 1)
    assert judged.labels.rated(created) == {"Answer correctness": 1}


def test_the_table_has_the_rank_correlation_with_the_first_ratings(judged: Judged) -> None:
    judged.judge.script = lambda request: grade(10 if "bees" in request.messages[-1].content else 5)
    created = judged.create()
    judged.run(created)
    keys = dict.fromkeys(key.key for key in judged.items.keys(("sweep-000", "sweep-001")) if key.key)
    values = {mark.item_key: mark.value for mark in judged.judgements.marks(created)}
    assert judged.results.table(created).columns[0].rho is None
    for key in keys:
        # Whoever has seen the judge's value follows it: only what was said before counts.
        said = 1 - (values[key] or 0)
        given = [Label(item_key=key, column="Answer correctness", rater="ana", value=value, at=NOW)
                 for value in (said, 1 - said)]  # fmt: skip
        judged.labels.add_labels(given)
    [column] = judged.results.table(created).columns
    assert (column.labels, column.rho) == (len(keys), pytest.approx(-1))


def test_a_judge_that_writes_in_another_script_is_named(judged: Judged) -> None:
    judged.judge.script = lambda request: json.dumps(
        {"a_reason": "Защото." if "bees" in request.messages[-1].content else "Because.", "b_grade": 5}
    )
    assessment_id = judged.create()
    judged.run(assessment_id)
    # Of the five answers one is about bees; the questions are English.
    [column] = judged.results.table(assessment_id).columns
    assert "For 1 of 5 answers the judge wrote in another script" in str(column.warnings[-1])
    noted = [mark.note for mark in judged.judgements.marks(assessment_id) if mark.note]
    assert noted == ["1 reply in another script than the question"]


@pytest.mark.parametrize("order", ["rank", "document"])
def test_keys_are_read_a_few_questions_at_a_time(judged: Judged, monkeypatch: pytest.MonkeyPatch, order: str) -> None:
    of_sweep = ItemSource.sweeps_of

    def ordered(self: ItemSource, run_ids: Any) -> list[Any]:
        def with_order(run: Run) -> Run:
            return run.model_copy(update={"config": run.config.model_copy(update={"passage_order": order})})

        return [each.model_copy(update={"runs": tuple(map(with_order, each.runs))}) for each in of_sweep(self, run_ids)]

    monkeypatch.setattr(ItemSource, "sweeps_of", ordered)
    whole = judged.items.keys(["sweep-000", "sweep-001"])
    asked: list[int] = []

    def count(name: str) -> None:
        read = getattr(judged.store, name)

        def counted(sweep_id: str, ranked_by: Any, question_ids: Sequence[str]) -> Any:
            asked.append(len(question_ids))
            return read(sweep_id, ranked_by, question_ids)

        monkeypatch.setattr(judged.store, name, counted)

    count("rankings")
    count("bare_rankings")
    monkeypatch.setattr("passer.services.judging.items.AT_ONCE", 2)
    assert judged.items.keys(["sweep-000", "sweep-001"]) == whole
    assert asked == [2, 1, 2, 1]
