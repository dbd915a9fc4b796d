"""One question, asked and answered on the spot; nothing is kept."""

from __future__ import annotations

from fastapi import APIRouter

from passer.api.deps import ServicesDep
from passer.services.asking_once import AnsweredQuestion, SingleQuestion

router = APIRouter(prefix="/api/v1/answers", tags=["answers"])


@router.post("", operation_id="ask_question")
def ask_question(body: SingleQuestion, services: ServicesDep) -> AnsweredQuestion:
    """Retrieve, ask the model and, where a reference is given, score; takes as long as the model."""
    return services.asking_once.ask(body)
