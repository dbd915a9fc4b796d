"""The verdict as tables: its lines with their numbers, causes of low scores, models against one another, profiles."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.analysis.analysis import ConfigurationResult, SweepAnalysis
from passer.domain.analysis.levels import MIN_SIMILARITY, levels_text
from passer.domain.analysis.study_table import Source, StudyTable, tabulate, yes_or_no
from passer.domain.composite import CPS
from passer.domain.evidence.level_profile import LevelEffect, level_profile
from passer.domain.verdict.conclusion import Conclusion
from passer.domain.verdict.lines import Line, SourcedNumber, explored

GAIN = ("gain", "gain_ci_low", "gain_ci_high")
"""Columns of a gain in CPS with its interval."""


def judged_columns(primary: str) -> tuple[str, str, str]:
    """Return the columns of a gain and its interval: in points of CPS, or in the unit of another primary metric."""
    return GAIN if primary == CPS else ("primary_gain", "primary_low", "primary_high")


def verdict_tables(analysis: SweepAnalysis) -> dict[str, StudyTable]:
    """Return all of them by name."""
    conclusions = analysis.verdict.conclusions
    return {
        "verdict": _lines(analysis),
        "causes": _causes(conclusions),
        "arms": _arms(analysis),
        "slices": _slices(analysis),
        "group_differences": _group_differences(analysis),
        "choice_shares": _choices(analysis),
        "threshold_profiles": _profiles(analysis),
    }


def _lines(analysis: SweepAnalysis) -> StudyTable:
    """Return the lines of each model, then the common ones: a verdict is always shown with its status."""
    found = analysis.verdict
    lines = [(each.model, part, line) for each in found.conclusions for part, line in each.lines]
    lines += [("", "standing", Line(text=analysis.standing.line))] if analysis.standing else []
    lines += [("", "exploratory", Line(text=said)) for said in explored(found.exploratory)]
    lines += [("", "arm", each.line) for each in found.arms]
    lines += [("", "identical", each.line) for each in found.identical]
    rows = tuple((model, part, line.text, _numbers(line.numbers)) for model, part, line in lines)
    return StudyTable(columns=("model", "part", "text", "numbers"), rows=rows)


def _numbers(numbers: Sequence[SourcedNumber]) -> str:
    return "; ".join(f"{each.name} = {each.value:.6g} ({each.table})" for each in numbers)


def _causes(conclusions: Sequence[Conclusion]) -> StudyTable:
    columns = ("model", "cause", "remedy", "questions", "of", "k", "kept_at_k", "at_most")
    rows = tuple(
        (item.model, cause.code, *(getattr(cause, name) for name in columns[2:]))
        for item in conclusions
        for cause in (item.retrieval.causes if item.retrieval else ())
    )
    return StudyTable(columns=columns, rows=rows)


def _slices(analysis: SweepAnalysis) -> StudyTable:
    judged = judged_columns(analysis.rule.primary)
    columns = ("model", "grouping", "group", "n_pairs", *judged, "p_adjusted", "outcome")
    rows = tuple(
        (item.model, each.grouping, each.shown_name, gain.pairs, gain.gain, gain.low, gain.high, gain.p, gain.outcome)
        for item in analysis.verdict.conclusions
        for each in item.slices
        for gain in [each.gain]
    )
    return StudyTable(columns=columns, rows=rows)


def _group_differences(analysis: SweepAnalysis) -> StudyTable:
    rows = tuple(
        (item.model, each.grouping, each.groups, each.p, each.p_adjusted)
        for item in analysis.verdict.conclusions
        for each in item.group_differences
    )
    return StudyTable(columns=("model", "grouping", "groups", "p_value", "p_holm"), rows=rows)


def _arms(analysis: SweepAnalysis) -> StudyTable:
    judged = judged_columns(analysis.rule.primary)
    columns = ("model", "baseline", "policy", "n_pairs", *judged, "p_adjusted", "outcome")
    sources: dict[str, Source] = {"n_pairs": "gain.pairs", "p_adjusted": "gain.p", "outcome": "gain.outcome"}
    sources |= dict(zip(judged, ("gain.gain", "gain.low", "gain.high"), strict=True))
    return tabulate(columns, analysis.verdict.arms, sources)


def _choices(analysis: SweepAnalysis) -> StudyTable:
    """Return how often half of the questions choose each configuration, and what the other half confirms."""
    columns = ("model", "name", "chosen_share", "corrected_gain", "optimism", "better_share", "splits")
    rows = []
    for item in analysis.verdict.conclusions:
        found = item.verdict.corrected
        own = [each for each in analysis.configurations if each.model == item.model and each.comparison is not None]
        for each, share in zip(own, found.chosen_share if found else (), strict=False):
            if found:
                whole = (found.gain, found.optimism, found.better_share, found.splits)
                rows.append((item.model, each.name, share, *whole))
    return StudyTable(columns=columns, rows=tuple(rows))


def _profiles(analysis: SweepAnalysis) -> StudyTable:
    """Return the threshold-response profile of each model with a verdict, by the same rule."""
    columns = ("model", "profile", "gains", "breadth", "tested", "is_contiguous", "losses")
    rows = []
    for model in (each.model for each in analysis.verdict.conclusions if each.verdict.kind != "no_verdict"):
        effects = _effects([item for item in analysis.configurations if item.model == model])
        if not effects:
            continue
        found = level_profile(effects, level=analysis.rule.alpha)
        gains, losses = map(levels_text, (found.gains, found.losses))
        contiguous = yes_or_no(found.is_contiguous)
        rows.append((model, found.kind, gains, len(found.gains), found.tested, contiguous, losses))
    return StudyTable(columns=columns, rows=tuple(rows))


def _effects(own: Sequence[ConfigurationResult]) -> list[LevelEffect]:
    tested = [
        (item.threshold, item.comparison.judged) for item in own if item.threshold is not None and item.comparison
    ]
    return [
        LevelEffect({MIN_SIMILARITY: threshold}, judged.gain, judged.p)
        for threshold, judged in sorted(tested, key=lambda pair: pair[0])
    ]
