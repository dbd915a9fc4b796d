"""Outcome of each question of a run, without texts: a run has thousands, and an analysis needs little of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import TypeAdapter
from sqlalchemy import Connection, Text, select
from sqlalchemy import cast as cast_to

from passer.adapters.store.schema import answers, evaluations
from passer.domain.answer import ModelTimings
from passer.ports import Outcome

_OF_ANSWER = (answers.c.abstained, answers.c.truncated, answers.c.generation_s, cast_to(answers.c.timings, Text))
_AT_ONCE = 2000
"""Timings read as one JSON text: each for itself takes three times as long."""
_TIMINGS = TypeAdapter(list[ModelTimings])


def read_outcomes(connection: Connection, run_id: str) -> list[Outcome]:
    """Return the state of each question of a run, in dataset order."""
    own = evaluations.c
    query = (
        select(own.number, own.question_id, own.state, own.kept_first, own.kept_last, own.prompt_digest, *_OF_ANSWER)
        .outerjoin(answers, answers.c.key == own.answer_key)
        .where(own.run_id == run_id)
        .order_by(own.number)
    )
    rows = connection.execute(query).all()
    return [
        Outcome(
            number, question_id, state, (first, last), prompt_digest,
            abstained, truncated, generation_s, *tokens,
        )
        for (number, question_id, state, first, last, prompt_digest, abstained, truncated, generation_s, _), tokens
        in zip(rows, _tokens([row[-1] for row in rows]), strict=True)
    ]  # fmt: skip


def _tokens(timings: Sequence[str | None]) -> Iterator[tuple[int | None, int | None, int | None]]:
    """Return the server's counts of tokens: of the prompt, of the answer, and of the prompt as far as it was read."""
    for start in range(0, len(timings), _AT_ONCE):
        batch = ",".join(each or "{}" for each in timings[start : start + _AT_ONCE])
        for timing in _TIMINGS.validate_json(f"[{batch}]"):
            yield timing.prompt_eval_count, timing.eval_count, timing.read_count
