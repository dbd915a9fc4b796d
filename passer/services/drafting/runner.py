"""Drafts questions until the target is reached, also after an earlier process died.

Drafts are stored in the order of their windows. A window that ends early waits in memory for those before it: its
judgements are stored, so that after a kill it is drafted again without asking anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from threading import Event

from passer.domain.judging.assessment import Assessment
from passer.domain.questions import tasks
from passer.domain.questions.drafting import NO_REPLY, Check, Draft, Drafting, Excerpt
from passer.domain.questions.duplicates import Accepted
from passer.domain.questions.form import normal_form
from passer.domain.questions.gold import gold_of
from passer.domain.questions.windows import corpus_digest, excerpts_of, order_of
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, WorkPaused
from passer.ports import (
    Clock,
    Collections,
    DatasetStore,
    DraftFact,
    DraftStore,
    Embedder,
    Engine,
    EvaluationStore,
    Fact,
    JudgementStore,
    Vectors,
)
from passer.services.drafting.recipes import Attempt, Surroundings, draft
from passer.services.drafting.steps import Step, judge_context, steps_of, tasks_of, writer_context
from passer.services.judging.assessment_driver import Meter, Report, driver_of
from passer.services.judging.driver import Ended, JudgingTools, Started
from passer.services.judging.runner import AssessmentReport, check_tasks_unchanged

SHOWN_EXAMPLES = 5
"""Questions of real users that a model sees."""


@dataclass
class _Progress:
    """Drafts so far, and which window is next."""

    drafting: Drafting
    accepted: Accepted
    stored: list[Draft]
    next: int
    """Place of the first window whose drafts are not stored."""
    given: int = 0
    """Windows that were begun and have not ended."""
    waiting: dict[int, Sequence[Attempt] | None] = field(default_factory=dict)
    """Windows that have ended before one that comes earlier."""
    refused: int = 0
    """Accepted drafts that a person has refused."""

    @property
    def count(self) -> int:
        """Return how many questions there are."""
        return len(self.accepted) - self.refused

    @property
    def is_over(self) -> bool:
        """Return whether the target is reached, or no question can be expected; all models have read the window."""
        writers = len(self.drafting.writers)
        hopeless = not len(self.accepted) and self.next >= self.drafting.patience * writers
        return self.next % writers == 0 and (hopeless or self.count >= self.drafting.target)

    def has_room(self, begun: int) -> bool:
        """Return whether the step at this place can be begun without drafting more than is wanted."""
        writers = len(self.drafting.writers)
        wanted = self.drafting.target - self.count
        if not len(self.accepted):
            wanted = min(wanted, self.drafting.patience * writers - self.next)
        return begun % writers > 0 or self.given + len(self.waiting) < wanted


@dataclass(frozen=True)
class DraftRunner:
    """Runs one drafting at a time."""

    judgements: JudgementStore
    evaluations: EvaluationStore
    drafts: DraftStore
    collections: Collections
    datasets: DatasetStore
    engine: Callable[[], Engine]
    embedder: Callable[[], Embedder]
    clock: Clock
    look_ahead: int
    """Windows that are drafted side by side."""

    def run(self, assessment_id: str, report: Report) -> AssessmentReport:
        """Draft what is missing to the target; WorkPaused where the budget is used up or a model keeps failing."""
        assessment = self.judgements.assessment(assessment_id)
        drafting = assessment.spec.drafting
        assert drafting is not None, "only draftings are run here"
        check_tasks_unchanged(assessment, tasks_of(drafting))
        excerpts, texts = self._corpus(drafting)
        steps = steps_of(drafting, excerpts)
        embed = self._embed(assessment)
        progress = self._progress(assessment_id, drafting, embed)
        around = self._surroundings(drafting, progress.accepted, embed)
        meter = Meter(report, progress.count, drafting.target, doing="drafts.drafting")
        with closing(self.engine()) as engine:
            tools = JudgingTools(
                engine=engine,
                judgements=self.judgements,
                evaluations=self.evaluations,
                clock=self.clock,
                embed=embed,
                look_ahead=self.look_ahead,
            )

            def facts(ended: Ended[Step, tuple[Attempt, ...]]) -> Sequence[Fact]:
                made = _resolved(progress, steps, ended, texts)
                meter.done = min(progress.count, drafting.target)
                return [DraftFact(assessment_id, each) for each in made]

            driver = driver_of(assessment, tools, judge_context(assessment), meter, facts=facts)
            is_done = driver.run(_recipes(progress, steps, around, self.look_ahead), Event())
        if not is_done and not progress.is_over:
            raise WorkPaused(driver.stopped or sentence("judging.budget", asks=driver.spent.asks))
        return self._report(assessment_id, progress)

    def _corpus(self, drafting: Drafting) -> tuple[list[Excerpt], dict[str, str]]:
        """Return the windows and the texts of passages by id; ConflictError if the documents have changed."""
        passages = list(self.collections.open(drafting.collection).passages())
        if corpus_digest(passages) != drafting.corpus:
            raise ConflictError(sentence("drafts.other-documents", collection=drafting.collection))
        return excerpts_of(passages, drafting.window), {passage.id: passage.text for passage in passages}

    def _embed(self, assessment: Assessment) -> Callable[[Sequence[str]], Vectors]:
        """Vectors by the model that the drafting was created with; ConflictError if it is another one now."""
        wanted = assessment.spec.embedding

        def embed(texts: Sequence[str]) -> Vectors:
            embedder = self.embedder()
            if wanted is not None and embedder.model != wanted:
                raise ConflictError(sentence("judging.other-embedding", before=wanted.name, now=embedder.model.name))
            return embedder.sentence_vectors(texts)

        return embed

    def _progress(self, assessment_id: str, drafting: Drafting, embed: Callable[[Sequence[str]], Vectors]) -> _Progress:
        """Return what is stored; windows from the first without a reply on are drafted again."""
        stored = self.drafts.drafts(assessment_id)
        failed = next((each.place for each in stored if _has_no_reply(each)), None)
        if failed is not None:
            self.drafts.delete_drafts(assessment_id, place=failed)
            stored = [each for each in stored if each.place < failed]
        accepted = Accepted(drafting.limits.similarity)
        kept = [each for each in stored if each.is_accepted]
        compares = drafting.limits.similarity is not None and bool(kept)
        vectors = embed([each.question for each in kept]) if compares else [None] * len(kept)
        for each, vector in zip(kept, vectors, strict=True):
            accepted.add(each, vector)
        last = {each.key: each for each in self.drafts.decisions(assessment_id)}
        refused = sum(each.key in last and last[each.key].kind == "refuse" for each in kept)
        first = stored[-1].place + 1 if stored else 0
        return _Progress(drafting, accepted, stored, first, refused=refused)

    def _surroundings(
        self, drafting: Drafting, accepted: Accepted, embed: Callable[[Sequence[str]], Vectors]
    ) -> Surroundings:
        worked = [each.question for each in tasks.examples_of(drafting.language)]
        asked: list[str] = []
        if drafting.examples is not None:
            asked = [question.text for question in self.datasets.load_dataset(drafting.examples).questions]
        shown = [asked[place] for place in order_of(len(asked), drafting.seed)[:SHOWN_EXAMPLES]]
        compares = drafting.limits.similarity is not None
        return Surroundings(
            drafting=drafting,
            shown=tuple(shown),
            example_forms={normal_form(text) for text in (*worked, *asked)},
            example_vectors=embed([*worked, *shown]) if compares else None,
            is_taken=accepted.has,
        )

    def _report(self, assessment_id: str, progress: _Progress) -> AssessmentReport:
        refused = Counter(str(each.refused_at) for each in progress.stored if each.refused_at is not None)
        spent = self.judgements.assessment(assessment_id).spent
        return AssessmentReport(
            items=progress.next, marks=len(progress.stored), missing=dict(sorted(refused.items())), spent=spent
        )


def _recipes(
    progress: _Progress, steps: Sequence[Step], around: Surroundings, look_ahead: int
) -> Iterator[Started[Step, tuple[Attempt, ...]] | None]:
    """Yield windows while questions are missing; never more at a time than could still be wanted."""
    # Tasks compute their digests once.
    drafting = around.drafting
    writers = {each.judge.model.name: writer_context(drafting, each) for each in drafting.writers}
    begun = progress.next
    while begun < len(steps) and not progress.is_over:
        if not progress.has_room(begun) or progress.given >= look_ahead:
            yield None
            continue
        step = steps[begun]
        begun += 1
        progress.given += 1
        yield Started(step, draft(step.excerpt, around), writer=writers[step.writer.judge.model.name])


def _resolved(
    progress: _Progress, steps: Sequence[Step], ended: Ended[Step, tuple[Attempt, ...]], texts: dict[str, str]
) -> list[Draft]:
    """Return the drafts of the windows that have ended in order, each compared with the accepted ones before it."""
    progress.given -= 1
    progress.waiting[ended.key.place] = ended.result
    made: list[Draft] = []
    # What was drafted beyond the target is not stored; its judgements are, should the target be raised.
    while progress.next in progress.waiting and not progress.is_over:
        step = steps[progress.next]
        attempts = progress.waiting.pop(progress.next)
        for number, attempt in enumerate(_failed() if attempts is None else attempts):
            made.append(_compared(_draft(step, number, attempt, texts), attempt, progress.accepted))
        progress.next += 1
    progress.stored += made
    return made


def _failed() -> tuple[Attempt, ...]:
    """A recipe that failed itself costs its window, never the drafting."""
    return (Attempt("", "", (Check(stage="question", passed=False, reason="unjudged", note="recipe"),), None),)


def _draft(step: Step, number: int, attempt: Attempt, texts: dict[str, str]) -> Draft:
    excerpt = step.excerpt
    passages = tuple(texts[each] for each in excerpt.passages)
    gold = gold_of(excerpt, attempt.answer or attempt.question, passages) if attempt.question else ()
    return Draft(
        key=f"{step.place:06d}-{number}",
        place=step.place,
        number=number,
        excerpt=excerpt,
        model=step.writer.judge.model.name,
        question=attempt.question,
        answer=attempt.answer,
        gold=gold,
        checks=attempt.checks,
        refused_at=attempt.refused_at,
    )


def _compared(draft: Draft, attempt: Attempt, accepted: Accepted) -> Draft:
    """Compare a draft with the accepted ones; the checks after a word-for-word repetition are left out.

    Whether they were made depends on how many windows were under way together; the draft must not.
    """
    past_form = any(check.stage == "form" and check.passed for check in draft.checks)
    if past_form and draft.refused_at != "duplicate" and accepted.has(normal_form(draft.question)):
        ahead = tuple(check for check in draft.checks if check.stage in ("question", "form"))
        again = Check(stage="duplicate", passed=False, reason="same_text")
        return _with(draft, (*ahead, again), answered=False)
    if draft.refused_at is not None:
        return draft
    problem = accepted.problem(draft, attempt.vector)
    checked = _with(draft, (*draft.checks, Check(stage="duplicate", passed=problem is None, reason=problem)))
    if problem is None:
        accepted.add(checked, attempt.vector)
    return checked


def _with(draft: Draft, checks: tuple[Check, ...], *, answered: bool = True) -> Draft:
    refused = None if checks[-1].passed else checks[-1].stage
    changed = {} if answered else {"answer": "", "gold": gold_of(draft.excerpt, draft.question)}
    return draft.model_copy(update={"checks": checks, "refused_at": refused, **changed})


def _has_no_reply(draft: Draft) -> bool:
    return draft.is_unjudged and draft.checks[-1].note == NO_REPLY
