"""What a person chooses about an analysis, of a sweep and of imported sheets."""

from __future__ import annotations

from pydantic import Field

from passer.domain.analysis.constants import Constants
from passer.domain.analysis.study_tables import BandSetting
from passer.domain.base import Frozen
from passer.domain.composite import MissingPolicy
from passer.domain.sheets.procedures import Procedure


class SweepChoices(Frozen):
    """How a sweep is analysed."""

    panel: str | None = None
    """Name of the panel; None takes phase3, or phase3-no-meteor where METEOR could not be computed."""
    missing: MissingPolicy = "worst"
    """What happens to missing scores."""
    constants: Constants | None = None
    """Of an earlier analysis, to be pinned to; None takes those of its own pool."""


class SheetChoices(Frozen):
    """How imported sheets are analysed."""

    procedure: Procedure
    """By which rules."""
    labels: dict[str, str] = Field(default_factory=dict)
    """Names for the tables by model, which then come in this order."""
    bands: BandSetting = "phase3"
    """How improvements are called."""
    constants: Constants | None = None
    """Of an earlier analysis, to be pinned to; None takes those of its own pool."""
