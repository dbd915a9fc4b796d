"""The description of the HTTP interface (OpenAPI), and the page that shows it."""

from __future__ import annotations

import json
import re
from typing import Any

from fastapi.responses import HTMLResponse

from passer.api.refusals import PROBLEMS, refusals_of
from passer.api.rules import RULES

INTRODUCTION = """
Requests and replies are JSON unless an operation states another media type. Send JSON with `Content-Type: \
application/json`; fields that an operation does not know are refused.

A path below `/api/v1` means the project `default`. For another project, put its name before the path: \
`/projects/NAME/api/v1/sweeps`.

On a server without accounts, requests from the same machine need no credentials. With accounts, programs send \
`Authorization: Bearer TOKEN`, with a token of the page Account or of `passer users token NAME`. Each operation states \
the role that it needs.

Lists have `items` and, where they have pages, `next`: send it as `after` (`before` for the activity log) to get the \
next page. `next` is `null` on the last page.

Work that outlasts the request is accepted with status 202 and a `job_id`. Repeat `GET /api/v1/jobs/{job_id}`, or \
follow the header `Location`, until `state` is `finished`, `failed` or `cancelled`.

Names end in their unit: `_s` seconds, `_ns` nanoseconds, `_bytes`, `_pct` percent. Times are ISO 8601 in UTC. \
Questions and positions count from 0; ranks, rows and repetitions from 1. A value that could not be computed is \
`null`, and a field beside it names the reason; it is never 0.

Texts for people are in English or Bulgarian, by `Accept-Language` or the parameter `language=bg`. Names, codes and \
numbers are the same in both.
""".strip()
"""What a client needs to know about all operations, in paragraphs."""
PARAMETERS: dict[str, str] = {
    "a": "First system of the game, as `list_games` names it.",
    "act": "What to do with the sweep.",
    "after": "`next` of the previous page; default: the first page.",
    "assessment_id": "Id of the assessment.",
    "author": "Names as they are cited. Repeatable.",
    "b": "Second system of the game.",
    "bands": "Words for the size of T-CPS gains, as in the published study. Labels only.",
    "baseline": "Id of the run that the others are compared with; default: the first one.",
    "chunk_overlap": "Characters that neighbouring passages share; default: 50, or half of a `chunk_size` below 100.",
    "chunk_size": "Largest passage in characters, 16 to 100,000; default: 1024, in an existing collection its own.",
    "confirm": "The name again, so that nothing is deleted by mistake.",
    "constants": "Pool that gives minimum and maximum of each metric: both studies, the first one, or each its own.",
    "create_dataset.language": "BCP 47 tag of the questions; default: the one that rows state, else the language "
    "of their texts, else `en`.",
    "create_dataset.name": "Name of the dataset; an existing one gets a new version.",
    "create_import.dataset": "Name of a dataset of the project, with whose references the sheets are compared.",
    "create_import.name": "Name of the import; default: that of its files.",
    "draw_id": "Id of the draw.",
    "drafting_id": "Id of the drafting job.",
    "embedding": "Embedding model of a new collection; default: that of the settings.",
    "export_sheets.shifted_labels": "Write the ten labels as the published sheets have them: over the wrong columns.",
    "export_timing_comparison.table": "Name of the table, as `compare_timings` lists it.",
    "file": "The file.",
    "files": "The files. Repeatable.",
    "format": "Format of the file.",
    "idempotency-key": "Any text that is new for each request; repeating it returns what the first request created.",
    "identity_id": "Id of the identity.",
    "import_id": "Id of the import.",
    "import_labels.rater": "Name of the person who rated the answers.",
    "import_ragelo.name": "Name of the dataset, the ranking, the grades and the sweep.",
    "import_tournament.name": "Name of the tournament; default: that of the file.",
    "is_descending": "Sort in descending order.",
    "item": "Content address of the answer, as the queue lists it.",
    "job_id": "Id of the job.",
    "key": "Key of the judgement, or of the draft.",
    "kind": "Rankings (`run`) or relevance grades (`qrels`).",
    "licence": "SPDX identifier of the licence, such as CC-BY-4.0.",
    "limit": "Maximum number of entries.",
    "list_changed_questions.order": "Sort key: largest change, rise or fall first.",
    "list_passage_ratings.collection": "Collection to which the grades are applied; default: none.",
    "list_passage_ratings.dataset": "Name of the dataset.",
    "list_passage_ratings.question_id": "Id of the question in the dataset.",
    "list_sweep_questions.after": "Number of questions to skip.",
    "list_sweep_questions.find": "Only questions whose text contains these words.",
    "list_sweep_questions.order": "Sort key: position, largest difference between configurations, most losses of gold "
    "passages, largest rise or fall of `of`.",
    "metric": "CPS or one of the 24 columns.",
    "missing": "`worst`: a score that the system lost counts as the worst value of the pool; `drop`: it is left out.",
    "number": "Position of the question in the dataset, from 0.",
    "of": "Id of the run that is compared with the baseline.",
    "order": "Sort key.",
    "pair_id": "Id of the pair, as the rating sheet lists it.",
    "plan_sweep.questions": "Number of questions of a dataset that does not exist yet.",
    "procedure": "Procedure: as published, or with the defects of the sheets corrected.",
    "profile": "Definitions of the metrics.",
    "project": "Name of the project.",
    "question": "Id of the question.",
    "rater": "Name of the rater.",
    "reproducible": "Leave out times, so that equal results give equal bytes.",
    "retrieval_id": "Id of the comparison, as the reply of `compare_retrievers` has it.",
    "run_id": "Id of the run.",
    "search_collection.text": "Text to search for.",
    "sheet": "Path of the sheet within the import, as the audit lists it.",
    "show_dataset.digest": "Digest of the version; default: the newest.",
    "show_dataset_difference.after": "Digest of the later version; default: the newest.",
    "show_dataset_difference.before": "Digest of the earlier version.",
    "skip_bad_rows": "Import the other rows, and leave out those with an error.",
    "sweep_id": "Id of the sweep.",
    "table": "Name of the table, as the operation for all tables lists it.",
    "title": "Title of the study; default: the name of the sweep or of the import.",
    "token_id": "Id of the token, not its secret.",
    "top_k": "Number of passages.",
    "tournament_id": "Id of the tournament.",
    "warm_up": "First questions per model that the medians leave out; default: those of the timing plan.",
}
"""Descriptions of parameters and members of forms, where their operations give none; `OPERATION.NAME` goes first."""
_LAYERS = ("domain", "services")
_MEDIA = "application/problem+json"
_PYTHON = re.compile(r"(?<![`\w])(?:None|True|False)(?![`\w])")
_WORDS = {"None": "`null`", "True": "`true`", "False": "`false`"}


def described(description: dict[str, Any]) -> dict[str, Any]:
    """Return a description with one schema for each model, and problems as the server sends them."""
    described: dict[str, Any] = _in_words_of_json(_renamed(description))
    content = {_MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    answers = {f"Problem{status}": {"description": text, "content": content} for status, text in PROBLEMS.items()}
    described["info"]["description"] = INTRODUCTION
    described["components"]["responses"] = answers
    described["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            _complete(operation, method, path)
    for name, schema in described["components"]["schemas"].items():
        _describe(schema, name)
    return described


def _complete(operation: dict[str, Any], method: str, path: str) -> None:
    """Add what follows from the operation's id and path: summary, role, parameters and refusals."""
    operation["summary"] = operation["operationId"].replace("_", " ").capitalize()
    rule = RULES[operation["operationId"]]
    operation["description"] += f"\n\nRole: {rule.role or 'none'}."
    operation["security"] = [{"token": []}, {}] if rule.role else [{}]
    for parameter in operation.get("parameters", ()):
        if text := _text_of(parameter["name"], operation["operationId"]) or _name_in(path, parameter["name"]):
            parameter.setdefault("description", text)
    refused = {
        str(status): {"$ref": f"#/components/responses/Problem{status}"}
        for status in refusals_of(operation, method, path, rule)
    }
    own = {status: each for status, each in operation["responses"].items() if status != "4XX"}
    operation["responses"] = {**refused, **own}


def _describe(schema: dict[str, Any], name: str) -> None:
    """Describe forms and pages, which have no docstrings."""
    form, operation = name.partition("_")[::2]
    if form == "Body":
        schema.setdefault("description", f"Form of `{operation}`.")
        for field, member in schema["properties"].items():
            member.setdefault("description", _text_of(field, operation))
    elif form == "Page":
        schema.setdefault("description", "A page of a list.")


def _text_of(name: str, operation: str) -> str:
    return PARAMETERS.get(f"{operation}.{name}") or PARAMETERS.get(name, "")


def _name_in(path: str, parameter: str) -> str:
    """Return what a name in a path names: the last noun before it. Empty for a parameter that is in no path."""
    before, found, _ = path.partition(f"/{{{parameter}}}")
    nouns = [part for part in before.split("/") if not part.startswith("{")]
    return f"Name of the {nouns[-1].removesuffix('s').replace('-', ' ')}." if found else ""


def _in_words_of_json(value: Any) -> Any:
    """Write the constants of Python as JSON does: field descriptions come from docstrings."""
    if isinstance(value, list):
        return [_in_words_of_json(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _PYTHON.sub(lambda found: _WORDS[found[0]], each)
        if name == "description" and isinstance(each, str)
        else _in_words_of_json(each)
        for name, each in value.items()
    }


def _renamed(description: dict[str, Any]) -> dict[str, Any]:
    """Give each schema a name of its own that a client can use.

    Models of one name get names of their modules from FastAPI. It also makes two schemas of models that contain
    themselves, such as a retriever that combines retrievers, and names one `-Input` and the other `-Output`: pydantic
    cannot see that they are equal.
    """
    new = {name: _short(name) for name in description["components"]["schemas"] if not name.isalnum()}
    named = re.compile(rf'"(#/components/schemas/)?({"|".join(map(re.escape, new))})"(?(1)|(?=:))')
    text = named.sub(lambda found: f'"{found[1] or ""}{new[found[2]]}"', json.dumps(description, separators=(",", ":")))
    renamed: dict[str, Any] = json.loads(text)
    return renamed


def _short(name: str) -> str:
    """Return the name of a model: of several with one name, only that of the HTTP interface is without its module."""
    *modules, own = name.partition("-")[0].split("__")
    if "api" in modules:
        return own
    words = [word for module in modules[1:] if module not in _LAYERS for word in module.split("_")]
    return "".join(word.capitalize() for word in words if word != own.lower()) + own


def described_page(description: dict[str, Any]) -> HTMLResponse:
    """Return the API description as a page that needs neither scripts nor files from other servers."""
    from jinja2 import Environment, PackageLoader, Undefined

    environment = Environment(loader=PackageLoader("passer"), autoescape=True, undefined=Undefined)
    environment.filters |= {"type": _type_of, "prose": _prose}
    return HTMLResponse(environment.get_template("api.html.j2").render(api=description))


def _prose(text: str) -> str:
    """Return a description as HTML: what is between backticks is code."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _type_of(schema: dict[str, Any]) -> str:
    """Return a schema in a few words, such as `array of Run`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return " or ".join(dict.fromkeys(_type_of(each) for each in several))
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"array of {_type_of(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type") or "any value")
