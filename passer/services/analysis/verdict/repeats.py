"""Trade-off of repeats and questions, where a verdict needs more of either."""

from __future__ import annotations

from passer.domain.verdict.amounts import amount
from passer.domain.verdict.lines import Line
from passer.domain.verdict.sample_size import questions_by_repeats
from passer.domain.verdict.verdict import critical_value, widest_spread
from passer.domain.wording.sentence import sentence
from passer.services.analysis.verdict.compared_sweep import ComparedModel
from passer.services.analysis.verdict.reasons import VERDICT, numbers_in


def repeats_line(model: ComparedModel) -> Line | None:
    """Return how many questions would decide with several answers to each; None without repeats that differ.

    The comparison is the undecided one with the widest spread, as in the plan of the verdict.
    """
    verdict, primary = model.verdict, model.sweep.primary
    if verdict.kind != "cannot_tell" or model.base is None:
        return None
    undecided = model.judged_as("undecided")
    widest = widest_spread(list(undecided.values()))
    if widest is None:
        return None
    place = next(place for place, gain in undecided.items() if gain is widest)
    noise = [primary.within_sd(each) for each in (place, model.base)]
    if any(sd is None for sd in noise) or not any(noise):
        return None
    # By cluster, as the standard error is: noise is averaged over the questions of a cluster, too.
    size = widest.pairs / widest.clusters
    within = sum((sd or 0.0) ** 2 for sd in noise) / len(noise) / size
    left = sum(primary.table.mean_inverse_repeats(each) for each in (place, model.base)) / len(noise)
    variance = (widest.standard_error or 0.0) ** 2 * widest.clusters
    plans = questions_by_repeats(
        margin=model.sweep.rule.margin,
        between_variance=max(0.0, variance - 2 * within * left),
        within_variance=within,
        critical=critical_value(widest),
        design_effect=size,
    )
    said = sentence(
        "verdict.repeats",
        name=model.sweep.results[place].name,
        margin=amount(model.sweep.rule.primary, model.sweep.rule.margin, "size"),
        plans=tuple(sentence("verdict.repeats-plan", repeats=repeats, n=n) for repeats, n in plans),
    )
    return Line(text=said, numbers=numbers_in(VERDICT, **{f"questions_{repeats}": n for repeats, n in plans}))
