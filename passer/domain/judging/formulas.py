"""Values that follow from a judge's replies alone, without texts or vectors.

Recipes use these formulas, and verifiers of a study apply them to the published replies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from passer.domain.judging.judgement import missing_of
from passer.domain.score import MissingReason

SUPPORT: Mapping[str, float] = MappingProxyType({"support": 1.0, "partial": 0.5, "not": 0.0})
"""Value of a key fact, 0 to 1, by its support in the answer."""
FACTS_AT_ONCE = 10
"""Key facts that one ask is about."""
_VERDICTS = ("yes", "no", "contradicted")
_IMPORTANCE = ("vital", "okay")

Followed = tuple[float | None, str | None]
"""A value from 0 to 1, or None with a reason."""


class Reply(Protocol):
    """A judgement, as far as values follow from it."""

    @property
    def task(self) -> str:
        """Return the name of the task."""

    @property
    def value(self) -> Any:
        """Return the parsed reply; None if there is a reason instead."""

    @property
    def reason(self) -> str | None:
        """Return why there is no value."""


@dataclass(frozen=True)
class Formula:
    """Formula of a column's value from replies; `of` raises ValueError for replies of another form."""

    tasks: tuple[str, ...]
    """Task of the first reply, and of those that follow it where there are others; see SAME_FORM."""
    of: Callable[[Sequence[Any]], float | MissingReason]
    """Returns the value, or why there is none, from the parsed replies in order."""
    in_turn: bool = False
    """True if the first reply decides what is asked next; otherwise all are asked together."""


SAME_FORM: Mapping[str, str] = MappingProxyType({"passage-nuggets": "nuggets"})
"""Tasks whose replies count like those of another one, which reads a reference answer where they read passages."""


def followed(column: str, replies: Sequence[Reply]) -> Followed:
    """Return the value or reason that follows from one reply or more; ValueError if none follows."""
    formula = FORMULAS[column]
    for place, reply in enumerate(replies):
        if SAME_FORM.get(reply.task, reply.task) != formula.tasks[min(place, len(formula.tasks) - 1)]:
            raise ValueError("a reply belongs to another task")
    failed = next((place for place, reply in enumerate(replies) if reply.reason is not None), None)
    if failed is not None:
        if formula.in_turn and failed == 0 and len(replies) > 1:
            raise ValueError("nothing is asked after a first reply that failed")
        return None, missing_of(replies[failed].reason)
    found = formula.of([reply.value for reply in replies])
    return (None, found) if isinstance(found, str) else (found, None)


def grade_of(value: Any, member: str, highest: int) -> int:
    """Return an integer grade from 0 to `highest`; ValueError for anything else."""
    return _grade(_member(value, member), highest)


def mean_grade(grades: Sequence[int], highest: int) -> float:
    """Return the mean grade as a share of the highest; there must be at least one."""
    return sum(grades) / (highest * len(grades))


def share(parts: Sequence[bool]) -> float:
    """Return the share of true values; there must be at least one."""
    return sum(parts) / len(parts)


def average_precision(verdicts: Sequence[bool]) -> float:
    """Return sum_k v_k P@k / sum v; 0 where no v."""
    hits, total = 0, 0.0
    for place, verdict in enumerate(verdicts, 1):
        hits += verdict
        total += verdict * hits / place
    return total / hits if hits else 0.0


def distinct_statements(value: Any) -> list[str]:
    """Return the statements of a reply without blank and repeated ones."""
    return list(dict.fromkeys(text.strip() for text in _texts(value, "a_statements") if text.strip()))


def listed_nuggets(value: Any) -> dict[str, str]:
    """Return the importance of each key fact of a reply, by its text."""
    listed = _list(value, "a_nuggets")
    facts = {_text(each, "a_text").strip(): _choice(_member(each, "b_importance"), _IMPORTANCE) for each in listed}
    facts.pop("", None)
    return facts


def nugget_shares(vital: Sequence[bool], levels: Sequence[float]) -> tuple[float | None, ...]:
    """Return vital strict, all strict, vital, all and weighted, from importance and support (1, .5, 0) of each fact."""
    of_vital = [level for level, is_vital in zip(levels, vital, strict=True) if is_vital]
    of_okay = [level for level, is_vital in zip(levels, vital, strict=True) if not is_vital]
    weight = len(of_vital) + 0.5 * len(of_okay)
    return (
        _mean([float(level == 1) for level in of_vital]),
        _mean([float(level == 1) for level in levels]),
        _mean(of_vital),
        _mean(levels),
        (sum(of_vital) + 0.5 * sum(of_okay)) / weight if weight else None,
    )


def verdicts_of(value: Any, length: int) -> list[str]:
    """Return the verdicts on statements; ValueError unless there is one for each."""
    return _choices(value, "b_verdicts", _VERDICTS, length)


def _of_statements(is_met: Callable[[str], bool]) -> Formula:
    def of(values: Sequence[Any]) -> float | MissingReason:
        statements = distinct_statements(values[0])
        _counted(values, 2 if statements else 1)
        if not statements:
            return "no_facts"
        return share([is_met(verdict) for verdict in verdicts_of(values[1], len(statements))])

    return Formula(("statements", "supported"), of, in_turn=True)


def _of_nuggets(place: int) -> Formula:
    def of(values: Sequence[Any]) -> float | MissingReason:
        facts = listed_nuggets(values[0])
        starts = range(0, len(facts), FACTS_AT_ONCE)
        _counted(values, 1 + len(starts))
        levels: list[float] = []
        for start, value in zip(starts, values[1:], strict=True):
            length = min(FACTS_AT_ONCE, len(facts) - start)
            levels += [SUPPORT[level] for level in _choices(value, "b_support", tuple(SUPPORT), length)]
        shares = nugget_shares([importance == "vital" for importance in facts.values()], levels)
        found = shares[place]
        return "no_nuggets" if found is None else found

    return Formula(("nuggets", "assign-nuggets"), of, in_turn=True)


def _of_one(task: str, member: str, highest: int) -> Formula:
    def of(values: Sequence[Any]) -> float:
        _counted(values, 1)
        return grade_of(values[0], member, highest) / highest

    return Formula((task,), of)


def _of_each(task: str, member: str, highest: int) -> Formula:
    def of(values: Sequence[Any]) -> float:
        return mean_grade([grade_of(value, member, highest) for value in values], highest)

    return Formula((task,), of)


def _precision(values: Sequence[Any]) -> float:
    return average_precision([grade_of(value, "b_useful", 1) == 1 for value in values])


def _recall(values: Sequence[Any]) -> float:
    verdicts = [_grade(each, 1) == 1 for value in values for each in _list(value, "b_verdicts")]
    if not verdicts:
        raise ValueError("there is no verdict")
    return share(verdicts)


NUGGETS = ("Nugget vital strict", "Nugget all strict", "Nugget vital", "Nugget all", "Nugget weighted")
"""Columns in the order of `nugget_shares`."""
ASPECTS = {
    "Relevance": "b_relevance",
    "Accuracy": "c_accuracy",
    "Completeness": "d_completeness",
    "Precision": "e_precision",
}
"""Members of the reply with the four aspects, by column."""

FORMULAS: Mapping[str, Formula] = MappingProxyType(
    {
        "Answer correctness": _of_one("correctness", "b_grade", 10),
        "Answerability": _of_one("answerability", "b_decision", 1),
        "Stand-alone question": _of_one("standalone", "b_grade", 10),
        "Faithfulness": _of_statements(lambda verdict: verdict == "yes"),
        "Not contradicted": _of_statements(lambda verdict: verdict != "contradicted"),
        **{name: _of_one("aspects", member, 2) for name, member in ASPECTS.items()},
        "Context precision": Formula(("useful",), _precision),
        "Context recall": Formula(("attributed",), _recall),
        "Passage relevance": _of_each("relevance", "b_grade", 2),
        "Passage relevance (UMBRELA)": _of_each("umbrela", "b_grade", 3),
        **{name: _of_nuggets(place) for place, name in enumerate(NUGGETS)},
    }
)
"""Formulas by column. The other columns also need texts, or vectors of an embedding model."""


def _counted(values: Sequence[Any], expected: int) -> None:
    if len(values) != expected:
        raise ValueError(f"{expected} replies are needed")


def _member(value: Any, name: str) -> Any:
    if not isinstance(value, dict) or name not in value:
        raise ValueError(f"there is no {name}")
    return value[name]


def _list(value: Any, name: str) -> list[Any]:
    found = _member(value, name)
    if not isinstance(found, list):
        raise ValueError(f"{name} is no list")
    return found


def _grade(value: Any, highest: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= highest:
        raise ValueError("a grade is not on its scale")
    return value


def _text(value: Any, name: str) -> str:
    return _choice(_member(value, name))


def _texts(value: Any, name: str) -> list[str]:
    return [_choice(each) for each in _list(value, name)]


def _choices(value: Any, name: str, choices: tuple[str, ...], length: int) -> list[str]:
    found = [_choice(each, choices) for each in _list(value, name)]
    if len(found) != length:
        raise ValueError(f"{name} has another length")
    return found


def _choice(value: Any, choices: tuple[str, ...] | None = None) -> str:
    """Return a text, one of the choices where there are any; ValueError for anything else."""
    if not isinstance(value, str) or (choices is not None and value not in choices):
        raise ValueError("a text or a verdict is of another form")
    return value


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
