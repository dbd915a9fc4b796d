"""Assessments: answers, or questions of datasets, judged by a model; and tunings of a judge by people's ratings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse
from pydantic import Field

from passer.adapters.trec import qrel_lines
from passer.api.deps import Page, ServicesDep, WorkerDep
from passer.api.routers.jobs import Job, SubmitDep, job_of
from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.domain.failures.judged_labels import HIGHEST
from passer.domain.failures.judged_report import WhyReport
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.marks import Mark
from passer.domain.judging.tuned_task import GRADE_FORMS, Tuning
from passer.domain.retrieval.inputs import InputSummary
from passer.domain.sweeps.budget import Budget, GivenBudget
from passer.services.judging.answers import JudgedRun
from passer.services.judging.assessments import AssessmentPlan, AssessmentRequest
from passer.services.judging.calibration import Calibration
from passer.services.judging.column_pairs import ColumnPair
from passer.services.judging.comparison import JudgeComparison
from passer.services.judging.key_facts import ListedFacts
from passer.services.judging.relevance import GradedBy, QrelsRequest
from passer.services.judging.results import AssessmentTable, ReadJudgement
from passer.services.judging.tuning import TuningReport, TuningRequest
from passer.services.judging.tuning_trial import TuningPlan
from passer.services.work.kinds import AssessSpec, TuneSpec

router = APIRouter(prefix="/api/v1/assessments", tags=["assessments"])


class ListedAssessment(Frozen):
    """An assessment and how far it is."""

    assessment: Assessment
    """Specification, without the ids of pooled passages, of which there can be 100,000."""
    pooled: int | None
    """Number of pooled passages; None if it judges something else."""
    job: Job | None
    """Its state and progress; None if it was never queued."""


class ShownAssessment(Frozen):
    """An assessment with what it found so far."""

    job: Job | None
    """Its state and progress; None if it was never queued."""
    table: AssessmentTable
    """Means, reasons and noise."""


class ResumeRequest(Frozen):
    """New limits of an assessment that is resumed."""

    budget: GivenBudget = Field(default=Budget())
    """Limits, in all; none by default."""


@router.get("", operation_id="list_assessments")
def list_assessments(
    services: ServicesDep,
    sweep: Annotated[str | None, Query(description="Only those of this sweep.")] = None,
    dataset: Annotated[str | None, Query(description="Only those that judge the questions of this dataset.")] = None,
) -> Page[ListedAssessment]:
    """Assessments, the newest first."""
    listed = services.adapters.judgements.assessments(sweep)
    found = [each for each in listed if dataset is None or dataset in each.spec.rows]
    return Page(items=tuple(_listed(services, each) for each in found))


@router.post("/plan", operation_id="plan_assessment")
def plan_assessment(body: AssessmentRequest, services: ServicesDep) -> AssessmentPlan:
    """Plan the first requests of an assessment and their cost; the judge is asked for its description only."""
    services.library.model_servers.check_named(body.models)
    return services.judging.assessments.plan(body)


@router.post("", operation_id="create_assessment", status_code=202)
def create_assessment(body: AssessmentRequest, services: ServicesDep, submit: SubmitDep) -> ListedAssessment:
    """Judge the answers of a sweep or run, the questions of datasets, or pooled passages; judgements are reused."""
    services.library.model_servers.check_named(body.models)
    assessment = services.judging.assessments.create(body)
    submit(AssessSpec.of(assessment), ())
    return _listed(services, assessment)


@router.get("/{assessment_id}", operation_id="show_assessment")
def show_assessment(assessment_id: str, services: ServicesDep) -> ShownAssessment:
    """Means, values that are missing, and the judge's noise, as far as it is."""
    # Read the job before the table: a job that finishes in between would be shown with an incomplete table.
    job = job_of(services, assessment_id)
    return ShownAssessment(job=job, table=services.judging.results.table(assessment_id))


@router.get("/{assessment_id}/marks", operation_id="list_marks")
def list_marks(
    assessment_id: str,
    services: ServicesDep,
    column: Annotated[str | None, Query(description="Only marks of this column.")] = None,
    item: Annotated[str | None, Query(description="Only marks of this item.")] = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> Page[Mark]:
    """Marks by item, column and repeat."""
    services.adapters.judgements.assessment(assessment_id)
    marks = services.adapters.judgements.marks(assessment_id, column=column)
    chosen = [mark for mark in marks if item is None or mark.item_key == item]
    return Page(items=tuple(chosen[:limit]))


@router.get("/{assessment_id}/runs/{run_id}", operation_id="show_judged_run")
def show_judged_run(assessment_id: str, run_id: str, services: ServicesDep) -> JudgedRun:
    """Return the judged values of a run, or of the dataset of this name, question by question."""
    return services.judging.answers.of_run(assessment_id, run_id)


@router.get("/{assessment_id}/agreement", operation_id="calibrate_judge")
def calibrate_judge(assessment_id: str, services: ServicesDep) -> Calibration:
    """Return the judge's agreement with people, its bias in each run, and means that labels correct."""
    return services.judging.calibrator.of(assessment_id)


@router.get("/{assessment_id}/key-facts", operation_id="list_key_facts")
def list_key_facts(assessment_id: str, services: ServicesDep) -> ListedFacts:
    """Return the key facts of each question, as the judge listed them or as people chose them before."""
    return services.judging.key_facts.of(assessment_id)


@router.get("/{assessment_id}/comparison", operation_id="compare_judges")
def compare_judges(
    assessment_id: str,
    services: ServicesDep,
    other: Annotated[str, Query(max_length=48, description="Assessment of the same sweep by another judge.")],
) -> JudgeComparison:
    """Return two judges side by side: agreement, bias in each run, and which one is closer to people."""
    return services.judging.comparer.of(assessment_id, other)


@router.get("/{assessment_id}/columns", operation_id="compare_columns")
def compare_columns(
    assessment_id: str,
    services: ServicesDep,
    column: Annotated[str, Query(max_length=100, description="Judged metric of the assessment.")],
    other: Annotated[
        str, Query(max_length=100, description="Another metric of the assessment, or one of the 24 of its runs.")
    ],
) -> ColumnPair:
    """Return two columns of the same answers against each other: rank correlation, means, and groups by the first."""
    return services.judging.column_pairs.of(assessment_id, column, other)


@router.get("/{assessment_id}/failures", operation_id="explain_failures")
def explain_failures(
    assessment_id: str,
    services: ServicesDep,
    below: Annotated[float, Query(ge=0, le=1, description="Answers of lower correctness are low.")] = HIGHEST,
) -> WhyReport:
    """Return why answers were low: the failure labels of the judge, counted over all questions of each run."""
    return services.analysis.judged_failures.of(assessment_id, below=below)


@router.get("/{assessment_id}/qrels", operation_id="export_qrels", response_class=PlainTextResponse)
def export_qrels(
    assessment_id: str,
    services: ServicesDep,
    column: Annotated[str | None, Query(max_length=100, description="Column of passage relevance.")] = None,
    by: Annotated[GradedBy, Query(description="Who graded.")] = "judge",
) -> PlainTextResponse:
    """Return the grade of each judged or rated passage in the format of TREC qrels: `question 0 passage grade`."""
    grades = services.judging.relevance_grades.of(assessment_id, column, by)
    return PlainTextResponse("".join(qrel_lines(grades)))


@router.post("/{assessment_id}/qrels", operation_id="save_qrels")
def save_qrels(assessment_id: str, body: QrelsRequest, services: ServicesDep) -> InputSummary:
    """Save the grades of passages, by the judge or by people, as relevance grades of comparisons of retrievers."""
    return services.judging.relevance_grades.save(assessment_id, body)


@router.get("/judgements/{key}", operation_id="show_judgement")
def show_judgement(key: str, services: ServicesDep) -> ReadJudgement:
    """A judgement with its prompt and its replies as they came."""
    return services.judging.results.judgement(key)


@router.post("/{assessment_id}/resume", operation_id="resume_assessment", status_code=202)
def resume_assessment(
    assessment_id: str, body: ResumeRequest, services: ServicesDep, worker: WorkerDep
) -> ListedAssessment:
    """Resume a paused, failed or cancelled assessment with new limits; failed replies are asked for again."""
    services.judging.assessments.prepare_resume(assessment_id, body.budget)
    services.work.queue.resume(assessment_id)
    worker.wake()
    assessment = services.adapters.judgements.assessment(assessment_id)
    return _listed(services, assessment)


@router.post("/{assessment_id}/cancel", operation_id="cancel_assessment")
def cancel_assessment(assessment_id: str, services: ServicesDep) -> Job:
    """Cancel an assessment; marks so far are kept."""
    services.adapters.judgements.assessment(assessment_id)
    return Job.of(services.work.queue.cancel(assessment_id))


def _listed(services: Services, assessment: Assessment) -> ListedAssessment:
    spec, pool = assessment.spec, assessment.spec.pool
    if pool is not None:
        spec = spec.model_copy(update={"pool": pool.model_copy(update={"passages": {}})})
    return ListedAssessment(
        assessment=assessment.model_copy(update={"spec": spec}),
        pooled=None if pool is None else sum(map(len, pool.passages.values())),
        job=job_of(services, assessment.id),
    )


class ListedTuning(Frozen):
    """A tuning with its result; it is resumed and cancelled as an assessment is."""

    id: str
    """Id of the tuning, for `POST /assessments/{id}/resume` and `/cancel`."""
    columns: tuple[str, ...]
    """Judged metrics of the task that is tuned."""
    settings: Tuning
    """Split of the labels, and number of candidates."""
    job: Job | None
    """Its state and progress; None if it was never queued."""
    report: TuningReport | None
    """Candidates, choice and task; None before it is finished. `tuned` is the task file."""


class ListedTunings(Page[ListedTuning]):
    """The tunings of an assessment, the newest first."""

    tasks: tuple[tuple[str, ...], ...]
    """Metrics of each task of the assessment that can be tuned; any of them names the task."""


@router.get("/{assessment_id}/tunings", operation_id="list_tunings")
def list_tunings(assessment_id: str, services: ServicesDep) -> ListedTunings:
    """List what was tuned by the ratings of an assessment's answers, the newest first."""
    columns = services.adapters.judgements.assessment(assessment_id).spec.columns
    found = services.adapters.judgements.tunings(assessment_id)
    return ListedTunings(
        items=tuple(_listed_tuning(services, each) for each in found),
        tasks=tuple(tuple(form.grades) for form in GRADE_FORMS if not form.grades.keys().isdisjoint(columns)),
    )


@router.post("/{assessment_id}/tunings/plan", operation_id="plan_tuning")
def plan_tuning(assessment_id: str, body: TuningRequest, services: ServicesDep) -> TuningPlan:
    """Return the sizes of the splits and the requests; nothing is asked."""
    return services.judging.tuner.plan(assessment_id, body)


@router.post("/{assessment_id}/tunings", operation_id="create_tuning", status_code=202)
def create_tuning(assessment_id: str, body: TuningRequest, services: ServicesDep, submit: SubmitDep) -> ListedTuning:
    """Choose instruction and examples of a judge on one part of the rated questions; try the choice on the others."""
    tuning = services.judging.tuner.create(assessment_id, body)
    submit(TuneSpec.of(tuning), ())
    return _listed_tuning(services, tuning)


def _listed_tuning(services: Services, tuning: Assessment) -> ListedTuning:
    assert tuning.spec.tuning is not None, "only tunings are listed"
    job = job_of(services, tuning.id)
    return ListedTuning(
        id=tuning.id,
        columns=tuning.spec.columns,
        settings=tuning.spec.tuning,
        job=None if job is None else job.model_copy(update={"result": None}),
        report=None if job is None or job.result is None else TuningReport.model_validate(job.result),
    )
