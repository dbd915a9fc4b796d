"""Nuggets: the key facts of a good answer, listed once a question, and which of them each answer supports."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask
from passer.domain.judging.formulas import FACTS_AT_ONCE, SUPPORT, listed_nuggets, nugget_shares
from passer.domain.judging.item import Item
from passer.domain.judging.key_facts import MOST_FACTS
from passer.domain.judging.recipe import Findings, NoValue, Recipe
from passer.domain.judging.task import SEVERAL_REFERENCES, JudgeTask, Reasoned
from passer.metrics.judged.parts import NUGGETS, asked, check_texts, found, judged, replies, value
from passer.metrics.registry import register_recipe

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


class Assigned(Reasoned):
    """Support of each fact by an answer."""

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
    of_references=f"{SEVERAL_REFERENCES} List what they have in common, each fact once. "
    "Where they name one thing differently, write one fact with all the names, joined by or.",
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
        summary="Share of the vital key facts that the answer says; facts said in part count half.",
        formula="(support + .5 partial) / vital facts, over vital facts",
        citation=NUGGETS,
    ),
    judged(
        "Nugget all",
        summary="Share of all key facts that the answer says; facts said in part count half.",
        formula="(support + .5 partial) / facts",
        citation=NUGGETS,
    ),
    judged(
        "Nugget weighted",
        summary="Share of the key facts that the answer says; okay facts count half.",
        formula="(sum_vital + .5 sum_okay) / (n_vital + .5 n_okay), support 1, partial .5",
        citation=NUGGETS,
    ),
    tasks=(LIST, LIST_FROM_PASSAGES, ASSIGN),
)
def nuggets(item: Item) -> Recipe[Findings]:
    """Ask for the key facts of the question, unless people chose them, then which of them the answer contains."""
    check_texts(item, answer=True)
    if item.key_facts is None:
        facts = yield from _listed(item)
    else:
        facts = {each.text: str(each.importance) for each in item.key_facts}
    if not facts:
        raise NoValue("no_nuggets")
    names = list(facts)
    parts = [names[start : start + FACTS_AT_ONCE] for start in range(0, len(names), FACTS_AT_ONCE)]
    given = {"question": item.question, "answer": item.answer}
    said = yield from replies(
        Ask(task="assign-nuggets", given={**given, "facts": part}, lengths={"b_support": len(part)}) for part in parts
    )
    levels = [SUPPORT[level] for reply in said for level in reply["b_support"]]
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
    facts = yield from _listed(item)
    vital = sum(importance == "vital" for importance in facts.values())
    return (found(vital / len(facts) if facts else None, reason="no_nuggets"),)


def _listed(item: Item) -> Recipe[dict[str, str]]:
    """Ask for the key facts and return the importance of each; NoValue without a text to list them from."""
    if not item.reference.strip() and not item.gold_quotes:
        raise NoValue("empty_reference")
    said = yield from asked(listing(item))
    return listed_nuggets(value(said))


def listing(item: Item) -> Ask:
    """Return the ask for the key facts of an item's question; it is the same for all answers.

    Passages that a configuration retrieved are no source: its own answers would be favoured.
    """
    if item.reference.strip():
        return Ask(task=LIST.name, given={"question": item.question, **item.given_references})
    return Ask(task=LIST_FROM_PASSAGES.name, given={"question": item.question, "passages": list(item.gold_quotes)})
