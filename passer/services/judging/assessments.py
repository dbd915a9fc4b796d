"""Plans, creates and resumes assessments."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import Field, model_validator

from passer.domain.judging.assessment import Assessment, AssessmentSpec, JudgedDataset
from passer.domain.judging.criteria import CRITERIA, MOST, GivenCriterion, column_of
from passer.domain.judging.formulas import NUGGETS
from passer.domain.judging.judgement import JUDGE_OPTIONS, Judge
from passer.domain.judging.key_facts import QuestionFacts
from passer.domain.judging.kinship import assessment_warnings
from passer.domain.judging.pool import Pool
from passer.domain.judging.tuned_task import TunedTask
from passer.domain.models.generation import served
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.report import RetrievalRequest
from passer.domain.sweeps.budget import Budget
from passer.domain.sweeps.run import sweep_id_of
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import ConfigError, InputError, NotFoundError
from passer.metrics.judged import families_of, only_measures
from passer.metrics.judged.relevance import HIGHEST
from passer.metrics.registry import RecipeFamily
from passer.ports import Clock, Embedder, JudgementStore, RunStore
from passer.services.judging.asker import JudgeContext
from passer.services.judging.dataset_items import check_dataset_columns
from passer.services.judging.first_asks import first_asks
from passer.services.judging.items import ItemSource
from passer.services.judging.leaked_criteria import leaked_criteria
from passer.services.judging.requests import JudgeRequest, RequestCosts, request_costs


class AssessmentRequest(JudgeRequest):
    """A request for an assessment."""

    target: str | None = Field(default=None, min_length=1, max_length=48)
    """Id of a sweep or of one of its runs; None if `datasets` are judged."""
    datasets: tuple[str, ...] = Field(default=(), max_length=20)
    """Names of datasets whose questions are judged, with their gold passages and reference answers."""
    pool: RetrievalRequest | None = None
    """Retrievers whose first passages are graded instead, by a metric of passage relevance; `qrels` has no effect."""
    columns: tuple[str, ...] = Field(default=("Answer correctness", "Faithfulness"), min_length=1, max_length=50)
    """Names of judged metrics; columns that need the same asks are added."""
    criteria: tuple[GivenCriterion, ...] = Field(default=(), max_length=MOST)
    """Criteria for the answers, 1 to 8, if `Criteria` is among the columns: objects, or texts. `2: TEXT` weighs 2."""
    key_facts: tuple[QuestionFacts, ...] = Field(default=(), max_length=20_000)
    """Key facts that people chose, for columns of nuggets; of questions that are not named the judge lists them."""
    tuned: TunedTask | None = None
    """A task file of `passer judge tune`, whose task takes the place of PaSSER's; None judges by PaSSER's tasks."""
    repeats: int = Field(default=1, ge=1, le=100)
    """Number of times that each item is judged, to measure the judge's noise."""

    @property
    def models(self) -> tuple[Model, ...]:
        """Return every model that is asked."""
        return (self.judge, *(self.pool.models if self.pool else ()))

    @model_validator(mode="after")
    def _one_target(self) -> AssessmentRequest:
        if [self.target is not None, bool(self.datasets), self.pool is not None].count(True) != 1:
            raise ValueError(sentence("judging.no-target"))
        if len(set(self.datasets)) < len(self.datasets):
            raise ValueError(sentence("judging.dataset-twice"))
        if (CRITERIA in self.columns) != bool(self.criteria):
            raise ValueError(sentence("judging.criteria"))
        if len({each.text for each in self.criteria}) < len(self.criteria):
            raise ValueError(sentence("judging.criteria-twice"))
        if len({each.question for each in self.key_facts}) < len(self.key_facts):
            raise ValueError(sentence("facts.question-twice"))
        return self


class AssessmentPlan(RequestCosts):
    """Expected cost of an assessment, as far as it is known before the first reply."""

    items: int
    """Number of distinct answers, of distinct questions of datasets, or of pooled passages."""
    columns: tuple[str, ...]
    """Columns that the assessment computes."""
    asks: int
    """Number of distinct requests in the first step of every metric; later steps depend on the replies."""
    is_complete: bool
    """True if no metric has a later step."""
    warnings: tuple[LocalizedText, ...]
    """Warnings to read before the start."""


@dataclass(frozen=True)
class Assessments:
    """Plans and creates assessments."""

    judgements: JudgementStore
    items: ItemSource
    runs: RunStore
    describe: Callable[[Model], ModelInfo]
    located: Callable[[Model], Model]
    embedder: Callable[[], Embedder]
    clock: Clock
    pool: Callable[[RetrievalRequest], Pool] | None = None
    """Puts together what retrievers find; None where nothing is retrieved."""

    def create(self, request: AssessmentRequest) -> Assessment:
        """Save a new assessment; its work is still to be queued.

        Raises ConfigError, InputError or NotFoundError for a request that cannot be carried out.
        """
        spec = self._spec(request)
        families = families_of(spec.columns, tuned=spec.tuned)
        tasks = {task.name: task.text for family in families for task in family.tasks}
        assessment = Assessment(
            id=secrets.token_hex(8),
            sweep_id=sweep_id_of(spec.runs[0]) if spec.runs else None,
            spec=spec,
            tasks=tuple(tasks.values()),
            budget=request.budget.priced(request.price),
            created_at=self.clock.now(),
        )
        self.judgements.add_assessment(assessment)
        return assessment

    def prepare_resume(self, assessment_id: str, budget: Budget) -> Assessment:
        """Set the limits of an assessment and forget marks whose judge gave no reply, so that it is asked again.

        ConfigError for a limit of money where the judge has no price.
        """
        assessment = self.judgements.assessment(assessment_id)
        self.judgements.set_budget(assessment_id, budget.priced(assessment.spec.judge.price))
        self.judgements.delete_failed_marks(assessment_id)
        return assessment

    def plan(self, request: AssessmentRequest) -> AssessmentPlan:
        """Count the asks of the first step; the model server is only asked to describe the model."""
        spec = self._spec(request)
        families = families_of(spec.columns, tuned=spec.tuned)
        context = JudgeContext.of(spec, [task for family in families for task in family.tasks])
        keys = {found.key for found in self.items.keys_of_spec(spec) if found.key is not None}
        found = first_asks((item for _, item in self.items.of_spec(spec)), families, context, repeats=spec.repeats)
        known = self.judgements.judgements(list(found.asks))
        scale = len(keys) / found.items if found.items else 1.0
        costs = request_costs(found.asks.values(), known, scale=scale, price=request.price)
        return AssessmentPlan(
            **dict(costs),
            items=len(keys),
            columns=tuple(column for family in families for column in family.columns),
            is_complete=found.is_complete,
            warnings=self._warnings(spec, families),
        )

    def _spec(self, request: AssessmentRequest) -> AssessmentSpec:
        if not request.judge.reads_prompts:
            raise ConfigError(sentence("judging.copies"), field="judge")
        own = column_of(request.criteria)
        families = families_of(
            [own if column == CRITERIA else column for column in request.columns], tuned=request.tuned
        )
        info = self.describe(request.judge)
        changed = {"num_ctx": request.num_ctx, "seed": request.seed}
        options = JUDGE_OPTIONS.model_copy(update=changed)
        columns = tuple(column for family in families for column in family.columns)
        if request.datasets:
            check_dataset_columns(columns)
        if request.key_facts and not set(NUGGETS) & set(columns):
            raise InputError(sentence("facts.no-use", columns=", ".join(NUGGETS)), field="key_facts")
        names = request.datasets if request.pool is None else (request.pool.dataset,)
        return AssessmentSpec(
            runs=() if request.target is None else self._run_ids(request.target),
            datasets=tuple(self._version(name) for name in names),
            pool=None if request.pool is None else self._pool(request.pool, columns),
            columns=columns,
            criteria=request.criteria,
            key_facts=request.key_facts,
            tuned=request.tuned,
            judge=Judge(model=self.located(request.judge), options=options, price=request.price),
            judge_info=info,
            served=served(info, options),
            embedding=self.embedder().model if any(family.embeds for family in families) else None,
            repeats=request.repeats,
            whole_sentences=True,
        )

    def _pool(self, request: RetrievalRequest, columns: Sequence[str]) -> Pool:
        if self.pool is None or not set(columns) <= set(HIGHEST):
            raise InputError(sentence("pool.columns", columns=", ".join(HIGHEST)), field="columns")
        return self.pool(request)

    def _version(self, name: str) -> JudgedDataset:
        """Return the newest version of a dataset. Raises NotFoundError if there is none."""
        return JudgedDataset(name=name, digest=self.items.datasets.load_dataset(name).digest)

    def _run_ids(self, target: str) -> tuple[str, ...]:
        """Return the ids of all runs of a sweep, or the id of one run. Raises NotFoundError if neither exists."""
        try:
            return tuple(run.id for run in self.runs.load_sweep(target, counted=False).runs)
        except NotFoundError:
            self.items.sweep_of((target,))
            return (target,)

    def _warnings(self, spec: AssessmentSpec, families: Sequence[RecipeFamily]) -> tuple[LocalizedText, ...]:
        # A recipe without tasks compares texts and asks nobody.
        measured = [each for each in families if each.tasks and only_measures((each,))]
        found: tuple[LocalizedText, ...] = ()
        if not only_measures(families):
            instructions = [task.instruction for family in families for task in family.tasks]
            found = assessment_warnings(spec, self.items.answerers_of_spec(spec))
            found += leaked_criteria(self.items, spec.runs, instructions)
        lacks = measured if spec.judge.model.provider == "ollama" else ()
        return (*found, *(sentence("judging.no-logprobs", column=each.columns[0]) for each in lacks))
