"""The verdict of each model's configurations with all that a page shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from passer.domain.verdict.conclusion import NUMBERS, Conclusion, RecommendedGain, TiedSet
from passer.domain.verdict.family import tied_with_best
from passer.domain.verdict.lines import CostLine, Line, SourcedNumber
from passer.domain.verdict.side_comparisons import GroupDifference, SliceGain
from passer.domain.verdict.unobserved_losses import unobserved_share
from passer.domain.verdict.verdict import Cost, Verdict, VerdictRule, undecided
from passer.domain.wording.sentence import Sentence, Value, sentence
from passer.services.analysis.verdict.basis import basis_of, margin_of
from passer.services.analysis.verdict.caveats import with_abstentions, with_unobserved_losses
from passer.services.analysis.verdict.compared_sweep import ComparedModel, ComparedSweep
from passer.services.analysis.verdict.gold_losses import retrieval_cause
from passer.services.analysis.verdict.judged_metric import JudgedMetric
from passer.services.analysis.verdict.model_verdicts import counts_of
from passer.services.analysis.verdict.next_steps import next_steps
from passer.services.analysis.verdict.outlook import Outlook, one_amount_lines, outlook_of
from passer.services.analysis.verdict.reasons import CONFIGURATIONS, VERDICT, Progress, Reason, numbers_in, reason_of
from passer.services.analysis.verdict.repeats import repeats_line
from passer.services.analysis.verdict.slices import group_differences, groups_line, opposite_groups, slice_gains

TIED_DRAWS = 1_999
"""Resamples of the tied set: all pairs take part, and its limit is far from any decision."""


def conclusions_of(sweep: ComparedSweep, verdicts: Mapping[str, Verdict]) -> tuple[Conclusion, ...]:
    """Return the conclusion of each model, in the order of the verdicts."""
    found = []
    for model, verdict in verdicts.items():
        members = [place for place, result in enumerate(sweep.results) if result.model == model]
        compared = {place: sweep.against[place] for place in members if place in sweep.against}
        found.append(_Concluded(sweep, members, compared, verdict).conclusion(model))
    return tuple(found)


class _Concluded(ComparedModel):
    """Puts the conclusion of a model together."""

    def conclusion(self, model: str) -> Conclusion:
        chosen = None if self.chosen is None else self.sweep.results[self.chosen]
        retrieval = retrieval_cause(
            self.sweep.groups, self.sweep.found.questions, self.compared, self.chosen, is_cps=self.sweep.primary.is_cps
        )
        gain = self._gain()
        slices, differences = self._slices(), self._group_differences()
        primary = self.sweep.primary
        outlook = outlook_of(self)
        reason, numbers = self._reason(gain, outlook)
        return Conclusion(
            model=model,
            number=NUMBERS[self.verdict.kind],
            name=self.verdict.recommended,
            run_ids=() if chosen is None else chosen.run_ids,
            reason=reason,
            numbers=numbers,
            verdict=self.verdict,
            judge=primary.basis(self.verdict) if isinstance(primary, JudgedMetric) else None,
            gain=gain,
            tied=self._tied() if outlook is None or outlook.has_spread else None,
            alike=one_amount_lines(self, outlook),
            cost=self._cost(),
            retrieval=retrieval,
            basis=basis_of(self),
            margin=margin_of(self),
            slices=slices,
            group_differences=differences,
            groups=groups_line(differences, self._shown_name, self.sweep.rule.alpha),
            repeats=repeats_line(self),
            would_change=(
                *self._would_change(),
                *opposite_groups(slices, self.verdict.recommended, self.sweep.rule.primary),
            ),
            next_steps=next_steps(
                self.own,
                self.verdict,
                retrieval,
                self.sweep.rule,
                needed=None if outlook is None else outlook.needed,
                waiting={name: waiting for name, (_, _, waiting) in self._progress.items()},
                too_long={self.sweep.results[place].name: self._too_long(place) for place in self.members},
                available=self.sweep.available,
            ),
        )

    def _reason(self, gain: RecommendedGain | None, outlook: Outlook | None) -> Reason:
        if not self.compared and self.base in self.sweep.against.values():
            # An external system is the baseline of other systems, and has no configurations to choose from.
            return sentence("verdict.is-baseline", name=self.own[0].name), ()
        if outlook is not None:
            return outlook.reason, outlook.numbers
        said, numbers = reason_of(self.verdict, self.own, gain, self.sweep.rule, self._progress)
        others = len({each.model for each in self.sweep.results if each.comparison is not None})
        if self.verdict.kind == "better" and others > 1:
            # The half splits choose among this model's configurations. A reader who takes the best of several models
            # or imported systems chooses once more.
            said = sentence("verdict.not-across", reason=said, n=others)
        said, more = with_abstentions(self, with_unobserved_losses(self, said))
        return _with_cheaper_equal(self, said, (*numbers, *more))

    def _too_long(self, place: int) -> int:
        return sum(item.is_too_long for run in self.sweep.groups[place].runs for item in run.questions)

    @cached_property
    def _progress(self) -> Progress:
        return {self.sweep.results[place].name: counts_of(self.sweep.groups[place]) for place in self.members}

    def _gain(self) -> RecommendedGain | None:
        test = None if self.chosen is None else self.sweep.results[self.chosen].comparison
        if test is None or test.judged.gain is None:
            return None
        judged, corrected = test.judged, self.verdict.corrected
        found = RecommendedGain(gain=judged.gain, low=judged.low, high=judged.high, p=judged.p, pairs=judged.pairs)
        if corrected is None or len(self.compared) < 2:
            # One configuration, such as an imported system, was not selected from several.
            return found
        more = {
            "corrected": corrected.gain,
            "better_share": corrected.better_share,
            "splits": corrected.splits,
            "is_stable": corrected.is_stable,
        }
        return found.model_copy(update=more)

    def _slices(self) -> tuple[SliceGain, ...]:
        sweep, place = self.sweep, self._shown
        if place is None or not sweep.questions or not sweep.primary.is_by_question:
            return ()
        pair = (place, self.compared[place])
        found = slice_gains(sweep.primary, sweep.questions, sweep.groups[place], pair, sweep.rule)
        if self.verdict.kind != "no_verdict":
            return found
        return tuple(each.model_copy(update={"gain": undecided(each.gain, reason=None)}) for each in found)

    def _group_differences(self) -> tuple[GroupDifference, ...]:
        """Test groups only of a finished sweep: a verdict that lacks questions tells nothing of its groups."""
        sweep, place = self.sweep, self._shown
        if place is None or not sweep.questions or self.verdict.kind == "no_verdict":
            return ()
        if not sweep.primary.is_by_question:
            return ()
        pair = (place, self.compared[place])
        return group_differences(sweep.primary, sweep.questions, sweep.groups[place], pair, sweep.rule)

    @cached_property
    def _shown(self) -> int | None:
        """Return the configuration whose groups are shown: the recommended one, else that with the largest gain."""
        if self.chosen is not None and self.chosen in self.compared:
            return self.chosen
        return max(self.compared, key=self._gain_at, default=None)

    @property
    def _shown_name(self) -> str:
        return "" if self._shown is None else self.sweep.results[self._shown].name

    def _gain_at(self, place: int) -> float:
        if place == self.base:
            return 0.0
        test = self.sweep.results[place].comparison
        return float("-inf") if test is None or test.judged.gain is None else test.judged.gain

    def _tied(self) -> TiedSet | None:
        """Return what cannot be distinguished from the best configuration, the baseline included.

        The recommended one may be another: with CPS the highest T-CPS is recommended, or the cheapest. Without a
        recommendation the set says what is left to choose from.
        """
        if self.verdict.kind == "no_verdict" or self.base is None or not self.sweep.primary.is_by_question:
            return None
        places = [self.base, *self.compared]
        primary = self.sweep.primary
        differences = primary.gains([(place, self.base) for place in places])
        # Every pair of configurations is compared, so the cost grows with their square; the set decides nothing.
        rule = self.sweep.rule.model_copy(update={"draws": min(self.sweep.rule.draws, TIED_DRAWS)})
        tied = tied_with_best(differences, rule, clusters=primary.clusters, weights=primary.weights)
        if tied is None:
            return TiedSet(names=(), line=Line(text=sentence("verdict.tied-unknown", n=len(places)), numbers=()))
        # One family of all pairs sees less than the verdict's family. What is worse than the baseline is not the best:
        # a reader who finds it among the ties of the best one meets a contradiction.
        left = [places[each] for each in tied if not self._is_worse(places[each])]
        names = tuple(self.sweep.results[place].name for place in left)
        best = self.sweep.results[max(left, key=self._gain_at)].name
        recommended = self.verdict.recommended or best
        others = sum(1 for name in names if name != recommended)
        return TiedSet(
            names=names,
            line=Line(
                text=_tied_sentence(best, recommended, others, is_among=recommended in names),
                numbers=numbers_in(VERDICT, n=others),
            ),
        )

    def _is_worse(self, place: int) -> bool:
        test = self.sweep.results[place].comparison
        return test is not None and test.judged.outcome == "worse"

    def _cost(self) -> CostLine | None:
        measure, costs = self.costs
        place = self.base if self.chosen is None else self.chosen
        if measure is None or place is None or place not in costs:
            return None
        value, base = costs[place], None if self.base is None else costs.get(self.base)
        name = self.sweep.results[place].name
        saved = None if not base or place == self.base else round(1 - value / base, 12)
        said = _cost_sentence(measure, name, value, None if saved is None else base, self.sweep.rule)
        return CostLine(
            measure=measure,
            name=name,
            value=value,
            baseline=base,
            saved=saved,
            line=Line(text=said, numbers=numbers_in(VERDICT, value=value, baseline=base)),
        )

    def _would_change(self) -> tuple[Line, ...]:
        """Return where the paired t-test with Holm's correction decides otherwise than the verdict's rule."""
        if self.verdict.kind == "no_verdict":
            return ()
        lines = []
        for place in self.compared:
            test = self.sweep.results[place].comparison
            if test is None or test.p_holm is None or not test.gain or not self.sweep.primary.is_cps:
                continue
            by_t = "undecided" if test.p_holm > self.sweep.rule.alpha else "better" if test.gain > 0 else "worse"
            # The t-test knows no margin: "as good" and "identical" are undecided for it.
            here = test.judged.outcome if test.judged.outcome in ("better", "worse") else "undecided"
            if by_t != here:
                said = sentence(f"verdict.otherwise-{by_t}", name=self.sweep.results[place].name, p=test.p_holm)
                lines.append(Line(text=said, numbers=numbers_in("tests", p=test.p_holm)))
        return tuple(lines)


def _with_cheaper_equal(model: ComparedModel, reason: Sentence, numbers: tuple[SourcedNumber, ...]) -> Reason:
    """Return the reason of a kept baseline, with the cheapest configuration of equal values where one costs less."""
    sweep, base = model.sweep, model.base
    measure, costs = model.costs
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


def _tied_sentence(best: str, recommended: str, others: int, *, is_among: bool) -> Sentence:
    """Return the tied set in words; `others` are its members without the recommended configuration."""
    if best != recommended:
        code = "verdict.tied-among" if is_among else "verdict.tied-apart"
        return sentence(code, n=others, best=best, name=recommended)
    return sentence("verdict.tied", n=others, name=best) if others else sentence("verdict.tied-none", name=best)


def _cost_sentence(measure: Cost, name: str, value: float, baseline: float | None, rule: VerdictRule) -> Sentence:
    """Return the cost of a configuration, with the baseline's unless it is None; money for 1,000 questions."""
    if measure == "money" and rule.price is not None:
        values: dict[str, Value] = {
            "name": name,
            "currency": rule.price.currency,
            "value": _of_a_thousand(value),
        }
        if baseline is None:
            return sentence("verdict.cost-money", **values)
        return sentence("verdict.cost-money-baseline", **values, baseline=_of_a_thousand(baseline))
    said = sentence(f"verdict.cost-{measure}", name=name, value=value)
    if baseline is None:
        return said
    code = "verdict.cost-baseline-tokens" if measure == "prompt_tokens" else "verdict.cost-baseline"
    return sentence(code, cost=said, baseline=baseline)


def _of_a_thousand(value: float) -> float:
    """Return the cost of a thousand questions, to 3 significant digits: a price has no more."""
    return float(f"{1000 * value:.3g}")
