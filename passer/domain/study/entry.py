"""The ledger entry of a study: the verdict's numbers under the study digest."""

from __future__ import annotations

from datetime import datetime

from pydantic import computed_field

from passer.domain.base import Frozen
from passer.domain.bundle.verdict_document import VerdictContent
from passer.domain.ledger.entry import Digest, Entry, testid_of, vector_of
from passer.domain.study.document import StudyDocument

MOST_GAINS = 15
"""Gains whose numbers fit into an entry with a whole mask of missing values; study.json covers all of them."""


class PublishedStudy(Frozen):
    """A study in the ledger."""

    sweep_id: str
    """Id of the sweep, or of the import."""
    digest: Digest
    """SHA-256 of study.json."""
    recorded_at: datetime
    """Time of the row in the ledger, UTC."""
    title: str | None = None
    """Title under which it was published; None if an earlier version of PaSSER published it."""
    is_kept: bool = True
    """True if its file can be exported again as it was published, by `export_published_study`."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def testid(self) -> str:
        """Short name under which the ledger lists the row."""
        return testid_of(self.sweep_id)


def study_description(subject: str, *, of_sheets: bool = False) -> str:
    """Return the description of the entry of a study of a sweep, or of imported sheets, by their id."""
    return f"study of {'import' if of_sheets else 'sweep'} {subject}"


def study_entry(study: StudyDocument, digest: str, verdict: VerdictContent) -> Entry:
    """Return the entry.

    Its numbers: runs in the table, runs of the sweep (of imported sheets their number for both), questions, margin,
    alpha; then gain, low and high of each gain.
    """
    numbers: list[float | None] = [
        *map(float, study.sizes), float(study.dataset.questions),
        verdict.rule.margin, verdict.rule.alpha,
    ]  # fmt: skip
    for gain in verdict.gains[:MOST_GAINS]:
        numbers += [gain.gain, gain.low, gain.high]
    return Entry(
        action="addtest",
        testid=testid_of(study.sweep.id),
        description=study_description(study.sweep.id, of_sheets=study.sheets is not None),
        results=vector_of(tuple(numbers)),
        run_digest=digest,
        config_digest=study.design_digest,
    )
