"""Games decided by a stored score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from passer.domain.arena.game import Decided, Game
from passer.domain.arena.playing import Pairing
from passer.domain.arena.tournament import Rule
from passer.domain.panel import higher_is_better
from passer.domain.score import CAUSED_BY_SYSTEM, MissingReason, ScoreTable


@dataclass(frozen=True)
class Scored:
    """One column of one run by question id: the value, or the reason why there is none."""

    values: Mapping[str, float]
    reasons: Mapping[str, MissingReason | None]

    @classmethod
    def of(cls, table: ScoreTable, column: str) -> Scored:
        """Return one column of a run's scores."""
        place = table.columns.index(column)
        values: dict[str, float] = {}
        reasons: dict[str, MissingReason | None] = {}
        for row, question_id in enumerate(table.ids):
            if table.present[row, place]:
                values[question_id] = float(table.values[row, place])
            else:
                reasons[question_id] = table.reasons[row][place]
        return cls(values, reasons)


def games_by_rule(pairings: Iterable[Pairing], scored: Mapping[str, Scored], rule: Rule) -> Iterator[Game]:
    """Yield the games of pairings, decided by a score.

    A value that the system caused to be missing, such as that of an empty answer, loses; one that measuring caused
    leaves the game without an outcome.
    """
    for pairing in pairings:
        question, one, other = pairing.fixture.question_id, scored[pairing.fixture.a], scored[pairing.fixture.b]
        reason = _unmeasured(one, question) or _unmeasured(other, question)
        if reason is not None:
            yield _of_rule(pairing, Decided(outcome=None, how="failed", reason=reason))
            continue
        worst = float("-inf")
        sign = 1.0 if higher_is_better(rule.column) else -1.0
        first = sign * one.values[question] if question in one.values else worst
        second = sign * other.values[question] if question in other.values else worst
        if first > second + rule.epsilon:
            outcome = Decided(outcome="a", how="rule")
        elif second > first + rule.epsilon:
            outcome = Decided(outcome="b", how="rule")
        else:
            outcome = Decided(outcome="tie", how="rule")
        yield _of_rule(pairing, outcome)


def _unmeasured(scored: Scored, question_id: str) -> MissingReason | None:
    if question_id in scored.values:
        return None
    reason = scored.reasons.get(question_id) or "not_requested"
    return None if reason in CAUSED_BY_SYSTEM else reason


def _of_rule(pairing: Pairing, result: Decided) -> Game:
    return pairing.game(result).model_copy(update={"source": "rule"})
