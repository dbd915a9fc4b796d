"""Configurations against their baselines: paired by question, tested, corrected for their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.analysis import Comparison
from passer.domain.analysis.gains import Gain, PartialGain
from passer.domain.analysis.question_table import Pairs, QuestionTable
from passer.domain.composite import TcpsWeights
from passer.domain.statistics import Correction, adjusted_by_each, effect_band, mean_interval, mean_of, stars
from passer.domain.verdict.family import FamilyGain, FamilyRule
from passer.services.analysis.comparability import Group
from passer.services.analysis.verdict.gold_losses import gold_kept, lost_and_won
from passer.services.analysis.verdict.model_verdicts import judged
from passer.services.analysis.verdict.primary_metric import PrimaryMetric


def compared(
    groups: Sequence[Group],
    table: QuestionTable,
    primary: PrimaryMetric,
    pairs: Mapping[int, Pairs],
    against: Mapping[int, int],
    *,
    rule: FamilyRule,
    families: Sequence[str] | None,
    stability: TcpsWeights,
) -> dict[int, Comparison]:
    """Return all comparisons by place.

    `rule` judges them as one family by the primary metric. The p values of t-tests (of CPS) are corrected over all of
    them as well, or over those of each label in `families`.
    """
    judgements = judged(primary, against, rule)
    gains = {
        place: Gain.of(pair.values, pair.baseline, pair.weights, stability=stability) for place, pair in pairs.items()
    }
    members_of: dict[str, list[int]] = {}
    for place in gains:
        members_of.setdefault(families[place] if families else "", []).append(place)
    found = {}
    for members in members_of.values():
        # Thresholds that keep the same passages are one test, however many names it has.
        first = {_key(pairs[place]): place for place in reversed(members)}
        distinct = [place for place in members if first[_key(pairs[place])] == place]
        adjusted = adjusted_by_each([gains[place].test.p for place in distinct])
        for place in members:
            here, base, pair = groups[place], groups[against[place]], pairs[place]
            ids = [table.ids[question] for question in pair.questions]
            number = distinct.index(first[_key(pair)])
            own = {method: values[number] for method, values in adjusted.items()}
            made = _comparison(here, base, pair, gains[place], ids, own, len(distinct), judgements[place])
            found[place] = made if primary.is_cps else made.model_copy(update={"ci": None})
    return found


def _key(pairs: Pairs) -> tuple[bytes, bytes]:
    """Return the same for comparisons with the same differences on the same questions."""
    return pairs.questions.tobytes(), pairs.differences.tobytes()


def _comparison(
    here: Group,
    base: Group,
    pairs: Pairs,
    gain: Gain,
    ids: Sequence[str],
    adjusted: Mapping[Correction, float | None],
    family_size: int,
    judgement: FamilyGain,
) -> Comparison:
    covered, test = _covered(here, ids), gain.test
    return Comparison(
        baseline=base.first.name,
        n_pairs=test.n_pairs,
        only_here=pairs.only_here,
        only_baseline=pairs.only_baseline,
        n_prompts_changed=_prompts_changed(here, base, ids),
        baseline_mean_cps=gain.baseline.mean,
        baseline_tcps=gain.baseline.tcps,
        gain=test.mean_difference,
        ci=judgement.interval,
        judged=judgement,
        **_gold(here, base),
        with_passages=_partial_gain(pairs, covered),
        without_passages=_partial_gain(pairs, ~covered),
        improvement_pct=gain.improvement_pct,
        tcps_improvement_pct=gain.tcps_improvement_pct,
        balance=gain.balance,
        t=test.t,
        p=test.p,
        p_holm=adjusted["holm"],
        p_bonferroni=adjusted["bonferroni"],
        p_benjamini_hochberg=adjusted["benjamini-hochberg"],
        family_size=family_size,
        cohens_d=test.cohens_d,
        effect=effect_band(test.cohens_d),
        stars=stars(judgement.p),
        reason=test.reason,
    )


def _gold(here: Group, base: Group) -> dict[str, int]:
    lost, won, of = lost_and_won(gold_kept(here), gold_kept(base))
    return {"gold_lost": len(lost), "gold_won": len(won)} if of else {}


def _covered(group: Group, ids: Sequence[str]) -> NDArray[np.bool_]:
    """Return for each question whether at least one passage was kept, shape (len(ids),)."""
    found = {item.question_id for run in group.runs for item in run.questions if item.retrieval.kept}
    return np.array([question in found for question in ids], dtype=bool)


def _partial_gain(pairs: Pairs, members: NDArray[np.bool_]) -> PartialGain:
    differences, weights = pairs.differences[members], None if pairs.weights is None else pairs.weights[members]
    ci, gain = mean_interval(differences, weights), mean_of(differences, weights)
    return PartialGain(n=differences.size, gain=gain, ci=ci, reason="too_few" if ci is None else None)


def _prompts_changed(here: Group, base: Group, ids: Sequence[str]) -> int | None:
    """Return those of these questions that the two configurations asked with different prompts."""
    if len(here.runs) > 1 or len(base.runs) > 1:
        return None
    asked = {item.question_id: item.prompt_digest for item in here.first.questions}
    before = {item.question_id: item.prompt_digest for item in base.first.questions}
    return sum(1 for question in ids if asked[question] != before[question])
