"""Recipes: pure generators that yield requests about an item, and return the values of the replies."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from pydantic import model_validator

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask, Embed
from passer.domain.judging.judgement import Judgement
from passer.domain.score import MissingReason, value_or_reason

R = TypeVar("R")

Wanted = Ask | tuple[Ask, ...] | Embed
"""One question to a judge, several that are asked together, or texts whose vectors are needed."""

Recipe = Generator[Wanted, Any, R]
"""Yields what it wants and is sent a Judgement, a tuple of them, or vectors; returns its result.

It knows no server, store or thread. What it does may depend only on its arguments and on what it is sent, because
resuming is running it again with the replies that are stored.
"""


def observed(recipe: Recipe[R], see: Callable[[Ask, Judgement], None]) -> Recipe[R]:
    """Run a recipe; `see` is given each of its asks with the reply, in order, before the recipe is."""
    reply: Any = None
    while True:
        try:
            wanted = recipe.send(reply)
        except StopIteration as stopped:
            result: R = stopped.value
            return result
        reply = yield wanted
        if isinstance(wanted, Ask):
            see(wanted, reply)
        elif isinstance(wanted, tuple):
            for ask, said in zip(wanted, reply, strict=True):
                see(ask, said)


class Finding(Frozen):
    """The result of a recipe for one column: a finite number, or None with a reason."""

    value: float | None
    """Finite number; None if there is a reason instead."""
    reason: MissingReason | None = None
    """Reason why there is no value; None if there is one."""
    note: str = ""
    """Remark on the value, such as how many facts were dropped."""

    _value_or_reason = model_validator(mode="after")(value_or_reason)


Findings = tuple[Finding, ...]
"""Findings of a family's columns, in the order of its descriptions."""


def missing(reason: MissingReason, *, columns: int = 1, note: str = "") -> Findings:
    """Return findings without values for this number of columns."""
    return (Finding(value=None, reason=reason, note=note),) * columns


class NoValue(Exception):
    """Raised by a recipe that cannot give a value for any of its columns. Has the reason and a note."""

    def __init__(self, reason: MissingReason, note: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.note = note
