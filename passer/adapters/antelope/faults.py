"""What a node answers when it refuses, translated once, at the border."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

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
"""By the number of nodeos' exception."""
_ANY_TRANSACTION = 3040000
"""Its message alone says what is wrong."""
_BY_WORDS: dict[str, ChainReason] = {"non-existent permission": "authority", "does not exist": "account"}
"""By what that message holds."""

_SENTENCES: dict[ChainReason, str] = {
    "duplicate": "Do nothing: the chain has this very transaction already.",
    "expired": "Prepare and sign the transaction again: it expired before a block took it.",
    "reference": "Prepare and sign the transaction again: it refers to a block that this chain does not have.",
    "ram": "Buy RAM for the account that pays for the rows ({said}).",
    "cpu": "Wait, or rent CPU for the account that signs ({said}).",
    "net": "Wait, or rent NET for the account that signs ({said}).",
    "busy": "Try again soon: the node or the block had no time left for the transaction ({said}).",
    "authority": "Sign with a key of the creator's permission: the chain misses its authority ({said}).",
    "contract": "Change what is recorded: the contract refuses it ({said}).",
    "account": "Check the names of account and contract: the chain does not know one of them ({said}).",
    "transaction": "Look into the node's message: the chain refuses the transaction ({said}).",
}


@dataclass(frozen=True)
class NodeError:
    """The error of a node's reply."""

    status: int
    """Of HTTP."""
    code: int
    """Of nodeos' exception; 0 where there is none."""
    name: str
    """Of nodeos' exception; empty where there is none."""
    said: str
    """Its message on one line, at most 300 characters, without anything that looks like a private key."""

    @property
    def unable(self) -> bool:
        """Whether the node cannot answer such a question now, or at all."""
        return self.status == 404 or _REASONS.get(self.code) == "busy"


class Refused(Exception):
    """A node answered with an error; never leaves the adapters."""

    def __init__(self, error: NodeError) -> None:
        super().__init__(f"{error.status} {error.name} {error.said}")
        self.error = error


def node_error(status: int, body: Any) -> NodeError | None:
    """The error that a reply's JSON holds; None where it is not a node's."""
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


def refusal(error: NodeError) -> ChainRefused:
    """What a node's error on a pushed transaction means."""
    reason = _REASONS.get(error.code, "transaction")
    if error.code == _ANY_TRANSACTION:
        reason = next((found for words, found in _BY_WORDS.items() if words in error.said), reason)
    said = _ASSERTION.sub("", error.said)
    return ChainRefused(_SENTENCES[reason].format(said=said), reason=reason, said=said)


def shown(text: str) -> str:
    """Text of a node on one line, at most 300 characters; nothing that looks like a private key stays in it."""
    return _PRIVATE.sub("(a private key, left out)", " ".join(text.split()))[:300].rstrip(". ")


def _has_message(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("message"), str)
