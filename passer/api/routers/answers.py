"""One question, asked and answered on the spot; nothing is kept."""

from __future__ import annotations

from fastapi import APIRouter

from passer.api.deps import ServicesDep
from passer.services.pipeline.single_question import AnsweredQuestion, SingleQuestion

router = APIRouter(prefix="/api/v1/answers", tags=["answers"])


@router.post("", operation_id="ask_question")
def ask_question(body: SingleQuestion, services: ServicesDep) -> AnsweredQuestion:
    """Answer one question: retrieve passages, call the model and, with a reference, score the answer."""
    services.library.model_servers.check_named([body.model])
    return services.pipeline.question_runner.ask(body)
