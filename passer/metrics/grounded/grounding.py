"""Grounded share and Mean grounding: how many words of an answer's sentences are in the passages."""

from __future__ import annotations

from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, missing
from passer.metrics.grounded.checks import CheckedAnswer
from passer.metrics.grounded.citations import LITPATH
from passer.metrics.registry import describe, register_grounded

NOTES = (
    "Keywords are case-folded words of at least three letters, or with a digit, without stop words; no stems.",
    "In scripts without spaces, each two (Han, Kana) or three neighbouring letters are a keyword.",
    "Longer contexts raise the share by themselves: compare runs at equal k, or with the share by chance.",
    "Shared keywords are no proof of support: a sentence and its negation have nearly the same keywords.",
    "Items of lists, rows of tables and blocks of code count as sentences; headings and numbers of lists do not.",
    "Sentences without keywords are left out.",
)

register_grounded(
    describe(
        "Grounded share",
        "grounded",
        summary="Share of the sentences whose keywords are mostly found in the passages of the prompt.",
        formula="sentences with |W & U| / |W| >= 0.30 / sentences; W: keywords of the sentence, U: of all passages",
        citation=LITPATH,
        notes=NOTES,
    ),
    describe(
        "Mean grounding",
        "grounded",
        summary="Mean share of a sentence's keywords that the passages of the prompt have.",
        formula="mean of |W & U| / |W| over the sentences",
        citation=LITPATH,
        notes=NOTES,
    ),
)


def grounding_findings(item: Item, found: CheckedAnswer) -> Findings:
    """Return Grounded share and Mean grounding of an answer that is checked."""
    if item.abstained:
        return missing("abstained", columns=2)
    if not item.passages:
        return missing("no_passages", columns=2)
    shares = [each.share for each in found.sentences if each.share is not None]
    if not shares:
        return missing("no_tokens" if item.answer.strip() else "empty_answer", columns=2)
    grounded = sum(each.is_grounded for each in found.sentences)
    return (Finding(value=grounded / len(shares)), Finding(value=sum(shares) / len(shares)))
