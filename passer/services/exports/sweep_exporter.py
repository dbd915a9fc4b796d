"""Exports a stored sweep: a row a question, a row a configuration, files of RAGElo, published sheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Literal

from passer.domain.analysis.choices import AS_USUAL, SweepChoices
from passer.domain.retrieval.at_k import Grades
from passer.domain.retrieval.figures import RankedNames, StoredRankings
from passer.domain.retrieval.retriever_names import labels_by_digest
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import StoredSweep
from passer.services.analysis.sweep_results import SweepResults
from passer.services.exports.exported_rows import RAGELO_COLUMNS, RageloTable, exported_rows
from passer.services.exports.sheet_export import EvaluationExport
from passer.services.exports.table_export import TableExport

Table = Literal["evaluations", "composites"] | RageloTable
ROW_TABLES: dict[str, Table] = {
    "evaluations": "evaluations",
    "composites": "composites",
    **{name: name for name in RAGELO_COLUMNS},
}
"""Tables with a row a question, or a configuration, and everything that is known of it; and the files of RAGElo."""
TREC = "trec"
"""TREC runs of the retrievers of a sweep, with the qrels: several files."""


@dataclass(frozen=True)
class SweepExporter:
    """Writes what a sweep has as files."""

    sweep_results: SweepResults
    table_export: TableExport

    def export(
        self,
        sweep_id: str,
        *,
        table: Table,
        suffix: str,
        choices: SweepChoices = AS_USUAL,
        reproducible: bool = False,
    ) -> IO[bytes]:
        """Return a table as an open file at its beginning; the caller closes it."""
        if table == "composites":
            analysis = self.sweep_results.analyse(sweep_id, choices)
            return self.table_export.composites(analysis, suffix=suffix, reproducible=reproducible)
        exported = self._exported(sweep_id, with_passages=table == "ragelo-documents")
        if table != "evaluations":
            return self.table_export.ragelo(table, exported, suffix=suffix, reproducible=reproducible)
        return self.table_export.evaluations(exported, suffix=suffix, reproducible=reproducible)

    def sheets(self, sweep_id: str, *, shifted: bool = False, reproducible: bool = False) -> IO[bytes]:
        """Return a zip of the runs in the published sheet layout; the caller closes it."""
        return self.table_export.sheets(self._exported(sweep_id), shifted=shifted, reproducible=reproducible)

    def rankings(self, sweep_id: str) -> list[StoredRankings]:
        """Return the rankings that a sweep used, by collection; InputError if it has none."""
        results = self.sweep_results
        sweep = results.runs.load_sweep(sweep_id)
        retrievers = {run.config.ranked_by: run.config.retriever for run in sweep.runs}
        labels = labels_by_digest(retrievers.values())
        found: dict[str, list[RankedNames]] = {}
        grades: dict[str, dict[str, Grades]] = {}
        for ranked_by, retriever in retrievers.items():
            stored = results.evaluations.bare_rankings(sweep_id, ranked_by)
            names = {question: [name for name, _ in each.passages] for question, each in stored.items()}
            if any(names.values()):
                found.setdefault(ranked_by.collection, []).append(
                    RankedNames(labels[retriever.digest], retriever, names)
                )
                gold = {question: dict.fromkeys(each.gold_ids, 1) for question, each in stored.items() if each.gold_ids}
                grades[ranked_by.collection] = {**grades.get(ranked_by.collection, {}), **gold}
        if not found:
            raise InputError(sentence("sweep.no-rankings"), field="table")
        return [StoredRankings(collection, found[collection], grades[collection]) for collection in found]

    def _exported(self, sweep_id: str, *, with_passages: bool = False) -> Iterator[EvaluationExport]:
        results = self.sweep_results
        sweep: StoredSweep = results.runs.load_sweep(sweep_id)
        questions = results.run_browser.questions(sweep)
        return exported_rows(sweep, questions, results.evaluations, with_passages=with_passages)
