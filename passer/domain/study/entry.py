"""The ledger entry of a study: the verdict's numbers under the study digest."""

from __future__ import annotations

from passer.domain.bundle.verdict_document import VerdictContent
from passer.domain.ledger.entry import Entry, testid_of, vector_of
from passer.domain.study.document import StudyDocument

MOST_GAINS = 15
"""Gains whose numbers fit into an entry with a whole mask of missing values; study.json covers all of them."""


def study_description(sweep_id: str) -> str:
    """Return the description of a study's entry."""
    return f"study of sweep {sweep_id}"


def study_entry(study: StudyDocument, digest: str, verdict: VerdictContent) -> Entry:
    """Return the entry.

    Its numbers: runs in the table, runs of the sweep, questions, margin, alpha; then gain, low and high of each gain.
    """
    numbers: list[float | None] = [
        float(len(study.in_table)), float(len(study.runs)), float(study.dataset.questions),
        verdict.rule.margin, verdict.rule.alpha,
    ]  # fmt: skip
    for gain in verdict.gains[:MOST_GAINS]:
        numbers += [gain.gain, gain.low, gain.high]
    return Entry(
        action="addtest",
        testid=testid_of(study.sweep.id),
        description=study_description(study.sweep.id),
        results=vector_of(tuple(numbers)),
        run_digest=digest,
        config_digest=study.design_digest,
    )
