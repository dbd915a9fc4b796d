"""Comparison of the runs of a study with those that its design plans."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pydantic import ValidationError

from passer.domain.base import digest_of
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.manifest import described_config
from passer.domain.study.document import StudyDocument, described_design
from passer.domain.sweeps.sweep import Sweep


def plan_problem(study: StudyDocument) -> Violation | None:
    """Return in what the design does not plan the runs of study.json, left-out ones included; None where it does.

    The order of runs is not compared: versions of PaSSER may plan the same configurations in another one.
    """
    problem = _problem(study, study.design)
    # A study does not name connections. Models that differed in nothing else may have had windows of their own.
    return None if problem is None or _problem(study, _with_connections(study.design)) is None else problem


def _problem(study: StudyDocument, design: dict[str, Any]) -> Violation | None:
    sweep = _planned(study, design)
    if sweep is None:
        return Violation("The design is not that of a sweep.", field="design")
    if sweep.name != study.sweep.name:
        return Violation("The name of the sweep is not the one of the design.", field="design.name")
    planned = Counter((described_config(config).digest, is_first) for config, is_first in sweep.configurations())
    for run in study.runs:
        if (run.config_digest, run.is_baseline) not in planned:
            detail = f"Run {run.name}: the design does not plan its configuration"
            baseline = " as the baseline." if run.is_baseline else "."
            return Violation(f"{detail}{baseline}", field=f"runs {run.id}")
    listed = Counter((run.config_digest, run.is_baseline) for run in study.runs)
    return None if listed == planned else Violation("Its runs are not all that the design plans.", field="runs")


def _planned(study: StudyDocument, design: dict[str, Any]) -> Sweep | None:
    """Return the design as a sweep; None where it is not what a sweep states of itself, member by member."""
    try:
        sweep = Sweep.model_validate(design)
    except ValidationError:
        return None
    stated = described_design(sweep.model_dump(mode="json"))
    return sweep if digest_of(stated) == study.design_digest else None


def _with_connections(design: dict[str, Any]) -> dict[str, Any]:
    """Return a design whose equal models have different connections; the first window of equal ones is the first's."""
    axes, windows = design.get("axes"), design.get("windows")
    if not isinstance(axes, dict) or not isinstance(windows, list):
        return design
    models = _numbered(axes.get("model"))
    named = _numbered([window.get("model") for window in windows if isinstance(window, dict)])
    numbered = [{**window, "model": model} for window, model in zip(windows, named, strict=False)]
    return {**design, "axes": {**axes, "model": models}, "windows": numbered}


def _numbered(models: Any) -> list[Any]:
    seen: Counter[str] = Counter()
    found = []
    for model in models if isinstance(models, list) else ():
        key = digest_of(model)
        seen[key] += 1
        found.append({**model, "connection": str(seen[key])} if isinstance(model, dict) else model)
    return found
