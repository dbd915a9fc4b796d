"""One question, asked and answered on the spot; nothing is kept."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from passer.api.deps import ServicesDep
from passer.api.streaming import STREAM, streamed, wants_stream
from passer.services.pipeline.single_question import AnsweredQuestion, SingleQuestion

router = APIRouter(prefix="/api/v1/answers", tags=["answers"])


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
