"""Nuggets: the key facts of a good answer, listed once a question, and which of them each answer supports."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask
from passer.domain.judging.formulas import FACTS_AT_ONCE, SUPPORT, listed_nuggets, nugget_shares
from passer.domain.judging.item import Item
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.key_facts import MOST_FACTS
from passer.domain.judging.recipe import Findings, Recipe, missing
from passer.domain.judging.task import JudgeTask
from passer.metrics.judged.parts import NUGGETS, Reason, failure, found, judged, no_text, value
from passer.metrics.registry import register_recipe

COLUMNS = 5
VITAL_SHARE = "Nugget vital share"


class Nugget(Frozen):
    """One key fact."""

    a_text: Annotated[str, Field(min_length=1, max_length=120)]
    """The fact."""
    b_importance: Literal["vital", "okay"]
    """`vital` if a good answer must state the fact."""


class NuggetList(Frozen):
    """The key facts of a question."""

    a_nuggets: Annotated[list[Nugget], Field(max_length=MOST_FACTS)]
    """The most important first."""


class Assigned(Frozen):
    """Support of each fact by an answer."""

    a_reason: Reason
    """At most two sentences."""
    b_support: Annotated[list[Literal["support", "partial", "not"]], Field(max_length=FACTS_AT_ONCE)]
    """One for each fact, in order."""


_FORM = (
    "Each fact is one short statement. vital: a good answer must say it. okay: it is good to have. The most important "
    "first."
)
LIST = JudgeTask(
    "nuggets",
    f"List the key facts of a good answer to the question, at most {MOST_FACTS}, taken from the reference answer. "
    f"{_FORM}",
    NuggetList,
)
LIST_FROM_PASSAGES = JudgeTask(
    "passage-nuggets",
    f"List the key facts of a good answer to the question, at most {MOST_FACTS}, taken from the relevant passages. "
    f"Leave out what the question does not ask for. {_FORM}",
    NuggetList,
)
ASSIGN = JudgeTask(
    "assign-nuggets",
    "Decide for each numbered fact whether the answer says it. support: fully. partial: in part. not: it does not. "
    "First give your reason in one or two sentences, then one verdict for each fact, in order.",
    Assigned,
)


@register_recipe(
    judged(
        "Nugget vital strict",
        summary="Share of the vital key facts that the answer says fully.",
        formula="vital facts with support / vital facts",
        citation=NUGGETS,
        notes=(
            "Key facts are listed once a question, from its reference, or from its gold passages if it has none, and "
            "are the same for all configurations. People can keep, drop, grade and add them before answers are judged "
            "by them.",
        ),
    ),
    judged(
        "Nugget all strict",
        summary="Share of all key facts that the answer says fully.",
        formula="facts with support / facts",
        citation=NUGGETS,
    ),
    judged(
        "Nugget vital",
        summary="Share of the vital key facts that the answer says, in part counting half.",
        formula="(support + .5 partial) / vital facts, over vital facts",
        citation=NUGGETS,
    ),
    judged(
        "Nugget all",
        summary="Share of all key facts that the answer says, in part counting half.",
        formula="(support + .5 partial) / facts",
        citation=NUGGETS,
    ),
    judged(
        "Nugget weighted",
        summary="Share of the key facts that the answer says, okay ones counting half.",
        formula="(sum_vital + .5 sum_okay) / (n_vital + .5 n_okay), support 1, partial .5",
        citation=NUGGETS,
    ),
    tasks=(LIST, LIST_FROM_PASSAGES, ASSIGN),
)
def nuggets(item: Item) -> Recipe[Findings]:
    """Ask for the key facts of the question, unless people chose them, then which of them the answer says."""
    if lacks := no_text(item, columns=COLUMNS):
        return lacks
    if item.key_facts is None and not has_source(item):
        return missing("empty_reference", columns=COLUMNS)
    facts = {each.text: str(each.importance) for each in item.key_facts or ()}
    if item.key_facts is None:
        listed: Judgement = yield listing(item)
        if listed.reason is not None:
            return missing(listed.missing, columns=COLUMNS, note=listed.said)
        facts = listed_nuggets(value(listed))
    if not facts:
        return missing("no_nuggets", columns=COLUMNS)
    names = list(facts)
    parts = [names[start : start + FACTS_AT_ONCE] for start in range(0, len(names), FACTS_AT_ONCE)]
    asked = {"question": item.question, "answer": item.answer}
    said: tuple[Judgement, ...] = yield tuple(
        Ask(task="assign-nuggets", given={**asked, "facts": part}, lengths={"b_support": len(part)}) for part in parts
    )
    if reason := failure(said):
        return missing(reason, columns=COLUMNS)
    levels = [SUPPORT[level] for each in said for level in value(each)["b_support"]]
    shares = nugget_shares([importance == "vital" for importance in facts.values()], levels)
    return tuple(found(each, reason="no_nuggets") for each in shares)


@register_recipe(
    judged(
        VITAL_SHARE,
        summary="Share of the key facts of a question that the judge calls vital.",
        formula="vital facts / facts",
        citation=NUGGETS,
        notes=("Only lists the key facts, so that people can choose among them before any answer is judged.",),
    ),
    tasks=(LIST, LIST_FROM_PASSAGES),
)
def vital_share(item: Item) -> Recipe[Findings]:
    """Ask for the key facts of the question; the answer is not looked at."""
    if not has_source(item):
        return missing("empty_reference")
    listed: Judgement = yield listing(item)
    if listed.reason is not None:
        return missing(listed.missing, note=listed.said)
    facts = listed_nuggets(value(listed))
    vital = sum(importance == "vital" for importance in facts.values())
    return (found(vital / len(facts), reason="no_nuggets"),) if facts else missing("no_nuggets")


def has_source(item: Item) -> bool:
    """Return whether an item's question has a reference answer or gold passages, from which key facts are listed."""
    return bool(item.reference.strip() or item.gold_quotes)


def listing(item: Item) -> Ask:
    """Return the ask for the key facts of an item's question; it is the same for all answers.

    Passages that a configuration retrieved are no source: its own answers would be favoured.
    """
    if item.reference.strip():
        return Ask(task=LIST.name, given={"question": item.question, "reference": item.reference})
    return Ask(task=LIST_FROM_PASSAGES.name, given={"question": item.question, "passages": list(item.gold_quotes)})
