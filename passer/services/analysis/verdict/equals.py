"""Configurations that cost less and have the baseline's value in every question: without interval, with a saving."""

from __future__ import annotations

from passer.domain.verdict.lines import SourcedNumber
from passer.domain.verdict.unobserved_losses import unobserved_share
from passer.domain.wording.sentence import Sentence, Value, sentence
from passer.services.analysis.verdict.compared_sweep import ComparedModel
from passer.services.analysis.verdict.model_verdicts import costs_of
from passer.services.analysis.verdict.reasons import CONFIGURATIONS, VERDICT, Reason, numbers_in


def with_cheaper_equal(model: ComparedModel, reason: Sentence, numbers: tuple[SourcedNumber, ...]) -> Reason:
    """Return the reason of a kept baseline, with the cheapest configuration that equals it where one is cheaper."""
    sweep, base = model.sweep, model.base
    measure, costs = costs_of(sweep.groups, model.members, sweep.rule, sweep.found.rows.weights)
    if model.verdict.kind != "keep_baseline" or base is None or not costs.get(base):
        return reason, numbers
    equal = {
        place: test.judged
        for place in model.compared
        if (test := sweep.results[place].comparison) is not None
        and test.judged.outcome == "identical"
        # The same prompts cost the same: what their seconds differ by is noise.
        and test.n_prompts_changed != 0
    }
    place = min(equal, key=lambda each: costs[each], default=None)
    saved = 0.0 if place is None else round(1 - costs[place] / costs[base], 12)
    if place is None or saved < sweep.rule.saving:
        return reason, numbers
    share = unobserved_share(equal[place].clusters)
    values: dict[str, Value] = {"name": sweep.results[place].name, "saved": saved * 100, "share": share * 100}
    said = sentence(f"verdict.equal-{measure}", reason=reason, **values)
    return said, (*numbers, *numbers_in(CONFIGURATIONS, saved=saved), *numbers_in(VERDICT, share=share))
