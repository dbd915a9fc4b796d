"""Tasks of a sweep: what is left, in which order it is done, and which prompts a model server reads together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from passer.domain.dataset import Question
from passer.domain.models.chat import Chain
from passer.domain.models.model import Server
from passer.domain.sweeps.run import LIVE_STATES, Evaluation, Run
from passer.services.pipeline.answerer import PreparedQuestion
from passer.services.sweeps.context import SweepContext

AT_ONCE = 1_000
"""Evaluations of an earlier process that are read at once."""


@dataclass(frozen=True)
class Task:
    """One evaluation that is not done; `before` is what an earlier process committed of it."""

    run: Run
    number: int
    question: Question
    before: Evaluation | None = None


Waiting = tuple[Task, Evaluation]
"""An evaluation as far as it has come, with its task."""

Lanes = Mapping[Server, Iterator[Sequence[Task]]]
"""Tasks of each model server, question by question; servers do not wait for each other."""


def lanes_of(context: SweepContext, server_of: Callable[[Run], Server]) -> Lanes:
    """Return what is left to do, by model server: one that is gone or slow holds up its own runs only."""
    runs: dict[Server, list[Run]] = {}
    for run in context.sweep.runs:
        if run.state in LIVE_STATES and not run.held:
            runs.setdefault(server_of(run), []).append(run)
    return {server: _tasks(context, of_server) for server, of_server in runs.items()}


def _tasks(context: SweepContext, runs: Sequence[Run]) -> Iterator[Sequence[Task]]:
    """Order the tasks of one server: model by model, because loading is slow, then question by question."""
    # A server that has just seen a prompt reads it faster: a timing run goes through all questions, then again.
    for _, group in groupby(
        runs, key=lambda run: run.id if context.is_timed else (run.config.model, run.config.loaded)
    ):
        same_model = list(group)
        known = {run.id: _Known.of(context, run) for run in same_model}
        for number, question in enumerate(context.questions):
            left = [run for run in same_model if number not in known[run.id].done]
            if left:
                before = {run.id: known[run.id].answered.get(number) for run in left}
                yield [Task(run=run, number=number, question=question, before=before[run.id]) for run in left]


class _Known(NamedTuple):
    """What an earlier process committed of a run; of what is done the number alone, since there can be much of it."""

    answered: dict[int, Evaluation]
    """Answers without scores, by number: they are left to score, which asks no model."""
    done: set[int]
    """Numbers of the others. Failed questions stay done until a person retries."""

    @classmethod
    def of(cls, context: SweepContext, run: Run) -> _Known:
        found, after = cls({}, set()), -1
        while page := context.evaluations.evaluations(run.id, after=after, limit=AT_ONCE, with_scores=False):
            found.answered.update((each.number, each) for each in page if each.state == "answered")
            found.done.update(each.number for each in page if each.state != "answered")
            after = page[-1].number
        return found


def chain_of(task: Task, question: PreparedQuestion) -> Chain | None:
    """Return the chain of an evaluation's prompt; None for a reader that reads no prompts.

    A chain is the prompts of one question, in the order in which a model server reads least. A threshold keeps the
    first passages of a ranking, and the question stands after them: the prompts begin alike, and a server that keeps
    what it has read needs to read each passage once. Measured with the built-in model (benchmarks/model.py), the chains
    read little more than the longest prompts alone. Another template, retriever or collection begins otherwise;
    temperatures and repetitions share their prompt.
    """
    config, info = task.run.config, task.run.model_info
    if not config.model.reads_prompts:
        return None
    key = f"{config.model.name} {config.prompt} {config.ranked_by} {task.number}"
    length = sum(len(message.content) for message in question.prompt.messages)
    # vLLM shares between all requests that it works on: once the longest prompt is read, the others can come together.
    # Elsewhere the next prompt extends what a slot holds. The longest first would read as little, but llama.cpp then
    # copies its memory at each step, and models with a sliding window cannot go back.
    fans_out = bool(info and info.engine and info.engine.lower().startswith("vllm"))
    return Chain(key=key, place=-length if fans_out else length, fans_out=fans_out)
