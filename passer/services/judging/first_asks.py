"""The asks of the first step of judged metrics, which can be counted before any reply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from passer.domain.dataset import Dataset, Question
from passer.domain.judging.ask import Ask, Embed
from passer.domain.judging.item import Item
from passer.domain.judging.judgement import Judge
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.passages import Passage
from passer.domain.sweeps.budget import NO_LIMITS
from passer.domain.sweeps.plan import JudgingPlan
from passer.domain.sweeps.sweep import Sweep
from passer.errors import PasserError
from passer.metrics.judged import families_of
from passer.metrics.registry import RecipeFamily
from passer.services.judging.asker import JudgeContext, PreparedAsk, prepare
from passer.services.judging.requests import request_costs

PLANNED_ITEMS = 2000
"""Number of items that a plan inspects; the costs of the others are extrapolated."""
_PASSAGES = frozenset({"passages", "passage"})


@dataclass(frozen=True)
class FirstAsks:
    """Asks of the first step, and of how many distinct items."""

    asks: dict[str, PreparedAsk]
    """Asks by content address."""
    items: int
    """Number of distinct items that were inspected."""
    is_complete: bool
    """True if no metric has a later step."""


def first_asks(
    items: Iterable[Item], families: Sequence[RecipeFamily], context: JudgeContext, *, repeats: int = 1
) -> FirstAsks:
    """Return the asks of the first step about at most 2,000 distinct items.

    A family has more steps if it has more tasks than one or compares vectors of replies.
    """
    asks: dict[str, PreparedAsk] = {}
    seen: set[str] = set()
    for item in items:
        if item.key in seen:
            continue
        if len(seen) == PLANNED_ITEMS:
            break
        seen.add(item.key)
        for family in families:
            for ask in wanted_asks(family, item):
                for repeat in range(1, repeats + 1):
                    prepared = prepare(context, ask, repeat=repeat)
                    asks[prepared.key] = prepared
    return FirstAsks(asks, len(seen), is_complete=not any(len(family.tasks) > 1 for family in families))


def wanted_asks(family: RecipeFamily, item: Item) -> tuple[Ask, ...]:
    """Return the asks of the first step of a family about an item; empty where it asks nothing."""
    recipe = family.make(item)
    wanted = next(recipe, ())
    recipe.close()
    return (wanted,) if isinstance(wanted, Ask) else () if isinstance(wanted, Embed) else wanted


def judging_plan(
    sweep: Sweep,
    items: Sequence[Item],
    answers: int,
    describe: Callable[[Model], ModelInfo],
    *,
    has_passages: bool = False,
) -> JudgingPlan | None:
    """Return the requests of the judge that a sweep records; None if it records none, or without items.

    `items` are a sample of `answers` answers, with the reference in place of the answer. Without `has_passages` one
    text is in place of the passages, so that asks are counted and tokens are not.
    """
    if sweep.judge is None or sweep.primary is None or not items:
        return None
    families = families_of((sweep.primary,), field="primary")
    try:
        info = describe(sweep.judge)
    except PasserError:
        # The plan names a judge that is not available; its requests can be counted without it.
        info = ModelInfo(name=sweep.judge.name)
    tasks = {task.name: task for family in families for task in family.tasks}
    context = JudgeContext(Judge(model=sweep.judge), info, None, tasks)
    # Item by item: configurations give different answers, although the plan uses one reference for all of them.
    each_item = [first_asks([item], families, context) for item in items[:PLANNED_ITEMS]]
    asks = [ask for found in each_item for ask in found.asks.values()]
    scale = answers / len(each_item)
    is_known = has_passages or not any(_PASSAGES & set(each.ask.given) for each in asks)
    costs = request_costs(asks, scale=scale, price=None)
    return JudgingPlan(
        model=sweep.judge,
        column=sweep.primary,
        answers=answers,
        asks=costs.asks,
        is_complete=each_item[0].is_complete,
        input_tokens=costs.input_tokens if is_known else None,
        output_tokens=costs.output_tokens if is_known else None,
    ).priced(NO_LIMITS)


def planned_items(dataset: Dataset | None, count: int) -> list[Item]:
    """Return the reference answers as the answers that are judged; the passages of their prompts are not known."""
    questions = dataset.questions[:count] if dataset else ()
    return [planned_item(each, _placeholder(_planned_answer(each)), dataset.language) for each in questions if dataset]


def planned_item(question: Question, passages: Sequence[Passage], language: str) -> Item:
    """Return a question with its reference answer, or gold passages if it has none, as the answer that is judged."""
    return Item(
        question_id=question.id,
        question=question.text,
        reference=question.reference,
        other_references=question.other_references,
        answer=_planned_answer(question),
        passages=tuple(passages),
        gold_quotes=tuple(each.quote for each in question.gold_passages),
        language=language,
        whole_sentences=True,
    )


def _planned_answer(question: Question) -> str:
    """Return a text of about the length of an answer: an empty one would be judged without any request."""
    quotes = " ".join(each.quote for each in question.gold_passages)
    return next(text for text in (question.reference, quotes, question.text) if text.strip())


def _placeholder(text: str) -> tuple[Passage, ...]:
    """Return a text as the passage of a prompt that is not known yet."""
    return (Passage(id="planned", document="", number=0, text=text, start=0, end=len(text)),)
