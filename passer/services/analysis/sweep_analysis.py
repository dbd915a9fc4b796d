"""Composites, comparisons with the baseline, retrieval quality, and a recommendation, from the rows of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from passer.domain.analysis.analysis import (
    Alternative,
    ConfigurationResult,
    Family,
    SweepAnalysis,
    TruncatedPolicy,
)
from passer.domain.analysis.choices import AS_USUAL, SweepChoices
from passer.domain.analysis.composites import Rules, composed
from passer.domain.analysis.confounds import differing_fields
from passer.domain.analysis.profile_label import profile_label
from passer.domain.analysis.run_rows import RunRows
from passer.domain.analysis.score_rows import ScoreRows
from passer.domain.composite import MissingPolicy, Normalisation
from passer.domain.dataset import Question
from passer.domain.verdict.conclusion import SweepVerdict
from passer.domain.verdict.judged_rule import JudgedColumn
from passer.domain.verdict.lines import explored
from passer.domain.verdict.verdict import Verdict, VerdictRule, undecided
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import InputError
from passer.services.analysis.comparability import control_of, described, identity_of, study_of
from passer.services.analysis.pooling import UNRECORDED, panel_with_values
from passer.services.analysis.statements import statements, warnings_of
from passer.services.analysis.verdict.arms import arm_comparisons
from passer.services.analysis.verdict.compared_sweep import ComparedSweep
from passer.services.analysis.verdict.conclusions import conclusions_of
from passer.services.analysis.verdict.disagreement import identical_sets, with_disagreements
from passer.services.analysis.verdict.judgement import Judgement, Study, prepare
from passer.services.analysis.verdict.model_verdicts import known_costs

FEW = frozenset({"too_few_pairs", "too_few_clusters"})
"""Conditions of a verdict that more questions meet."""


def analyse(
    runs: Sequence[RunRows],
    choices: SweepChoices = AS_USUAL,
    *,
    baseline: str | None = None,
    family: Family = "analysis",
    recorded: VerdictRule | None = None,
    questions: Sequence[Question] = (),
    available: int | None = None,
    judged: JudgedColumn | None = None,
) -> SweepAnalysis:
    """Analyse runs together.

    `baseline` names one configuration for all by name or run id; without it each model's own baseline counts.
    `recorded` is the rule that the sweep was planned with: a verdict by another one is exploratory.
    `questions` are those of the dataset that were asked: they declare clusters. `available` is the number of questions
    of the whole dataset; None where it is not known. `judged` is a judged column that is the primary metric.
    ConflictError where the runs cannot be compared, InputError where the panel cannot be computed, or the constants
    are not comparable or used with a scope of several pools.
    """
    prepared = prepare(
        runs, choices, baseline=baseline, family=family, recorded=recorded, questions=questions, judged=judged
    )
    study, rows, rules, exploratory = prepared.study, prepared.rows, prepared.rules, prepared.exploratory
    found = composed(rows, rules)
    analysis = _analysis(study, study.judged(found), questions=questions, available=available)
    is_recorded = any(run.panel or run.normalisation for run in runs)
    others, notes = _alternatives(study, rows, rules, other_pools=is_recorded)
    warnings = (*warnings_of(analysis, others, asked_panel=choices.panel), *notes)
    return analysis.model_copy(
        update={
            "constants": rules.constants or found.own_constants(source=study_of(runs), identity=identity_of(runs)),
            "alternatives": others,
            "differing": differing_fields([described(run) for run in runs]),
            "control": control_of(study.groups, prepared.against),
            "warnings": warnings,
            "verdict": with_disagreements(analysis.verdict, others).model_copy(update={"exploratory": exploratory}),
            "statements": (*analysis.statements, *explored(exploratory)),
        }
    )


def _alternatives(
    study: Study, rows: ScoreRows, rules: Rules, *, other_pools: bool
) -> tuple[tuple[Alternative, ...], list[str]]:
    """Repeat the analysis with other decisions, also with `other_pools`; a note says where one leaves no data."""
    found: list[Alternative] = []
    notes: list[str] = []
    decisions = [
        *((words, rows, changed) for words, changed in _other_rules(rows, rules)),
        *([(sentence("decision.failed-worst"), rows.with_failed_as_worst(), rules)] if rows.any_failed else []),
        *((words, rows, changed) for words, changed in (_other_pools(rows, rules) if other_pools else ())),
    ]
    for words, scored, changed in decisions:
        try:
            other = study.judged(composed(scored, changed), corrects=False)
        except InputError:
            notes.append(sentence("warning.nothing-left", decision=words))
            continue
        found.append(
            Alternative(
                decision=words,
                mean_cps=tuple(item.mean_cps for item in other.results),
                recommended=tuple(verdict.recommended for verdict in other.verdicts.values()),
            )
        )
    return tuple(found), notes


def _other_rules(rows: ScoreRows, rules: Rules) -> list[tuple[Sentence, Rules]]:
    """Return the decisions that could be made otherwise and would change a number."""
    others = []
    if rows.any_missing(rules.panel):
        other: MissingPolicy = "drop" if rules.missing == "worst" else "worst"
        others.append((sentence(f"decision.missing-{other}"), replace(rules, missing=other)))
    if rows.truncated.any():
        cut: TruncatedPolicy = "exclude" if rules.truncated == "keep" else "keep"
        others.append((sentence(f"decision.truncated-{cut}"), replace(rules, truncated=cut)))
    return others


def _other_pools(rows: ScoreRows, rules: Rules) -> list[tuple[Sentence, Rules]]:
    """Return the other normalisation and the panel of the published study; neither with given constants."""
    if rules.constants is not None:
        return []
    normalisation: Normalisation = "min-max" if rules.normalisation == "winsorised" else "winsorised"
    others = [(sentence(f"decision.{normalisation}"), replace(rules, normalisation=normalisation))]
    panel = panel_with_values(rows, UNRECORDED[0])
    if panel != rules.panel and rows.has_values(panel):
        others.append((sentence("decision.panel", panel=panel.name), replace(rules, panel=panel)))
    return others


def _analysis(
    study: Study, judged: Judgement, *, questions: Sequence[Question], available: int | None
) -> SweepAnalysis:
    """Return the analysis; alternatives and warnings are added by the caller."""
    groups, rule = study.groups, study.rule
    found, rules = judged.found, judged.found.rules
    # A bundle records the outcomes of the intervals; pages and tables get none if there is no verdict.
    results = tuple(_as_decided(result, judged.verdicts[result.model]) for result in judged.results)
    compared = ComparedSweep(groups, found, judged.primary, results, judged.against, rule, questions, available)
    conclusions = conclusions_of(compared, judged.verdicts)
    pools, profile = found.shown_pools(), groups[0].first.config.profile
    return SweepAnalysis(
        profile=profile,
        profile_label=profile_label(profile, identity_of([run for group in groups for run in group.runs])),
        panel=rules.panel.name,
        normalisation=rules.normalisation,
        scope=rules.scope,
        missing=rules.missing,
        truncated=rules.truncated,
        pools=pools,
        rule=rule,
        stability=rules.stability,
        configurations=tuple(
            result.model_copy(update={"costs": known_costs(group, rule, found.rows.weights)})
            for group, result in zip(groups, results, strict=True)
        ),
        verdict=SweepVerdict(
            conclusions=conclusions,
            arms=arm_comparisons(compared),
            identical=identical_sets(groups, compared.identical),
        ),
        alternatives=(),
        statements=statements(pools, rules, compared.comparisons, questions),
        warnings=(),
    )


def _as_decided(result: ConfigurationResult, verdict: Verdict) -> ConfigurationResult:
    """Return a result without outcome and stars where there is no verdict; interval and p stay as figures."""
    test = result.comparison
    if test is None or verdict.kind != "no_verdict":
        return result
    is_few = not FEW.isdisjoint(verdict.missing)
    gain = undecided(test.judged, reason="too_few" if is_few else None)
    return result.model_copy(update={"comparison": test.model_copy(update={"judged": gain, "stars": ""})})
