"""External systems: they receive a question and return an answer with its passages.

One function reads all kinds of replies: the JSON of an address, the return value of a Python function, and the row of
a file of another tool.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from passer.domain.base import Frozen, digest_of, storable
from passer.domain.retrieval.passages import Passage
from passer.domain.wording.sentence import sentence

NOTHING = "-"
"""Name of collection and template in the configuration of an external system; no real one can have this name."""
ONLY_ANSWERS = (
    "answer", "response", "actual_output", "generated_answer", "prediction", "predicted_answer", "model_output",
    "model_answer", "model_response", "llm_answer", "generated_text", "prediction_text",
)  # fmt: skip
"""Members that contain an answer and nothing else: PaSSER, RAGAS, DeepEval, and tables that people make."""
ANSWERS = (*ONLY_ANSWERS, "result", "output", "content")
"""Members that may hold the answer, with those of chains of LangChain, in the order in which they are looked for."""
RETRIEVED = ("retrieved_contexts", "retrieval_context", "retrieved_context", "retrieved_documents")
"""Members that contain what a system retrieved, never gold passages."""
PASSAGES = ("passages", *RETRIEVED, "contexts", "source_documents", "documents", "context")
"""Members that contain the passages, in the order in which they are looked for."""
TEXTS = ("text", "page_content", "content")
NAMES = ("document", "source", "name")
MOST_PASSAGES = 1000
MOST_CHARACTERS = 8_000_000
"""Characters of an answer and its passages together."""


Storable = Annotated[str, BeforeValidator(lambda value: storable(value) if isinstance(value, str) else value)]
"""Cleaned before pydantic checks its length, because it refuses lone surrogates then."""


class OutsidePassage(Frozen):
    """A passage that an external system reports; it is in no index of PaSSER, so it has no similarity."""

    text: Storable
    """Its text."""
    document: Annotated[Storable, Field(max_length=500)] = ""
    """Name of its document; empty if the system gives none."""
    score: float | None = None
    """Value by which the system ordered passages, on a scale of its own; None if it gives none."""

    @property
    def as_passage(self) -> Passage:
        """Return the passage as judges and checks of grounding read it; its id is its content address."""
        key = digest_of({"document": self.document, "text": self.text})
        return Passage(id=key[:24], document=self.document, number=0, text=self.text, start=0, end=len(self.text))


class OutsideReply(Frozen):
    """Reply of an external system to one question."""

    answer: Storable
    """Its answer; may be empty."""
    passages: tuple[OutsidePassage, ...] = ()
    """The passages that it says it used, in its order."""
    prompt_tokens: int | None = Field(default=None, ge=0, le=2**53 - 1)
    """Tokens of its prompt, if it counts them."""
    output_tokens: int | None = Field(default=None, ge=0, le=2**53 - 1)
    """Tokens that it generated, if it counts them."""


def reply_of(value: Any) -> OutsideReply:
    """Read the reply of a system: a text, a mapping, or an object with such members.

    A mapping has its answer under one of `ANSWERS` and its passages, if any, under one of `PASSAGES`. ValueError names
    the member that is wrong.
    """
    if isinstance(value, str):
        return _checked(OutsideReply(answer=value))
    found = value if isinstance(value, Mapping) else _members(value)
    name = next((each for each in ANSWERS if each in found), None)
    if name is None:
        listed = ", ".join(map(str, found)) or "none"
        raise ValueError(sentence("outside.no-answer", name=ANSWERS[0], found=listed[:200]))
    return _checked(
        OutsideReply(answer=_answer(found[name], name), passages=_passages(found), **_usage(found.get("usage")))
    )


def _members(value: Any) -> Mapping[str, Any]:
    """Return the members of an object, such as a message of LangChain; empty for numbers, lists and None."""
    return {each: getattr(value, each) for each in (*ANSWERS, *PASSAGES) if hasattr(value, each)}


def _answer(value: Any, name: str) -> str:
    if isinstance(value, str):
        return value
    # TREC RAG: a list of sentences, each with the documents that it cites.
    if isinstance(value, Sequence) and value and all(isinstance(each, Mapping) and "text" in each for each in value):
        return " ".join(str(each["text"]) for each in value)
    inner = getattr(value, "content", None)
    if isinstance(inner, str):
        return inner
    raise ValueError(sentence("outside.not-text", name=name, kind=_kind(value)))


def _passages(found: Mapping[str, Any]) -> tuple[OutsidePassage, ...]:
    # In a test case of DeepEval, `context` is the gold passages, which the system never saw.
    names = PASSAGES[:-1] if "actual_output" in found else PASSAGES
    name = next((each for each in names if found.get(each) not in (None, "")), None)
    if name is None:
        return ()
    value = found[name]
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, Sequence):
        raise ValueError(sentence("outside.not-list", name=name, kind=_kind(value)))
    if len(listed) > MOST_PASSAGES:
        raise ValueError(sentence("outside.many-passages", name=name, n=len(listed), most=MOST_PASSAGES))
    return tuple(_passage(each, f"{name}.{place}") for place, each in enumerate(listed))


def _passage(value: Any, where: str) -> OutsidePassage:
    if isinstance(value, str):
        return OutsidePassage(text=value)
    about = {name: _member(value, name) for name in (*TEXTS, *NAMES, "score", "metadata")}
    text = next((about[name] for name in TEXTS if isinstance(about[name], str)), None)
    if text is None:
        raise ValueError(sentence("outside.passage-without-text", name=where))
    more = about["metadata"] if isinstance(about["metadata"], Mapping) else {}
    document = next((each for name in NAMES for each in (about[name], more.get(name)) if isinstance(each, str)), "")
    score = about["score"]
    is_number = isinstance(score, int | float) and not isinstance(score, bool) and abs(score) < 1e300
    return OutsidePassage(text=text, document=document[:500], score=float(score) if is_number else None)


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _usage(given: Any) -> dict[str, int]:
    """Return the token counts of a reply under OpenAI's names or ours; what is no count is left out."""
    if not isinstance(given, Mapping):
        return {}
    names = {"prompt_tokens": ("prompt_tokens",), "output_tokens": ("completion_tokens", "output_tokens")}
    found = {name: next((given[each] for each in keys if each in given), None) for name, keys in names.items()}
    counts = {name: count for name, count in found.items() if isinstance(count, int) and not isinstance(count, bool)}
    return {name: count for name, count in counts.items() if 0 <= count < 2**53}


def _checked(reply: OutsideReply) -> OutsideReply:
    size = len(reply.answer) + sum(len(each.text) for each in reply.passages)
    if size > MOST_CHARACTERS:
        raise ValueError(sentence("outside.too-long", size=size, most=MOST_CHARACTERS))
    return reply


def _kind(value: Any) -> str:
    kinds = {list: "list", dict: "object", bool: "boolean", int: "number", float: "number", type(None): "null"}
    known = kinds.get(type(value))
    return type(value).__name__ if known is None else sentence(f"file.kind-{known}")
