"""Check that the references of a dataset are those that old sheets were scored against.

A sheet keeps no references. But METEOR, and the ROUGE field that counts the overlap per word of the reference, can be
computed again from a reference and the stored answer: where both come out otherwise in a row, the reference is
suspected. One of them alone says less: the stored answer may have been cleaned, and WordNet has versions. A reference
belongs to all rows of its question: where most of them agree with it, the few others have altered answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.dataset import Dataset
from passer.domain.score import Scores
from passer.domain.sheets.audit import LISTED, Finding, ReferenceCheck, finding
from passer.domain.sheets.labels import check_labels, true_label
from passer.domain.sheets.sheet import Sheet, question_key
from passer.domain.wording.sentence import Value, sentence

Recompute = Callable[[Sequence[tuple[str, str]], str], Sequence[Scores]]
"""Scores of (reference, answer) pairs by the published definition of one column."""

TOLERANCE = 1e-4
"""Largest difference between a stored and a recomputed score; some exports are rounded."""

PER_REFERENCE_WORD = "Rouge-1.p"
"""The published field that divides the overlap by the words of the reference."""


@dataclass
class _Rows:
    """The rows of one question."""

    text: str
    compared: int = 0
    suspected: list[tuple[str, int]] = field(default_factory=list)


def check_references(sheets: Sequence[Sheet], dataset: Dataset, recompute: Recompute) -> ReferenceCheck:
    """Score the rows again and list the questions whose reference is suspected, with their rows."""
    references = {question_key(question.text): question.reference for question in dataset.questions}
    questions: dict[str, _Rows] = {}
    for sheet in sheets:
        places = _comparable(sheet, references)
        for place in places:
            questions.setdefault(sheet.keys[place], _Rows(sheet.questions[place])).compared += 1
        # METEOR takes long: it is asked only where ROUGE differs.
        for name in (PER_REFERENCE_WORD, "METEOR"):
            pairs = [(references[sheet.keys[place]], sheet.answers[place]) for place in places]
            again = recompute(pairs, name)
            if any(scores[name].reason == "wordnet_unavailable" for scores in again):
                return ReferenceCheck(not_checked=sentence("unchecked.no-wordnet"))
            places = _differing(sheet, places, again, name)
        for place in places:
            questions[sheet.keys[place]].suspected.append((sheet.path, sheet.row_numbers[place]))
    if not questions:
        return ReferenceCheck(not_checked=sentence("unchecked.no-row", dataset=dataset.name))
    return ReferenceCheck(findings=_findings([rows for rows in questions.values() if rows.suspected], dataset.name))


def _comparable(sheet: Sheet, references: dict[str, str]) -> list[int]:
    order = check_labels(sheet).order
    needed = [true_label(name, order) for name in ("METEOR", PER_REFERENCE_WORD)]
    if order == "unclear" or any(label not in sheet.columns for label in needed):
        return []
    return [place for place, key in enumerate(sheet.keys) if key in references]


def _differing(sheet: Sheet, places: Sequence[int], again: Sequence[Scores], name: str) -> list[int]:
    """Return the places whose stored score differs from the recomputed one; missing values are ignored."""
    column = sheet.columns.index(true_label(name, check_labels(sheet).order)) if places else 0
    return [
        place
        for place, scores in zip(places, again, strict=True)
        if (value := scores[name].value) is not None
        and sheet.present[place, column]
        and abs(float(sheet.values[place, column]) - value) > TOLERANCE
    ]


def _findings(questions: Sequence[_Rows], dataset: str) -> tuple[Finding, ...]:
    """Questions most of whose rows differ, one each unless they are many; then the single rows of all others."""
    doubtful = [rows for rows in questions if 2 * len(rows.suspected) > rows.compared]
    single = [where for rows in questions if rows not in doubtful for where in rows.suspected]
    found = [_of_question(rows, dataset) for rows in doubtful] if len(doubtful) <= LISTED else []
    if len(doubtful) > LISTED:
        where = [where for rows in doubtful for where in rows.suspected]
        texts = [rows.text for rows in doubtful]
        found.append(_suspected(where, "many-references", {"n": len(doubtful), "dataset": dataset}, listed=texts))
    if single:
        found.append(_suspected(single, "altered-answers", {"n": len(single), "dataset": dataset}))
    return tuple(found)


def _of_question(rows: _Rows, dataset: str) -> Finding:
    n, of = len(rows.suspected), rows.compared
    said: dict[str, Value] = {"n": n, "of": of, "dataset": dataset, "question": rows.text}
    return _suspected(rows.suspected, "suspected-reference", said)


def _suspected(
    where: Sequence[tuple[str, int]], code: str, said: Mapping[str, Value], *, listed: Sequence[str] | None = None
) -> Finding:
    paths = dict.fromkeys(path for path, _ in where)
    named = [f"{path}, row {number}" for path, number in where] if listed is None else listed
    return finding("suspected_references", "attention", paths, len(where), said, listed=named, code=code)
