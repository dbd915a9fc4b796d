"""Planned and actual counts: whether anything planned is missing."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.analysis.analysis import SweepAnalysis
from passer.domain.analysis.study_table import Cell, StudyTable
from passer.domain.sheets.sheet import Sheet

PUBLISHED_EVALUATIONS: dict[str, int] = {"I": 1_338, "II": 2_121, "III": 16_236, "IV": 18_744}
"""Evaluations that the published study counts, by phase: II is 21 sheets of 101 rows, III 44 of 369."""
ALL = "all"
_COLUMNS = ("model", "configurations", "questions", "planned", "actual", "distinct", "missing", "repeated")


def counts_of_sheets(sheets: Sequence[Sheet], names: Sequence[str]) -> StudyTable:
    """Return counts by model and in total: sheets x questions of the study, rows, missing and repeated questions.

    `names` label each sheet's model. The published counts follow, for comparison.
    """
    questions = len({key for sheet in sheets for key in sheet.keys})
    rows: list[tuple[Cell, ...]] = []
    for name in (*dict.fromkeys(names), ALL):
        own = [sheet for sheet, owner in zip(sheets, names, strict=True) if name in (owner, ALL)]
        actual, distinct = sum(map(len, own)), sum(len(set(sheet.keys)) for sheet in own)
        planned = len(own) * questions
        rows.append((name, len(own), questions, planned, actual, distinct, planned - distinct, actual - distinct))
    rows += [
        (f"published, phase {phase}", None, None, None, count, None, None, None)
        for phase, count in PUBLISHED_EVALUATIONS.items()
    ]
    return StudyTable(columns=_COLUMNS, rows=tuple(rows))


def counts_of_sweep(analysis: SweepAnalysis, *, questions: int) -> StudyTable:
    """Return counts by configuration and in total: runs x questions, and how many were answered, scored or failed."""
    columns = (
        "name", "runs", "questions", "planned", "actual", "in_composite", "n_excluded", "n_failed", "n_unfinished",
    )  # fmt: skip
    numbers = [
        (
            len(item.run_ids),
            questions,
            len(item.run_ids) * questions,
            item.retrieval.n_questions,
            item.n,
            item.n_excluded,
            item.n_failed,
            item.n_unfinished,
        )
        for item in analysis.configurations
    ]
    totals = [sum(column) for column in zip(*numbers, strict=True)]
    rows = [(item.name, *row) for item, row in zip(analysis.configurations, numbers, strict=True)]
    return StudyTable(columns=columns, rows=(*rows, (ALL, totals[0], questions, *totals[2:])))
