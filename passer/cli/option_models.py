"""Models built from the options of commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from passer.bootstrap import services
from passer.cli.files import checked, read_file
from passer.cli.planning import USUAL_THRESHOLDS
from passer.domain.defaults import TEMPERATURE
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.cli.run_options import ComparedOptions, ConfigOptions, RuleOptions
    from passer.domain.analysis.choices import SweepChoices
    from passer.domain.analysis.constants import Constants
    from passer.domain.retrieval.refinements import Terms
    from passer.domain.retrieval.retriever import Retriever
    from passer.domain.sweeps.run import RunConfig
    from passer.domain.sweeps.sweep import Sweep

T = TypeVar("T")


def config_of(
    *, model: str, retrieval: dict[str, object], retriever: str = "dense", seed: int | None = None, **given: object
) -> RunConfig:
    """Return one configuration; ConfigError names an invalid option."""
    from passer.domain.models.decoding import EXPLICIT
    from passer.domain.models.model import model_of
    from passer.domain.sweeps.run import RunConfig

    names = ("temperature", "num_ctx", "num_predict")
    options = EXPLICIT | {name: given.pop(name) for name in names if name in given}
    if seed is not None:
        options["seed"] = seed
    ranked = {"retrieval": retrieval, "retriever": retriever_named(retriever)}
    return checked(RunConfig, {**given, "model": model_of(model), "options": options, **ranked})


def retriever_named(text: str) -> Retriever:
    """Return a retriever by its short name; ConfigError lists the names, InputError is about a file of terms."""
    from passer.domain.retrieval.retriever import Rewritten
    from passer.domain.retrieval.retriever_names import TERMS, retriever_of

    if text.startswith(TERMS):
        name, _, given = text.removeprefix(TERMS).rpartition("@")
        return checked(Rewritten, {"of": retriever_of(name), "by": term_map(given)})
    return retriever_of(text)


def term_map(given: str, **more: object) -> Terms:
    """Return the term map of a file, or the saved one of that name; InputError names the line of a file."""
    from passer.adapters.term_maps import read_term_map
    from passer.domain.retrieval.inputs import StoredTerms
    from passer.domain.retrieval.refinements import Terms

    path = Path(given)
    if path.is_file():
        return checked(Terms, {"name": path.stem, "terms": read_term_map(path), **more})
    with services() as built:
        stored = built.adapters.retrieval_inputs.find(StoredTerms, given)
    return checked(Terms, {"name": stored.name, "terms": stored.content, **more})


def timed(wanted: Sweep) -> Sweep:
    """Return the sweep as a timing run; an existing warm-up is kept."""
    from passer.domain.timing.times import TimingPlan

    return wanted.model_copy(update={"timing": wanted.timing or TimingPlan()})


def judged_by(wanted: Sweep, rule: RuleOptions, *, price: str | None, as_file: bool) -> Sweep:
    """Return the sweep with the rule of its verdict; ConfigError names an invalid option.

    Options override an experiment file. Without a file, the defaults are recorded too.
    """
    from passer.domain.models.model import model_of
    from passer.domain.sweeps.sweep import Sweep, usual_fields
    from passer.domain.verdict.verdict import VerdictRule

    given = {
        **asdict(rule),
        "judge": None if rule.judge is None else model_of(rule.judge),
        "looks": looks_of(rule.looks),
        "price": price if "money" in (rule.cost, wanted.cost) else None,
    }
    if rule.cost not in (None, "money"):
        wanted = wanted.model_copy(update={"price": None})
    defaults = {**VerdictRule().model_dump(exclude={"looks", "cost"}), **usual_fields(wanted.config.profile)}
    usual = {} if as_file else {name: value for name, value in defaults.items() if name in given}
    named = {name: value for name, value in given.items() if value is not None}
    return checked(Sweep, {**wanted.model_dump(), **usual, **named})


def looks_of(text: str | None) -> dict[str, object] | None:
    """Parse FIRST:SECOND, optionally followed by `:unplanned`, without validation; None if not given."""
    if text is None:
        return None
    first, _, rest = text.partition(":")
    second, _, kind = rest.partition(":")
    return {"first": first, "second": second, "is_planned": kind != "unplanned"}


def noisy(wanted: Sweep) -> Sweep:
    """Return the sweep with a second run of its baseline; ConfigError if it has no baseline."""
    from passer.domain.sweeps.sweep import Sweep

    return checked(Sweep, {**wanted.model_dump(), "noise": True})


def policy_of(*, k: int, min_similarity: float | None, max_k: int) -> dict[str, object]:
    """Return Score mode if a threshold is given, else Normal mode."""
    if min_similarity is None:
        return {"mode": "normal", "k": k}
    return {"mode": "score", "min_similarity": min_similarity, "max_k": max_k}


def thresholds_of(text: str) -> tuple[float, ...]:
    """Parse START:STOP:STEP or values separated by commas."""
    from passer.domain.sweeps.axes import threshold_range

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
            f"--thresholds “{text}” is not START:STOP:STEP or a list of values from -1 to 1. Example: 0.50:0.95:0.05.",
            field="thresholds",
        )
    return found


def values_of_k(text: str) -> list[int]:
    """Parse numbers and ranges separated by commas: `1,3,5` or `1..10`."""
    try:
        return [number for part in text.split(",") for number in _range(part)]
    except ValueError:
        raise ConfigError(f"--k “{text}” is not a list of numbers. Examples: 1,3,5,10 and 1..10.", field="k") from None


def _range(part: str) -> range:
    """Return the numbers of `5` or `1..10`, at most 1,001 of them, so that a typing error takes no memory."""
    first, _, last = part.partition("..")
    return range(int(first), min(int(last or first), int(first) + 1000) + 1)


def experiment_of(file: Path, *, questions: int | None) -> Sweep:
    """Return the sweep of an experiment file, of its first questions if their number is given."""
    from passer.bootstrap.experiments import experiment

    wanted = experiment(file)
    if questions is None:
        return wanted
    return wanted.model_copy(update={"config": wanted.config.model_copy(update={"questions": questions})})


def compared_sweep(
    dataset: str | None, collection: str | None, compared: ComparedOptions, settings: ConfigOptions, *, name: str | None
) -> Sweep:
    """Return the sweep that options describe; ConfigError names a missing or invalid one."""
    from passer.domain.retrieval.cuts import NormalPolicy
    from passer.domain.sweeps.sweep import Sweep

    if not dataset or not collection:
        raise ConfigError("--dataset or --collection is missing. Pass both, or an experiment file.")
    named = _other_settings(compared)
    k = list(dict.fromkeys(number for text in compared.k or () for number in values_of_k(text)))
    shown = compared.thresholds or ("" if named or compared.cut or compared.k else USUAL_THRESHOLDS)
    config = config_of(
        dataset=dataset,
        collection=collection,
        model=(compared.model or ["extractive"])[0],
        temperature=(compared.temperature or [TEMPERATURE])[0],
        prompt=(compared.prompt or ["default"])[0],
        retrieval={"mode": "normal"},
        retriever=(compared.retriever or ["dense"])[0],
        **asdict(settings),
    )
    return checked(
        Sweep,
        {
            "name": name or _name(dataset, shown, k, named),
            "config": config,
            "axes": _axes(compared, shown, k),
            "baseline": NormalPolicy(k=compared.baseline_k) if compared.baseline_k else None,
            "max_k": compared.max_k,
            "k_increment": compared.k_increment,
            "windows": [window_named(text) for text in compared.num_ctx_of or ()],
        },
    )


def _axes(compared: ComparedOptions, thresholds: str, k: Sequence[int]) -> dict[str, object]:
    from passer.domain.models.model import model_of

    return {
        "min_similarity": thresholds_of(thresholds) if thresholds else (),
        "k": k,
        "retrieval": [cut_named(text) for text in compared.cut or ()],
        "model": [model_of(text) for text in _several(compared.model)],
        "temperature": _several(compared.temperature),
        "prompt": _several(compared.prompt),
        "retriever": [retriever_named(text) for text in _several(compared.retriever)],
        "embedding": compared.embedding or (),
        "chunking": [chunking_of(text) for text in compared.chunking or ()],
        "repeat": compared.repeat,
    }


def _other_settings(compared: ComparedOptions) -> list[str]:
    """Return the values that are compared besides thresholds and k.

    A sweep that names any compares those alone: nobody expects eleven runs of each of two models.
    """
    several = (compared.model, compared.temperature, compared.prompt, compared.embedding, compared.chunking)
    return [*(compared.retriever or ()), *(str(value) for values in several for value in _several(values))]


def _several(values: Sequence[T] | None) -> Sequence[T]:
    """Return the values of an option if it varies: two or more."""
    return values if values is not None and len(values) > 1 else ()


def _name(dataset: str, thresholds: str, ks: Sequence[int], others: Sequence[str]) -> str:
    parts = [f"thresholds {thresholds}"] if thresholds else []
    parts += [f"k = {', '.join(map(str, ks))}"] if ks else []
    return ", ".join([dataset, *parts, *others])


def constants_of(given: str | None) -> Constants | str | None:
    """Return the constants in a file of that name; any other text is the id of an analysis and returned as it is."""
    from passer.domain.analysis.constants import read_constants

    if given is None or not Path(given).is_file():
        return given
    return read_constants(read_file(Path(given), field="constants"))


def sweep_choices(**chosen: object) -> SweepChoices:
    """Return the settings of the analysis; ConfigError names an invalid option."""
    from passer.domain.analysis.choices import SweepChoices

    return checked(SweepChoices, chosen)


def cut_named(text: str) -> dict[str, object]:
    """Parse relative:SHARE or gap:N without validation of the number."""
    mode, _, value = text.partition(":")
    members = {"relative": "share", "gap": "among"}
    if mode not in members:
        raise ConfigError(f"--cut “{text}” is not relative:SHARE or gap:N. Example: relative:0.85.", field="cut")
    return {"mode": mode, **({members[mode]: value} if value else {})}


def window_named(text: str) -> dict[str, object]:
    """Parse MODEL=TOKENS without validation of the number."""
    from passer.domain.models.model import model_of

    name, found, tokens = text.rpartition("=")
    if not found:
        raise ConfigError(
            f"--num-ctx-of “{text}” is not MODEL=TOKENS. Example: ollama/mistral:7b=8192.", field="windows"
        )
    return {"model": model_of(name), "num_ctx": tokens}


def chunking_of(text: str) -> dict[str, str]:
    """Parse SIZE/OVERLAP without validation."""
    size, _, overlap = text.partition("/")
    return {"chunk_size": size, "chunk_overlap": overlap or "0"}
