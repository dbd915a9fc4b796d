"""Trade-off of repeats and questions, where a verdict needs more of either."""

from __future__ import annotations

from math import ceil

from passer.domain.verdict.amounts import amount
from passer.domain.verdict.lines import Line
from passer.domain.verdict.verdict import widest_spread
from passer.domain.wording.sentence import sentence
from passer.services.analysis.verdict.compared_sweep import ComparedModel
from passer.services.analysis.verdict.reasons import VERDICT, numbers_in

PLANNED_REPEATS = (1, 2, 3, 5)
"""Answers to each question that a plan with repeats compares."""


def repeats_line(model: ComparedModel) -> Line | None:
    """Return how many questions would decide with several answers to each; None without repeats that differ.

    The comparison is the undecided one with the widest interval, as in the plan of the verdict. For K answers
    n = ((c + z_power) / margin)^2 (omega^2 + 2 sigma^2 / K) (Miller 2024, arXiv 2411.00640, section 5): omega^2 is the
    variance of the true paired difference, sigma^2 that of single answers on one side.
    """
    verdict, primary, margin = model.verdict, model.sweep.primary, model.sweep.rule.margin
    if verdict.kind != "cannot_tell" or model.base is None:
        return None
    undecided = {place: gain for place, gain in model.judged_as("undecided").items() if gain.low is not None}
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
    between, critical = max(0.0, variance - 2 * within * left), model.sweep.critical(widest)
    plans = [
        (
            repeats,
            ceil(size * critical.clusters_needed(margin=margin, difference_variance=between + 2 * within / repeats)),
        )
        for repeats in PLANNED_REPEATS
    ]
    said = sentence(
        "verdict.repeats",
        name=model.sweep.results[place].name,
        margin=amount(model.sweep.rule.primary, margin, "size"),
        plans=tuple(sentence("verdict.repeats-plan", repeats=repeats, n=n) for repeats, n in plans),
    )
    return Line(text=said, numbers=numbers_in(VERDICT, **{f"questions_{repeats}": n for repeats, n in plans}))
