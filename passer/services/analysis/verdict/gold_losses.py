"""Gold passages lost by a cut, and the largest gain that each remedy can add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from passer.domain.analysis.question_table import QuestionTable
from passer.domain.composite import CPS
from passer.domain.failures.locator import retrieval_loss
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.causes import Cause, CauseCode, Remedy, RetrievalCause
from passer.domain.verdict.lines import Line, SourcedNumber
from passer.domain.wording.sentence import sentence
from passer.services.analysis.comparability import Group

CAUSES, CONFIGURATIONS = "causes", "configurations"
"""Names of the tables with these numbers."""
MOST_LISTED = 100
_DUST = 1e-9
"""Rounding of a sum of CPS values, in units of CPS."""
REMEDIES: dict[CauseCode, Remedy] = {
    "gold_absent": "documents",
    "not_retrieved": "retriever",
    "cut": "cut",
    "abstained": "prompt",
}

Kept = Mapping[str, QuestionRetrieval]


def gold_kept(group: Group) -> Kept:
    """Return what was kept for each question whose gold passages are known; repeats keep the same."""
    return {
        item.question_id: item.retrieval
        for run in reversed(group.runs)
        for item in run.questions
        if item.retrieval.gold is not None
    }


def lost_and_won(here: Kept, base: Kept) -> tuple[list[str], list[str], int]:
    """Return the questions that lost or won their gold passages against the baseline, and how many could."""
    shared = [question for question in here if question in base and here[question].gold]
    lost = [each for each in shared if base[each].gold_ranks and not here[each].gold_ranks]
    won = [each for each in shared if here[each].gold_ranks and not base[each].gold_ranks]
    return lost, won, len(shared)


def retrieval_cause(
    groups: Sequence[Group], table: QuestionTable, compared: Mapping[int, int], recommended: int | None, *, is_cps: bool
) -> RetrievalCause | None:
    """Return the losses of the recommended configuration, else of the one that lost most; None without gold passages.

    `compared` gives the baseline of each configuration; causes are those of the configuration to use.
    """
    kept = {place: gold_kept(groups[place]) for place in {*compared, *compared.values()}}
    found = {place: lost_and_won(kept[place], kept[base]) for place, base in compared.items()}
    if not any(of for _, _, of in found.values()):
        return None
    place = recommended if recommended is not None else max(found, key=lambda each: len(found[each][0]))
    lost, won, of = found[place]
    name = groups[place].first.name
    used = place if recommended is not None else compared[place]
    numbers = (
        SourcedNumber(name="lost", value=len(lost), table=CONFIGURATIONS),
        SourcedNumber(name="of", value=of, table=CONFIGURATIONS),
    )
    said = sentence("verdict.gold-lost", lost=len(lost), of=of, name=name)
    if not lost:
        said = sentence("verdict.gold-kept" if recommended is not None else "verdict.gold-kept-by-all", name=name)
    return RetrievalCause(
        name=name,
        lost=len(lost),
        won=len(won),
        of=of,
        question_ids=tuple(lost[:MOST_LISTED]),
        line=Line(text=said, numbers=numbers),
        causes=_causes(groups[used].first.name, kept[used], _lacking(table, used) if is_cps else {}),
    )


def _lacking(table: QuestionTable, place: int) -> dict[str, float]:
    """Return by how much the mean rises if each question alone scores 1, as by its weight."""
    here = table.cells(place)
    numbers, values = table.questions[here], table.values[here, 0]
    weights = np.ones(len(numbers)) if table.weights is None else table.weights[numbers]
    added = weights * np.maximum(0.0, 1 - values) / weights.sum()
    return {table.ids[number]: value for number, value in zip(numbers.tolist(), added.tolist(), strict=True)}


def _causes(name: str, kept: Kept, lacking: Mapping[str, float]) -> tuple[Cause, ...]:
    by_code: dict[CauseCode, list[str]] = {}
    for question, found in kept.items():
        code = cause_of(found)
        if code is not None:
            by_code.setdefault(code, []).append(question)
    causes = [_cause(name, code, questions, kept, lacking) for code, questions in by_code.items()]
    return tuple(sorted(causes, key=lambda cause: -cause.questions))


def cause_of(found: QuestionRetrieval) -> CauseCode | None:
    """Return why a question may score low; None where a gold passage was kept and used, or none is known."""
    is_retrieved, is_kept = found.first_gold is not None, bool(found.gold_ranks)
    lost = retrieval_loss(found.gold, is_retrieved=is_retrieved, is_kept=is_kept)
    if lost is None:
        return "abstained" if found.abstained else None
    return None if lost == "gold_unknown" else lost


def _cause(name: str, code: CauseCode, questions: Sequence[str], kept: Kept, lacking: Mapping[str, float]) -> Cause:
    of = len(kept)
    gained, k, at_k = list(questions), None, None
    if code == "cut":
        k = _half_way(kept, questions)
        gained = [each for each in questions if (kept[each].first_gold or 0) <= k]
        at_k = sum(1 for found in kept.values() if found.gold_ranks) + len(gained)
    at_most = _ceiling(gained, lacking)
    values: dict[str, int] = {"n": len(questions), "of": of}
    values |= {} if k is None or at_k is None else {"k": k, "kept": at_k}
    said = sentence(f"cause.{code}", name=name, **values)
    # Questions that score 1 already leave nothing to gain, apart from the rounding of a sum.
    if at_most is not None and at_most > _DUST:
        said = sentence("cause.with-ceiling", cause=said, gain=amount(CPS, at_most, "size"))
    numbers = [SourcedNumber(name=each, value=float(value), table=CAUSES) for each, value in values.items()]
    return Cause(
        code=code,
        remedy=REMEDIES[code],
        questions=len(questions),
        of=of,
        k=k,
        kept_at_k=at_k,
        at_most=at_most,
        line=Line(text=said, numbers=tuple(numbers)),
    )


def _half_way(kept: Kept, questions: Sequence[str]) -> int:
    """Return the smallest k that keeps a gold passage in half of these questions or more."""
    ranks = sorted(kept[each].first_gold or 0 for each in questions)
    return ranks[(len(ranks) - 1) // 2]


def _ceiling(questions: Sequence[str], lacking: Mapping[str, float]) -> float | None:
    """Return the gain in the mean if all these questions scored 1; None without scores.

    Nothing scores above 1, so no remedy for these questions can add more.
    """
    return sum(lacking[each] for each in questions if each in lacking) if lacking else None
