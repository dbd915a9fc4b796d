"""Translates a node's refusals into PaSSER's errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from passer.domain.wording.sentence import sentence
from passer.errors import ChainReason, ChainRefused

_PRIVATE = re.compile(r"PVT_[A-Z0-9]{2}_\w+|\b5[HJK][1-9A-HJ-NP-Za-km-z]{49}\b")
_ASSERTION = re.compile(r"^assertion failure with message:\s*", re.IGNORECASE)

_REASONS: dict[int, ChainReason] = {
    3040005: "expired",
    3040006: "transaction",
    3040007: "reference",
    3040008: "duplicate",
    3050003: "contract",
    3050004: "contract",
    3050008: "contract",
    3050010: "contract",
    3080001: "ram",
    3080002: "net",
    3080003: "busy",
    3080004: "cpu",
    3080005: "busy",
    3080006: "busy",
    3080007: "net",
    3080008: "cpu",
    3081001: "busy",
    3090003: "authority",
    3090004: "authority",
    3090005: "authority",
}
"""Reasons by the number of nodeos' exception."""
_ANY_TRANSACTION = 3040000
"""Code of any other transaction error; only its message describes the cause."""
_BY_WORDS: dict[str, ChainReason] = {"non-existent permission": "authority", "does not exist": "account"}
"""Reasons by a phrase of that message."""


@dataclass(frozen=True)
class NodeError:
    """The error of a node's reply."""

    status: int
    """HTTP status."""
    code: int
    """Code of nodeos' exception; 0 if there is none."""
    name: str
    """Name of nodeos' exception; empty if there is none."""
    said: str
    """Its message on one line, at most 300 characters, without anything that looks like a private key."""

    @property
    def unable(self) -> bool:
        """Return whether the node cannot answer such a question now, or at all."""
        return self.status == 404 or _REASONS.get(self.code) == "busy"


class Refused(Exception):
    """A node answered with an error; never leaves the adapters."""

    def __init__(self, error: NodeError) -> None:
        super().__init__(f"{error.status} {error.name} {error.said}")
        self.error = error


def node_error(status: int, body: Any) -> NodeError | None:
    """Return the error in a reply's JSON; None if it is not a node's."""
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return None
    details = error.get("details")
    said = [part["message"] for part in details if _has_message(part)] if isinstance(details, list) else []
    code, name = error.get("code"), error.get("name")
    return NodeError(
        status=status,
        code=code if isinstance(code, int) else 0,
        name=name if isinstance(name, str) else "",
        said=shown(said[0] if said else str(error.get("what") or body.get("message") or "nothing")),
    )


def trace_error(trouble: Mapping[str, Any]) -> NodeError:
    """Return the exception of a trace as the error of a reply."""
    stack = trouble.get("stack")
    details = [{"message": part.get("format", "")} for part in stack] if isinstance(stack, list) else []
    found = node_error(202, {"error": {**trouble, "details": details, "what": trouble.get("message")}})
    return found or NodeError(202, 0, "", "nothing")


def refusal(error: NodeError) -> ChainRefused:
    """Translate a node's error on a pushed transaction."""
    reason = _REASONS.get(error.code, "transaction")
    if error.code == _ANY_TRANSACTION:
        reason = next((found for words, found in _BY_WORDS.items() if words in error.said), reason)
    said = _ASSERTION.sub("", error.said)
    return ChainRefused(sentence(f"chain.refused-{reason}", said=said), reason=reason, said=said)


def shown(text: str) -> str:
    """Text of a node on one line, at most 300 characters; nothing that looks like a private key stays in it."""
    return _PRIVATE.sub("(a private key, left out)", " ".join(text.split()))[:300].rstrip(". ")


def _has_message(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("message"), str)
