"""Experiment files: YAML that describes a sweep. A list, or {start, stop, step}, is an axis.

    name: Thresholds and a control
    dataset: handbook
    collection: handbook
    model: [ollama/mistral:7b, ollama/llama3.1:8b]
    temperature: 0.2
    retrieval: {mode: score, min_similarity: {start: 0.50, stop: 0.95, step: 0.05}, max_k: 100}
    baseline: {mode: normal, k: 100}
    retriever: dense

The file becomes a `Sweep`, the model that the command line and HTTP make too; a sweep as HTTP takes it (`config`,
`axes`) is also read. `${NAME}` is replaced by an environment variable. Unknown and repeated keys are errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from passer.adapters.experiments.strict_yaml import read_yaml
from passer.adapters.term_maps import with_term_maps
from passer.domain.base import Frozen, members
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model, model_of
from passer.domain.models.outside import NOTHING
from passer.domain.retrieval.cuts import NormalPolicy, RetrievalPolicy, ScorePolicy
from passer.domain.retrieval.error_places import FORMS, MODES, place_of
from passer.domain.retrieval.passages import Chunking
from passer.domain.retrieval.refinements import QueryRewriter, Reranker
from passer.domain.retrieval.retriever import Retriever
from passer.domain.retrieval.retriever_names import retriever_of
from passer.domain.sweeps.axes import MOST_THRESHOLDS, Axes, threshold_range
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import sentence
from passer.domain.wording.validation_message import validation_message
from passer.errors import ConfigError

Place = tuple[str, ...]

OPTIONS = tuple(GenerationOptions.model_fields)
PLACES: Mapping[str, Place] = {
    **{key: (key,) for key in ("name", "baseline", "timing", "noise", "primary", "judge", "margin", "alpha", "looks")},
    "hypothesis": ("hypothesis",),
    **{key: (key,) for key in ("panel", "normalisation", "repeat_seeds", "cost", "price")},
    **{key: ("config", key) for key in ("dataset", "collection", "model", "prompt", "no_passages", "profile")},
    **{
        key: ("config", key)
        for key in ("strip_thinking", "questions", "retrieval", "retriever", "passage_order", "answers")
    },
    **{key: ("config", "options", key) for key in OPTIONS},
    **{key: ("axes", key) for key in ("repeat", "embedding", "chunking")},
}
"""Path of each key within a Sweep."""
LISTS = ("model", "temperature", "prompt", "embedding", "chunking", "retrieval", "retriever", "system")
"""Keys that accept several values."""
SYSTEM = "system"
"""Key of external systems, by the names of their connections."""
_NOT_OUTSIDE = (
    "collection",
    "prompt",
    "retrieval",
    "retriever",
    "embedding",
    "chunking",
    "no_passages",
    "passage_order",
)
RANGE = ("start", "stop", "step")

_POLICY: TypeAdapter[RetrievalPolicy] = TypeAdapter(RetrievalPolicy)


def load_experiment(path: Path, environment: Mapping[str, str]) -> Sweep:
    """Read a sweep from a YAML file; ConfigError names the file and the key."""
    try:
        given = read_yaml(path, environment)
        if not isinstance(given, dict):
            raise ConfigError(sentence("experiment.not-sweep"))
        return experiment_of(given, path.parent)
    except ConfigError as exc:
        raise ConfigError(sentence("experiment.at", path=str(path), problem=exc.message), field=exc.field) from exc


def experiment_of(given: Mapping[str, Any], folder: Path) -> Sweep:
    """Return the sweep that the keys of an experiment file describe; ConfigError names the key.

    Files that it names are looked for in `folder`.
    """
    if "config" in given:
        return _validated(_nested(given), key_of=".".join)
    return _validated(_flat(with_term_maps(given, folder)), key_of=_key_of)


def _flat(given: Mapping[str, Any]) -> dict[str, Any]:
    """Move the keys of a file to their places in a Sweep."""
    for key in given:
        if key not in (*PLACES, SYSTEM):
            raise _no_key(str(key), (*PLACES, SYSTEM))
    given = _with_systems(given)
    built: dict[str, Any] = {"config": {"options": {}}, "axes": {}}
    for key, value in given.items():
        if key == "judge":
            _put(built, PLACES[key], _model(value))
        elif key in ("model", "temperature", "prompt", "retriever"):
            several = [_SHORT[key](item) if key in _SHORT else item for item in _several(value, key)]
            _put(built, PLACES[key], several[0])
            if len(several) > 1:
                built["axes"][key] = several
        elif key in ("embedding", "chunking"):
            built["axes"][key] = _several(value, key)
        elif key == "retrieval":
            _put_policies(built, _policies(value), alone=given.get("baseline") is None)
        elif isinstance(value, list):
            raise ConfigError(sentence("experiment.one-value", key=key, lists=", ".join(LISTS)), field=key)
        else:
            _put(built, PLACES[key], value)
    return built


def _with_systems(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the keys with external systems among the models; systems alone need no collection.

    A system is the name of its connection: addresses never come from a file.
    """
    if SYSTEM not in given:
        return given
    systems = _several(given[SYSTEM], SYSTEM)
    for name in systems:
        if not isinstance(name, str):
            raise ConfigError(sentence("experiment.not-system", key=SYSTEM), field=SYSTEM)
    models = [{"provider": "outside", "name": name, "connection": name} for name in systems]
    rest = {key: value for key, value in given.items() if key != SYSTEM}
    if "model" in given:
        return {**rest, "model": [*_several(given["model"], "model"), *models]}
    for key in _NOT_OUTSIDE:
        if key in given:
            raise ConfigError(sentence("experiment.no-effect", key=key), field=key)
    baseline = {"baseline": {"mode": "none"}} if len(systems) > 1 else {}
    return {"collection": NOTHING, **baseline, **rest, "model": models}


def _nested(given: Mapping[str, Any]) -> dict[str, Any]:
    """Build the sweep in the form that HTTP accepts, with ranges of thresholds expanded."""
    axes = given.get("axes")
    if not isinstance(axes, dict):
        return dict(given)
    names = ("min_similarity", "minSimilarityScore", "thresholds")
    return {
        **given,
        "axes": {key: _several(value, f"axes.{key}") if key in names else value for key, value in axes.items()},
    }


def _several(value: Any, key: str) -> list[Any]:
    """Return the values of a list or a range, or the single value."""
    if isinstance(value, dict) and set(value) & set(RANGE):
        try:
            found = list(threshold_range(**{name: float(bound) for name, bound in value.items()}))
        except (TypeError, ValueError):
            found = []
        if not found:
            raise ConfigError(
                sentence("experiment.not-range", key=key, most=MOST_THRESHOLDS),
                field=key,
            )
        return found
    if value == [] or value is None:
        raise ConfigError(sentence("experiment.empty", key=key), field=key)
    return value if isinstance(value, list) else [value]


def _model(value: Any) -> Any:
    return model_of(value).model_dump() if isinstance(value, str) else value


def _retriever(value: Any) -> Any:
    """Return a retriever, and those that it combines, with short names written out."""
    if isinstance(value, str):
        return retriever_of(value)
    if not isinstance(value, dict):
        return value
    found = dict(value)
    if "of" in found:
        of = found["of"]
        found["of"] = [_retriever(each) for each in of] if isinstance(of, list) else _retriever(of)
    if isinstance(found.get("by"), dict) and "judge" in found["by"]:
        found["by"] = {**found["by"], "judge": _model(found["by"]["judge"])}
    return found


_SHORT: Mapping[str, Callable[[Any], Any]] = {"model": _model, "retriever": _retriever}
"""Functions that expand the short form of a key's value."""


def _policies(value: Any) -> list[RetrievalPolicy]:
    """Return every policy that `retrieval` describes, checked. Lists within one policy combine."""
    found = []
    for number, item in enumerate(value if isinstance(value, list) else [value]):
        where = f"retrieval.{number}" if isinstance(value, list) else "retrieval"
        if not isinstance(item, dict):
            raise ConfigError(
                sentence("experiment.not-retrieval", key=where, example="{mode: normal, k: 10}"), field=where
            )
        names = list(item)
        for values in product(*(_several(item[name], f"{where}.{name}") for name in names)):
            try:
                found.append(_POLICY.validate_python(dict(zip(names, values, strict=True))))
            except ValidationError as exc:
                raise _explained(_first(exc), prefix=where.split(".")) from exc
    if not found:
        raise ConfigError(sentence("experiment.retrieval-empty"), field="retrieval")
    return found


def _put_policies(built: dict[str, Any], policies: list[RetrievalPolicy], *, alone: bool) -> None:
    """Put one setting into all configurations; several settings, or one with a baseline, make an axis."""
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
    # An unknown key often explains a missing one, so it comes first.
    return min(exc.errors(), key=lambda error: error["type"] != "extra_forbidden")


def _explained(error: Any, prefix: Sequence[str] = (), *, key_of: Callable[[Place], str] = ".".join) -> ConfigError:
    """Return one sentence for pydantic's error, with the key as written in the file."""
    key = key_of(place_of((*prefix, *error["loc"])))
    if error["type"] == "extra_forbidden":
        return _no_key(key, (*PLACES, *_fields()))
    if error["type"] in ("union_tag_not_found", "union_tag_invalid"):
        tag, choices = ("mode", MODES) if "mode" in error["ctx"]["discriminator"] else ("form", FORMS)
        return ConfigError(
            sentence("experiment.one-of", key=f"{key}.{tag}", choices=", ".join(choices)), field=f"{key}.{tag}"
        )
    whole = sentence("problem.field" if key else "problem.value", field=key, problem=validation_message(error))
    return ConfigError(whole, field=key or None)


def _key_of(location: Place) -> str:
    """Translate a path in a Sweep to the path in the file."""
    for key, place in PLACES.items():
        if location[: len(place)] == place:
            return ".".join((key, *location[len(place) :]))
    if location[:1] == ("axes",) and location[1:2] and location[1] in PLACES:
        return ".".join(location[1:])
    return ".".join(location)


def _no_key(key: str, known: Any) -> ConfigError:
    from rapidfuzz import fuzz, process

    near = process.extractOne(key.rpartition(".")[2], sorted(set(known)), scorer=fuzz.ratio, score_cutoff=60)
    if near:
        return ConfigError(sentence("experiment.unknown-near", key=key, near=near[0]), field=key)
    return ConfigError(sentence("experiment.unknown", key=key), field=key)


def _fields() -> set[str]:
    models: list[type[Frozen]] = [Sweep, Axes, RunConfig, GenerationOptions, Model, Chunking]
    models += (form for each in (RetrievalPolicy, Retriever, QueryRewriter, Reranker) for form in members(each))
    return {name for model in models for name in model.model_fields}
