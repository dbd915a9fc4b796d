"""What a person wants, from what was typed to the models that check it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from passer.domain.analysis.choices import SweepChoices
    from passer.domain.analysis.constants import Constants
    from passer.domain.run import RunConfig
    from passer.domain.sweep import Sweep

ConstantsOption = Annotated[
    str | None,
    typer.Option(
        "--constants",
        metavar="ID|FILE",
        help="Pin CPS to the constants of another analysis: its id, or what `passer analyse ID --json` printed.",
    ),
]
PanelOption = Annotated[str | None, typer.Option("--panel", help="Of a sweep: phase3, phase3-no-meteor or phase2.")]
MissingOption = Annotated[str, typer.Option("--missing", help="Of a sweep: worst or drop.")]
TruncatedOption = Annotated[
    str,
    typer.Option("--truncated", help="Of a sweep: keep or exclude questions whose prompt or answer was cut anywhere."),
]
ScopeOption = Annotated[
    str,
    typer.Option(
        "--scope",
        help="Of a sweep: all, model or run, whose rows give each metric's minimum and maximum. With model and run "
        "nothing compares between them, and --tests and --constants are refused.",
    ),
]


def config_of(*, model: str, retrieval: dict[str, object], seed: int | None = None, **given: object) -> RunConfig:
    """One configuration; ConfigError names the option that is wrong."""
    from passer.cli.checking import checked
    from passer.domain.run import RunConfig
    from passer.domain.sweep import model_of

    names = ("temperature", "num_ctx", "num_predict")
    options = {name: given.pop(name) for name in names if name in given}
    if seed is not None:
        options["seed"] = seed
    return checked(RunConfig, {**given, "model": model_of(model), "options": options, "retrieval": retrieval})


def timed(wanted: Sweep) -> Sweep:
    """The same as a timing run; one that is so already keeps its warm-up."""
    from passer.domain.timing.times import TimingPlan

    return wanted.model_copy(update={"timing": wanted.timing or TimingPlan()})


def policy_of(*, k: int, min_similarity: float | None, max_k: int) -> dict[str, object]:
    """Score mode where a threshold is given, else Normal mode."""
    if min_similarity is None:
        return {"mode": "normal", "k": k}
    return {"mode": "score", "min_similarity": min_similarity, "max_k": max_k}


def thresholds_of(text: str) -> tuple[float, ...]:
    """From START:STOP:STEP, or from values with commas between them."""
    from passer.domain.sweep import threshold_range
    from passer.errors import ConfigError

    try:
        if ":" in text:
            start, stop, step = (float(part) for part in text.split(":"))
            found = threshold_range(start=start, stop=stop, step=step)
        else:
            found = tuple(float(part) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or any(not -1 <= value <= 1 for value in found):
        raise ConfigError(
            f"--thresholds {text!r} is not START:STOP:STEP or values from -1 to 1: write 0.50:0.95:0.05, say.",
            field="thresholds",
        )
    return found


def sweep_of(config: RunConfig, *, name: str, baseline_k: int | None, max_k: int, axes: dict[str, Any]) -> Sweep:
    """A sweep; what has one value is not varied."""
    from passer.cli.checking import checked
    from passer.domain.sweep import Sweep, default_baseline

    alone = [key for key in ("model", "temperature", "prompt") if len(axes[key]) < 2]
    varied = {key: () if key in alone else values for key, values in axes.items()}
    baseline = None if baseline_k == 0 else default_baseline(max_k if baseline_k is None else baseline_k)
    return checked(Sweep, {"name": name, "config": config, "axes": varied, "baseline": baseline, "max_k": max_k})


def constants_of(given: str | None) -> Constants | str | None:
    """Of a file where there is one of that name; else the id of the analysis whose own they are."""
    from passer.domain.analysis.constants import read_constants
    from passer.errors import ConfigError

    if given is None or not Path(given).is_file():
        return given
    try:
        return read_constants(Path(given).read_bytes())
    except OSError as exc:
        raise ConfigError(f"{given} cannot be read ({exc.strerror}): check the path.", field="constants") from exc


def sweep_choices(*, panel: str | None, missing: str, truncated: str, scope: str) -> SweepChoices:
    """How a sweep is to be analysed; ConfigError names the option that is wrong."""
    from passer.cli.checking import checked
    from passer.domain.analysis.choices import SweepChoices

    return checked(SweepChoices, {"panel": panel, "missing": missing, "truncated": truncated, "scope": scope})


def chunking_of(text: str) -> dict[str, str]:
    """From SIZE/OVERLAP; to be checked."""
    size, _, overlap = text.partition("/")
    return {"chunk_size": size, "chunk_overlap": overlap or "0"}
