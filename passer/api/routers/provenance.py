"""Provenance: a run's manifest, its bundle, and the verification of any bundle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import StreamingResponse

from passer.api.deps import ServicesDep
from passer.bootstrap.verification import bundle_verifier
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.verification import Verification
from passer.domain.manifest import Manifest

router = APIRouter(prefix="/api/v1", tags=["provenance"])


@router.get("/runs/{run_id}/manifest", operation_id="show_manifest")
def show_manifest(run_id: str, services: ServicesDep) -> Manifest:
    """Return the manifest of a finished run. The SHA-256 of its canonical form (RFC 8785) is the run digest."""
    return services.provenance.bundle_writer.manifest(run_id)


@router.get("/runs/{run_id}/bundle", operation_id="export_bundle", response_class=StreamingResponse)
def export_bundle(run_id: str, services: ServicesDep) -> StreamingResponse:
    """Export a finished run with its proofs as a zip."""
    content = services.provenance.bundle_writer.bundle(run_id)

    def chunks() -> Iterator[bytes]:
        with content:
            while block := content.read(1 << 20):
                yield block

    name = f"{run_id}.zip"
    return StreamingResponse(
        chunks(), media_type="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@router.post("/verifications", operation_id="verify_bundle")
def verify_bundle(services: ServicesDep, file: Annotated[UploadFile, File()]) -> Verification:
    """Verify a bundle step by step, with the configured nodes for the checks that need a chain. Nothing is stored."""
    expectation = Expectation(contract=services.settings.chain_contract)
    with bundle_verifier(services.settings.chain_urls, expectation) as built:
        return built.verify(file.file.read())
