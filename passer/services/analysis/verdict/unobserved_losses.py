"""Losses that the questions of a sweep may not contain: whether they could reverse its recommendation, in words."""

from __future__ import annotations

from passer.domain.composite import CPS
from passer.domain.panel import is_of_unit_scale
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.unobserved_losses import questions_to_exclude, unobserved_share
from passer.domain.wording.sentence import Sentence, sentence
from passer.services.analysis.verdict.compared_sweep import ComparedModel


def questions_without_loss(model: ComparedModel) -> int | None:
    """Return the number of questions that would exclude that unobserved losses reverse the recommendation.

    None where these questions exclude it, and without a recommendation. Assumes that each question with an unobserved
    loss loses the mean score of the baseline.
    Of 100 questions a sample without losses is compatible with losses in 3 % of all questions. If they are 2 % of .3,
    a configuration of the same mean was called better in .13 of simulated sweeps, and of 60 questions in .27.
    """
    if model.chosen is None or model.base is None or not is_of_unit_scale(model.sweep.rule.primary):
        return None
    test, base = model.sweep.results[model.chosen].comparison, model.sweep.results[model.base]
    mean = base.mean_cps if model.sweep.rule.primary == CPS else base.mean_primary
    if test is None or test.judged.gain is None or mean is None or not test.judged.clusters:
        return None
    room = test.judged.gain + (0.0 if model.verdict.kind == "better" else model.sweep.rule.margin)
    if unobserved_share(test.judged.clusters) * mean <= room:
        return None
    return questions_to_exclude(room, score=mean)


def with_unobserved_losses(model: ComparedModel, reason: Sentence) -> Sentence:
    """Return the reason of "as good, cheaper" with the losses that so few questions do not exclude.

    The outcome follows the interval, which knows only the losses that the sample contains.
    """
    needed = questions_without_loss(model) if model.verdict.kind == "as_good_cheaper" else None
    if needed is None or model.chosen is None or (test := model.sweep.results[model.chosen].comparison) is None:
        return reason
    n, margin = test.judged.clusters, amount(model.sweep.rule.primary, model.sweep.rule.margin, "size")
    share = unobserved_share(n) * 100
    return sentence("verdict.as-good-unseen", reason=reason, n=n, share=share, margin=margin, needed=needed)
