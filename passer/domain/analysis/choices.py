"""What a person chooses about an analysis, of a sweep and of imported sheets."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from passer.domain.analysis.analysis import Scope, TruncatedPolicy
from passer.domain.analysis.constants import Constants
from passer.domain.analysis.study_tables import BandSetting
from passer.domain.base import Frozen
from passer.domain.composite import MissingPolicy
from passer.domain.sheets.procedures import Procedure
from passer.errors import InputError

OwnScope = Literal["all", "model", "run"]
"""Scopes that a sweep has by itself; `given` comes with constants."""

SEVERAL_POOLS: tuple[Scope, ...] = ("model", "run")
"""Scopes without one scale for all runs."""


def check_scope(scope: Scope, *, pinned: bool) -> None:
    """InputError where pools are to have constants of their own, and constants are given for all."""
    if pinned and scope in SEVERAL_POOLS:
        raise InputError(
            f"Constants give all runs one scale, and the scope {scope} gives each {scope} its own: leave out the "
            "constants or the scope.",
            field="scope",
        )


class SweepChoices(Frozen):
    """How a sweep is analysed."""

    panel: str | None = None
    """Name of the panel; None takes phase3, or phase3-no-meteor where METEOR could not be computed."""
    missing: MissingPolicy = "worst"
    """What happens to missing scores."""
    truncated: TruncatedPolicy = "keep"
    """What happens to questions with a truncated prompt or answer."""
    scope: OwnScope = "all"
    """Whose rows give minimum and maximum; with constants none but `all`, which then count instead."""
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
