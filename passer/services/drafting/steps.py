"""The steps of a drafting: its windows in order, and what each model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from passer.domain.judging.assessment import Assessment
from passer.domain.judging.task import JudgeTask
from passer.domain.questions import tasks
from passer.domain.questions.drafting import Drafting, Excerpt, Writer
from passer.domain.questions.windows import order_of
from passer.metrics.judged import faithfulness, grades, relevancy
from passer.services.judging.asker import JudgeContext

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
