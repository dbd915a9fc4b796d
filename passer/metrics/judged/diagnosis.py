"""Facts of answer and reference against each passage: whether retrieval or generation lost or added a fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from passer.domain.judging.ask import Ask
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Findings, Recipe
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.domain.score import MetricInfo, MissingReason
from passer.metrics.judged.parts import (
    RAGCHECKER,
    check_texts,
    found,
    judged,
    replies,
    texts,
    with_nearest_reference,
)
from passer.metrics.judged.triplets import BOTH_NOTE, FACTS, IN_TEXT, facts_of_both, in_text
from passer.metrics.registry import register_recipe

PASSAGES_AT_ONCE = 10
"""Passages that one ask is about."""

_EXPLAINS = "This column explains an answer and cannot be the primary metric of a verdict."


class FoundIn(Reasoned):
    """Passages that state a fact."""

    b_verdicts: Annotated[list[Literal[0, 1]], Field(max_length=PASSAGES_AT_ONCE)]
    """One for each text, in order."""


IN_PASSAGES = JudgeTask(
    "in-passages",
    "Decide for each numbered text whether it states the fact, in whatever words: 1 if it does, else 0. Use only the "
    "text. First give your reason in one or two sentences, then one verdict for each text, in order.",
    FoundIn,
)


class Stated(NamedTuple):
    """Presence of each fact in the texts, as booleans."""

    in_answer: NDArray[np.bool_]
    """Shape (facts of the reference,)."""
    by_passages: NDArray[np.bool_]
    """Shape (facts of the reference, passages): which passages state them."""
    in_reference: NDArray[np.bool_]
    """Shape (facts of the answer,)."""
    from_passages: NDArray[np.bool_]
    """Shape (facts of the answer, passages): which passages state them."""


def _of_retrieval(name: str, summary: str, formula: str, *notes: str) -> MetricInfo:
    return judged(name, summary=summary, formula=formula, citation=RAGCHECKER, notes=(*notes, BOTH_NOTE))


def _of_answer(name: str, summary: str, formula: str, *notes: str) -> MetricInfo:
    """Describe a column that states an error of the answer, or the source of a fact."""
    return judged(
        name,
        summary=summary,
        formula=f"{formula} / facts of the answer",
        citation=RAGCHECKER,
        higher_is_better=False,
        notes=(*notes, _EXPLAINS, BOTH_NOTE),
    )


COLUMNS = (
    _of_retrieval(
        "Claim recall",
        "Share of the reference's facts that at least one passage states.",
        "facts of the reference in any passage / facts of the reference",
    ),
    _of_retrieval(
        "Context precision (claims)",
        "Share of the passages that state at least one fact of the reference.",
        "relevant passages / passages; a passage is relevant if it states a fact of the reference",
        "It does not depend on the order of the passages, unlike Context precision.",
    ),
    _of_retrieval(
        "Context utilisation",
        "Share of the reference's facts in the passages that the answer states too.",
        "facts of the reference in any passage and in the answer / facts of the reference in any passage",
    ),
    _of_answer(
        "Noise sensitivity (relevant passages)",
        "Share of the answer's facts that are not in the reference and come from a relevant passage.",
        "facts of the answer in a relevant passage and not in the reference",
    ),
    _of_answer(
        "Noise sensitivity (other passages)",
        "Share of the answer's facts that are not in the reference and come from irrelevant passages alone.",
        "facts of the answer in other passages only and not in the reference",
    ),
    _of_answer(
        "Hallucination",
        "Share of the answer's facts that neither the reference nor any passage states.",
        "facts of the answer in no passage and not in the reference",
    ),
    _of_answer(
        "Self-knowledge",
        "Share of the answer's facts that the reference states and no passage does.",
        "facts of the answer in the reference and in no passage",
        "Such facts are right, but the model knew them without the passages, so nobody can check them there.",
    ),
)
NAMES = tuple(info.name for info in COLUMNS)


@register_recipe(*COLUMNS, tasks=(FACTS, IN_TEXT, IN_PASSAGES))
def diagnosis(item: Item) -> Recipe[Findings]:
    """Ask for the facts of both texts, whether the other text states each, and which passages do."""
    item = with_nearest_reference(item)
    check_texts(item, answer=True, reference=True, passages=True)
    both = yield from facts_of_both(item)
    of_reference, of_answer = both.of_reference.facts, both.compared
    facts = [*of_reference, *of_answer]
    checked = yield from replies(
        (
            *in_text(item.answer, of_reference),
            *in_text(item.reference, of_answer),
            *(ask for fact in facts for ask in in_passages(fact, texts(item))),
        )
    )
    n = len(of_reference)
    stated = np.array([reply["b_stated"] == "yes" for reply in checked[: len(facts)]], dtype=np.bool_)
    verdicts = [verdict for reply in checked[len(facts) :] for verdict in reply["b_verdicts"]]
    where = np.array(verdicts, dtype=np.bool_).reshape(len(facts), len(item.passages))
    numbers = diagnosed(Stated(stated[:n], where[:n], stated[n:], where[n:]))
    no_reference: MissingReason = "no_facts"
    no_answer: MissingReason = "abstained" if item.abstained else "no_facts"
    reasons = (no_reference,) * 3 + (no_answer,) * 4
    return tuple(found(number, reason=each, note=both.note) for number, each in zip(numbers, reasons, strict=True))


def diagnosed(stated: Stated) -> tuple[float | None, ...]:
    """Return the seven columns of Ru et al. (2024); None where a share is of nothing.

    A fact of the answer that relevant and other passages state counts for the relevant ones, so that the columns are
    shares of different facts.
    """
    relevant = _any(stated.by_passages, axis=0)
    known = _any(stated.by_passages, axis=1)
    from_relevant = _any(stated.from_passages[:, relevant], axis=1)
    from_any = _any(stated.from_passages, axis=1)
    right = stated.in_reference
    has_reference = len(known) > 0
    of_reference = (
        _share(known),
        _share(relevant) if has_reference else None,
        _share(stated.in_answer[known]),
    )
    return (
        *of_reference,
        _share(from_relevant & ~right),
        _share(from_any & ~from_relevant & ~right),
        _share(~from_any & ~right),
        _share(~from_any & right),
    )


def in_passages(fact: str, passages: Sequence[str]) -> list[Ask]:
    """Return the asks which passages state a fact."""
    # The member is not called `passages`, because the asker drops the last `passages` of a prompt that is too long, and
    # the verdicts would then be of other passages.
    parts = [list(passages[start : start + PASSAGES_AT_ONCE]) for start in range(0, len(passages), PASSAGES_AT_ONCE)]
    return [
        Ask(task="in-passages", given={"fact": fact, "texts": part}, lengths={"b_verdicts": len(part)})
        for part in parts
    ]


def _any(which: NDArray[np.bool_], *, axis: int) -> NDArray[np.bool_]:
    return np.asarray(which.any(axis=axis))


def _share(which: NDArray[np.bool_]) -> float | None:
    return float(which.mean()) if len(which) else None
