"""What became of each question of a run, without texts: a run has thousands, and an analysis needs little of each."""

from __future__ import annotations

from sqlalchemy import Connection, select

from passer.adapters.store.schema import answers, evaluations
from passer.domain.answer import ModelTimings
from passer.ports import Outcome

_OF_ANSWER = (answers.c.abstained, answers.c.truncated, answers.c.generation_s, answers.c.timings)


def outcomes_of(connection: Connection, run_id: str) -> list[Outcome]:
    """Return the state of each question of a run, in dataset order."""
    own = evaluations.c
    query = (
        select(own.number, own.question_id, own.state, own.kept_first, own.kept_last, own.prompt_digest, *_OF_ANSWER)
        .outerjoin(answers, answers.c.key == own.answer_key)
        .where(own.run_id == run_id)
        .order_by(own.number)
    )
    return [
        Outcome(
            number, question_id, state, (first, last), prompt_digest,
            abstained, truncated, generation_s, *_tokens(timings),
        )
        for number, question_id, state, first, last, prompt_digest, abstained, truncated, generation_s, timings
        in connection.execute(query)
    ]  # fmt: skip


def _tokens(timings: dict[str, int | None] | None) -> tuple[int | None, int | None, int | None]:
    """Of the prompt, of the answer, and those of the prompt that were read, as the server counts."""
    told = ModelTimings.model_validate(timings or {})
    return told.prompt_eval_count, told.eval_count, told.read_count
