"""Gains of one configuration within groups of questions, in one family with its gain over all questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from passer.domain.dataset import Question
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.family import FamilyRule, family_gains
from passer.domain.verdict.lines import Line
from passer.domain.verdict.side_comparisons import Grouping, SliceGain
from passer.domain.wording.sentence import sentence
from passer.services.analysis.comparability import Group
from passer.services.analysis.verdict.primary_metric import PrimaryMetric
from passer.services.analysis.verdict.reasons import numbers_in

FEWEST = 20
"""Questions of a group that is shown: as many as a verdict needs."""
MOST = 12
"""Groups of one kind that are shown, the largest ones: every further one widens the intervals of all."""
LENGTHS = ("short", "medium", "long")


def slice_gains(
    primary: PrimaryMetric, questions: Sequence[Question], group: Group, pair: tuple[int, int], rule: FamilyRule
) -> tuple[SliceGain, ...]:
    """Return the gain of a configuration over its baseline in each group of enough questions.

    `pair` is the place of the configuration and of its baseline, `group` its runs.
    """
    ids = primary.table.ids
    whole = primary.gains([pair])[:, 0]
    found = [
        (kind, name, members)
        for kind, by_group in _groupings(questions, group).items()
        for name, members in _largest(by_group)
    ]
    columns, kept = [whole], []
    for kind, name, members in found:
        column = np.where([each in members for each in ids], whole, np.nan)
        if FEWEST <= np.count_nonzero(~np.isnan(column)) < np.count_nonzero(~np.isnan(whole)):
            columns.append(column)
            kept.append((kind, name))
    if not kept:
        return ()
    _, *gains = family_gains(np.column_stack(columns), rule, clusters=primary.clusters, weights=primary.weights)
    return tuple(SliceGain(grouping=kind, name=name, gain=gain) for (kind, name), gain in zip(kept, gains, strict=True))


def _groupings(questions: Sequence[Question], group: Group) -> dict[Grouping, dict[str, set[str]]]:
    found: dict[Grouping, dict[str, set[str]]] = {
        "cluster": {}, "document": {}, "group": {}, "category": {}, "length": {}, "passages": {}
    }  # fmt: skip
    for question, length in zip(questions, _lengths(questions), strict=True):
        found["length"].setdefault(length, set()).add(question.id)
        if question.cluster is not None:
            found["cluster"].setdefault(question.cluster, set()).add(question.id)
        if question.group:
            found["group"].setdefault(question.group, set()).add(question.id)
        if question.category:
            found["category"].setdefault(question.category, set()).add(question.id)
        if question.gold_passages:
            found["document"].setdefault(question.gold_passages[0].document, set()).add(question.id)
    for run in group.runs:
        for item in run.questions:
            found["passages"].setdefault("with" if item.retrieval.kept else "without", set()).add(item.question_id)
    return found


def _lengths(questions: Sequence[Question]) -> Iterator[str]:
    """Yield whether each question is among the third with the fewest words, the middle third, or the last one."""
    words = np.array([len(question.text.split()) for question in questions], dtype=np.float64)
    if not words.size:
        return
    low, high = np.quantile(words, [1 / 3, 2 / 3])
    for count in words:
        yield LENGTHS[int(count > low) + int(count > high)]


def _largest(by_group: Mapping[str, set[str]]) -> list[tuple[str, set[str]]]:
    return sorted(by_group.items(), key=lambda pair: -len(pair[1]))[:MOST]


def opposite_groups(slices: Sequence[SliceGain], recommended: str | None, primary: str) -> tuple[Line, ...]:
    """Return the groups of questions for which the recommended configuration is worse than the baseline."""
    if recommended is None:
        return ()
    return tuple(
        Line(
            text=sentence(
                f"slice.worse-{each.grouping}", name=recommended, group=each.name, n=each.gain.pairs,
                gain=amount(primary, each.gain.gain or 0.0),
            ),
            numbers=numbers_in("slices", n=each.gain.pairs, gain=each.gain.gain),
        )
        for each in slices
        if each.gain.outcome == "worse"
    )  # fmt: skip
