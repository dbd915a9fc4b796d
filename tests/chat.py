"""Chat requests for tests, and the answers that a model's completions give."""

from __future__ import annotations

from passer.domain.base import digest_of
from passer.domain.models.answer import Answer
from passer.domain.models.chat import ChatRequest, Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.generation import answer_of
from passer.domain.models.model import Model
from passer.ports import ChatModel


def answered(model: ChatModel, request: ChatRequest) -> Answer:
    """One attempt, as the answer that a run would store."""
    return answer_of(model.complete(request), request=request)


def prompt_digest(request: ChatRequest) -> str:
    """Equals `Prompt.digest` of the same messages."""
    return digest_of([message.model_dump() for message in request.messages])


def a_request(
    text: str = "Question: Why?", *, digest: str = "unknown", model: str = "mistral", **options: int
) -> ChatRequest:
    messages = (Message(role="system", content="Be brief."), Message(role="user", content=text))
    return ChatRequest(
        key="k",
        messages=messages,
        model=Model(provider="ollama", name=model),
        model_digest=digest,
        options=GenerationOptions(**options),
    )
