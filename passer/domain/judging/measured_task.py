"""Tasks without generation: the log probabilities of the tokens of a given reply are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pydantic import JsonValue

from passer.domain.base import digest_of
from passer.domain.judging.ask import Given
from passer.domain.judging.task import FORM, JudgeTask
from passer.domain.models.chat import Message


@dataclass(frozen=True)
class MeasuredTask(JudgeTask):
    """A task whose asks hold the reply to be measured; `reply` is LogProbabilities."""

    measured: str = "reference"
    """Member of an ask that is the reply; the judge reads the others, under their names."""

    @cached_property
    def schema(self) -> dict[str, JsonValue] | None:
        """Return None: the server enforces no schema, because it generates nothing."""
        return None

    @cached_property
    def digest(self) -> str:
        """Return the content address of the task."""
        return digest_of({"form": FORM, "instruction": self.instruction, "measured": self.measured})

    @cached_property
    def budget(self) -> int:
        """Return the number of tokens that a server generates at least."""
        return 1

    def messages(self, given: Given) -> tuple[Message, ...]:
        """Return the prompt, its texts between fences, and the reply as the last message."""
        shown = {name: value for name, value in given.items() if name != self.measured}
        return (
            Message(role="system", content=self.instruction),
            self._asked(shown),
            Message(role="assistant", content=str(given[self.measured])),
        )
