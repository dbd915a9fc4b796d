"""Queries and pages of the list of all runs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from passer.domain.base import IN_QUERY, Frozen
from passer.domain.run import Run, RunState

RunOrder = Literal["started", "name", "sweep", "state", "model", "policy", "dataset", "questions"]
"""Sort key; `started` sorts by creation of the sweep, then by position in it."""


class RunQuery(Frozen):
    """Selects, sorts and pages runs."""

    model_config = IN_QUERY

    find: str = ""
    """Text in the names of run and sweep, ignoring case; empty matches all."""
    states: tuple[RunState, ...] = ()
    """Only runs in these states; empty matches all."""
    models: tuple[str, ...] = ()
    """Only runs of these models, by name; empty matches all."""
    datasets: tuple[str, ...] = ()
    """Only runs on these datasets; empty matches all."""
    order: RunOrder = "started"
    """Sort key."""
    is_descending: bool = True
    """Sort in descending order."""
    after: int = Field(default=0, ge=0, le=2**31 - 1)
    """Number of rows to skip."""
    limit: int = Field(default=50, ge=1, le=200)
    """Maximum number of rows."""


class ListedRun(Frozen):
    """A run in a list."""

    run: Run
    """The run with its state and counts."""
    sweep_name: str
    """Name of its sweep."""
    sweep_runs: int
    """Number of runs in its sweep."""
    eta_s: float | None
    """Seconds until its sweep finishes, as last reported; None unless it is running."""


class FoundRuns(Frozen):
    """A page of runs with the available filter values."""

    items: tuple[ListedRun, ...]
    """The runs of the page."""
    total: int
    """Number of matching runs on all pages."""
    models: tuple[str, ...]
    """Names of the models of all runs."""
    datasets: tuple[str, ...]
    """Names of the datasets of all runs."""
