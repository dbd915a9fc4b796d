"""What is left of a sweep, in the order in which it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from passer.domain.model import Server
from passer.domain.run import LIVE_STATES, Evaluation, Run
from passer.services.sweeps.context import SweepContext
from passer.services.sweeps.tasks import Task

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
    """Of one server: model by model as it is loaded (which is slow), then question by question across its runs."""
    # A server that has just seen a prompt reads it faster: a timing run goes through all questions, then again.
    for _, group in groupby(
        runs, key=lambda run: run.id if context.is_timed else (run.config.model, run.config.loaded)
    ):
        same_model = list(group)
        known = {
            run.id: {e.number: e for e in context.evaluations.evaluations(run.id, with_scores=False)}
            for run in same_model
        }
        for number, question in enumerate(context.questions):
            before = {run.id: known[run.id].get(number) for run in same_model}
            left = [run for run in same_model if _is_left(before[run.id])]
            if left:
                yield [Task(run=run, number=number, question=question, before=before[run.id]) for run in left]


def _is_left(before: Evaluation | None) -> bool:
    return before is None or before.state == "answered"
