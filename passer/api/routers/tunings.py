"""Tunings: a judge's instruction and worked examples, chosen by people's ratings."""

from __future__ import annotations

from fastapi import APIRouter

from passer.api.deps import Page, ServicesDep
from passer.api.routers.jobs import Job, SubmitDep, job_of
from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.tuned_task import GRADE_FORMS, Tuning
from passer.services.judging.tuning import TuningReport, TuningRequest
from passer.services.judging.tuning_trial import TuningPlan
from passer.services.work.kinds import TuneSpec

router = APIRouter(prefix="/api/v1/assessments/{assessment_id}/tunings", tags=["assessments"])


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


@router.get("", operation_id="list_tunings")
def list_tunings(assessment_id: str, services: ServicesDep) -> ListedTunings:
    """List what was tuned by the ratings of an assessment's answers, the newest first."""
    columns = services.adapters.judgements.assessment(assessment_id).spec.columns
    found = services.adapters.judgements.tunings(assessment_id)
    return ListedTunings(
        items=tuple(_listed(services, each) for each in found),
        tasks=tuple(tuple(form.grades) for form in GRADE_FORMS if not form.grades.keys().isdisjoint(columns)),
    )


@router.post("/plan", operation_id="plan_tuning")
def plan_tuning(assessment_id: str, body: TuningRequest, services: ServicesDep) -> TuningPlan:
    """Return the sizes of the splits and the requests; nothing is asked."""
    return services.judging.tuner.plan(assessment_id, body)


@router.post("", operation_id="create_tuning", status_code=202)
def create_tuning(assessment_id: str, body: TuningRequest, services: ServicesDep, submit: SubmitDep) -> ListedTuning:
    """Choose instruction and examples of a judge on one part of the rated questions; try the choice on the others."""
    tuning = services.judging.tuner.create(assessment_id, body)
    submit(TuneSpec.of(tuning), ())
    return _listed(services, tuning)


def _listed(services: Services, tuning: Assessment) -> ListedTuning:
    assert tuning.spec.tuning is not None, "only tunings are listed"
    job = job_of(services, tuning.id)
    return ListedTuning(
        id=tuning.id,
        columns=tuning.spec.columns,
        settings=tuning.spec.tuning,
        job=None if job is None else job.model_copy(update={"result": None}),
        report=None if job is None or job.result is None else TuningReport.model_validate(job.result),
    )
