"""Labels: answers that people rate, to calibrate a judge."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import StreamingResponse

from passer.api.access import caller_of, check_own_name
from passer.api.deps import Page, ServicesDep
from passer.api.files import SHEET_FILES, file_response, on_disk
from passer.domain.judging.draw import LabelDraw
from passer.domain.judging.marks import Label
from passer.ports.tables import SUFFIXES
from passer.services.judging.labelling import LabelDrawRequest, LabelImport, ListedDraw
from passer.services.judging.rating import NextRequest, RatingItem, RatingQueue, RatingRequest
from passer.services.judging.reservations import NextPlace

router = APIRouter(prefix="/api/v1/labels", tags=["assessments"])
Rater = Annotated[
    str,
    Query(
        min_length=1,
        max_length=100,
        description="Name of the person who rates: that of the account, if one is used.",
    ),
]


@router.get("/draws", operation_id="list_label_draws")
def list_label_draws(
    services: ServicesDep, assessment: Annotated[str, Query(description="Id of the assessment.")]
) -> Page[ListedDraw]:
    """List the random draws of an assessment with the progress of their raters, the newest first."""
    return Page(items=services.judging.labelling.draws(assessment))


@router.post("/draws", operation_id="draw_labels", status_code=201)
def draw_labels(body: LabelDrawRequest, services: ServicesDep) -> LabelDraw:
    """Draw questions at random whose answers people will rate; half of them where verdicts differ."""
    return services.judging.labelling.draw(body)


@router.get(
    "/draws/{draw_id}/sheet", operation_id="export_label_sheet", response_class=StreamingResponse, responses=SHEET_FILES
)
def export_label_sheet(
    draw_id: str, services: ServicesDep, format: Literal["csv", "jsonl", "xlsx"] = "csv"
) -> StreamingResponse:
    """Return the answers of a draw as a file to be rated; it names no configuration and no judge."""
    content = BytesIO()
    services.judging.labelling.write_sheet(draw_id, content, SUFFIXES[format])
    content.seek(0)
    return file_response(content, name=f"labels-{draw_id}{SUFFIXES[format]}")


@router.get("/draws/{draw_id}/labels", operation_id="list_labels")
def list_labels(draw_id: str, services: ServicesDep) -> Page[Label]:
    """Return all labels of a draw's answers."""
    return Page(items=services.judging.labelling.labels_of(draw_id))


@router.post("/draws/{draw_id}/labels", operation_id="import_labels")
def import_labels(
    draw_id: str,
    services: ServicesDep,
    request: Request,
    file: Annotated[UploadFile, File()],
    rater: Annotated[str, Form(min_length=1, max_length=100)],
) -> LabelImport:
    """Import the rated answers of one person, who may be another than the caller: each label keeps who imported it.

    A wrong row refuses the whole file, and all errors are listed.
    """
    caller = caller_of(request)
    importer = None if caller is None else caller.account
    given = services.judging.labelling
    with on_disk(file) as path:
        return given.import_labels(draw_id, path, file.filename or "", rater=rater, importer=importer)


@router.get("/draws/{draw_id}/queue", operation_id="show_rating_queue")
def show_rating_queue(draw_id: str, rater: Rater, services: ServicesDep, request: Request) -> RatingQueue:
    """Return the answers of a draw in the order of one rater; it names no configuration and no judge."""
    check_own_name(rater, request)
    return services.judging.rating_desk.queue(draw_id, rater)


@router.post("/draws/{draw_id}/next", operation_id="reserve_item")
def reserve_item(draw_id: str, body: NextRequest, services: ServicesDep, request: Request) -> NextPlace:
    """Reserve the next answer of a rater for 10 minutes: one that needs ratings and that nobody else has open."""
    check_own_name(body.rater, request)
    return services.judging.rating_desk.next(draw_id, body)


@router.get("/draws/{draw_id}/items/{item}", operation_id="show_rating_item")
def show_rating_item(draw_id: str, item: str, rater: Rater, services: ServicesDep, request: Request) -> RatingItem:
    """Return one answer to rate; with the judge's opinion once this rater has rated it."""
    check_own_name(rater, request)
    return services.judging.rating_desk.item(draw_id, item, rater)


@router.post("/draws/{draw_id}/items/{item}", operation_id="rate_item")
def rate_item(draw_id: str, item: str, body: RatingRequest, services: ServicesDep, request: Request) -> RatingItem:
    """Save a rating and return the answer with the judge's opinion; only the first rating calibrates the judge."""
    check_own_name(body.rater, request)
    return services.judging.rating_desk.rate(draw_id, item, body)
