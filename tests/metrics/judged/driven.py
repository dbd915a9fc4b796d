"""Recipes driven by hand: the replies of a judge are given, and what is asked and found is read."""

from __future__ import annotations

from typing import Any

import numpy as np

from passer.domain.judging.ask import Ask, Embed
from passer.domain.judging.criteria import Criterion
from passer.domain.judging.item import Item
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Findings
from passer.domain.retrieval.passages import Passage
from passer.metrics.judged import families_of
from passer.metrics.registry import RecipeFamily

PASSAGES = ("Rice flowers in August and needs water.", "Maize is sown in May.")
ITEM = Item(
    question_id="q",
    question="When does rice flower?",
    reference="Rice flowers in August. It needs water.",
    answer="Rice flowers in August. Rice needs salt.",
    passages=tuple(
        Passage(id=f"p{n}", document="d.txt", number=n, text=text, start=0, end=1) for n, text in enumerate(PASSAGES)
    ),
)
CRITERIA = (Criterion(text="Names a month"),)
CITING = ITEM.model_copy(
    update={"cites": True, "criteria": CRITERIA, "answer": "Rice flowers in August [1]. Rice needs salt [1, 2]."}
)


def judgement(value: Any = None, reason: Any = None) -> Judgement:
    return Judgement(
        key="k", task="t", task_digest="", given_digest="", prompt_digest="", answer_keys=(),
        value=value, reason=reason, attempts=1,
    )  # fmt: skip


class Driven:
    """Runs a recipe on replies that are given one after the other, and keeps what it wanted."""

    def __init__(self, family: RecipeFamily, item: Item, *replies: Any) -> None:
        self.asked: list[Ask] = []
        self.embedded: list[tuple[str, ...]] = []
        recipe, given, reply = family.make(item), iter(replies), None
        try:
            while True:
                wanted = recipe.send(reply)
                if isinstance(wanted, Embed):
                    self.embedded.append(wanted.texts)
                    reply = next(given)
                elif isinstance(wanted, Ask):
                    self.asked.append(wanted)
                    reply = self._judged(next(given))
                else:
                    self.asked += wanted
                    reply = tuple(self._judged(next(given)) for _ in wanted)
        except StopIteration as stop:
            self.findings: Findings = stop.value
        assert next(given, None) is None, "all replies are used"

    def _judged(self, reply: Any) -> Judgement:
        return judgement(reason=reply) if isinstance(reply, str) else judgement(reply)


def driven(column: str, *replies: Any, **changes: Any) -> Driven:
    (family,) = families_of((column,))
    return Driven(family, ITEM.model_copy(update=changes), *replies)


def values(column: str, *replies: Any, **changes: Any) -> list[Any]:
    """Values, or reasons where there is none."""
    return [each.reason or each.value for each in driven(column, *replies, **changes).findings]


def unit(*numbers: float) -> list[float]:
    return list(np.array(numbers) / np.linalg.norm(numbers))


def triplet(*members: str, segments: list[str] | None = None) -> dict[str, Any]:
    plain = dict(zip(("a_subject", "b_predicate", "c_object"), members, strict=True))
    return plain if segments is None else {**plain, "d_segments": segments}
