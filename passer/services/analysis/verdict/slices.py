"""Gains of one configuration within groups of questions, in one family with its gain over all questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from passer.domain.dataset import Question
from passer.domain.statistics import adjusted_p_values
from passer.domain.texts.cell_text import p_text
from passer.domain.texts.words import word_count
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.family import FamilyRule, family_gains
from passer.domain.verdict.group_differences import difference_between_groups
from passer.domain.verdict.lines import Line
from passer.domain.verdict.side_comparisons import GroupDifference, Grouping, SliceGain
from passer.domain.wording.sentence import sentence
from passer.services.analysis.comparability import Group
from passer.services.analysis.verdict.primary_metric import PrimaryMetric
from passer.services.analysis.verdict.reasons import numbers_in

FEWEST = 20
"""Questions of a group that is shown: as many as a verdict needs."""
MOST = 12
"""Groups of one kind that are shown, the largest ones: every further one widens the intervals of all."""
DIFFERENCES = "group_differences"
"""Name of the table with the tests of differences between groups."""
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


def group_differences(
    primary: PrimaryMetric, questions: Sequence[Question], group: Group, pair: tuple[int, int], rule: FamilyRule
) -> tuple[GroupDifference, ...]:
    """Test for each kind of group whether the gain is the same in all its groups of enough questions.

    Kinds that cannot be tested are left out: fewer than two groups, or clusters that hold questions of several groups.
    """
    ids = primary.table.ids
    gains = primary.gains([pair])[:, 0]
    found: list[tuple[Grouping, int, float]] = []
    for kind, by_group in _groupings(questions, group).items():
        labels = np.full(len(ids), -1)
        number = 0
        for _, members in _largest(by_group):
            own = np.array([each in members for each in ids], dtype=bool)
            if np.count_nonzero(own & ~np.isnan(gains)) >= FEWEST and not (labels[own] >= 0).any():
                labels[own] = number
                number += 1
        p = difference_between_groups(
            gains, labels.tolist(), clusters=primary.clusters, weights=primary.weights, seed=rule.seed
        )
        if p is not None:
            found.append((kind, number, p))
    adjusted = adjusted_p_values([p for _, _, p in found], "holm")
    return tuple(
        GroupDifference(grouping=kind, groups=number, p=p, p_adjusted=corrected)
        for (kind, number, p), corrected in zip(found, adjusted, strict=True)
        if corrected is not None
    )


def groups_line(found: Sequence[GroupDifference], name: str, alpha: float) -> Line | None:
    """Return between which groups the gain of a configuration differs, in words; None where none were tested."""
    if not found:
        return None
    different = [each for each in found if each.p_adjusted <= alpha]
    if not different:
        smallest = min(each.p_adjusted for each in found)
        return Line(
            text=sentence("groups.same", name=name, n=len(found), p=p_text(smallest)),
            numbers=numbers_in(DIFFERENCES, p=smallest),
        )
    kinds = tuple(
        sentence("groups.kind", kind=sentence(f"grouping.{each.grouping}"), p=p_text(each.p_adjusted))
        for each in different
    )
    numbers = tuple(
        number for each in different for number in numbers_in(DIFFERENCES, **{each.grouping: each.p_adjusted})
    )
    return Line(text=sentence("groups.differ", name=name, kinds=kinds, n=len(found)), numbers=numbers)


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
        if question.gold_documents:
            found["document"].setdefault(question.gold_documents[0], set()).add(question.id)
    for run in group.runs:
        for item in run.questions:
            found["passages"].setdefault("with" if item.retrieval.kept else "without", set()).add(item.question_id)
    return found


def _lengths(questions: Sequence[Question]) -> Iterator[str]:
    """Yield whether each question is among the third with the fewest words, the middle third, or the last one."""
    words = np.array([word_count(question.text) for question in questions], dtype=np.float64)
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
                f"slice.worse-{each.grouping}", name=recommended, group=each.shown_name, n=each.gain.pairs,
                gain=amount(primary, each.gain.gain or 0.0),
            ),
            numbers=numbers_in("slices", n=each.gain.pairs, gain=each.gain.gain),
        )
        for each in slices
        if each.gain.outcome == "worse"
    )  # fmt: skip
