"""The public Phase III sheets, read plainly: for tests that hold our arithmetic against the record."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl

MODELS = {"mistral": "Mistral 7B v0.3", "deepseek": "DeepSeek R1 8B"}
TRUE_LABELS = {"Rouge-2.f": "Rouge-l.r", "Rouge-l.f": "BLEU", "F1 Score": "F1 score"}
"""Where a sheet really keeps these metrics: ten of its labels are shifted."""
PUBLISHED_LABELS = {"F1 Score": "F1 score"}
Key = tuple[str, float | None]
"""Model and threshold; None is the baseline."""
Sheet = tuple[list[str], list[dict[str, Any]]]
"""Question keys and rows."""


@cache
def read_sheets(data: Path) -> dict[Key, Sheet]:
    """All 22 configurations."""
    read: dict[Key, Sheet] = {}
    for folder, model in MODELS.items():
        for path in sorted((data / "phase3-sheets" / folder).glob("threshold_*.xlsx")):
            book = openpyxl.load_workbook(path, read_only=True)
            header, *rows = book.worksheets[0].iter_rows(values_only=True)
            book.close()
            kept = [dict(zip(header, row, strict=True)) for row in rows if row[4]]
            questions = [str(row["Description"]).split(", answer:")[0] for row in kept]
            threshold = float(path.stem.split("_")[1])
            keys = [re.sub(r"[^a-z0-9]", "", question.lower()) for question in questions]
            read[model, None if threshold == 0.01 else threshold] = keys, kept
    assert len(read) == 22
    return read


def expected(data: Path, procedure: str) -> list[dict[str, Any]]:
    """Every configuration of the record by `published` or `corrected`."""
    record = json.loads((data / "expected-two-models.json").read_text(encoding="utf-8"))
    configurations: list[dict[str, Any]] = record[procedure]["configurations"]
    assert len(configurations) == 22
    return configurations
