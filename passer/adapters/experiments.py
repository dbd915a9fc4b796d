"""Experiment files: YAML that describes a sweep; unknown keys are errors with a suggestion."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from passer.domain.sweep import Axes, Sweep, threshold_range
from passer.errors import ConfigError

_VARIABLE = re.compile(r"\$\{([A-Z][A-Z0-9_]*)\}")


def load_experiment(path: Path, environment: Mapping[str, str]) -> Sweep:
    """A sweep from a YAML file; ConfigError names the key that is wrong."""
    import yaml

    try:
        given = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as exc:
        raise ConfigError(f"{path} cannot be read ({exc.strerror}): check the path.") from exc
    except (yaml.YAMLError, UnicodeDecodeError) as exc:
        raise ConfigError(f"{path} is not YAML: {_first_line(exc)}.") from exc
    if not isinstance(given, dict):
        raise ConfigError(f"{path} does not describe a sweep: start from one of the files in configs/.")
    try:
        return Sweep.model_validate(_with_ranges(_with_variables(given, environment)))
    except ValidationError as exc:
        error = exc.errors()[0]
        raise ConfigError(f"{path}: {_explain(error)}", field=".".join(str(part) for part in error["loc"])) from exc


def _with_variables(value: Any, environment: Mapping[str, str]) -> Any:
    """`${NAME}` becomes what the environment holds; a missing one is an error."""
    if isinstance(value, dict):
        return {key: _with_variables(item, environment) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_variables(item, environment) for item in value]
    if not isinstance(value, str):
        return value
    for name in _VARIABLE.findall(value):
        if name not in environment:
            raise ConfigError(f"The experiment needs the environment variable {name}: set it.", field=name)
    return _VARIABLE.sub(lambda match: environment[match[1]], value)


def _with_ranges(given: dict[str, Any]) -> dict[str, Any]:
    """`{start, stop, step}` in place of a list of thresholds."""
    axes = given.get("axes")
    if not isinstance(axes, dict):
        return given
    for name in ("min_similarity", "minSimilarityScore", "thresholds"):
        found = axes.get(name)
        if isinstance(found, dict):
            try:
                values = threshold_range(**{key: float(value) for key, value in found.items()})
            except (TypeError, ValueError) as exc:
                raise ConfigError(
                    f"axes.{name} needs start, stop and step, all numbers.", field=f"axes.{name}"
                ) from exc
            axes = {**axes, name: list(values)}
    return {**given, "axes": axes}


def _explain(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] != "extra_forbidden":
        return f"{where}: {str(error['msg']).removeprefix('Value error, ')}."
    near = _nearest(str(error["loc"][-1]))
    return f"there is no key {where}{f': did you mean {near}?' if near else '.'}"


def _nearest(key: str) -> str | None:
    from rapidfuzz import process

    from passer.domain.run import GenerationOptions, Model, RunConfig

    known = {name for model in (Sweep, Axes, RunConfig, GenerationOptions, Model) for name in model.model_fields}
    known |= {"mode", "k", "min_similarity", "max_k", "k_increment"}
    found = process.extractOne(key, sorted(known), score_cutoff=60)
    return str(found[0]) if found else None


def _first_line(exc: Exception) -> str:
    return " ".join(str(exc).split())[:200]
