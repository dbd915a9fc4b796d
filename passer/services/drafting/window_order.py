"""Processes drafts in the order of their windows, not of the replies: duplicates, and the end of a drafting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from passer.domain.judging.assessment import Assessment
from passer.domain.judging.task import JudgeTask
from passer.domain.questions import tasks
from passer.domain.questions.drafting import Check, Decision, Draft, Drafting, Excerpt, Writer, draft_key
from passer.domain.questions.duplicates import Accepted
from passer.domain.questions.form import normal_form
from passer.domain.questions.gold import gold_of
from passer.domain.questions.windows import order_of
from passer.metrics.judged import faithfulness, grades, relevancy
from passer.services.drafting.recipes import Attempt
from passer.services.judging.asker import JudgeContext
from passer.services.judging.driver import Ended

JUDGE_TASKS = (
    grades.STANDALONE, grades.ANSWERABILITY, faithfulness.STATEMENTS, faithfulness.SUPPORTED, relevancy.QUESTION_OF,
)  # fmt: skip
"""Tasks of the judge; the other tasks of a drafting are those of its writers."""


class Step(NamedTuple):
    """One window and the model that reads it."""

    place: int
    excerpt: Excerpt
    writer: Writer


def steps_of(drafting: Drafting, excerpts: Sequence[Excerpt]) -> list[Step]:
    """Return windows and models in the order of drafting: every model reads a window before the next one."""
    order = (excerpts[place] for place in order_of(len(excerpts), drafting.seed))
    pairs = ((excerpt, writer) for excerpt in order for writer in drafting.writers)
    return [Step(place, excerpt, writer) for place, (excerpt, writer) in enumerate(pairs)]


def writer_tasks(drafting: Drafting) -> tuple[JudgeTask, ...]:
    """Return the tasks of the models that write."""
    if drafting.way == "inpars":
        questions = tasks.questions_task(drafting.language, drafting.instruction)
        return (questions, tasks.answer_task(drafting.language)) if drafting.answers else (questions,)
    question = tasks.question_task(drafting.language, drafting.instruction)
    return (question,) if drafting.way == "paragraph" else (question, tasks.answer_task(drafting.language))


def tasks_of(drafting: Drafting) -> tuple[JudgeTask, ...]:
    """Return all tasks of a drafting."""
    return (*writer_tasks(drafting), *(JUDGE_TASKS if drafting.is_judged else ()))


def writer_context(drafting: Drafting, writer: Writer) -> JudgeContext:
    """Return a model that writes with its tasks."""
    named = {task.name: task for task in writer_tasks(drafting)}
    return JudgeContext(writer.judge, writer.info, writer.served, named)


def judge_context(assessment: Assessment) -> JudgeContext:
    """Return the judge of a drafting with its tasks."""
    return JudgeContext.of(assessment.spec, JUDGE_TASKS)


@dataclass
class Progress:
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
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    """Last decisions of people, by the key of the draft."""
    refused: int = 0
    """Accepted drafts that a person has refused."""

    def __post_init__(self) -> None:
        self._count_refused(self.stored)

    @property
    def count(self) -> int:
        """Return how many questions there are."""
        return len(self.accepted) - self.refused

    def put(self, made: Sequence[Draft]) -> None:
        """Add the drafts of the next window."""
        self.stored += made
        self.next += 1
        self._count_refused(made)

    def _count_refused(self, drafts: Iterable[Draft]) -> None:
        said = (self.decisions.get(each.key) for each in drafts if each.is_accepted)
        self.refused += sum(each is not None and each.kind == "refuse" for each in said)

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


def resolved(
    progress: Progress, steps: Sequence[Step], ended: Ended[Step, tuple[Attempt, ...]], texts: dict[str, str]
) -> list[Draft]:
    """Return the drafts of the windows that have ended in order, each compared with the accepted ones before it."""
    progress.given -= 1
    progress.waiting[ended.key.place] = ended.result
    made: list[Draft] = []
    # What was drafted beyond the target is not stored; its judgements are, should the target be raised.
    while progress.next in progress.waiting and not progress.is_over:
        step = steps[progress.next]
        attempts = progress.waiting.pop(progress.next)
        own = [
            _compared(_draft(step, number, attempt, texts), attempt, progress.accepted)
            for number, attempt in enumerate(_failed() if attempts is None else attempts)
        ]
        progress.put(own)
        made += own
    return made


def _failed() -> tuple[Attempt, ...]:
    # A recipe that failed itself costs its window, never the drafting.
    return (Attempt("", "", (Check(stage="question", passed=False, reason="unjudged", note="recipe"),), None),)


def _draft(step: Step, number: int, attempt: Attempt, texts: dict[str, str]) -> Draft:
    excerpt = step.excerpt
    passages = tuple(texts[each] for each in excerpt.passages)
    gold = gold_of(excerpt, attempt.answer or attempt.question, passages) if attempt.question else ()
    return Draft(
        key=draft_key(step.place, number),
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
