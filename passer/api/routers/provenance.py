"""Provenance: a run's manifest, its bundle, and the verification of any bundle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import StreamingResponse

from passer.api.deps import ServicesDep
from passer.bootstrap.verification import verifying
from passer.domain.bundle.verification import Verification
from passer.domain.manifest import Manifest

router = APIRouter(prefix="/api/v1", tags=["provenance"])


@router.get("/runs/{run_id}/manifest", operation_id="show_manifest")
def show_manifest(run_id: str, services: ServicesDep) -> Manifest:
    """What a finished run was; the SHA-256 of its canonical form (RFC 8785) is the run digest."""
    return services.bundling.manifest(run_id)


@router.get("/runs/{run_id}/bundle", operation_id="export_bundle", response_class=StreamingResponse)
def export_bundle(run_id: str, services: ServicesDep) -> StreamingResponse:
    """A finished run with its proofs, as a zip."""
    content = services.bundling.bundle(run_id)

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
    """Check a bundle step by step; the nodes of the settings confirm what only a chain can. Nothing is kept."""
    with verifying(services.settings.chain_urls, contract=services.settings.chain_contract) as built:
        return built.verify(file.file.read())
