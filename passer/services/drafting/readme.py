"""The README of a drafted dataset: everything that a reader needs to judge its questions."""

from __future__ import annotations

from passer.domain.base import Frozen
from passer.domain.dataset import Dataset
from passer.domain.judging.assessment import Assessment
from passer.domain.questions.drafting import Drafting
from passer.domain.statistics import Interval


class Quality(Frozen):
    """Quality of accepted drafts: decisions of people about a random sample."""

    drawn: int
    """Number of drafts that were drawn."""
    decided: int
    """Number of these that a person has decided about."""
    good: int
    """Number of these that were accepted as they are."""
    interval: Interval | None
    """95 % interval of the share of good ones by Wilson (1927); None without decisions."""


class Counts(Frozen):
    """Counts of a drafting."""

    windows: int
    """Windows that were read, one for each model that read it."""
    refused: dict[str, int]
    """Refused drafts by check."""
    edited: int
    """Questions of the dataset that a person edited."""
    models: dict[str, int]
    """Questions of the dataset by model."""


def readme_of(assessment: Assessment, dataset: Dataset, counts: Counts, quality: Quality, judge: str | None) -> str:
    """Return the README in Markdown."""
    spec = assessment.spec
    drafting = spec.drafting
    assert drafting is not None, "only draftings are finished"
    rows = [
        ("Dataset digest", dataset.digest),
        ("Drafting digest", drafting.digest),
        ("Documents", f"collection {drafting.collection}, corpus digest {drafting.corpus}"),
        ("Way", drafting.way),
        ("Language", dataset.language),
        ("Window", f"{drafting.window.size} {drafting.window.unit}"),
        ("Seed", str(drafting.seed)),
        *((f"Model {each.judge.model.name}", f"digest {each.info.digest}") for each in drafting.writers),
        ("Judge", "none" if judge is None else f"{judge}, digest {spec.judge_info.digest}"),
        ("Limits", _limits(drafting)),
        ("Windows read", str(counts.windows)),
        ("Refused", ", ".join(f"{name} {count}" for name, count in sorted(counts.refused.items())) or "0"),
        ("Edited by a person", str(counts.edited)),
        ("Questions by model", ", ".join(f"{name} {count}" for name, count in sorted(counts.models.items()))),
        ("Checked by people", _checked(quality)),
    ]
    lines = [f"# {dataset.name}", "", f"{len(dataset.questions)} questions drafted from documents.", ""]
    lines += ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows), ""]
    lines.append("The limits select for the judge's taste: read the share that people accepted beside them.")
    return "\n".join(lines) + "\n"


def _limits(drafting: Drafting) -> str:
    given = drafting.limits.model_dump()
    if not drafting.is_judged:
        given = {"similarity": drafting.limits.similarity}
    return ", ".join(f"{name} {'off' if value is None else value}" for name, value in given.items())


def _checked(quality: Quality) -> str:
    if quality.interval is None:
        return "none of the drafts that were drawn"
    low, high = quality.interval.low, quality.interval.high
    return f"{quality.good} of {quality.decided} drawn at random are good (95 % CI {low:.2f} to {high:.2f})"
