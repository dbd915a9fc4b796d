"""Evaluations of a sweep that are not done."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.dataset import Question
from passer.domain.run import Evaluation, Run


@dataclass(frozen=True)
class Task:
    """One evaluation that is not done; `before` is what an earlier process committed of it."""

    run: Run
    number: int
    question: Question
    before: Evaluation | None = None


Waiting = tuple[Task, Evaluation]
"""An evaluation as far as it has come, with its task."""
