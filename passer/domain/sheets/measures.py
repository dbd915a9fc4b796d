"""Figures of imported sheets under given rules: one configuration a sheet, compared with its baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from passer.domain.analysis.analysis import Scope
from passer.domain.analysis.composites import Composites, Rules, composed
from passer.domain.analysis.constants import Constants
from passer.domain.analysis.gains import Gain, Spread
from passer.domain.analysis.levels import strategy_of
from passer.domain.analysis.question_table import QuestionTable
from passer.domain.analysis.study_configuration import StudyConfiguration, with_ranks
from passer.domain.composite import MissingPolicy
from passer.domain.panel import PANELS, Panel
from passer.domain.sheets.rows import rows_of_sheets
from passer.domain.sheets.sheet import Sheet
from passer.domain.verdict.family import FamilyGain, FamilyRule, family_gains
from passer.domain.verdict.verdict import decided
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

CPS_DECIMALS = 4
"""Decimals of a row's CPS as published."""


@dataclass(frozen=True)
class ProcedureRules:
    """Rules in which a procedure differs from the others."""

    panel: Panel
    scope: Scope = "all"
    true_columns: bool = False
    """True if shifted labels are read past."""
    missing: MissingPolicy = "drop"
    """`worst` takes a question that lacks a score out of every sheet; `drop` a row out of its own."""
    first_rows: int | None = None
    by_position: bool = True
    """True if the k-th row is compared with the k-th row, and all rows make CV and T-CPS."""
    merged: bool = False
    """True if the rows of a question count as one where rows are compared by position."""
    decimals: int | None = None
    """Decimals of a row's CPS; None leaves it as it is."""
    compared: bool = True
    with_evidence: bool = False
    """True if the tests of the gains are made too."""


PUBLISHED = ProcedureRules(PANELS["phase3"], decimals=CPS_DECIMALS)
CORRECTED = ProcedureRules(PANELS["phase3"], true_columns=True, missing="worst", by_position=False, with_evidence=True)


@dataclass(frozen=True, eq=False)
class Measured:
    """Rows and composites that rules make of sheets."""

    composites: Composites
    table: QuestionTable
    """Under the questions, or under the places of rows compared by position."""
    configurations: tuple[StudyConfiguration, ...]
    """One a sheet, in their order."""


def measure(
    sheets: Sequence[Sheet], names: Sequence[str], rules: ProcedureRules, constants: Constants | None = None
) -> Measured:
    """Compute every figure of the sheets; `names` label each one's model, `constants` pin CPS to another analysis."""
    rows = rows_of_sheets(
        sheets, names, rules.panel, true_columns=rules.true_columns, first=rules.first_rows, compared=rules.compared
    )
    scope: Scope = "given" if constants else rules.scope
    composites = composed(rows, Rules(rules.panel, scope=scope, constants=constants, missing=rules.missing))
    table = composites.questions
    if rules.by_position:
        table = composites.by_position(decimals=rules.decimals, merged=rules.merged)
    judged = _judged(table) if rules.with_evidence else {}
    found = [_measured(table, place, judged.get(place), by_position=rules.by_position) for place in range(len(sheets))]
    return Measured(composites, table, with_ranks(found) if judged else tuple(found))


def _judged(table: QuestionTable) -> dict[int, FamilyGain]:
    """Return every comparison of the study as one family, by position of the configuration."""
    gains = family_gains(table.gains(table.comparisons), FamilyRule()) if table.comparisons else ()
    return {place: decided(gain) for (place, _), gain in zip(table.comparisons, gains, strict=True)}


def _measured(table: QuestionTable, place: int, judged: FamilyGain | None, *, by_position: bool) -> StudyConfiguration:
    """Measure one configuration: over all its rows by position, else over the questions paired with its baseline."""
    item, own = table.configurations[place], Spread.of(table.column(place))
    figures = StudyConfiguration(
        model=item.label,
        threshold=item.threshold,
        strategy=strategy_of(item.levels),
        n=table.size(place),
        mean_cps=own.mean,
        mean_cps_all_rows=own.mean if by_position else None,
        cv=own.cv,
        tcps=own.tcps,
    )
    if item.baseline is None:
        return figures
    pairs = table.pairs(place, item.baseline)
    whole = (own, Spread.of(table.column(item.baseline))) if by_position else None
    gain = Gain.of(pairs.values, pairs.baseline, printed=whole)
    rated = own if by_position else gain.here
    compared = figures.model_copy(update={"mean_cps": gain.here.mean, "cv": rated.cv, "tcps": rated.tcps})
    return compared.with_gain(gain, judged)


def labelled(sheets: Sequence[Sheet], labels: Mapping[str, str]) -> tuple[list[Sheet], list[str]]:
    """Return sheets with the names of their models: labelled models in the order of the labels, then the others."""
    models = list(dict.fromkeys(sheet.model for sheet in sheets))
    for model in labels:
        if model not in models:
            raise ConfigError(sentence("sheet.no-model", model=model, known=", ".join(models)), field="label")
    names = [labels.get(model, model) for model in models]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigError(sentence("sheet.label-twice", label=twice[0]), field="label")
    order = [*labels, *(model for model in models if model not in labels)]
    ordered = sorted(sheets, key=lambda sheet: order.index(sheet.model))
    return ordered, [labels.get(sheet.model, sheet.model) for sheet in ordered]
