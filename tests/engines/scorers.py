"""What the tests' scoring processes run: they import it by name."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from passer.domain.score import Score, Scores, VectorProfile
from passer.errors import EncoderUnavailable, InputError
from passer.ports import Workers


class Stubborn(Exception):
    """One that pickles and cannot be read again."""

    def __init__(self, *, code: int) -> None:
        super().__init__(f"code {code}")


@dataclass(frozen=True)
class Scorer:
    """Scores a pair by the number of its process; some answers are instructions."""

    identity: Mapping[str, str] = field(default_factory=lambda: {"scorer": "one"})

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = "en") -> list[Scores]:
        for _, answer in pairs:
            if answer == "refuse":
                raise InputError("This answer is refused: give another.")
            if answer == "stumble":
                raise Stubborn(code=1)
            if answer == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if answer.startswith("die once: ") and not (mark := Path(answer.removeprefix("die once: "))).exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return [{"process": Score(value=os.getpid())} for _ in pairs]


def workers() -> Workers:
    return Workers(chat_model=_nobody, scorer=Scorer)


def workers_without_encoder() -> Workers:
    def refused() -> Scorer:
        raise EncoderUnavailable("The encoder cannot be loaded. Put a complete model there.")

    return Workers(chat_model=_nobody, scorer=refused)


def other_workers() -> Workers:
    return Workers(chat_model=_nobody, scorer=lambda: Scorer({"scorer": "another"}))


def _nobody(_: object) -> object:
    raise AssertionError("a scoring process asks no model")
