"""The values that people choose from."""

from __future__ import annotations

from passer.domain.judging.marks import scale_of
from passer.metrics.judged import infos


def test_people_say_yes_or_no_exactly_where_a_judge_does() -> None:
    decided = {info.name for info in infos("judged") if info.formula.startswith("1 if ")}
    assert {"Answerability", "Answer attempted", "Failure: over-specific", "Failure: incomplete"} < decided
    assert decided == {info.name for info in infos("judged") if [value for value, _ in scale_of(info.name)] == [0, 1]}
