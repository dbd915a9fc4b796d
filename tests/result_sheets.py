"""Hand-made result sheets, as values and as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from openpyxl import Workbook

from passer.domain.panel import PANELS
from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.labels import SHIFTED_LABELS
from passer.domain.sheets.sheet import Sheet, SheetRemarks

PANEL_COLUMNS = PANELS["phase3"].columns
LEADING = ("id", "date", "userID", "testID", "Description")


def f_measure(p: float, r: float) -> float:
    return 2 * p * r / (p + r + 1e-8)


def vector(meteor: float) -> dict[str, float]:
    """Scores in which METEOR varies, all else is the same, and the F of ROUGE-1 fits its parts."""
    scores = dict.fromkeys(VECTOR_ORDER, 0.3) | {"Rouge-1.r": 0.2, "Rouge-1.p": 0.6, "BLEU": 0.1, "Rouge-2.r": 0.15}
    scores |= {"Laplace Perplexity": 30.0, "Lidstone Perplexity": 40.0}
    return scores | {"Rouge-1.f": f_measure(0.2, 0.6), "METEOR": meteor}


def as_labelled(scores: dict[str, float], *, shifted: bool) -> dict[str, float]:
    """The same scores under the labels of an old export."""
    return {(SHIFTED_LABELS.get(name, name) if shifted else name): value for name, value in scores.items()}


def sheet(
    model: str,
    threshold: float | None,
    meteor: dict[str, float],
    *,
    repeat: dict[str, float] | None = None,
    shifted: bool = False,
    path: str | None = None,
    remarks: SheetRemarks | None = None,
) -> Sheet:
    """A sheet of questions with their METEOR; `repeat` adds further rows of the same questions."""
    rows = [*meteor.items(), *(repeat or {}).items()]
    labelled = [as_labelled(vector(value), shifted=shifted) for _, value in rows]
    values = np.array([[row[name] for name in VECTOR_ORDER] for row in labelled]).reshape(len(rows), len(VECTOR_ORDER))
    name = path or f"{model}/threshold_{threshold or 0.01}.xlsx"
    return Sheet(
        path=name,
        digest=name.ljust(64, "0"),
        model=model,
        threshold=threshold,
        columns=VECTOR_ORDER,
        row_numbers=tuple(range(2, 2 + len(rows))),
        questions=tuple(question for question, _ in rows),
        answers=tuple("said" for _ in rows),
        values=values,
        present=np.ones(values.shape, dtype=bool),
        remarks=remarks or SheetRemarks(),
    )


def row_of(question: str, meteor: float, *, number: int = 1, shifted: bool = False, answer: str = "said") -> list[Any]:
    """Cells of a row under `header()`."""
    scores = as_labelled(vector(meteor), shifted=shifted)
    leading = [number, "2025-04-02T06:05:58", "someone", "test", f"question: {question}, answer: {answer}"]
    return [*leading, *(scores[name] for name in VECTOR_ORDER)]


def header() -> list[str]:
    return [*LEADING, *("F1 score" if name == "F1 Score" else name for name in VECTOR_ORDER)]


def write_sheet(path: Path, rows: Sequence[Sequence[Any]], *, columns: Sequence[str] | None = None) -> None:
    """A workbook with this header and these rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    book = Workbook()
    book.active.append(list(columns or header()))
    for row in rows:
        book.active.append(list(row))
    book.save(path)
