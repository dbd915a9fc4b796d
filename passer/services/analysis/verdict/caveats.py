"""What a recommendation does not show: losses that its questions may not contain, and abstentions, in words."""

from __future__ import annotations

from functools import partial

from passer.domain.composite import CPS
from passer.domain.panel import is_of_unit_scale
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.unobserved_losses import questions_to_exclude, unobserved_share
from passer.domain.wording.sentence import Sentence, Value, sentence
from passer.services.analysis.verdict.compared_sweep import ComparedModel
from passer.services.analysis.verdict.judged_metric import JudgedMetric
from passer.services.analysis.verdict.reasons import CONFIGURATIONS, Reason, counted_clusters, numbers_in

MORE_ABSTENTIONS = 0.1
"""Share of answers by which a recommended configuration has to abstain more often than its baseline to say so."""


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
    counted = partial(counted_clusters, model.sweep.primary)
    n, margin = test.judged.clusters, amount(model.sweep.rule.primary, model.sweep.rule.margin, "size")
    values: dict[str, Value] = {
        "of": counted(n),
        "share": unobserved_share(n) * 100,
        "margin": margin,
        "needed": counted(needed),
    }
    return sentence("verdict.as-good-unseen", reason=reason, **values)


def with_abstentions(model: ComparedModel, reason: Sentence) -> Reason:
    """Return the reason of a recommendation with its abstentions where they are many more than the baseline's.

    A short or wrong answer may have fewer words of its reference than an abstention, so a cut that leaves no passage
    can have the largest gain. A judge knows abstentions.
    """
    if model.chosen is None or model.base is None or isinstance(model.sweep.primary, JudgedMetric):
        return reason, ()
    here, base = model.sweep.results[model.chosen], model.sweep.results[model.base]
    share, before = here.retrieval.abstention_rate, base.retrieval.abstention_rate
    if share is None or before is None or round(share - before, 9) < MORE_ABSTENTIONS:
        return reason, ()
    values: dict[str, Value] = {"name": here.name, "share": share, "baseline": base.name, "base": before}
    said = sentence("verdict.abstains", reason=reason, **values, primary=model.sweep.rule.primary)
    return said, numbers_in(CONFIGURATIONS, abstained=share, abstained_before=before)
