"""Experiment files: YAML that describes a sweep. A list, or {start, stop, step}, is an axis.

    name: Thresholds and a control
    dataset: handbook
    collection: handbook
    model: [ollama/mistral:7b, ollama/llama3.1:8b]
    temperature: 0.2
    retrieval: {mode: score, min_similarity: {start: 0.50, stop: 0.95, step: 0.05}, max_k: 100}
    baseline: {mode: normal, k: 100}

The file becomes a `Sweep`, the model that the command line and HTTP make too; a sweep as HTTP takes it (`config`,
`axes`) is also read. `${NAME}` stands for an environment variable. Unknown and repeated keys are errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from passer.domain.retrieval import Chunking, NormalPolicy, RetrievalPolicy, ScorePolicy
from passer.domain.run import GenerationOptions, Model, RunConfig
from passer.domain.sweep import Axes, Sweep, model_of, threshold_range
from passer.errors import ConfigError

Place = tuple[str, ...]

OPTIONS = tuple(GenerationOptions.model_fields)
PLACES: Mapping[str, Place] = {
    **{key: (key,) for key in ("name", "baseline", "timing")},
    **{key: ("config", key) for key in ("dataset", "collection", "model", "prompt", "no_passages", "profile")},
    **{key: ("config", key) for key in ("strip_thinking", "questions", "retrieval")},
    **{key: ("config", "options", key) for key in OPTIONS},
    **{key: ("axes", key) for key in ("repeat", "embedding", "chunking")},
}
"""Where each key of a file stands in a Sweep."""
LISTS = ("model", "temperature", "prompt", "embedding", "chunking", "retrieval")
"""Keys that may hold several values."""
RANGE = ("start", "stop", "step")

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_POLICY: TypeAdapter[RetrievalPolicy] = TypeAdapter(RetrievalPolicy)
_TAGS = ("normal", "score", "none", "published-score")


def load_experiment(path: Path, environment: Mapping[str, str]) -> Sweep:
    """A sweep from a YAML file; ConfigError names the file and the key that is wrong."""
    try:
        given = _read(path)
        if not isinstance(given, dict):
            raise ConfigError("this does not describe a sweep: start from one of the files in configs/.")
        filled = _with_variables(given, environment)
        if "config" in filled:
            return _validated(_nested(filled), key_of=".".join)
        return _validated(_flat(filled), key_of=_key_of)
    except ConfigError as exc:
        raise ConfigError(f"{path}: {exc.message}", field=exc.field) from exc


def _read(path: Path) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """YAML takes the last of two equal keys without a word; a lost axis is a lost study."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            keys = [key.value for key, _ in node.value]
            for key in keys:
                if keys.count(key) > 1:
                    raise ConfigError(
                        f"{key} stands twice in line {node.start_mark.line + 1} or below: leave one out.", field=key
                    )
            return super().construct_mapping(node, deep)

    try:
        # A subclass of the safe loader: it makes plain values only.
        return yaml.load(path.read_text(encoding="utf-8"), Loader)
    except OSError as exc:
        raise ConfigError(f"it cannot be read ({exc.strerror}): check the path.") from exc
    except (yaml.YAMLError, UnicodeDecodeError) as exc:
        raise ConfigError(f"it is not YAML: {' '.join(str(exc).split())[:200]}.") from exc


def _with_variables(value: Any, environment: Mapping[str, str], key: str = "") -> Any:
    """`${NAME}` becomes what the environment holds; a missing one is an error."""
    if isinstance(value, dict):
        return {
            name: _with_variables(item, environment, f"{key}.{name}" if key else name) for name, item in value.items()
        }
    if isinstance(value, list):
        return [_with_variables(item, environment, key) for item in value]
    if not isinstance(value, str):
        return value
    for name in _VARIABLE.findall(value):
        if name not in environment:
            raise ConfigError(f"{key} needs the environment variable {name}: set it.", field=key)
    return _VARIABLE.sub(lambda match: environment[match[1]], value)


def _flat(given: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a file in the places of a Sweep."""
    for key in given:
        if key not in PLACES:
            raise _no_key(str(key), PLACES)
    built: dict[str, Any] = {"config": {"options": {}}, "axes": {}}
    for key, value in given.items():
        if key in ("model", "temperature", "prompt"):
            several = [_model(item) if key == "model" else item for item in _several(value, key)]
            _put(built, PLACES[key], several[0])
            if len(several) > 1:
                built["axes"][key] = several
        elif key in ("embedding", "chunking"):
            built["axes"][key] = _several(value, key)
        elif key == "retrieval":
            _put_policies(built, _policies(value), alone=given.get("baseline") is None)
        elif isinstance(value, list):
            raise ConfigError(f"{key} takes one value: only {', '.join(LISTS)} may hold a list.", field=key)
        else:
            _put(built, PLACES[key], value)
    return built


def _nested(given: Mapping[str, Any]) -> dict[str, Any]:
    """A sweep as HTTP takes it, but with ranges for thresholds."""
    axes = given.get("axes")
    if not isinstance(axes, dict):
        return dict(given)
    names = ("min_similarity", "minSimilarityScore", "thresholds")
    return {
        **given,
        "axes": {key: _several(value, f"axes.{key}") if key in names else value for key, value in axes.items()},
    }


def _several(value: Any, key: str) -> list[Any]:
    """The values of a list, of a range, or the one value."""
    if isinstance(value, dict) and set(value) & set(RANGE):
        try:
            found = list(threshold_range(**{name: float(bound) for name, bound in value.items()}))
        except (TypeError, ValueError):
            found = []
        if not found:
            raise ConfigError(f"{key} needs start, stop and step, numbers that go upwards.", field=key)
        return found
    if value == [] or value is None:
        raise ConfigError(f"{key} is empty: give it a value, or leave it out.", field=key)
    return value if isinstance(value, list) else [value]


def _model(value: Any) -> Any:
    return model_of(value).model_dump() if isinstance(value, str) else value


def _policies(value: Any) -> list[RetrievalPolicy]:
    """Every policy that `retrieval` describes, checked: lists within one combine, listed ones stand side by side."""
    found = []
    for number, item in enumerate(value if isinstance(value, list) else [value]):
        where = f"retrieval.{number}" if isinstance(value, list) else "retrieval"
        if not isinstance(item, dict):
            raise ConfigError(f"{where} is a policy, e.g. {{mode: normal, k: 10}}.", field=where)
        names = list(item)
        for values in product(*(_several(item[name], f"{where}.{name}") for name in names)):
            try:
                found.append(_POLICY.validate_python(dict(zip(names, values, strict=True))))
            except ValidationError as exc:
                raise _explained(_first(exc), prefix=(where,)) from exc
    if not found:
        raise ConfigError("retrieval is empty: give it a policy, or leave it out.", field="retrieval")
    return found


def _put_policies(built: dict[str, Any], policies: list[RetrievalPolicy], *, alone: bool) -> None:
    """One policy is what all have in common; several, or one beside a baseline, are arms."""
    scores = [policy for policy in policies if isinstance(policy, ScorePolicy)]
    numbers = [policy for policy in policies if isinstance(policy, NormalPolicy)]
    if len(policies) == 1 and alone:
        built["config"]["retrieval"] = policies[0]
    elif len(numbers) == len(policies):
        built["axes"]["k"] = [policy.k for policy in numbers]
    elif len(scores) == len(policies) and len({(policy.max_k, policy.k_increment) for policy in scores}) == 1:
        built["axes"]["min_similarity"] = [policy.min_similarity for policy in scores]
        built |= {"max_k": scores[0].max_k, "k_increment": scores[0].k_increment}
    else:
        built["axes"]["retrieval"] = policies


def _put(built: dict[str, Any], place: Place, value: Any) -> None:
    for part in place[:-1]:
        built = built[part]
    built[place[-1]] = value


def _validated(given: Mapping[str, Any], *, key_of: Callable[[Place], str]) -> Sweep:
    try:
        return Sweep.model_validate(given)
    except ValidationError as exc:
        raise _explained(_first(exc), key_of=key_of) from exc


def _first(exc: ValidationError) -> Any:
    """An unknown key explains a missing one, so it comes first."""
    return min(exc.errors(), key=lambda error: error["type"] != "extra_forbidden")


def _explained(error: Any, prefix: Place = (), *, key_of: Callable[[Place], str] = ".".join) -> ConfigError:
    """One sentence for what pydantic found, with the key as the file has it."""
    key = key_of(tuple(str(part) for part in (*prefix, *error["loc"]) if part not in _TAGS))
    if error["type"] == "extra_forbidden":
        return _no_key(key, (*PLACES, *_fields()))
    said = str(error["msg"]).removeprefix("Value error, ").removesuffix(".")
    if error["type"] in ("union_tag_not_found", "union_tag_invalid"):
        return ConfigError(f"{key}.mode: choose one of {', '.join(_TAGS)}.", field=f"{key}.mode")
    return ConfigError(f"{key}: {said}." if key else f"{said}.", field=key or None)


def _key_of(location: Place) -> str:
    """A path in a Sweep as the path in the file that led there."""
    for key, place in PLACES.items():
        if location[: len(place)] == place:
            return ".".join((key, *location[len(place) :]))
    if location[:1] == ("axes",) and location[1:2] and location[1] in PLACES:
        return ".".join(location[1:])
    return ".".join(location)


def _no_key(key: str, known: Any) -> ConfigError:
    from rapidfuzz import fuzz, process

    near = process.extractOne(key.rpartition(".")[2], sorted(set(known)), scorer=fuzz.ratio, score_cutoff=60)
    return ConfigError(f"there is no key {key}{f': did you mean {near[0]}?' if near else '.'}", field=key)


def _fields() -> set[str]:
    models = (Sweep, Axes, RunConfig, GenerationOptions, Model, Chunking, NormalPolicy, ScorePolicy)
    return {name for model in models for name in model.model_fields}
