"""How an analysis is wanted: what the routes of sweeps and of imports take alike, as one dependency each."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query

from passer.api.deps import ServicesDep
from passer.domain.analysis.analysis import TruncatedPolicy
from passer.domain.analysis.choices import OwnScope, SheetChoices, SweepChoices
from passer.domain.analysis.constants import MOST_CHARACTERS, Constants, read_constants
from passer.domain.analysis.study_tables import BandSetting
from passer.domain.composite import MissingPolicy
from passer.domain.sheets.procedures import Procedure, parsed_labels

GivenConstants = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=MOST_CHARACTERS,
        description="Pins CPS to the constants of another analysis: its id (its own pool's are taken), or the "
        "`constants` of its JSON, as JSON. By default those of the own pool.",
    ),
]
Truncated = Annotated[
    TruncatedPolicy,
    Query(description="A question whose prompt or answer was cut is kept, or excluded from every configuration."),
]
OfPools = Annotated[
    OwnScope,
    Query(
        description="Pools of all runs, of each model or of each run. CPS compares within a pool alone, so /evidence "
        "refuses model and run, tables and report leave its tests out, and constants go with all only."
    ),
]
Labels = Annotated[list[str] | None, Query(description="MODEL=Label; may be repeated.")]


def _sweep_choices(
    services: ServicesDep,
    panel: Annotated[str | None, Query(description="phase3, phase3-no-meteor or phase2.")] = None,
    missing: MissingPolicy = "worst",
    truncated: Truncated = "keep",
    scope: OfPools = "all",
    constants: GivenConstants = None,
) -> SweepChoices:
    choices = SweepChoices(panel=panel, missing=missing, truncated=truncated, scope=scope)
    return services.pinning.sweep(choices, _given(constants))


def _sheet_choices(
    services: ServicesDep,
    procedure: Procedure = "corrected",
    label: Labels = None,
    bands: BandSetting = "phase3",
    constants: GivenConstants = None,
) -> SheetChoices:
    labels = parsed_labels(label or ())
    return services.pinning.sheets(SheetChoices(procedure=procedure, labels=labels, bands=bands), _given(constants))


def _given(text: str | None) -> Constants | str | None:
    """Constants from their JSON; an id stays as it is."""
    return read_constants(text) if text is not None and text.lstrip().startswith("{") else text


SweepChoicesDep = Annotated[SweepChoices, Depends(_sweep_choices)]
SheetChoicesDep = Annotated[SheetChoices, Depends(_sheet_choices)]
