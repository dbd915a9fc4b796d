"""A stand-in for judged columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from passer.domain.analysis.question_across import JudgedValue
from passer.ports import StoredSweep


class NeverJudged:
    """A reader of judged columns for sweeps that nobody judged."""

    def of(self, sweep_id: str, assessment_id: str, column: str | None) -> NoReturn:
        raise AssertionError(f"nobody judged {sweep_id}")

    def recorded(self, stored: StoredSweep) -> None:
        return None

    def of_question(self, sweep_id: str, run_ids: Sequence[str], number: int) -> dict[str, tuple[JudgedValue, ...]]:
        return {}

    def means(self, sweep_id: str) -> tuple[JudgedValue, ...]:
        return ()

    def rests_on(self, column: object) -> NoReturn:
        raise AssertionError("nobody judged any sweep")
