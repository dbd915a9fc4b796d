"""The part of the audit that looks at questions: twice, missing, unknown, spelled otherwise, out of line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from passer.domain.dataset import Dataset
from passer.domain.sheets.audit import Finding, finding
from passer.domain.sheets.sheet import Sheet, question_key
from passer.domain.wording.sentence import Value, sentence


def question_findings(sheets: Sequence[Sheet], dataset: Dataset | None) -> Iterator[Finding]:
    """Return findings on questions, by sheet; without a dataset, the questions of all sheets together are expected."""
    wording: dict[str, str] = {}
    if dataset is not None:
        wording = {question_key(question.text): question.text for question in dataset.questions}
    known = set(wording)
    for sheet in sheets:
        for key, text in zip(sheet.keys, sheet.questions, strict=True):
            wording.setdefault(key, text)
    expected = known or set(wording)
    source = sentence("audit.of-dataset", dataset=dataset.name) if dataset else sentence("audit.of-other-sheets")
    for sheet in sheets:
        yield from _duplicates(sheet, wording)
        yield from _missing(sheet, wording, expected, source)
        if known:
            yield from _unknown(sheet, known, source)
    yield from _inexact(sheets, wording, source)


def _duplicates(sheet: Sheet, wording: dict[str, str]) -> Iterator[Finding]:
    counts = Counter(sheet.keys)
    repeated = [key for key, count in counts.items() if count > 1]
    if repeated:
        extra = sum(counts[key] - 1 for key in repeated)
        rows = [number for number, key in zip(sheet.row_numbers, sheet.keys, strict=True) if counts[key] > 1]
        listed = [wording[key] for key in repeated]
        said: dict[str, Value] = {"sheet": sheet.path, "n": len(counts), "repeated": len(repeated), "extra": extra}
        yield finding("duplicated_questions", "defect", [sheet.path], len(repeated), said, rows=rows, listed=listed)


def _missing(sheet: Sheet, wording: dict[str, str], expected: set[str], source: str) -> Iterator[Finding]:
    here = set(sheet.keys)
    missing = [key for key in wording if key in expected and key not in here]
    if missing:
        listed = [wording[key] for key in missing]
        said: dict[str, Value] = {"sheet": sheet.path, "n": len(missing), "of": len(expected), "source": source}
        yield finding("missing_questions", "defect", [sheet.path], len(missing), said, listed=listed)


def _unknown(sheet: Sheet, known: set[str], source: str) -> Iterator[Finding]:
    places = [place for place, key in enumerate(sheet.keys) if key not in known]
    if places:
        yield finding(
            "unknown_questions",
            "attention",
            [sheet.path],
            len(places),
            {"sheet": sheet.path, "n": len(places), "source": source},
            rows=[sheet.row_numbers[place] for place in places],
            listed=[sheet.questions[place] for place in places],
        )


def _inexact(sheets: Sequence[Sheet], wording: dict[str, str], source: str) -> Iterator[Finding]:
    """Questions that are spelled otherwise than expected, with the first row of each spelling."""
    first: dict[str, str] = {}
    paths = []
    for sheet in sheets:
        spelled = [
            (number, text)
            for number, key, text in zip(sheet.row_numbers, sheet.keys, sheet.questions, strict=True)
            if text != wording[key].strip()
        ]
        paths += [sheet.path] if spelled else []
        for number, text in spelled:
            first.setdefault(text, f"{sheet.path}, row {number}: {text}")
    if first:
        said: dict[str, Value] = {"n": len(first), "sheets": len(paths), "source": source}
        yield finding("inexact_questions", "note", paths, len(first), said, listed=first.values())


def baseline_findings(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    """Return findings on models without a baseline, and on rows whose position has another question in the baseline."""
    baselines = {sheet.model: sheet for sheet in sheets if sheet.is_baseline}
    for model in dict.fromkeys(sheet.model for sheet in sheets):
        if model not in baselines:
            paths = [sheet.path for sheet in sheets if sheet.model == model]
            yield finding("no_baseline", "attention", paths, len(paths), {"model": model})
    out_of_line: dict[tuple[str, tuple[int, ...]], list[Sheet]] = {}
    for sheet in sheets:
        if not sheet.is_baseline and sheet.model in baselines:
            rows = _rows_out_of_line(sheet, baselines[sheet.model])
            if rows:
                out_of_line.setdefault((sheet.model, rows), []).append(sheet)
    for (model, rows), alike in out_of_line.items():
        yield _misaligned(alike, baselines[model], rows)


def _rows_out_of_line(sheet: Sheet, baseline: Sheet) -> tuple[int, ...]:
    pairs = zip(sheet.row_numbers, sheet.keys, baseline.keys, strict=False)
    return tuple(number for number, here, there in pairs if here != there)


def _misaligned(sheets: Sequence[Sheet], baseline: Sheet, rows: Sequence[int]) -> Finding:
    """One finding for all sheets that are out of line with their baseline in the same rows."""
    compared = min(len(sheets[0]), len(baseline))
    several = sentence("audit.sheets-of-model", n=len(sheets), model=baseline.model)
    which = sheets[0].path if len(sheets) == 1 else several
    paths = [sheet.path for sheet in sheets]
    listed = paths if len(paths) > 1 else ()
    said: dict[str, Value] = {"which": which, "n": len(rows), "of": compared, "row": rows[0]}
    return finding("misaligned_rows", "defect", paths, len(rows), said, rows=rows, listed=listed)
