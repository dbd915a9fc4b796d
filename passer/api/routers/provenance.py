"""Provenance: a run's manifest, its bundle, a sweep's study, and the verification of any of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Path, Query, UploadFile
from fastapi.responses import StreamingResponse

from passer.api.choices import Labels
from passer.api.deps import Page, ServicesDep
from passer.api.files import ZIP_FILE, file_response, mapped
from passer.bootstrap.verification import bundle_verifier
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.verification import Verification
from passer.domain.sheets.procedures import parsed_labels
from passer.domain.study.entry import PublishedStudy
from passer.services.provenance.published_study import (
    MOST_AUTHORS,
    AuthorName,
    Licence,
    Publication,
    Title,
)

StampQuery = Annotated[
    bool, Query(description="Have the time stamp authority of the project certify that the file exists now.")
]
PromptsQuery = Annotated[
    bool, Query(description="Publish the prompts as they were sent, with the texts of the retrieved passages.")
]
TextsQuery = Annotated[bool, Query(description="Publish the texts of questions, references and answers.")]
router = APIRouter(prefix="/api/v1", tags=["provenance"])


@router.get("/runs/{run_id}/manifest", operation_id="show_manifest")
def show_manifest(run_id: str, services: ServicesDep) -> Manifest:
    """Return the manifest of a finished run. The SHA-256 of its canonical form (RFC 8785) is the run digest."""
    return services.provenance.bundle_writer.manifest(run_id)


@router.get("/runs/{run_id}/bundle", operation_id="export_bundle", response_class=StreamingResponse, responses=ZIP_FILE)
def export_bundle(
    run_id: str, services: ServicesDep, stamp: StampQuery = False, texts: TextsQuery = True
) -> StreamingResponse:
    """Export a finished run with its proofs as a zip."""
    bundle = services.provenance.bundle_writer.bundle(run_id, stamp=stamp, texts=texts)
    return file_response(bundle, name=f"{run_id}.zip")


@router.get("/studies", operation_id="list_studies")
def list_studies(
    services: ServicesDep, of: Annotated[str, Query(max_length=48, description="Id of the sweep or import.")]
) -> Page[PublishedStudy]:
    """List the studies of a sweep or import that were published here, the newest first.

    Publishing with other values, or after something that the study states has changed, adds one.
    """
    return Page(items=services.provenance.study_publisher.published(of))


@router.get(
    "/studies/{digest}", operation_id="export_published_study", response_class=StreamingResponse, responses=ZIP_FILE
)
def export_published_study(
    digest: Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="Digest of the study.")], services: ServicesDep
) -> StreamingResponse:
    """Export a study as it was published: its digest is the one in the ledger.

    `export_study` with the same values may return another one, because a study states the other sweeps of its dataset.
    """
    composed = services.provenance.published_study(digest)
    return file_response(services.provenance.study_publisher.study(composed), name=f"{digest[:12]}-study.zip")


@router.put("/sweeps/{sweep_id}/study", operation_id="publish_study")
def publish_study(
    sweep_id: str, services: ServicesDep, publication: Publication, stamp: StampQuery = False
) -> PublishedStudy:
    """Enter the study of a sweep in the ledger. `export_study` with the same values then returns it as a file."""
    composed = services.provenance.study_composer.compose(sweep_id, publication)
    return services.provenance.study_publisher.publish(composed, stamp=stamp)


@router.get(
    "/sweeps/{sweep_id}/study", operation_id="export_study", response_class=StreamingResponse, responses=ZIP_FILE
)
def export_study(
    sweep_id: str,
    services: ServicesDep,
    title: Annotated[Title | None, Query()] = None,
    author: Annotated[list[AuthorName] | None, Query(max_length=MOST_AUTHORS)] = None,
    licence: Annotated[Licence | None, Query()] = None,
    texts: TextsQuery = True,
    prompts: PromptsQuery = False,
) -> StreamingResponse:
    """Export a sweep as a study: all runs with their proofs, the table, the verdict, and how to cite it."""
    authors = tuple(author or ())
    publication = Publication(title=title, authors=authors, licence=licence, texts=texts, prompts=prompts)
    composed = services.provenance.study_composer.compose(sweep_id, publication)
    return file_response(services.provenance.study_publisher.study(composed), name=f"{sweep_id}-study.zip")


@router.put("/imports/{import_id}/study", operation_id="publish_import")
def publish_import(
    import_id: str,
    services: ServicesDep,
    publication: Publication,
    label: Labels = None,
    stamp: StampQuery = False,
) -> PublishedStudy:
    """Enter the study of imported sheets in the ledger. `export_import_study` with the same values returns the file."""
    composer = services.provenance.sheet_study_composer
    composed = composer.compose(import_id, publication, parsed_labels(label or ()))
    return services.provenance.study_publisher.publish(composed, stamp=stamp)


@router.get(
    "/imports/{import_id}/study",
    operation_id="export_import_study",
    response_class=StreamingResponse,
    responses=ZIP_FILE,
)
def export_import_study(
    import_id: str,
    services: ServicesDep,
    title: Annotated[Title | None, Query()] = None,
    author: Annotated[list[AuthorName] | None, Query(max_length=MOST_AUTHORS)] = None,
    licence: Annotated[Licence | None, Query()] = None,
    label: Labels = None,
    texts: TextsQuery = True,
) -> StreamingResponse:
    """Export imported sheets as a study: their rows and audit, the table, the verdict, and how to cite it."""
    publication = Publication(title=title, authors=tuple(author or ()), licence=licence, texts=texts)
    composed = services.provenance.sheet_study_composer.compose(import_id, publication, parsed_labels(label or ()))
    return file_response(services.provenance.study_publisher.study(composed), name=f"{import_id}-study.zip")


@router.post("/verifications", operation_id="verify_bundle")
def verify_bundle(services: ServicesDep, file: Annotated[UploadFile, File()]) -> Verification:
    """Verify the bundle of a run or a study, with the configured nodes for what needs a chain. Nothing is stored."""
    expectation = Expectation(contract=services.settings.chain_contract)
    with bundle_verifier(services.settings.chain_urls, expectation) as built:
        return built.verify(mapped(file))
