"""study.json: which runs a study has, what was planned, and the digests of its other files (docs/study.md)."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Any, Literal, Self

from pydantic import Field, JsonValue, ValidationError, field_validator, model_validator

from passer.domain.base import Count, Frozen, added_field, shown_address
from passer.domain.bundle.verdict_document import VerdictContent
from passer.domain.bundle.zip_form import PROOFS, Buffer, listed_names
from passer.domain.ledger.entry import Digest
from passer.domain.score import VECTOR_ORDER
from passer.domain.study.dataset import StudyDataset
from passer.domain.study.registration import RegistrationDocument
from passer.domain.sweeps.sweep import MOST_CONFIGURATIONS
from passer.domain.verdict.verdict import VerdictRule

StudyFormat = Literal["passer-study-1", "passer-study-2", "passer-study-3"]
FORMAT: StudyFormat = "passer-study-1"
"""Version of a study of imported sheets if each model has a verdict."""
WITHOUT_VERDICT: StudyFormat = "passer-study-2"
"""Written where a model has no verdict: its outcomes are then undecided in table.csv. Version 1 repeated there what
verdict.json records, and verifies for ever. Other studies of sheets are the same in both, so they keep the version that
older verifiers know."""
WITH_SETTINGS: StudyFormat = "passer-study-3"
"""Written of runs: table.csv also has the retriever and the retrieval setting beside each name, because a publisher
chooses the names. Versions 1 and 2 of studies of runs verify for ever."""
STUDY, VERDICT, TABLE, METHODS = "study.json", "verdict.json", "table.csv", "methods.md"
CITATION, CRATE, ENTRY = "CITATION.cff", "ro-crate-metadata.json", "entry.json"
FILES = (VERDICT, TABLE, METHODS, CITATION, CRATE)
"""Members whose digests are in study.json."""
ROWS, AUDIT = "rows.jsonl", "audit.json"
PROMPTS = "prompts.jsonl"
"""Prompts as they were sent, by choice; its digest is in study.json too."""
SHEET_FILES = (ROWS, AUDIT)
"""Members of a study of imported sheets in place of bundles; their digests are in study.json too."""
FIRST_MEMBERS = (STUDY, *FILES, ENTRY)
"""Members before those of the runs, in the order of the file."""
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_LOCAL_HEADER = 30
SheetColumn = Annotated[str, Field(pattern=f"^({'|'.join(map(re.escape, VECTOR_ORDER))})$")]
"""Label of a column of a sheet."""
RunId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
"""Id of a run; it is part of a file name."""


class StudySweep(Frozen):
    """The sweep."""

    id: str
    """Unique within its installation."""
    name: str
    """Name in tables."""
    created_at: str
    """Time of the plan, UTC, ISO 8601, by the clock of its machine."""


class StudyRun(Frozen):
    """A run of the sweep, in the table or not."""

    id: RunId
    """Unique within its installation."""
    name: str
    """Name in tables."""
    is_baseline: bool
    """True if others are compared with it."""
    state: Literal["queued", "running", "paused", "finished", "failed", "cancelled"]
    """State of the run when the study was published."""
    reason: str | None
    """Reason why it is paused or failed."""
    config_digest: Digest
    """Digest of its configuration."""
    run_digest: Digest | None
    """Digest of its manifest; None where it is not in the table, because it is not finished."""


class OtherSweep(Frozen):
    """Another sweep of the same dataset in the same installation."""

    id: str
    """Unique within its installation."""
    name: str
    """Name in tables."""
    created_at: str
    """Time of the plan."""
    state: str
    """State of the sweep when the study was published."""
    has_same_design: bool
    """True if it plans the same configurations: this study may then be the best of several."""


class StudyPrompt(Frozen):
    """A prompt template."""

    name: str
    """Name in configurations."""
    digest: Digest
    """SHA-256 of its text."""
    text: str
    """The complete template."""


class StudySheet(Frozen):
    """An imported result sheet: one configuration."""

    id: RunId
    """Position as `sheet-0`, `sheet-1`, ..."""
    name: str
    """Name in tables."""
    model: Annotated[str, Field(min_length=1)]
    """Name of its model in tables."""
    path: Annotated[str, Field(pattern=r"^[^/\n]+(/[^/\n]+){0,2}$")]
    """Path within the imported folder; it states model and configuration."""
    digest: Digest
    """SHA-256 of the file."""
    is_baseline: bool
    """True if the others of its model are compared with it."""
    labels: Literal["right", "shifted", "unclear"]
    """Order of the labels: in their own columns, shifted as by the published program, or unclear."""
    columns: Annotated[tuple[SheetColumn, ...], Field(min_length=1)]
    """Labels of the columns, in order."""
    rows: Count
    """Number of rows."""

    @field_validator("path")
    @classmethod
    def _no_dots(cls, path: str) -> str:
        if {".", ".."} & set(path.split("/")):
            raise ValueError("a path names no folder by dots")
        return path


class StudyDocument(Frozen):
    """study.json; its SHA-256 is the study digest."""

    format: StudyFormat
    """Version of the form."""
    title: str
    """Title of the publication."""
    authors: tuple[str, ...]
    """Names as they are cited; empty where none were given."""
    licence: str | None
    """SPDX identifier; None where none was given."""
    published_by: str
    """Program and version."""
    finished_at: str
    """Time at which the last run of the table finished, UTC, ISO 8601."""
    sweep: StudySweep
    """The sweep."""
    design: dict[str, JsonValue]
    """The sweep as it was planned: configuration, axes, baseline, primary metric, margin, alpha, panel."""
    design_digest: Digest
    """Digest of `design`."""
    dataset: StudyDataset
    """The dataset."""
    prompts: tuple[StudyPrompt, ...]
    """Prompt templates as of the sweep's creation."""
    runs: tuple[StudyRun, ...] = Field(max_length=MOST_CONFIGURATIONS)
    """Every run of the sweep, in order; empty in a study of imported sheets."""
    others: tuple[OtherSweep, ...]
    """Other sweeps of the same dataset, oldest first."""
    files: dict[str, Digest]
    """SHA-256 of the other files, by name."""
    registration: RegistrationDocument | None = added_field(None)
    """The registration; left out where the plan was not registered."""
    sheets: tuple[StudySheet, ...] | None = added_field(None, min_length=1, max_length=MOST_CONFIGURATIONS)
    """The imported sheets in place of runs; left out in a study of a sweep."""
    texts: Literal["withheld"] | None = added_field(None)
    """`withheld` where the texts of questions and answers are not published; else left out."""

    @field_validator("runs")
    @classmethod
    def _each_once(cls, runs: tuple[StudyRun, ...]) -> tuple[StudyRun, ...]:
        if len({run.id for run in runs}) != len(runs):
            raise ValueError("a run occurs twice")
        if any(run.run_digest is not None and run.state != "finished" for run in runs):
            raise ValueError("a run of the table is finished")
        return runs

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.sheets is None) != bool(self.runs):
            raise ValueError("a study has either runs or imported sheets")
        if self.sheets and (self.registration or self.prompts or self.others or self.dataset.is_declared):
            raise ValueError("imported sheets have no plan, no prompts, no clusters, no weights, no other sweeps")
        if self.sheets and self.format == WITH_SETTINGS:
            raise ValueError("version 3 is for studies of runs; imported sheets state no retrieval setting")
        if set(self.files) != set(self.file_names):
            raise ValueError("it has the digest of each other file")
        if self.sheets and [each.id for each in self.sheets] != [f"sheet-{at}" for at in range(len(self.sheets))]:
            raise ValueError("sheets are numbered in order")
        return self

    @property
    def file_names(self) -> tuple[str, ...]:
        """Return the names of the files whose digests it states."""
        if self.sheets is not None:
            return (*FILES, *SHEET_FILES)
        return (*FILES, *(name for name in (PROMPTS,) if name in self.files))

    @property
    def sizes(self) -> tuple[int, int]:
        """Return the numbers of configurations in the table and of all that were planned: runs, or sheets."""
        if self.sheets is not None:
            return len(self.sheets), len(self.sheets)
        return len(self.in_table), len(self.runs)

    @property
    def in_table(self) -> tuple[StudyRun, ...]:
        """Return the runs whose bundles the study contains."""
        return tuple(run for run in self.runs if run.run_digest is not None)

    @property
    def left_out(self) -> tuple[StudyRun, ...]:
        """Return the runs that are not in the table."""
        return tuple(run for run in self.runs if run.run_digest is None)


def format_of(verdict: VerdictContent, *, has_runs: bool) -> StudyFormat:
    """Return the version in which a study with this verdict is written, of runs or of imported sheets."""
    if has_runs:
        return WITH_SETTINGS
    return WITHOUT_VERDICT if verdict.models_without_verdict else FORMAT


def moment_in(stated: str) -> str | None:
    """Return a stated time; None for any other text, which could claim that the time is proven."""
    return stated if _MOMENT.fullmatch(stated) else None


def member_of(run_id: str) -> str:
    """Return the name of a run's bundle in the zip."""
    return f"runs/{run_id}.zip"


def is_study(data: Buffer) -> bool:
    """Return whether a zip begins with study.json, as a study does."""
    return bytes(data[_LOCAL_HEADER : _LOCAL_HEADER + len(STUDY)]) == STUDY.encode()


def study_names(data: Buffer) -> tuple[str, ...] | None:
    """Return the names of a study's members as its directory lists them; None where they are not those of a study."""
    names = listed_names(data, most=len(FIRST_MEMBERS) + len(PROOFS) + len((PROMPTS,)) + MOST_CONFIGURATIONS)
    if names is None or names[: len(FIRST_MEMBERS)] != FIRST_MEMBERS:
        return None
    return names


def digests_of(files: dict[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of each file, in hex."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def described_design(design: dict[str, Any]) -> dict[str, Any]:
    """Return a sweep as JSON without passwords in addresses and names of this installation's connections."""

    def shown(value: Any) -> Any:
        if isinstance(value, list):
            return [shown(each) for each in value]
        if not isinstance(value, dict):
            return value
        kept = {name: shown(each) for name, each in value.items() if name != "connection"}
        if isinstance(kept.get("base_url"), str):
            kept["base_url"] = shown_address(kept["base_url"])
        return kept

    return {name: shown(value) for name, value in design.items()}


def planned_rule(design: dict[str, Any]) -> VerdictRule | None:
    """Return the rule that a design plans, with defaults for what it does not record; None where it is not valid."""
    planned = {name: design.get(name) for name in ("primary", "margin", "alpha", "looks", "cost", "price")}
    if (judge := planned_judge(design)) is not None:
        planned["judged_by"] = {"assessment": "", "judge": judge, "status": "waiting"}
    try:
        return VerdictRule.model_validate({name: value for name, value in planned.items() if value is not None})
    except ValidationError:
        return None


def planned_judge(design: dict[str, Any]) -> str | None:
    """Return the name of the judge whose column is the primary metric; None where a design plans none."""
    judge = design.get("judge")
    return str(judge.get("name")) if isinstance(judge, dict) else None
