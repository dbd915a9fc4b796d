"""Checks the judged column of a verdict: each value of a configuration is the mean of its runs' marks."""

from __future__ import annotations

import math
from collections.abc import Set

from passer.domain.bundle.documents import Wrong
from passer.domain.bundle.judged_document import JudgedRecord, MarkRecord
from passer.domain.bundle.verdict_document import VerdictDocument
from passer.domain.score import CAUSED_BY_SYSTEM

TOLERANCE = 1e-8
"""That of all values of a verdict; means of repeats may be summed in another order."""


def wrong_of_judged(read: VerdictDocument, run_id: str, answered: Set[str]) -> Wrong | None:
    """Return the first mark or value that cannot be; None where the values follow from the marks.

    `answered` has the ids of the questions that the run of the bundle answered.
    """
    judged = read.judged
    if judged is None:
        return None
    if judged.column != read.rule.primary:
        return Wrong("It is not the primary metric.", field="judged.column")
    return _misfit(read, judged) or _unanswered(read, judged, run_id, answered) or _unmarked(read, judged)


def _misfit(read: VerdictDocument, judged: JudgedRecord) -> Wrong | None:
    """Return what is not of one piece: other runs, a list of another length, a position of nothing."""
    if [run.id for run in judged.runs] != [run.id for each in read.configurations for run in each.runs]:
        return Wrong("Its runs are not those of the configurations.", field="judged.runs")
    for place, run in enumerate(judged.runs):
        path = f"judged.runs[{place}].marks"
        if len(run.marks) != len(read.questions):
            return Wrong(f"It has {len(run.marks)} values for {len(read.questions)} questions.", field=path)
        for number, mark in enumerate(run.marks):
            if any(position >= len(judged.judgements) for position in mark.judgements):
                return Wrong("There is no such judgement.", field=f"{path}[{number}].judgements")
    return None


def _unanswered(read: VerdictDocument, judged: JudgedRecord, run_id: str, answered: Set[str]) -> Wrong | None:
    """Return a value of an answer that the run of the bundle does not have."""
    place = [run.id for run in judged.runs].index(run_id)
    for number, (question, mark) in enumerate(zip(read.questions, judged.runs[place].marks, strict=True)):
        if mark.value is not None and question not in answered:
            path = f"judged.runs[{place}].marks[{number}].value"
            return Wrong(f"Question {question!r} has no answer that could be judged.", field=path)
    return None


def _unmarked(read: VerdictDocument, judged: JudgedRecord) -> Wrong | None:
    """Return the first value that is not the mean of the marks of the configuration's runs."""
    of_run = {run.id: run.marks for run in judged.runs}
    for place, each in enumerate(read.configurations):
        for number, value in enumerate(each.values):
            # None in the verdict: another configuration lacks the question, so that it was left out everywhere.
            if value is None:
                continue
            known = [found for run in each.runs if (found := _worth(of_run[run.id][number])) is not None]
            if not known or not math.isclose(value, sum(known) / len(known), abs_tol=TOLERANCE):
                path = f"configurations[{place}].values[{number}]"
                return Wrong("The value does not follow from the judge's marks.", field=path)
    return None


def _worth(mark: MarkRecord) -> float | None:
    """Return the value of a mark: 0 where the system lost it, None where measuring did."""
    if mark.value is None and mark.reason in CAUSED_BY_SYSTEM:
        return 0.0
    return mark.value
