"""JSON schema of experiment files, for editors. `python -m passer.adapters.experiments.schema` prints it."""

from __future__ import annotations

import json
import sys
from typing import Any

from passer.adapters.experiments.reader import LISTS, PLACES, RANGE, SYSTEM
from passer.domain.base import members
from passer.domain.retrieval.cuts import RetrievalPolicy
from passer.domain.retrieval.retriever import Retriever
from passer.domain.retrieval.retriever_names import FUSION, RERANK, SHORTHANDS, TERMS
from passer.domain.sweeps.sweep import Sweep

ALIASES = {"min_similarity": "minSimilarityScore", "max_k": "maxK", "k_increment": "kIncrement"}
"""Published names of policy fields."""
POLICIES = tuple(policy.__name__ for policy in members(RetrievalPolicy))
FORMS = tuple(form.__name__ for form in members(Retriever))
NUMBERS = ("integer", "number")


def experiment_schema() -> dict[str, Any]:
    """Return the schema, Draft 2020-12, built from the models that check the files."""
    sweep = Sweep.model_json_schema()
    kinds: dict[str, Any] = sweep["$defs"]
    kinds["Range"] = _range()
    kinds["RetrievalPolicy"] = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in POLICIES]}
    keys = {key: _property(sweep, key) for key in PLACES}
    kinds["Model"] = {
        "anyOf": [kinds["Model"], {"type": "string", "description": "extractive, local/NAME, ollama/TAG, openai/NAME."}]
    }
    for key in ("model", "temperature", "prompt"):
        keys[key] = _one_or_several(keys[key], is_number=key == "temperature")
    keys["retrieval"] = _one_or_several({"$ref": "#/$defs/RetrievalPolicy"})
    for name in POLICIES:
        kinds[name] = _policy(kinds[name])
    kinds["Retriever"] = _retriever()
    for own in (kinds[name]["properties"] for name in FORMS if "of" in kinds[name]["properties"]):
        if "items" in own["of"]:
            own["of"]["items"] = {"$ref": "#/$defs/Retriever"}
        else:
            own["of"] = {"$ref": "#/$defs/Retriever", "description": own["of"]["description"]}
    keys["retriever"] = _one_or_several({"$ref": "#/$defs/Retriever"})
    for key in ("embedding", "chunking"):
        keys[key] = _one_or_several(kinds["Axes"]["properties"][key]["items"])
    system = {"type": "string", "description": "Name of a connected system, which retrieves for itself."}
    keys[SYSTEM] = _one_or_several(system)
    for name in ("Axes", "RunConfig", "GenerationOptions"):
        del kinds[name]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "PaSSER experiment",
        "description": f"One sweep. {', '.join(LISTS)} accept a list, which becomes an axis; numbers accept a range "
        "as well.",
        "type": "object",
        "properties": keys,
        "required": ["name", "dataset"],
        "anyOf": [{"required": ["collection"]}, {"required": [SYSTEM]}],
        "additionalProperties": False,
        "$defs": kinds,
    }


def _property(sweep: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the schema of a key from the models."""
    owners = {"config": "RunConfig", "options": "GenerationOptions", "axes": "Axes"}
    place = PLACES[key]
    owner = sweep if len(place) == 1 else sweep["$defs"][owners[place[-2]]]
    found: dict[str, Any] = owner["properties"][place[-1]]
    return found


def _one_or_several(one: dict[str, Any], *, is_number: bool = False) -> dict[str, Any]:
    about: dict[str, Any] = {key: one[key] for key in ("description", "default") if key in one}
    plain = {key: value for key, value in one.items() if key not in (*about, "title")}
    choices = [plain, {"type": "array", "items": plain, "minItems": 1}]
    return {**about, "anyOf": [*choices, {"$ref": "#/$defs/Range"}] if is_number else choices}


def _policy(kind: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a policy whose numbers may be lists or ranges, under both sets of names."""
    found = {}
    for name, value in kind["properties"].items():
        found[name] = _one_or_several(value, is_number=True) if value.get("type") in NUMBERS else value
        alias = "minSimilarityScore" if name == "min_distance" else ALIASES.get(name)
        if alias:
            found[alias] = found[name]
    # Either name of a required field is accepted, so only `mode` can be required.
    return {**kind, "properties": found, "required": ["mode"]}


def _retriever() -> dict[str, Any]:
    forms = [{"$ref": f"#/$defs/{name}"} for name in FORMS]
    fusion = {"type": "string", "pattern": f"^{FUSION}.+@.+$", "description": "RAG-Fusion: fusion:RETRIEVER@MODEL."}
    rerank = {"type": "string", "pattern": f"^{RERANK}.+@.+$", "description": "Reranking: rerank:RETRIEVER@NAME."}
    terms = {"type": "string", "pattern": f"^{TERMS}.+@.+$", "description": "Query expansion: terms:RETRIEVER@FILE."}
    names = {"enum": list(SHORTHANDS), "description": "A retriever by its short name."}
    return {"anyOf": [*forms, names, fusion, rerank, terms]}


def _range() -> dict[str, Any]:
    bounds = {name: {"type": "number"} for name in RANGE}
    return {
        "description": "From start to stop, both included.",
        "type": "object",
        "properties": bounds,
        "required": list(RANGE),
        "additionalProperties": False,
    }


def main() -> None:
    """Print the schema."""
    json.dump(experiment_schema(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
