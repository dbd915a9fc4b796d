"""Datasets: question files in, looked at before they are taken."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, File, Form, Response, UploadFile

from passer.api.deps import Page, ServicesDep
from passer.domain.dataset import Dataset
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports import DatasetSummary, DatasetVersion
from passer.services.loading import DatasetPreview

router = APIRouter(prefix="/api/v1/datasets", tags=["datasets"])


@router.get("", operation_id="list_datasets")
def list_datasets(services: ServicesDep) -> Page[DatasetSummary]:
    """Newest versions, by name."""
    return Page(items=tuple(services.datasets.list_datasets()))


@router.post("/previews", operation_id="preview_dataset")
def preview_dataset(services: ServicesDep, file: Annotated[UploadFile, File()]) -> DatasetPreview:
    """What would be taken from a file, and what is wrong with it; nothing is kept."""
    return services.loading.preview(file.file.read(), file.filename or "")


@router.post("", operation_id="create_dataset", status_code=201)
def create_dataset(
    services: ServicesDep,
    response: Response,
    file: Annotated[UploadFile, File()],
    name: Annotated[str, Form(min_length=1, max_length=100)],
    language: Annotated[str | None, Form()] = None,
) -> DatasetSummary:
    """Take a file whole, or refuse it with every bad row."""
    dataset = services.loading.load(file.file.read(), file.filename or "", name=name, language=language)
    services.datasets.save_dataset(dataset)
    response.headers["Location"] = f"/api/v1/datasets/{quote(dataset.name, safe='')}"
    return next(summary for summary in services.datasets.list_datasets() if summary.name == dataset.name)


@router.get("/{name}", operation_id="show_dataset")
def show_dataset(name: str, services: ServicesDep, digest: str | None = None) -> Dataset:
    """A dataset with its questions: the newest version, or the one with this digest."""
    return services.datasets.load_dataset(name, digest)


@router.get("/{name}/versions", operation_id="list_dataset_versions")
def list_dataset_versions(name: str, services: ServicesDep) -> Page[DatasetVersion]:
    """All versions of a dataset, newest first."""
    return Page(items=tuple(services.datasets.list_versions(name)))


@router.delete("/{name}", operation_id="delete_dataset", status_code=204)
def delete_dataset(name: str, services: ServicesDep, confirm: str) -> None:
    """Delete a dataset; `confirm` repeats its name."""
    if confirm != name:
        raise ConflictError(sentence("problem.name-needed", name=name))
    services.datasets.delete_dataset(name)
