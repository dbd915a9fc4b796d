"""Metadata of a study for repositories: ro-crate-metadata.json (RO-Crate 1.2) and CITATION.cff."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from passer.domain.base import canonical_json
from passer.domain.canonical import NotCanonical, read_canonical
from passer.domain.study.document import (
    AUDIT,
    CITATION,
    CRATE,
    ENTRY,
    METHODS,
    PROMPTS,
    ROWS,
    STUDY,
    TABLE,
    VERDICT,
    StudyDocument,
    StudyRun,
    member_of,
)

_CONTEXT = "https://w3id.org/ro/crate/1.2/context"
_PROFILE = "https://w3id.org/ro/crate/1.2"
_SPDX = "https://spdx.org/licenses/"
_NAMES = {
    STUDY: ("Design, runs and digests", "application/json"),
    VERDICT: ("Verdict with the values that it follows from", "application/json"),
    TABLE: ("Table of all configurations", "text/csv"),
    METHODS: ("Methods in words", "text/markdown"),
    CITATION: ("How to cite this study", "text/yaml"),
    ENTRY: ("Receipt of the ledger", "application/json"),
}
_PROMPT_NAMES = {PROMPTS: ("Prompts as they were sent", "application/jsonl")}
_SHEET_NAMES = {
    ROWS: ("Rows of the imported result sheets", "application/jsonl"),
    AUDIT: ("Findings about the imported sheets", "application/json"),
}
UNNAMED = "anonymous"
"""Author in CITATION.cff if none is named."""


def citation(study: StudyDocument) -> bytes:
    """Return CITATION.cff (version 1.2.0); its strings are JSON, which is YAML."""
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this study, please cite it.",
        "type: dataset",
        f"title: {_quoted(study.title)}",
        "authors:",
        *(f"  - name: {_quoted(author)}" for author in study.authors or (UNNAMED,)),
        f"date-released: {_quoted(study.finished_at[:10])}",
        *([f"license: {_quoted(study.licence)}"] if study.licence else []),
        f"abstract: {_quoted(_description(study))}",
    ]
    return ("\n".join(lines) + "\n").encode()


def crate(study: StudyDocument) -> bytes:
    """Return ro-crate-metadata.json, in canonical form, so that the same study has the same bytes."""
    more = _SHEET_NAMES if study.sheets is not None else _PROMPT_NAMES if PROMPTS in study.files else {}
    named = {**_NAMES, **more}
    files = [*named, *(member_of(run.id) for run in study.in_table)]
    people = [{"@id": f"#author-{number}"} for number, _ in enumerate(study.authors, start=1)]
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "name": study.title,
        "description": _description(study),
        "datePublished": study.finished_at[:10],
        "hasPart": [{"@id": name} for name in files],
        "mentions": [{"@id": "#sweep"}],
    }
    if people:
        root["author"] = people
    if study.licence:
        root["license"] = {"@id": _SPDX + study.licence}
    graph: list[dict[str, Any]] = [
        {"@id": CRATE, "@type": "CreativeWork", "about": {"@id": "./"}, "conformsTo": {"@id": _PROFILE}},
        root,
        *_files(study, named),
        {
            "@id": "#sweep",
            "@type": "CreateAction",
            "name": study.sweep.name,
            "startTime": study.sweep.created_at,
            "endTime": study.finished_at,
            "instrument": {"@id": "#passer"},
            "object": {"@id": "#dataset"},
            "result": [{"@id": name} for name in files if name == ROWS or name.startswith("runs/")],
        },
        {"@id": "#passer", "@type": "SoftwareApplication", "name": "PaSSER", "softwareVersion": study.published_by},
        {
            "@id": "#dataset",
            "@type": "Dataset",
            "name": study.dataset.name,
            "identifier": f"sha256:{study.dataset.digest}",
        },
        *({**person, "@type": "Person", "name": name} for person, name in zip(people, study.authors, strict=True)),
    ]
    if study.licence:
        graph.append({"@id": _SPDX + study.licence, "@type": "CreativeWork", "name": study.licence})
    return canonical_json({"@context": _CONTEXT, "@graph": graph})


def _files(study: StudyDocument, named: Mapping[str, tuple[str, str]]) -> list[dict[str, Any]]:
    """Return the files of a crate: those with a name of their own, then the bundles of the runs in the table."""
    return [
        *(
            {"@id": name, "@type": "File", "name": title, "encodingFormat": kind}
            for name, (title, kind) in named.items()
        ),
        *(
            {
                "@id": member_of(run.id),
                "@type": "File",
                "name": f"Run {run.name}: records, scores and proofs",
                "encodingFormat": "application/zip",
                "identifier": f"sha256:{run.run_digest}",
            }
            for run in study.in_table
        ),
    ]


def other_in_citation(content: bytes, study: StudyDocument) -> str | None:
    """Return which member of study.json CITATION.cff contradicts: title, authors, finished_at or licence; None."""
    try:
        stated = content.decode().split("\n")
    except UnicodeDecodeError:
        return "title"
    own = citation(study).decode().split("\n")
    for name, key in (
        ("title", "title"),
        ("authors", "  - name"),
        ("finished_at", "date-released"),
        ("licence", "license"),
    ):
        if [line for line in stated if _key(line) == key] != [line for line in own if _key(line) == key]:
            return name
    # The other lines may be worded otherwise by another version, but none may be added, such as somebody's DOI.
    return None if {_key(line) for line in stated} <= {*map(_key, own), "license"} else "title"


def other_in_crate(content: bytes, study: StudyDocument) -> str | None:
    """Return which member of study.json ro-crate-metadata.json contradicts, as `other_in_citation`; None."""
    try:
        graph = read_canonical(content)["@graph"]
        stated = {each["@id"]: each for each in graph}
    except (NotCanonical, TypeError, KeyError):
        return "title"
    own = {each["@id"]: each for each in json.loads(crate(study))["@graph"]}
    if len(graph) != len(stated) or "./" not in stated or not all(isinstance(key, str) for key in stated):
        return "title"
    facts = {"name": "title", "author": "authors", "license": "licence", "datePublished": "finished_at"}
    for fact, name in facts.items():
        if stated["./"].get(fact) != own["./"].get(fact):
            return name
    people = [key for key in own if key.startswith("#author-")]
    is_named = all(stated.get(key, {}).get("name") == own[key]["name"] for key in people)
    return None if is_named else "authors"


def _key(line: str) -> str:
    return line.partition(":")[0]


def _description(study: StudyDocument) -> str:
    if study.sheets is not None:
        return (
            f"{len(study.sheets)} imported result sheets on {study.dataset.questions} questions with their rows, audit "
            "and verdict; how the answers were made is not known. " + withheld_sentence(study)
        ).rstrip()
    held = "answers, scores and verdict" if study.texts is None else "scores and verdict"
    runs = f"{len(study.in_table)} runs of {study.dataset.questions} questions with {held}."
    return " ".join(filter(None, (runs, withheld_sentence(study), missing_sentence(study))))


def withheld_sentence(document: StudyDocument) -> str:
    """Return that texts are not published, in a sentence; empty where they are."""
    return "" if document.texts is None else "The texts of questions and answers are withheld."


def missing_sentence(document: StudyDocument) -> str:
    """Return which runs are not in the table, in a sentence; empty where all are."""
    left_out: Sequence[StudyRun] = document.left_out
    if not left_out:
        return ""
    named = ", ".join(f"{run.name} ({run.state})" for run in left_out)
    verb = "is" if len(left_out) == 1 else "are"
    return f"{len(left_out)} of {len(document.runs)} runs {verb} not in the table: {named}."


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
