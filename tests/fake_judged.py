"""Stand-ins for judged columns: none, one by a judge whose replies are scripted, and recipes that ask nobody."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn, TypeVar

from passer.domain.analysis.question_across import JudgedValue
from passer.domain.base import digest_of
from passer.domain.bundle.judged_document import JudgementRecord
from passer.domain.judging.ask import Ask
from passer.domain.judging.draw import draw_questions
from passer.domain.judging.item import Item
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Recipe
from passer.domain.retrieval.passages import Passage
from passer.domain.score import Score
from passer.domain.verdict.judged_rule import DrawnLabels, JudgedBy, JudgedColumn
from passer.metrics.judged import families_of
from passer.ports import EvaluationStore, StoredSweep
from passer.services.analysis.verdict.judged_column_reader import JudgeReplies

R = TypeVar("R")


class NeverJudged:
    """A reader of judged columns for sweeps that nobody judged."""

    def of(self, sweep_id: str, assessment_id: str, column: str | None) -> NoReturn:
        raise AssertionError(f"nobody judged {sweep_id}")

    def recorded(self, stored: StoredSweep) -> JudgedColumn | None:
        return None

    def version(self, stored: StoredSweep) -> None:
        return None

    def of_question(self, sweep_id: str, run_ids: Sequence[str], number: int) -> dict[str, tuple[JudgedValue, ...]]:
        return {}

    def means(self, sweep_id: str) -> tuple[JudgedValue, ...]:
        return ()

    def judge_replies(self, column: object) -> JudgeReplies:
        raise AssertionError("nobody judged any sweep")


class ScriptedColumns(NeverJudged):
    """Runs the real recipe of the recorded column on every answer; replies are drawn, and some are cut off."""

    def __init__(
        self, evaluations: EvaluationStore, questions: Sequence[Any], *, rated: int = 0, alike: bool = False
    ) -> None:
        self._evaluations, self._questions, self._rated, self._alike = evaluations, questions, rated, alike
        self._judgements: dict[str, JudgementRecord] = {}

    def recorded(self, stored: StoredSweep) -> JudgedColumn | None:
        column, judge = stored.sweep.primary, stored.sweep.judge
        if judge is None or column is None:
            return None
        by = JudgedBy(assessment="a1", judge=judge.name, status="unchecked")
        found = JudgedColumn(by=by, column=column, scores={}, labels=None, judgement_keys={}, is_recorded=True)
        scores: dict[str, dict[str, Score]] = {}
        keys: dict[str, dict[str, tuple[str, ...]]] = {}
        for place, run in enumerate(stored.runs):
            scores[run.id], keys[run.id] = {}, {}
            evaluations = {each.number: each for each in self._evaluations.evaluations(run.id)}
            for number, question in enumerate(self._questions):
                answer_key = evaluations[number].answer_key or ""
                answer = self._evaluations.answers([answer_key]).get(answer_key)
                score, used = Score(value=None, reason="generation_failed"), ()
                if answer is not None and evaluations[number].state != "failed":
                    score, used = self._judged(column, _item(question, answer.text), place)
                scores[run.id][question.id], keys[run.id][question.id] = score, used
        if self._rated:
            found = replace(found, by=by.model_copy(update={"status": "corrected"}), labels=self._people(scores))
        return replace(found, scores=scores, judgement_keys=keys)

    def _people(self, scores: dict[str, dict[str, Score]]) -> DrawnLabels:
        """Two raters near the judge, lower for later runs; each leaves answers out, and one rates early runs only.

        With `alike` the third run has the ratings of the first and .1 more, except of five questions.
        """
        ids = [question.id for question in self._questions]
        failed = {each for own in scores.values() for each in own if own[each].reason == "generation_failed"}
        numbers = [number for number, each in enumerate(ids) if each not in failed]
        drawn, others = draw_questions(numbers, [n for n in numbers if n % 3 == 0], count=self._rated, seed=3)
        ratings: dict[str, dict[str, dict[str, float]]] = {}
        for place, (run, own) in enumerate(scores.items()):
            ratings[run] = {}
            for each in drawn:
                dice = random.Random(f"{each.number} {place}")
                value = (own[ids[each.number]].value or 0.5) - place / 20
                given = {
                    rater: min(1.0, max(0.0, value + dice.randrange(-2, 3) / 10))
                    for rater in ("Zoe", "Ada")
                    if dice.random() < 0.8 and not (rater == "Zoe" and place > 1)
                }
                ratings[run][ids[each.number]] = given or {"Ada": 0.5}
                if self._alike and place != 1:
                    more = 0.1 if place and each.number >= 5 else 0.0
                    ratings[run][ids[each.number]] = {"Ada": random.Random(each.number).randrange(9) / 10 + more}
        del ratings[next(iter(scores))][ids[drawn[0].number]]
        return DrawnLabels(
            ratings=ratings,
            drawn={ids[each.number]: each.inclusion for each in drawn},
            others={ids[each.number]: each.inclusion for each in others},
            seed=3,
        )

    def judge_replies(self, column: object) -> JudgeReplies:
        assert isinstance(column, JudgedColumn)
        tasks = [task.text for family in families_of((column.column,)) for task in family.tasks]
        return JudgeReplies(self._judgements, tasks)

    def _judged(self, column: str, item: Item, place: int) -> tuple[Score, tuple[str, ...]]:
        (family,) = families_of((column,))
        dice = random.Random(f"{item.key} {place}")
        recipe, said, used = family.make(item), None, list[str]()
        try:
            while True:
                wanted = recipe.send(said)
                replies = [self._reply(family, ask, place, dice) for ask in _asks(wanted)]
                used += [each.key for each in replies]
                said = replies[0] if isinstance(wanted, Ask) else tuple(replies)
        except StopIteration as stop:
            finding = stop.value[family.columns.index(column)]
        return Score(value=finding.value, reason=finding.reason), tuple(used)

    def _reply(self, family: Any, ask: Ask, place: int, dice: random.Random) -> Judgement:
        task = next(task for task in family.tasks if task.name == ask.task)
        is_cut = dice.random() < 0.03
        value = None if is_cut else _drawn(ask, task.schema, place, dice)
        given = digest_of([list(each) for each in ask.given.items()])
        key = digest_of([task.digest, given])
        known = self._judgements.get(key)
        if known is None:
            known = JudgementRecord(
                key=key, task=ask.task, task_digest=task.digest, given_digest=given,
                prompt_digest=digest_of([message.model_dump() for message in task.messages(ask.given)]),
                reply_digest=digest_of(value), model_digest="m", value=value, reason="cut_off" if is_cut else None,
            )  # fmt: skip
            self._judgements[key] = known
        return Judgement(**known.model_dump(exclude={"reply_digest"}), answer_keys=(), attempts=1)


def _item(question: Any, answer: str) -> Item:
    # The first two have one text, so that their asks are one.
    passages = [
        Passage(id=f"p{n}", document="d", number=n, text=text, start=0, end=1)
        for n, text in enumerate(("Clover.", "Clover.", "Bees."))
    ]
    return Item(
        question_id=question.id, question=question.text, reference=question.reference, answer=answer,
        other_references=question.other_references, passages=tuple(passages),
        gold_quotes=tuple(each.quote for each in question.gold_passages),
    )  # fmt: skip


def _asks(wanted: Any) -> Sequence[Ask]:
    return (wanted,) if isinstance(wanted, Ask) else tuple(wanted)


def _drawn(ask: Ask, schema: Any, place: int, dice: random.Random) -> Any:
    """A reply of the schema: texts in lists repeat, verdicts and grades are the higher the later the run."""
    if ask.task in ("nuggets", "passage-nuggets"):
        listed = [(f" fact {n} ", dice.choice(("vital", "okay"))) for n in range(12)]
        return {"a_nuggets": [{"a_text": text, "b_importance": level} for text, level in [*listed, ("fact 1", "okay")]]}
    if ask.task == "statements":
        return {
            "a_statements": [
                " one ",
                f"two {dice.randrange(99)}",
                "one",
                "",
                *(["three"] if dice.random() < 0.5 else []),
            ]
        }
    found = {}
    for name, part in schema["properties"].items():
        if part.get("type") == "string" and "enum" not in part:
            found[name] = "So."
        elif part.get("type") == "array":
            found[name] = [dice.choice(part["items"]["enum"]) for _ in range(ask.lengths[name])]
        else:
            choices = sorted(part["enum"])
            found[name] = choices[min(len(choices) - 1, dice.randrange(len(choices)) + (place > 1))]
    return found


def result_without_asking(recipe: Recipe[R]) -> R:
    """Return the result of a recipe that asks nothing; ValueError if it does."""
    try:
        wanted = next(recipe)
    except StopIteration as stop:
        found: R = stop.value
        return found
    raise ValueError(f"this recipe needs a judge or vectors: it asked for {wanted!r}")
