"""How an analysis is wanted: what the routes of sweeps and of imports take alike, as one dependency each."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query

from passer.api.deps import ServicesDep
from passer.domain.analysis.choices import SheetChoices, SweepChoices
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
Labels = Annotated[list[str] | None, Query(description="MODEL=Label; may be repeated.")]


def _sweep_choices(
    services: ServicesDep,
    panel: Annotated[str | None, Query(description="phase3, phase3-no-meteor or phase2.")] = None,
    missing: MissingPolicy = "worst",
    constants: GivenConstants = None,
) -> SweepChoices:
    return services.pinning.sweep(SweepChoices(panel=panel, missing=missing), _given(constants))


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
