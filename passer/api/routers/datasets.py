"""Datasets: previewed and imported question files."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, File, Form, Query, Response, UploadFile
from pydantic import Json, StringConstraints

from passer.api.deps import Page, ServicesDep
from passer.api.files import on_disk
from passer.api.routers.jobs import Accepted, SubmitDep
from passer.domain.dataset import Dataset, DatasetDifference, difference
from passer.domain.retrieval.inputs import InputName
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, ConflictError
from passer.ports import DatasetSummary, DatasetVersion
from passer.services.judging.history import History
from passer.services.library.column_mapping import ColumnMapping
from passer.services.library.dataset_import import DatasetPreview
from passer.services.library.ragelo_files import RageloPart
from passer.services.work.kinds import AnswersSpec, DatasetSpec, RageloSpec

router = APIRouter(prefix="/api/v1/datasets", tags=["datasets"])
ConfigurationName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Mapping = Annotated[
    Json[ColumnMapping] | None,
    Form(description='How columns are read, as JSON: {"columns": {"reference": "answer"}, "ignored": ["remarks"]}.'),
]


@router.get("", operation_id="list_datasets")
def list_datasets(services: ServicesDep) -> Page[DatasetSummary]:
    """List the newest version of each dataset, sorted by name."""
    return Page(items=tuple(services.adapters.datasets.list_datasets()))


@router.post("/previews", operation_id="preview_dataset")
def preview_dataset(
    services: ServicesDep,
    file: Annotated[UploadFile, File()],
    mapping: Mapping = None,
    add_to: Annotated[
        str | None, Form(description="Name of a dataset whose questions the file must not repeat.")
    ] = None,
) -> DatasetPreview:
    """Preview a question file: how its columns are read, and every problem. Nothing is saved."""
    base = None if add_to is None else services.adapters.datasets.load_dataset(add_to)
    with on_disk(file) as path:
        return services.library.dataset_import.preview(path, file.filename or "", mapping=mapping, base=base)


@router.post("", operation_id="create_dataset", status_code=201)
def create_dataset(
    services: ServicesDep,
    response: Response,
    file: Annotated[UploadFile, File()],
    name: Annotated[str, Form(min_length=1, max_length=100)],
    language: Annotated[str | None, Form()] = None,
    mapping: Mapping = None,
    skip_bad_rows: Annotated[bool, Form()] = False,
    add: Annotated[bool, Form(description="Add the questions to the newest version of the dataset.")] = False,
) -> DatasetSummary:
    """Import a question file. A row with an error refuses the file, and all errors are listed; or skip these rows.

    With `add` the new version has the questions of the newest one and those of the file; a row that repeats one of them
    has an error. Without it the file replaces all questions.
    """
    spec = DatasetSpec(
        name=name,
        file=file.filename or "",
        language=language,
        mapping=mapping or ColumnMapping(),
        skip_bad_rows=skip_bad_rows,
        base=services.adapters.datasets.load_dataset(name.strip()).digest if add else None,
    )
    imported = services.work.queue.run_here(spec, [file.file])
    response.headers["Location"] = f"/api/v1/datasets/{quote(imported.name, safe='')}"
    return imported


@router.post("/ragelo", operation_id="import_ragelo", status_code=202)
def import_ragelo(
    submit: SubmitDep,
    queries: Annotated[UploadFile, File(description="Columns qid, query.")],
    name: Annotated[InputName, Form()],
    documents: Annotated[UploadFile | None, File(description="Columns qid, did: an imported ranking.")] = None,
    answers: Annotated[
        UploadFile | None, File(description="Columns qid, agent, answer: each agent is a configuration.")
    ] = None,
    judgements: Annotated[UploadFile | None, File(description="Columns qid, did, answer: imported grades.")] = None,
) -> Accepted:
    """Import RAGElo's files: a dataset, a ranking, relevance grades and a sweep; all rows of all files or none.

    The result of the job has `dataset`, `sweep`, its `agents`, and what was `ranked` and `graded`.
    A refused file is named with row and column.
    """
    given: dict[RageloPart, UploadFile | None] = {
        "queries": queries,
        "documents": documents,
        "answers": answers,
        "judgements": judgements,
    }
    files = {part: file for part, file in given.items() if file is not None}
    names = tuple((part, file.filename or f"{part}.csv") for part, file in files.items())
    return submit(RageloSpec(name=name, files=names), [file.file for file in files.values()])


@router.post("/{name}/answers", operation_id="import_answers", status_code=202)
def import_answers(
    name: str,
    services: ServicesDep,
    submit: SubmitDep,
    file: Annotated[
        list[UploadFile],
        File(description="Answers of RAGAS, DeepEval and others; their columns are found."),
    ],
    configuration: Annotated[
        list[ConfigurationName], Form(description="Name of the configuration of each file; the first is the baseline.")
    ],
    questions: Annotated[int | None, Form(ge=1, description="Only the first questions of the dataset.")] = None,
    title: Annotated[str | None, Form(max_length=200, description="Name of the sweep.")] = None,
    columns: Annotated[
        Json[dict[str, str]] | None,
        Form(description='Columns of the files that are not found by their names, as JSON: {"answer": "Risposta"}.'),
    ] = None,
) -> Accepted:
    """Import answers of other tools as configurations of a sweep, and score them; all rows of all files or none.

    The result of the job has the name of `dataset`, the id of `sweep`, its `configurations`, and `notes` about each. A
    refused file is named with its rows.
    """
    if not len(file) == len(configuration) == len(set(configuration)):
        raise ConfigError(sentence("answers.names"), field="configuration")
    services.adapters.datasets.load_dataset(name)
    files = tuple((each, upload.filename or f"{each}.csv") for each, upload in zip(configuration, file, strict=True))
    spec = AnswersSpec(dataset=name, files=files, questions=questions, title=title or None, columns=columns or {})
    return submit(spec, [upload.file for upload in file])


@router.get("/{name}", operation_id="show_dataset")
def show_dataset(name: str, services: ServicesDep, digest: str | None = None) -> Dataset:
    """Return a dataset with its questions: the newest version, or the one with this digest."""
    return services.adapters.datasets.load_dataset(name, digest)


@router.get("/{name}/versions", operation_id="list_dataset_versions")
def list_dataset_versions(name: str, services: ServicesDep) -> Page[DatasetVersion]:
    """List all versions of a dataset, newest first."""
    return Page(items=tuple(services.adapters.datasets.list_versions(name)))


@router.get("/{name}/difference", operation_id="show_dataset_difference")
def show_dataset_difference(
    name: str, services: ServicesDep, before: str, after: str | None = None
) -> DatasetDifference:
    """Return which questions were added, removed and changed from the version `before` to `after` (default: newest)."""
    stored = services.adapters.datasets
    return difference(stored.load_dataset(name, before), stored.load_dataset(name, after))


@router.get("/{name}/history", operation_id="show_dataset_history")
def show_dataset_history(
    name: str,
    services: ServicesDep,
    column: Annotated[str, Query(description="A metric, a judged column, or thumb.")] = "F1 Score",
) -> History:
    """Return the means of a column over the finished sweeps of a dataset, by configuration and date."""
    return services.analysis.history.of(name, column)


@router.delete("/{name}", operation_id="delete_dataset", status_code=204)
def delete_dataset(name: str, services: ServicesDep, confirm: str) -> None:
    """Delete a dataset with all versions; `confirm` must be its name."""
    if confirm != name:
        raise ConflictError(sentence("problem.name-needed", name=name))
    services.adapters.datasets.delete_dataset(name)
