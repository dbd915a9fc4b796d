"""The built-in model as a judge: weak, but every reply is a value or a reason, and nothing is asked twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from passer.bootstrap import build_services
from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.metrics.judged.grades import CORRECTNESS
from passer.services.judging.assessments import AssessmentRequest
from passer.services.work.kinds import AssessSpec
from passer.settings import Settings
from tests.local_model import MODEL, with_model
from tests.services.judging.made import QUESTIONS, REFERENCES, TEXTS, Judged

pytestmark = [*with_model, pytest.mark.timeout(900)]


@pytest.mark.soak
def test_the_built_in_model_judges_in_the_form_of_the_task(tmp_path: Path) -> None:
    made = Judged(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    made.fill()
    made.close()
    built = build_services(Settings(home=tmp_path, encoder="none", concurrency=2))
    try:
        request = AssessmentRequest(target="sweep", judge=MODEL, columns=("Answer correctness",), num_ctx=2048)
        plan = built.judging.assessments.plan(request)
        assert (plan.asks, plan.known) == (4, 0)
        assert any("too weak to judge" in warning for warning in plan.warnings)
        assessment = built.judging.assessments.create(request)
        spec = AssessSpec(assessment=assessment.id, sweep="sweep")
        report = built.work.queue.run_here(spec)
        assert report.marks == 5
        # Its server enforces the form, so only a reply that was cut off can be unreadable.
        assert set(report.missing) <= {"cut_off"}
        marks = built.adapters.judgements.marks(assessment.id)
        for mark in marks:
            assert mark.value is None or mark.value * 10 in range(11)
            found = built.judging.results.judgement(mark.judgement_keys[0])
            assert found.judgement.task_digest == CORRECTNESS.digest
            assert found.replies[-1].timings.eval_count
        again = built.judging.assessments.create(request)
        spec = AssessSpec(assessment=again.id, sweep="sweep")
        assert built.work.queue.run_here(spec).spent.asks == 0
    finally:
        built.close()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("of_dataset", "columns", "marks"),
    [(True, ("Answerability", "Faithfulness"), 3 * 3), (False, ("Claim recall",), 3 * 7)],
)
def test_the_built_in_model_judges_a_dataset_and_diagnoses_answers(
    tmp_path: Path, of_dataset: bool, columns: tuple[str, ...], marks: int
) -> None:
    made = Judged(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    made.fill()
    made.close()
    questions = tuple(
        Question(id=f"q{n}", text=text, reference=reference, gold_passages=(GoldPassage(document="d", quote=quote),))
        for n, (text, reference, quote) in enumerate(zip(QUESTIONS, REFERENCES, TEXTS, strict=True))
    )
    built = build_services(Settings(home=tmp_path, encoder="none", concurrency=2))
    try:
        built.adapters.datasets.save_dataset(Dataset(name="own", questions=questions))
        target = {"datasets": ("own",)} if of_dataset else {"target": "sweep-000"}
        request = AssessmentRequest.model_validate({**target, "judge": MODEL, "columns": columns, "num_ctx": 2048})
        assessment = built.judging.assessments.create(request)
        report = built.work.queue.run_here(AssessSpec.of(assessment))
        found = built.adapters.judgements.marks(assessment.id)
        assert report.marks == len(found) == marks
        assert set(columns) <= {mark.column for mark in found}
        for mark in found:
            assert (mark.value is None) != (mark.reason is None)
            assert mark.value is None or 0 <= mark.value <= 1
        for cell in built.judging.results.table(assessment.id).cells:
            assert cell.judged + sum(cell.reasons.values()) == cell.questions == 3
    finally:
        built.close()
