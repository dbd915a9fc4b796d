"""The named ways from imported result sheets to figures and tables.

- `published`: what the published study did, so that its printed tables come out: labels as printed in the sheets,
  CPS rounded to four decimals, rows compared by position.
- `corrected`: the same formulas on the true columns, a question's repeated rows averaged, compared by question.
- `published-phase2`: the pilot: the panel phase2, normalised sheet by sheet, the first 100 rows, perplexities not
  inverted (the text says they are), nothing compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

from passer.domain.analysis.analysis import Scope
from passer.domain.analysis.composites import Composites
from passer.domain.analysis.constants import Constants
from passer.domain.analysis.counts import counts_of_sheets
from passer.domain.analysis.pool import Pool
from passer.domain.analysis.question_table import QuestionTable
from passer.domain.analysis.study_configuration import StudyConfiguration
from passer.domain.analysis.study_table import StudyTable
from passer.domain.analysis.study_tables import BandSetting, study_tables
from passer.domain.base import Frozen
from passer.domain.composite import PRESENT
from passer.domain.evidence.builder import gather_evidence
from passer.domain.evidence.correlation import correlations_of
from passer.domain.evidence.families import THRESHOLDS
from passer.domain.evidence.results import Evidence
from passer.domain.panel import PANELS, Panel
from passer.domain.sheets.audit import LISTED
from passer.domain.sheets.labels import LabelOrder, check_labels
from passer.domain.sheets.measures import CORRECTED, PUBLISHED, Measured, ProcedureRules, labelled, measure
from passer.domain.sheets.rows import lacking_label
from passer.domain.sheets.sheet import Sheet
from passer.domain.wording.sentence import LocalizedText, Sentence, sentence
from passer.errors import ConfigError, InputError

Procedure = Literal["published", "corrected", "published-phase2"]
"""Procedure by which imported sheets are analysed."""
PROCEDURES: tuple[Procedure, ...] = get_args(Procedure)

PILOT_ROWS = 100
"""Rows of each sheet that the pilot used."""


class StudyAnalysis(Frozen):
    """Figures and tables of imported sheets."""

    import_id: str = ""
    """Id of the imported sheets."""
    procedure: Procedure
    """Origin of the sheets."""
    panel: str
    """Name of the panel."""
    scope: Scope = "all"
    """Pool that determines minimum and maximum."""
    pools: tuple[Pool, ...]
    """Reference of CPS, with constants and effective weights."""
    constants: Constants | None = None
    """Constants of its one pool, or those that it is pinned to: another analysis can be pinned to them. None with
    several pools."""
    statements: tuple[LocalizedText, ...]
    """Computation of the figures, in sentences."""
    configurations: tuple[StudyConfiguration, ...]
    """Configurations by model, the baseline first, then by threshold."""
    tables: dict[str, StudyTable]
    """Tables by name."""
    counts: StudyTable
    """Planned and actual rows, by model."""
    evidence: Evidence | None = None
    """Tests with corrections and what the result hangs on; of `corrected` alone."""


_PILOT_PANEL = Panel(
    name="phase2, perplexities not inverted",
    metrics=tuple(item.model_copy(update={"higher_is_better": True}) for item in PANELS["phase2"].metrics),
)
_RULES: dict[Procedure, ProcedureRules] = {
    "published": PUBLISHED,
    "corrected": CORRECTED,
    "published-phase2": ProcedureRules(_PILOT_PANEL, scope="run", first_rows=PILOT_ROWS, compared=False),
}


def identity_of_sheets(*, true_columns: bool) -> dict[str, str]:
    """Return what the scores of sheets depend on, so that constants are used only for columns read in the same way."""
    return {"kind": "result sheets", "columns": "true ones" if true_columns else "as labelled"}


def _check_constants(constants: Constants, rules: ProcedureRules) -> None:
    if rules.scope == "run":
        raise InputError(
            sentence("sheet.own-constants"),
            field="constants",
        )
    constants.check_comparable(identity_of_sheets(true_columns=rules.true_columns))


def analyse_sheets(
    sheets: Sequence[Sheet],
    procedure: Procedure,
    *,
    labels: Mapping[str, str] | None = None,
    bands: BandSetting = "phase3",
    constants: Constants | None = None,
    source: str = "these sheets",
) -> StudyAnalysis:
    """Analyse sheets; `labels` names models for the tables, which then come in that order, `bands` their improvements.

    `constants` pin it to an earlier analysis; `source` says whose its own are. ConfigError for labels that fit no
    model, InputError where a column is missing or constants are not comparable, ConflictError for unclear labels.
    """
    ordered, named = labelled(sheets, labels or {})
    rules = _RULES[procedure]
    if constants is not None:
        _check_constants(constants, rules)
    found = measure(ordered, named, rules, constants)
    composites, configurations = found.composites, found.configurations
    return StudyAnalysis(
        procedure=procedure,
        panel=rules.panel.name,
        scope=composites.rules.scope,
        pools=composites.shown_pools(),
        constants=constants
        or composites.own_constants(source=source, identity=identity_of_sheets(true_columns=rules.true_columns)),
        statements=(
            sentence(f"procedure.{procedure}"),
            *_statements(composites),
            *_of_rankings(found.table, configurations),
        ),
        configurations=configurations,
        tables=study_tables(configurations, bands),
        counts=counts_of_sheets(ordered, named),
        evidence=_evidence(found) if rules.with_evidence else None,
    )


def _evidence(found: Measured) -> Evidence:
    """Every test over thresholds, and over strategies where there are any."""
    factors = tuple(dict.fromkeys(name for item in found.table.configurations for name in item.levels))
    composites = found.composites
    return gather_evidence(
        found.table, composites.panel, correlations_of(composites.rows), factors=factors or THRESHOLDS
    )


def possible_procedures(sheets: Sequence[Sheet]) -> tuple[Procedure, ...]:
    """Return the procedures whose columns all sheets have; unclear labels are in the way of `corrected` alone."""
    return tuple(
        name
        for name, rules in _RULES.items()
        if all(lacking_label(sheet, rules.panel, _labels(sheet, rules)) is None for sheet in sheets)
    )


def _labels(sheet: Sheet, rules: ProcedureRules) -> LabelOrder:
    return check_labels(sheet).order if rules.true_columns else "right"


def obstacle_to_publishing(sheets: Sequence[Sheet]) -> Sentence | None:
    """Return why no study can be made of sheets; None where one can."""
    for sheet in sheets:
        order = check_labels(sheet).order
        lacking = lacking_label(sheet, CORRECTED.panel, order)
        if lacking is not None:
            return sentence("study.column-lacks", path=sheet.path, column=lacking, panel=CORRECTED.panel.name)
        if order == "unclear":
            return sentence("study.labels-unclear", path=sheet.path)
    return None


def parsed_labels(given: Sequence[str]) -> dict[str, str]:
    """Parse texts MODEL=LABEL as names of models for the tables; ConfigError for another text."""
    found = {}
    for text in given:
        model, _, label = text.partition("=")
        if not model.strip() or not label.strip():
            raise ConfigError(sentence("sheets.not-a-label", text=text), field="label")
        found[model.strip()] = label.strip()
    return found


def _of_rankings(table: QuestionTable, configurations: Sequence[StudyConfiguration]) -> Iterator[Sentence]:
    """Warn of configurations that are not ranked, and of those whose CV is that of averages."""
    if not any(item.judged for item in configurations):
        return
    yield sentence("sheets.rankings")
    asked = {item.model: item.n for item in configurations if item.level is None}
    for item in configurations:
        if not item.is_ranked:
            yield sentence(
                "sheets.not-ranked", model=item.model, name=item.name, n=item.n_pairs or 0, of=asked[item.model]
            )
    averaged = [
        item.name
        for place, item in enumerate(table.configurations)
        if 2 * (table.repeats[table.cells(place)] > 1).sum() > table.size(place)
    ]
    if averaged:
        yield sentence("sheets.averaged-cv", n=len(averaged), sheets=tuple(averaged[:LISTED]))


def panel_title(name: str) -> str:
    """Return the name of a panel for readers: the pilot's name says how it differs, in their language."""
    return sentence("panel.pilot") if name == _PILOT_PANEL.name else name


def _statements(composites: Composites) -> Iterator[Sentence]:
    """State the excluded rows and the pool."""
    pools, given = composites.shown_pools(), composites.rules.constants
    where = pools[0].name if len(pools) == 1 else sentence("pool.each-sheet", n=len(pools))
    left, of = int(composites.usable.sum()), len(composites.usable)
    panel = panel_title(composites.panel.name)
    yield sentence("sheets.cps-pinned" if given else "sheets.cps", panel=panel, pool=where, rows=left)
    if given:
        yield given.statement
    lost = int((composites.scores.missing != PRESENT).any(axis=1).sum())
    if lost:
        yield sentence("sheets.lost", lost=lost, out=of - left, of=of)
    for pool in pools:
        for item in pool.metrics:
            if item.is_constant:
                yield sentence("warning.constant", metric=item.metric, pool=pool.name)
        for item in pool.metrics:
            if item.n_outside and not pool.is_clipped:
                yield sentence("sheets.outside", metric=item.metric, n=item.n_outside)
