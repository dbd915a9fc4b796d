"""A sweep as the three CSV files of RAGElo: queries, documents and answers, joined by `qid`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from passer.services.exports.sheet_export import EvaluationExport

RageloTable = Literal["ragelo-queries", "ragelo-documents", "ragelo-answers"]
RAGELO_COLUMNS: dict[RageloTable, tuple[str, ...]] = {
    "ragelo-queries": ("qid", "query"),
    "ragelo-documents": ("qid", "did", "document"),
    "ragelo-answers": ("qid", "agent", "answer"),
}
"""Columns of each file. A document is a passage, and an agent is a configuration."""


def ragelo_rows(table: RageloTable, items: Iterable[EvaluationExport]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file: each question, each passage that some configuration kept for it, or each answer."""
    seen: set[tuple[str, ...]] = set()
    for item in items:
        for row in _rows(table, item):
            # Configurations share questions and passages.
            key = tuple(row[column] for column in RAGELO_COLUMNS[table][:2])
            if table == "ragelo-answers" or key not in seen:
                seen.add(key)
                yield row


def _rows(table: RageloTable, item: EvaluationExport) -> Iterator[dict[str, Any]]:
    qid = item.question.id
    if table == "ragelo-queries":
        yield {"qid": qid, "query": item.question.text}
    elif table == "ragelo-answers" and item.answer is not None:
        yield {"qid": qid, "agent": item.run.name, "answer": item.answer.text}
    elif table == "ragelo-documents":
        for passage in item.passages[slice(*item.evaluation.kept)]:
            yield {"qid": qid, "did": passage.id, "document": passage.text}
