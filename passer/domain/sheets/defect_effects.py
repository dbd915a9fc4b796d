"""Effects of defects in sheets on the result: published and corrected figures, with the correction that moves each.

The defects are corrected one after the other, always in the same order, so that the changes of a figure add up to the
difference between the two procedures. Another order would share out the same difference otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

from passer.domain.analysis.study_configuration import StudyConfiguration
from passer.domain.analysis.study_table import Cell, StudyTable
from passer.domain.analysis.study_tables import best_by_criterion, ranked_by_model
from passer.domain.base import Frozen
from passer.domain.sheets.labels import check_labels
from passer.domain.sheets.measures import CORRECTED, PUBLISHED, labelled, measure
from passer.domain.sheets.sheet import Sheet
from passer.domain.statistics import stars
from passer.domain.texts.cell_text import heading
from passer.domain.wording.sentence import LocalizedText, Sentence, number_sentence, sentence
from passer.errors import PasserError

Defect = Literal["labels", "doubled_rows", "pairing", "missing_scores", "missing_questions", "uncorrected_tests"]
"""Defects in the order in which they are corrected.

labels: the true columns are read. doubled_rows: the rows of a question count once. pairing: questions are compared, not
rows. missing_scores: a question without a score is left out everywhere. missing_questions: gains are ranked, and only
where nearly all questions of the baseline are there. uncorrected_tests: stars follow the rule of the verdict.
"""
DEFECTS: tuple[Defect, ...] = get_args(Defect)
Figure = Literal["cps_improvement_pct", "tcps_improvement_pct", "cv", "balance_score"]
FIGURES: tuple[Figure, ...] = get_args(Figure)
ConclusionKind = Literal["best_cps", "best_tcps", "best_balance", "significant_gains", "significant_losses"]
Configurations = Sequence[StudyConfiguration]

_NO_CHANGE = 1e-9
"""Differences up to this are rounding of sums."""


class MovedFigure(Frozen):
    """One figure of a configuration under both procedures."""

    model: str
    """Label."""
    threshold: float | None
    """Threshold of the configuration; None for a strategy."""
    strategy: str | None = None
    """Strategy of the configuration; None for a threshold."""
    figure: Figure
    """Column name."""
    label: LocalizedText
    """Name in words."""
    is_headline: bool
    """True if the configuration is a model's best by some criterion, as published or corrected."""
    published: float | None
    """Value by `published`."""
    corrected: float | None
    """Value by `corrected`."""
    changes: dict[Defect, float]
    """Effect of each correction; together they are the difference. Empty where a step has no value."""
    decisive: Defect | None
    """The correction that changes it most; None where nothing does."""


class ComparedConclusion(Frozen):
    """One conclusion about a model under both procedures."""

    kind: ConclusionKind
    """The conclusion."""
    model: str
    """Label."""
    published: LocalizedText
    """Conclusion by `published`, in words."""
    corrected: LocalizedText
    """Conclusion by `corrected`, in words."""
    defects: tuple[Defect, ...]
    """The corrections at which it changes, in order."""
    is_changed: bool
    """True if the two differ."""
    text: LocalizedText
    """Both in one sentence, with the defects that change it."""


class ModelResult(Frozen):
    """The result of one model, one sentence per procedure."""

    model: str
    """Label."""
    published: LocalizedText
    """Result by `published`."""
    corrected: LocalizedText
    """Result by `corrected`, with the published best gain on the questions that it shares with the baseline."""


class DefectEffects(Frozen):
    """Results as published and corrected."""

    models: tuple[ModelResult, ...] = ()
    """One per compared model: for the opening of a page."""
    conclusions: tuple[ComparedConclusion, ...] = ()
    """All of them, changed or not."""
    figures: tuple[MovedFigure, ...] = ()
    """Every figure of every compared configuration."""
    direction: LocalizedText | None = None
    """Meaning of the thresholds of the published program, where these sheets are from it."""
    reason: LocalizedText | None = None
    """Reason why the procedures cannot be compared; None where they can."""

    @property
    def changed(self) -> tuple[str, ...]:
        """Return the conclusions that changed, one sentence each."""
        return tuple(item.text for item in self.conclusions if item.is_changed)


def defect_effects(sheets: Sequence[Sheet], labels: Mapping[str, str] | None = None) -> DefectEffects:
    """Analyse sheets as published, then with one correction more at a time; `labels` names models.

    ConfigError for labels that fit no model.
    """
    ordered, names = labelled(sheets, labels or {})
    try:
        steps = _steps(ordered, names)
    except PasserError as exc:
        # The 16 columns of the pilot, or labels that cannot be determined: one of the two procedures has no figures.
        return DefectEffects(reason=sentence("effects.not-comparable", why=exc.message))
    if not any(item.n_pairs for item in steps[0]):
        return DefectEffects(reason=sentence("effects.no-baseline"))
    conclusions = tuple(_conclusions(steps))
    return DefectEffects(
        models=tuple(_models(steps)),
        conclusions=conclusions,
        figures=tuple(_figures(steps)),
        direction=_direction(ordered),
    )


def _steps(sheets: Sequence[Sheet], names: Sequence[str]) -> list[Configurations]:
    """Return the configurations as published, and after each correction."""
    rules = [PUBLISHED, replace(PUBLISHED, true_columns=True)]
    rules.append(replace(rules[-1], merged=True, decimals=None))
    rules.append(replace(rules[-1], by_position=False))
    found: list[Configurations] = [measure(sheets, names, each).configurations for each in rules]
    corrected = measure(sheets, names, CORRECTED).configurations
    plain = [item.model_copy(update={"significance": stars(item.p_value) or None}) for item in corrected]
    unranked = [item.model_copy(update={"judged": None, "is_ranked": True}) for item in plain]
    return [*found, unranked, plain, corrected]


def _figures(steps: Sequence[Configurations]) -> Iterator[MovedFigure]:
    best = [ranked_by_model(step) for step in (steps[0], steps[-1])]
    headline = {id(item) for found in best for own in found.values() for item in best_by_criterion(own).values()}
    for column in zip(*steps, strict=True):
        if column[0].n_pairs is None:
            continue
        for figure in FIGURES:
            values = [getattr(item, figure) for item in column]
            changes: dict[Defect, float] = {}
            if None not in values:
                moved = zip(DEFECTS, values[:-1], values[1:], strict=True)
                changes = {defect: after - before for defect, before, after in moved}
            large = {defect: change for defect, change in changes.items() if abs(change) > _NO_CHANGE}
            yield MovedFigure(
                model=column[0].model,
                threshold=column[0].threshold,
                strategy=column[0].strategy,
                figure=figure,
                label=heading(figure),
                is_headline=id(column[0]) in headline or id(column[-1]) in headline,
                published=values[0],
                corrected=values[-1],
                changes=changes,
                decisive=max(large, key=lambda defect: abs(large[defect])) if large else None,
            )


def _conclusions(steps: Sequence[Configurations]) -> Iterator[ComparedConclusion]:
    by_step = [_concluded(step) for step in steps]
    for (kind, model), published in by_step[0].items():
        said = [step[kind, model] for step in by_step]
        turns = zip(DEFECTS, said[:-1], said[1:], strict=True)
        defects = tuple(defect for defect, before, after in turns if before != after)
        corrected, is_changed = said[-1], said[0] != said[-1]
        why = tuple(sentence(f"defect.{defect.replace('_', '-')}") for defect in defects)
        text = sentence(
            "effects.changed" if is_changed else "effects.same",
            model=model,
            what=sentence(f"conclusion.{kind.replace('_', '-')}"),
            published=published,
            corrected=corrected,
            why=why,
        )
        yield ComparedConclusion(
            kind=kind,
            model=model,
            published=published,
            corrected=corrected,
            defects=defects,
            is_changed=is_changed,
            text=text,
        )


def _concluded(configurations: Configurations) -> dict[tuple[ConclusionKind, str], Sentence]:
    """Return every conclusion about every compared model, in words."""
    found: dict[tuple[ConclusionKind, str], Sentence] = {}
    for model, ranked in ranked_by_model(configurations).items():
        compared = [item for item in configurations if item.model == model and item.n_pairs is not None]
        if not compared:
            continue
        best = best_by_criterion([item for item in ranked if item.n_pairs is not None])
        found["best_cps", model] = _names([best["cps"]])
        found["best_tcps", model] = _names([best["tcps"]])
        found["best_balance", model] = _names([best["balance"]])
        significant = [item for item in compared if item.is_significant]
        found["significant_gains", model] = _names([it for it in significant if (it.cps_improvement_pct or 0) > 0])
        found["significant_losses", model] = _names([it for it in significant if (it.cps_improvement_pct or 0) < 0])
    return found


def _names(items: Sequence[StudyConfiguration | None]) -> Sentence:
    known = [item for item in items if item is not None]
    if not known:
        return sentence("effects.none")
    if len(known) == 1:
        return known[0].name
    levels = tuple(number_sentence(item.level) if isinstance(item.level, float) else f"{item.level}" for item in known)
    return sentence("effects.several", n=len(known), names=levels)


def _models(steps: Sequence[Configurations]) -> Iterator[ModelResult]:
    first, last = (ranked_by_model(step) for step in (steps[0], steps[-1]))
    for model, own in first.items():
        published = best_by_criterion([item for item in own if item.n_pairs is not None])["cps"]
        corrected = best_by_criterion([item for item in last[model] if item.n_pairs is not None])["cps"]
        if published is None:
            continue
        again = next(item for item in steps[-1] if (item.model, item.level) == (model, published.level))
        yield ModelResult(
            model=model,
            published=_result(model, published, steps[0]),
            corrected=sentence(
                "effects.model-corrected",
                result=sentence("effects.none-ranked", model=model)
                if corrected is None
                else _result(model, corrected, steps[-1]),
                published=published.name,
                gain=published.cps_improvement_pct or 0.0,
                now=again.cps_improvement_pct or 0.0,
                n=again.n_pairs or 0,
            ),
        )


def _result(model: str, best: StudyConfiguration, step: Configurations) -> Sentence:
    compared = [item for item in step if item.model == model and item.n_pairs is not None]
    gains = [item for item in compared if item.is_significant and (item.cps_improvement_pct or 0) > 0]
    return sentence(
        "effects.model",
        model=model,
        best=best.name,
        gain=best.cps_improvement_pct or 0.0,
        gains=len(gains),
        of=len(compared),
    )


def _direction(sheets: Sequence[Sheet]) -> Sentence | None:
    """Sheets in the published layout come from a program that compared the distance with the threshold."""
    published = [sheet for sheet in sheets if sheet.threshold is not None and check_labels(sheet).order == "shifted"]
    return sentence("effects.direction") if published else None


def effects_table(effects: DefectEffects, *, headlines: bool = False) -> StudyTable:
    """Return a row per figure with the effect of each correction; with `headlines`, best configurations only."""
    level = "level" if any(item.strategy for item in effects.figures) else "threshold"
    columns = ("model", level, "figure", "published", "corrected", *DEFECTS, "decisive")
    rows: list[tuple[Cell, ...]] = [
        (
            item.model,
            item.threshold if item.strategy is None else item.strategy,
            item.figure,
            item.published,
            item.corrected,
            *(item.changes.get(defect) for defect in DEFECTS),
            item.decisive,
        )
        for item in effects.figures
        if item.is_headline or not headlines
    ]
    return StudyTable(columns=columns, rows=tuple(rows))
