"""One question, asked and answered on the spot; nothing is kept but the feedback of its reader."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import StreamingResponse

from passer.api.deps import ServicesDep
from passer.api.streaming import STREAM, streamed, wants_stream
from passer.services.judging.thumbs import NewThumb, Thumbs
from passer.services.pipeline.single_question import AnsweredQuestion, SingleQuestion

router = APIRouter(prefix="/api/v1/answers", tags=["answers"])

AnswerKey = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="The `key` of an answer: its content address.")]


@router.post(
    "", operation_id="ask_question", response_model=AnsweredQuestion, responses={200: {"content": dict(STREAM)}}
)
def ask_question(body: SingleQuestion, services: ServicesDep, request: Request) -> AnsweredQuestion | StreamingResponse:
    """Answer one question: retrieve passages, call the model and, with a reference, score the answer.

    With `Accept: text/event-stream` the answer is sent while it is written: events `stage`, `passages` and `text`, then
    `answer` or `problem`. A client that closes the connection ends the request to the model.
    """
    services.library.model_servers.check_named([body.model])
    runner = services.pipeline.question_runner
    if wants_stream(request):
        return streamed(lambda retrieved: runner.ask(body, retrieved=retrieved), request)
    return runner.ask(body)


@router.get("/{key}/thumbs", operation_id="show_answer_thumbs")
def show_answer_thumbs(key: AnswerKey, services: ServicesDep) -> Thumbs:
    """Count the thumbs of an answer by its key. Equal answers to a question from the same passages share them."""
    return services.judging.thumbs.of_key(key)


@router.post("/{key}/thumbs", operation_id="add_answer_thumb")
def add_answer_thumb(key: AnswerKey, body: NewThumb, services: ServicesDep) -> Thumbs:
    """Add a thumb to an answer by its key, whether the answer is stored or not; nobody's name is kept."""
    return services.judging.thumbs.add_to_key(key, is_up=body.is_up)
