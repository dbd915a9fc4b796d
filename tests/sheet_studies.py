"""A published study of imported sheets: two models, one with shifted labels, repeated and missing rows and cells."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.auditor import audit_sheets
from passer.domain.sheets.sheet import Sheet, SheetImport
from passer.services.provenance.published_study import Publication, StudyPublisher
from passer.services.provenance.sheet_study_composer import SheetStudyComposer
from tests.bundles import RANGES
from tests.result_sheets import as_labelled, f_measure, sheet
from tests.studies import PUBLICATION, StubRecorder

QUESTIONS = 24
IMPORT = "sheets-0123456789ab"
LABELS = {"orca2": "Orca 2"}


def scores_of(dice: random.Random, shift: float) -> dict[str, float]:
    """Scores in the ranges of their columns, with an F of ROUGE-1 that fits its parts."""
    made = {column: dice.uniform(*RANGES[column]) for column in VECTOR_ORDER}
    made["METEOR"] = min(1.0, made["METEOR"] / 2 + shift)
    made["Rouge-1.f"] = f_measure(made["Rouge-1.p"], made["Rouge-1.r"])
    return made


def made_sheet(model: str, threshold: float | None, *, shift: float, shifted: bool) -> Sheet:
    dice = random.Random(f"{model} {threshold}")
    texts = {f"What is number {number}, of the farm?": 0.5 for number in range(QUESTIONS)}
    # One question twice, as in the published sheets.
    plain = sheet(model, threshold, texts, repeat={"What is number 3, of the farm?": 0.5}, shifted=shifted)
    rows = [as_labelled(scores_of(dice, shift), shifted=shifted) for _ in range(len(plain))]
    values = np.array([[row[name] for name in VECTOR_ORDER] for row in rows])
    present = np.ones(values.shape, dtype=bool)
    digest = f"{dice.getrandbits(256):064x}"
    return replace(plain, values=values, present=present, digest=digest)


def sheets() -> tuple[Sheet, ...]:
    made = [
        made_sheet(model, threshold, shift=0.1 * place, shifted=model == "mistral")
        for model in ("mistral", "orca2")
        for place, threshold in enumerate((None, 0.3, 0.5))
    ]
    made[1].present[4, 0] = False  # no number in a cell of METEOR under its own label
    made[1].values[4, 0] = 0.0
    made[5].values[7, VECTOR_ORDER.index("METEOR")] = 17.0  # a number that METEOR cannot have
    return tuple(made)


class OneImport:
    """ports.ImportStore with one import."""

    def __init__(self, held: tuple[Sheet, ...]) -> None:
        self.imported = SheetImport(
            id=IMPORT,
            name="farm sheets",
            created_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
            sheets=held,
            audit=audit_sheets(held),
        )

    def load_import(self, import_id: str) -> SheetImport:
        assert import_id == IMPORT
        return self.imported


def composer(held: tuple[Sheet, ...] | None = None) -> SheetStudyComposer:
    store = OneImport(sheets() if held is None else held)
    return SheetStudyComposer(store, "PaSSER test")  # type: ignore[arg-type]  # the one method that it needs


def published_sheets(labels: dict[str, str] = LABELS, publication: Publication = PUBLICATION) -> bytes:
    publisher = StudyPublisher(StubRecorder())
    with publisher.study(composer().compose(IMPORT, publication, labels), record=True) as stream:
        return stream.read()
