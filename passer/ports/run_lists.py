"""Runs of all sweeps in one list: what is looked for, and what is found."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.run import Run, RunState

RunOrder = Literal["started", "name", "sweep", "state", "model", "policy", "dataset", "questions"]
"""By what runs are sorted; `started` is by their sweep's creation, then by their place in it."""


class RunQuery(Frozen):
    """Which runs, in which order, and which page of them."""

    find: str = ""
    """In the names of the run and of its sweep, whatever the case; empty finds all."""
    states: tuple[RunState, ...] = ()
    """Only in these; empty is any."""
    models: tuple[str, ...] = ()
    """Only answered by these, by name; empty is any."""
    datasets: tuple[str, ...] = ()
    """Only with questions of these; empty is any."""
    order: RunOrder = "started"
    """By what they are sorted."""
    is_descending: bool = True
    """Largest, last or newest first."""
    after: int = Field(default=0, ge=0)
    """How many to leave out at the beginning."""
    limit: int = Field(default=50, ge=1, le=200)
    """How many at most."""


class ListedRun(Frozen):
    """A run in a list."""

    run: Run
    """With its state and counts."""
    sweep_name: str
    """Of its sweep."""
    sweep_runs: int
    """How many runs its sweep has."""
    eta_s: float | None
    """Seconds until its sweep is done, as last reported; None unless it is under way."""


class FoundRuns(Frozen):
    """A page of runs, with what could be chosen instead."""

    items: tuple[ListedRun, ...]
    """The page."""
    total: int
    """How many were found on all pages."""
    models: tuple[str, ...]
    """Names of all models of all runs."""
    datasets: tuple[str, ...]
    """Names of the datasets of all runs."""
