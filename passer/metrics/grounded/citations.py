"""Citations, Citation rate and Cited share: whether an answer cites, and whether what it cites shares its words."""

from __future__ import annotations

from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, missing
from passer.domain.score import Citation, MissingReason
from passer.metrics.grounded.checks import CheckedAnswer
from passer.metrics.registry import describe, register_grounded

LITPATH = Citation(text="LitPath AI (2025): citation verification by shared keywords.")
NOTES = (
    "Marks such as [1], [1-3], [Source 2], (passage 2), [1, p. 3] and 【1】; a number counts once in a paragraph.",
    "Only prompts that ask for citations are measured; others are `not_requested`.",
    "Shared keywords are no proof of support. Compare with the same rate against passages of other questions.",
)

register_grounded(
    describe(
        "Citations",
        "grounded",
        summary="Number of citations in the answer.",
        formula="pairs of a paragraph and a number that it cites",
        maximum=None,
        citation=LITPATH,
        notes=NOTES,
    ),
    describe(
        "Citation rate",
        "grounded",
        summary="Share of the citations whose passage has enough of the keywords of the citing paragraph.",
        formula="citations with |P & S| / |P| >= 0.15 / citations; P: keywords of the paragraph, S: of the cited "
        "passage",
        citation=LITPATH,
        notes=(*NOTES, "A number without a passage, and a paragraph without keywords, count as not verified."),
    ),
    describe(
        "Cited share",
        "grounded",
        summary="Share of the sentences that cite a passage.",
        formula="sentences with a citation / sentences",
        citation=LITPATH,
        notes=NOTES,
    ),
)


def _nothing_cited(item: Item, found: CheckedAnswer) -> MissingReason | None:
    reasons: dict[MissingReason, bool] = {
        "not_requested": not item.cites,
        "abstained": bool(item.abstained),
        "no_passages": not item.passages,
        "empty_answer": not found.sentences,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def citation_findings(item: Item, found: CheckedAnswer) -> Findings:
    """Return Citations, Citation rate and Cited share of an answer that is checked."""
    if reason := _nothing_cited(item, found):
        return missing(reason, columns=3)
    count, verified = len(found.citations), sum(each.is_verified for each in found.citations)
    rate = Finding(value=verified / count) if count else Finding(value=None, reason="no_citations")
    cited = sum(bool(each.cites) for each in found.sentences)
    return (Finding(value=float(count)), rate, Finding(value=cited / len(found.sentences)))
