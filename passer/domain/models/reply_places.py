"""JSON pointers (RFC 6901) to the question in requests to an external system, and to the values in its replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.wording.sentence import sentence

Pointer = Annotated[str, Field(pattern=r"^(/([^/~\s]|~[01])+)+$", max_length=200)]
"""Path in JSON such as /data/answer or /hits/0/text; `~1` is a slash in a name, `~0` a tilde."""


class ReplyPlaces(Frozen):
    """Places in the requests and replies of one system; a value with the place None is found by its usual names."""

    question: Pointer | None = None
    """Place of the question in the request, below objects only; None: `/question`."""
    answer: Pointer | None = None
    """Place of the answer in the reply."""
    passages: Pointer | None = None
    """Place of the list of passages in the reply."""
    text: Pointer | None = None
    """Place of the text in a passage."""
    document: Pointer | None = None
    """Place of the document's name in a passage."""
    score: Pointer | None = None
    """Place of the score in a passage, by which the system ordered passages."""

    def asking(self, question: str) -> dict[str, Any]:
        """Return the members of a request that contain the question."""
        names = _names(self.question or "/question")
        body: Any = question
        for name in reversed(names):
            body = {name: body}
        return dict(body)

    def read(self, reply: Any) -> Any:
        """Return a reply with usual names; ValueError names the place that it does not have."""
        if self.answer is None and self.passages is None:
            return reply
        known = dict(reply) if isinstance(reply, Mapping) else {}
        if self.answer is not None:
            known["answer"] = _at(reply, self.answer)
        if self.passages is not None:
            found = _at(reply, self.passages)
            if isinstance(found, str) or not isinstance(found, Sequence):
                raise ValueError(sentence("outside.no-list", place=self.passages))
            known["passages"] = [self._passage(each, place) for place, each in enumerate(found)]
        return known

    def _passage(self, passage: Any, place: int) -> Any:
        about = {"text": self.text, "document": self.document, "score": self.score}
        named = {name: pointer for name, pointer in about.items() if pointer is not None}
        if not named:
            return passage
        known = dict(passage) if isinstance(passage, Mapping) else {"text": passage}
        for name, pointer in named.items():
            try:
                known[name] = _at(passage, pointer)
            except ValueError as exc:
                inner = sentence("outside.in-passage", place=f"{self.passages}/{place}", problem=exc.args[0])
                raise ValueError(inner) from exc
        return known


def _names(pointer: str) -> list[str]:
    return [name.replace("~1", "/").replace("~0", "~") for name in pointer[1:].split("/")]


def _at(value: Any, pointer: str) -> Any:
    for name in _names(pointer):
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isascii() and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            raise ValueError(sentence("outside.nothing-at", place=pointer))
    return value
