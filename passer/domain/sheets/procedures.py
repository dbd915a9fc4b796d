"""The named ways from imported result sheets to figures and tables.

- `published`: what the published study did, so that its printed tables come out: labels as they stand in the sheets,
  CPS rounded to four decimals, rows compared by position.
- `corrected`: the same formulas on the true columns, a question's repeated rows averaged, compared by question.
- `published-phase2`: the pilot: the panel phase2, normalised sheet by sheet, the first 100 rows, perplexities not
  inverted (the text says they are), nothing compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from passer.domain.analysis.analysis import Scope
from passer.domain.analysis.constants import Constants
from passer.domain.analysis.counts import counts_of_sheets
from passer.domain.analysis.pool import Pool
from passer.domain.analysis.study_tables import BandSetting, StudyConfiguration, StudyTable, study_tables
from passer.domain.composite import PANELS, Panel, balance, coefficient_of_variation, improvement_pct, tcps
from passer.domain.evidence.found import Evidence
from passer.domain.sheets.composites import SheetComposites, compose
from passer.domain.sheets.evidence import evidence_of_sheets
from passer.domain.sheets.sheet import Sheet
from passer.domain.statistics import (
    ByQuestion,
    Floats,
    PairedTest,
    average_by_question,
    pair_by_question,
    paired_t_test,
    stars,
)
from passer.domain.wording.sentence import Said, Worded, sentence
from passer.errors import ConfigError

Procedure = Literal["published", "corrected", "published-phase2"]
"""How imported sheets are analysed."""
PROCEDURES: tuple[Procedure, ...] = get_args(Procedure)

CPS_DECIMALS = 4
"""Of a row's CPS under `published`."""
PILOT_ROWS = 100
"""Rows of each sheet that the pilot used."""


class StudyAnalysis(Worded):
    """Figures and tables of imported sheets."""

    import_id: str = ""
    """Which sheets."""
    procedure: Procedure
    """How they were made."""
    panel: str
    """Name of the panel."""
    scope: Scope = "all"
    """Where minimum and maximum come from."""
    pools: tuple[Pool, ...]
    """What CPS is relative to, with constants and effective weights."""
    constants: Constants | None = None
    """Of its one pool, or those that it is pinned to: another analysis can be pinned to them. None where several."""
    statements: tuple[Said, ...]
    """What the figures rest on, in sentences."""
    configurations: tuple[StudyConfiguration, ...]
    """By model, the baseline first, then by threshold."""
    tables: dict[str, StudyTable]
    """By name."""
    counts: StudyTable
    """Planned and actual rows, by model."""
    evidence: Evidence | None = None
    """Tests with corrections and what the result hangs on; of `corrected` alone."""


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
    ordered, named = _labelled(sheets, labels or {})
    panel = _PILOT_PANEL if procedure == "published-phase2" else PANELS["phase3"]
    composites = compose(
        ordered,
        panel,
        true_columns=procedure == "corrected",
        by_sheet=procedure == "published-phase2",
        first_rows=PILOT_ROWS if procedure == "published-phase2" else None,
        together=procedure == "corrected",
        constants=constants,
        source=source,
    )
    make = {"published": _published, "corrected": _corrected, "published-phase2": _pilot}[procedure]
    configurations = tuple(make(ordered, named, composites))
    return StudyAnalysis(
        procedure=procedure,
        panel=panel.name,
        scope="given" if constants else "run" if procedure == "published-phase2" else "all",
        pools=composites.pools,
        constants=composites.constants,
        statements=(sentence(f"procedure.{procedure}"), *composites.statements),
        configurations=configurations,
        tables=study_tables(configurations, bands),
        counts=counts_of_sheets(ordered, named),
        evidence=evidence_of_sheets(ordered, named, composites, panel) if procedure == "corrected" else None,
    )


def parsed_labels(given: Sequence[str]) -> dict[str, str]:
    """Names of models for the tables, from texts MODEL=LABEL; ConfigError for another text."""
    found = {}
    for text in given:
        model, _, label = text.partition("=")
        if not model.strip() or not label.strip():
            raise ConfigError(f'Label {text!r} is not MODEL=LABEL: write mistral="Mistral 7B", say.', field="label")
        found[model.strip()] = label.strip()
    return found


_PILOT_PANEL = Panel(
    name="phase2, perplexities not inverted",
    metrics=tuple(item.model_copy(update={"higher_is_better": True}) for item in PANELS["phase2"].metrics),
)


def _labelled(sheets: Sequence[Sheet], labels: Mapping[str, str]) -> tuple[list[Sheet], list[str]]:
    """Sheets in the order of the labels, then as they were, with the name of each one's model."""
    models = list(dict.fromkeys(sheet.model for sheet in sheets))
    for model in labels:
        if model not in models:
            raise ConfigError(f"No sheet is of a model {model!r}: label one of {', '.join(models)}.", field="label")
    names = [labels.get(model, model) for model in models]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigError(f"Two models would both be called {twice[0]!r}: give each its own label.", field="label")
    order = [*labels, *(model for model in models if model not in labels)]
    ordered = sorted(sheets, key=lambda sheet: order.index(sheet.model))
    return ordered, [labels.get(sheet.model, sheet.model) for sheet in ordered]


def _baseline_places(sheets: Sequence[Sheet]) -> dict[int, int]:
    """Place of each sheet's baseline by its own place; baselines and sheets without one are absent."""
    baselines = {sheet.model: place for place, sheet in enumerate(sheets) if sheet.threshold is None}
    return {
        place: baselines[sheet.model]
        for place, sheet in enumerate(sheets)
        if sheet.threshold is not None and sheet.model in baselines
    }


def _published(sheets: Sequence[Sheet], names: Sequence[str], composites: SheetComposites) -> list[StudyConfiguration]:
    rounded = [np.round(values, CPS_DECIMALS) for values in composites.cps]
    against = _baseline_places(sheets)
    found = []
    for place, (sheet, name) in enumerate(zip(sheets, names, strict=True)):
        here = rounded[place]
        whole = _Spread(here)
        figures = StudyConfiguration(
            model=name,
            threshold=sheet.threshold,
            n=here.size,
            mean_cps=whole.mean,
            mean_cps_all_rows=whole.mean,
            cv=whole.cv,
            tcps=whole.tcps,
        )
        if place in against:
            figures = _against_by_position(figures, here, rounded[against[place]])
        found.append(figures)
    return found


def _against_by_position(figures: StudyConfiguration, here: Floats, baseline: Floats) -> StudyConfiguration:
    """The k-th row against the k-th row; T-CPS over all rows of both sides; Balance from the printed parts."""
    n = min(here.size, baseline.size)
    gain = improvement_pct(value=figures.tcps, baseline=_Spread(baseline).tcps)
    return figures.model_copy(
        update={
            **_tested(paired_t_test(here[:n], baseline[:n])),
            "mean_cps": float(here[:n].mean()) if n else None,
            "cps_improvement_pct": _gain_pct(here[:n], baseline[:n]),
            "tcps_improvement_pct": gain,
            "balance_score": balance(
                tcps_improvement_pct=None if gain is None else round(gain, 2),
                cv=None if figures.cv is None else round(figures.cv, 3),
            ),
        }
    )


def _corrected(sheets: Sequence[Sheet], names: Sequence[str], composites: SheetComposites) -> list[StudyConfiguration]:
    by_question = [average_by_question(keys, cps) for keys, cps in zip(composites.keys, composites.cps, strict=True)]
    against = _baseline_places(sheets)
    return [
        _by_question(
            by_question[place],
            by_question[against[place]] if place in against else None,
            model=name,
            threshold=sheet.threshold,
        )
        for place, (sheet, name) in enumerate(zip(sheets, names, strict=True))
    ]


def _by_question(
    here: ByQuestion, baseline: ByQuestion | None, *, model: str, threshold: float | None
) -> StudyConfiguration:
    """Question against question; CV and T-CPS over the compared questions of both sides; nothing rounded."""
    if baseline is None:
        own = _Spread(here.values)
        return StudyConfiguration(
            model=model, threshold=threshold, n=here.values.size, mean_cps=own.mean, cv=own.cv, tcps=own.tcps
        )
    pairs = pair_by_question(here, baseline)
    ours = _Spread(pairs.values)
    gain = improvement_pct(value=ours.tcps, baseline=_Spread(pairs.baseline).tcps)
    figures = StudyConfiguration(
        model=model, threshold=threshold, n=here.values.size, mean_cps=ours.mean, cv=ours.cv, tcps=ours.tcps
    )
    return figures.model_copy(
        update={
            **_tested(paired_t_test(pairs.values, pairs.baseline)),
            "cps_improvement_pct": _gain_pct(pairs.values, pairs.baseline),
            "tcps_improvement_pct": gain,
            "balance_score": balance(tcps_improvement_pct=gain, cv=ours.cv),
        }
    )


def _pilot(sheets: Sequence[Sheet], names: Sequence[str], composites: SheetComposites) -> list[StudyConfiguration]:
    found = []
    for sheet, name, cps in zip(sheets, names, composites.cps, strict=True):
        whole = _Spread(cps)
        found.append(
            StudyConfiguration(
                model=name,
                threshold=sheet.threshold,
                n=cps.size,
                mean_cps=whole.mean,
                mean_cps_all_rows=whole.mean,
                cv=whole.cv,
                tcps=whole.tcps,
            )
        )
    return found


class _Spread:
    """Mean, CV and T-CPS of some rows."""

    def __init__(self, values: Floats) -> None:
        self.mean = float(values.mean()) if values.size else None
        self.cv = coefficient_of_variation(values)
        self.tcps = None if self.mean is None else tcps(mean=self.mean, cv=self.cv)


def _gain_pct(here: Floats, baseline: Floats) -> float | None:
    if not here.size:
        return None
    return improvement_pct(value=float(here.mean()), baseline=float(baseline.mean()))


def _tested(test: PairedTest) -> dict[str, object]:
    return {
        "n_pairs": test.n_pairs,
        "t_statistic": test.t,
        "p_value": test.p,
        "cohens_d": test.cohens_d,
        "significance": stars(test.p) or None,
    }
