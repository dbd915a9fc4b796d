"""Reads imported sheets question by question: pages of rows, single rows, and their recomputed scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passer.domain.sheets.questions import (
    RecomputedScores,
    SheetPageQuery,
    SheetQuery,
    SheetQuestionDetail,
    SheetQuestionPage,
    question_detail,
    question_page,
)
from passer.domain.sheets.sheet import Sheet, SheetImport, question_key
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.ports import DatasetStore, ImportStore, Scorer

References = Mapping[str, str]
"""References of a dataset, by question key."""


@dataclass(frozen=True)
class SheetBrowser:
    """Reads imported sheets."""

    imports: ImportStore
    datasets: DatasetStore
    scorer: Scorer

    def page(self, import_id: str, query: SheetPageQuery) -> SheetQuestionPage:
        """Return rows of one sheet. Raises NotFoundError if it does not exist, and InputError for an unknown order."""
        imported = self.imports.load_import(import_id, path=query.sheet)
        return question_page(imported.sheets[0], query, self._references(imported))

    def detail(self, import_id: str, number: int, query: SheetQuery) -> SheetQuestionDetail:
        """Return one row of a sheet by its place from 0, with its neighbours in the order of the query."""
        imported = self.imports.load_import(import_id, path=query.sheet)
        sheet = imported.sheets[0]
        _check_number(sheet, number)
        return question_detail(sheet, number, query, self._references(imported))

    def recomputed(self, import_id: str, number: int, *, path: str) -> RecomputedScores:
        """Return the 24 columns of a row by the published definitions, or the reason why they cannot be computed."""
        imported = self.imports.load_import(import_id, path=path)
        sheet = imported.sheets[0]
        _check_number(sheet, number)
        reference = self._references(imported).get(sheet.keys[number])
        if reference is None:
            return RecomputedScores(
                scores={}, reason="no_reference" if imported.dataset else "no_dataset", encoder=None
            )
        answer = sheet.answers[number] if sheet.answers else ""
        if not answer:
            return RecomputedScores(scores={}, reason="no_answer", encoder=None)
        [scores] = self.scorer.score([(reference, answer)], profile="published")
        return RecomputedScores(scores=dict(scores), reason=None, encoder=self.scorer.identity.get("encoder"))

    def _references(self, imported: SheetImport) -> References:
        """Return the references of the dataset that the import was checked against; none if there is none any more."""
        if imported.dataset is None:
            return {}
        try:
            dataset = self.datasets.load_dataset(imported.dataset, imported.dataset_digest)
        except NotFoundError:
            return {}
        return {question_key(question.text): question.reference for question in dataset.questions}


def _check_number(sheet: Sheet, number: int) -> None:
    if number >= len(sheet):
        raise NotFoundError(sentence("problem.no-row", path=sheet.path, last=len(sheet) - 1, number=number))
