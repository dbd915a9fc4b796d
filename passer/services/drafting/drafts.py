"""Plans, creates and resumes draftings of questions."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from passer.domain.dataset import Way
from passer.domain.judging.ask import Ask
from passer.domain.judging.assessment import Assessment, AssessmentSpec
from passer.domain.judging.judgement import JUDGE_OPTIONS, Judge
from passer.domain.judging.kinship import judge_warnings
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.generation import served
from passer.domain.models.model import Model, ModelInfo
from passer.domain.questions import tasks
from passer.domain.questions.drafting import Drafting, DraftSettings, Excerpt, Window, Writer
from passer.domain.questions.windows import corpus_digest, excerpts_of
from passer.domain.retrieval.passages import Passage
from passer.domain.sweeps.budget import Budget, Price
from passer.domain.texts.words import other_scripts
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import ConfigError, ConflictError, InputError
from passer.ports import Clock, Collections, DatasetStore, DraftStore, Embedder, JudgementStore
from passer.services.drafting.window_order import judge_context, steps_of, tasks_of, writer_context
from passer.services.judging.asker import JudgeContext, PreparedAsk, prepare
from passer.services.judging.requests import AskingRequest, RequestCosts, request_costs

COLUMN = "draft"
PLANNED_WINDOWS = 200
"""Windows whose prompts a plan counts; the others are counted in proportion."""
LOOKED_AT = 50
"""Passages that decide which script the documents are written in."""
_QUESTION, _ANSWER = "x" * 80, "x" * 200
"""Stand for texts that are not written yet, in the estimate of tokens."""
INPARS_WINDOW = Window(unit="tokens", size=2000)


class DraftRequest(AskingRequest, DraftSettings):
    """A request to draft questions from documents."""

    collection: str = Field(min_length=1, max_length=63)
    """Name of the collection."""
    models: tuple[Model, ...] = Field(min_length=1, max_length=8)
    """Models that write; each reads the same windows."""
    judge: Model | None = None
    """Model that checks drafts; only the way `agentic` needs one, and takes the first model without it."""
    window: Window | None = None
    """Amount of text that a model reads at once; None is one passage, or 2,000 tokens for `inpars`."""
    language: str | None = Field(default=None, min_length=2, max_length=35)
    """Language of the documents, as a BCP 47 tag; None is Bulgarian for Cyrillic documents, else English."""
    instruction: str = Field(default="", max_length=2000)
    """Instruction in place of the built-in one; empty keeps it."""


class DraftPlan(RequestCosts):
    """Expected cost of a drafting job if every draft passed all checks: the fewest requests for the target."""

    passages: int
    """Passages of the collection."""
    windows: int
    """Windows that the models can read."""
    target: int
    """Number of questions that are wanted."""
    asks_each: int
    """Requests for each accepted question, at least."""
    asks: int
    """Requests for the target, at least."""
    known: int
    """Number of first requests with a stored reply; they cost nothing."""
    language: str
    """Language of the questions."""
    warnings: tuple[LocalizedText, ...]
    """Warnings to read before the start."""


@dataclass(frozen=True)
class Drafts:
    """Plans, creates and resumes draftings."""

    judgements: JudgementStore
    drafts: DraftStore
    collections: Collections
    datasets: DatasetStore
    describe: Callable[[Model], ModelInfo]
    located: Callable[[Model], Model]
    embedder: Callable[[], Embedder]
    clock: Clock

    def create(self, request: DraftRequest) -> Assessment:
        """Save a new drafting; its work is still to be queued.

        Raises ConfigError, InputError or NotFoundError for a request that cannot be carried out.
        """
        assessment, _ = self._made(request)
        self.judgements.add_assessment(assessment)
        return assessment

    def plan(self, request: DraftRequest) -> DraftPlan:
        """Count windows and requests; the model servers are only asked to describe the models."""
        assessment, passages = self._made(request)
        drafting = assessment.spec.drafting
        assert drafting is not None, "made as a drafting"
        excerpts = excerpts_of(passages, drafting.window)
        each = tasks.MOST_QUESTIONS if drafting.way == "inpars" else 1
        steps = steps_of(drafting, excerpts)
        wanted = min(len(steps), -(-drafting.target // each))
        questions = min(each, -(-drafting.target // wanted))
        looked_at = steps[: min(wanted, PLANNED_WINDOWS)]
        judge = judge_context(assessment)
        first: list[PreparedAsk] = []
        asks: list[PreparedAsk] = []
        for step in looked_at:
            own = list(_asks(step.excerpt, drafting, judge, writer_context(drafting, step.writer), questions))
            first.append(own[0])
            asks += own
        scale = wanted / len(looked_at)
        costs = request_costs(asks, scale=scale, price=request.price)
        return DraftPlan(
            **dict(costs, known=len(self.judgements.judgements([ask.key for ask in first]))),
            passages=len(passages),
            windows=len(excerpts),
            target=drafting.target,
            asks_each=max(1, len(asks) // (questions * len(looked_at))),
            language=drafting.language,
            warnings=tuple(self._warnings(assessment, len(steps) * each)),
        )

    def prepare_resume(self, assessment_id: str, *, budget: Budget, **wanted: int | None) -> None:
        """Set the limits, and `target`, `patience` and `answers` where they are given.

        Raises NotFoundError if it does not exist, ConflictError if it is no drafting, and InputError for answers of a
        way that has them already. The tasks of what was drafted before stay as they were, so that a changed one is
        still refused.
        """
        assessment = self.judgements.assessment(assessment_id)
        given = {name: value for name, value in wanted.items() if value is not None}
        drafting = drafting_of(assessment).model_copy(update=given)
        _check_answers(drafting.way, wanted=bool(given.get("answers")))
        known = {task.name for task in assessment.tasks}
        new = (task.text for task in tasks_of(drafting) if task.name not in known)
        self.judgements.set_budget(assessment_id, budget.priced(assessment.spec.judge.price))
        self.drafts.set_drafting(assessment_id, drafting, (*assessment.tasks, *new))

    def _made(self, request: DraftRequest) -> tuple[Assessment, list[Passage]]:
        models = (*request.models, *(() if request.judge is None else (request.judge,)))
        if not all(model.reads_prompts for model in models):
            raise ConfigError(sentence("drafts.copies"), field="models")
        if max(Counter(model.name for model in request.models).values()) > 1:
            raise InputError(sentence("drafts.model-twice"), field="models")
        _check_answers(request.way, wanted=request.answers)
        passages = list(self.collections.open(request.collection).passages())
        if not passages:
            raise InputError(sentence("drafts.no-passages", collection=request.collection), field="collection")
        if request.examples is not None:
            self.datasets.load_dataset(request.examples)
        options = JUDGE_OPTIONS.model_copy(update={"num_ctx": request.num_ctx})
        writers = tuple(self._writer(model, request.price, options) for model in request.models)
        is_judged = request.way == "agentic"
        judge = self._writer(request.judge, request.price, options) if is_judged and request.judge else writers[0]
        is_embedded = request.limits.similarity is not None or is_judged
        drafting = Drafting(
            collection=request.collection,
            corpus=corpus_digest(passages),
            language=request.language or _language(passages),
            writers=writers,
            is_judged=is_judged,
            window=request.window or (INPARS_WINDOW if request.way == "inpars" else Window()),
            instruction=request.instruction.strip(),
            **request.model_dump(include=set(DraftSettings.model_fields)),
        )
        spec = AssessmentSpec(
            columns=(COLUMN,),
            judge=judge.judge,
            judge_info=judge.info,
            served=judge.served,
            embedding=self.embedder().model if is_embedded else None,
            drafting=drafting,
        )
        assessment = Assessment(
            id=secrets.token_hex(8),
            sweep_id=None,
            spec=spec,
            tasks=tuple(task.text for task in tasks_of(drafting)),
            budget=request.budget.priced(request.price),
            created_at=self.clock.now(),
        )
        return assessment, passages

    def _writer(self, model: Model, price: Price | None, options: GenerationOptions) -> Writer:
        info = self.describe(model)
        judge = Judge(model=self.located(model), options=options, price=price)
        return Writer(judge=judge, info=info, served=served(info, options))

    def _warnings(self, assessment: Assessment, most: int) -> Iterator[LocalizedText]:
        spec = assessment.spec
        drafting = drafting_of(assessment)
        weak = [each.judge.model.name for each in drafting.writers if each.info.for_trials]
        if weak:
            yield sentence("drafts.trial-writer", models=tuple(weak))
        if drafting.is_judged:
            names = {each.judge.model.name: each.info for each in drafting.writers}
            yield from judge_warnings(spec.judge.model.name, spec.judge_info, names)
        if most < drafting.target:
            yield sentence("drafts.few-windows", n=most, target=drafting.target)


def _check_answers(way: Way, *, wanted: bool) -> None:
    if wanted and way != "inpars":
        raise InputError(sentence("drafts.has-answers"), field="answers")


def drafting_of(assessment: Assessment) -> Drafting:
    """Return the drafting of an assessment; ConflictError if it judges answers."""
    if assessment.spec.drafting is None:
        raise ConflictError(sentence("drafts.no-drafting", assessment=assessment.id))
    return assessment.spec.drafting


def _asks(
    excerpt: Excerpt, drafting: Drafting, judge: JudgeContext, writer: JudgeContext, questions: int
) -> Iterator[PreparedAsk]:
    """Yield the asks of a window whose questions pass everything, with texts of usual length for those not written."""
    task = tasks.QUESTIONS if drafting.way == "inpars" else tasks.QUESTION
    yield prepare(writer, Ask(task=task, given={tasks.PASSAGE: excerpt.text}))
    answer = Ask(task=tasks.ANSWER, given={tasks.PASSAGE: excerpt.text, tasks.ASKED: _QUESTION})
    if drafting.answers:
        yield from [prepare(writer, answer)] * questions
    if drafting.way != "agentic":
        return
    limits, passages = drafting.limits, [excerpt.text]
    if limits.stand_alone is not None:
        yield prepare(judge, Ask(task="standalone", given={"question": _QUESTION}))
    if limits.answerability is not None:
        yield prepare(judge, Ask(task="answerability", given={"question": _QUESTION, "passages": passages}))
    yield prepare(writer, answer)
    if limits.faithfulness is not None:
        yield prepare(judge, Ask(task="statements", given={"question": _QUESTION, "answer": _ANSWER}))
        yield prepare(judge, Ask(task="supported", given={"passages": passages, "statements": [_ANSWER]}))
    if limits.relevance is not None:
        for sample in range(3):
            yield prepare(judge, Ask(task="question-of", given={"text": _ANSWER}, sample=sample))


def _language(passages: Sequence[Passage]) -> str:
    """Bulgarian where most of the first passages are Cyrillic; another language is to be named."""
    scripts = [other_scripts([passage.text])[:1] for passage in passages[:LOOKED_AT]]
    return "bg" if 2 * scripts.count(("Cyrillic",)) > len(scripts) else "en"
