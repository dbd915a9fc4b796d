"""Tournaments whose games a stored score decides."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from passer.domain.arena.game import Decided, Game
from passer.domain.arena.game_recipe import Pairing
from passer.domain.arena.tournament import ArenaOptions, Rule, Tournament
from passer.domain.base import Frozen
from passer.domain.panel import higher_is_better
from passer.domain.score import CAUSED_BY_SYSTEM, MissingReason, Score, ScoreTable
from passer.domain.sweeps.run import sweep_id_of
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import Clock, EvaluationStore, TournamentStore
from passer.services.arena.arenas import Runs, unanswered
from passer.services.arena.pairings import PairingSource

ByQuestion = Mapping[str, Score]
"""One column of one run by question id."""
WORST = float("-inf")
"""Value of an answer whose score the system itself lost."""
_NOT_SCORED = Score(value=None, reason="not_requested")


class RuleRequest(Frozen):
    """A request to decide the games of some runs by a stored score."""

    runs: Runs
    """Ids of runs of sweeps with the same questions; the id of a sweep means all of its runs."""
    rule: Rule
    """Rule by which a score decides."""


class RulePlan(Frozen):
    """Plan of a tournament that a score decides, without any request."""

    systems: int
    """Number of runs."""
    games: int
    """Number of games."""
    ties: int
    """Number of these games whose scores differ by epsilon at most."""
    undecided: int
    """Number of these games without an outcome, because a score is missing."""
    unanswered: int
    """Number of questions of runs without an answer, which play no game."""


def games_by_rule(pairings: Iterable[Pairing], scored: Mapping[str, ByQuestion], rule: Rule) -> Iterator[Game]:
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
        sign = 1.0 if higher_is_better(rule.column) else -1.0
        first, second = (WORST if (value := own[question].value) is None else sign * value for own in (one, other))
        if first > second + rule.epsilon:
            outcome = Decided(outcome="a", how="rule")
        elif second > first + rule.epsilon:
            outcome = Decided(outcome="b", how="rule")
        else:
            outcome = Decided(outcome="tie", how="rule")
        yield _of_rule(pairing, outcome)


def _unmeasured(scored: ByQuestion, question_id: str) -> MissingReason | None:
    score = scored.get(question_id, _NOT_SCORED)
    return None if score.value is not None or score.reason in CAUSED_BY_SYSTEM else score.reason


def _of_rule(pairing: Pairing, result: Decided) -> Game:
    return pairing.game(result).model_copy(update={"source": "rule"})


@dataclass(frozen=True)
class RuledTournaments:
    """Decides the games of runs by a stored score: at once, and without a request."""

    tournaments: TournamentStore
    evaluations: EvaluationStore
    source: PairingSource
    clock: Clock
    judged_scores: Callable[[str, str], ScoreTable]
    """Returns the judged columns of an assessment and a run."""

    def create(self, request: RuleRequest) -> Tournament:
        """Save a tournament with its games.

        Raises InputError for an unknown column, and NotFoundError if a run does not exist.
        """
        tournament, games = self._decided(request)
        self.tournaments.add_tournament(tournament, games)
        return tournament

    def plan(self, request: RuleRequest) -> RulePlan:
        """Decide the games and only count them.

        Raises InputError for an unknown column, and NotFoundError if a run does not exist.
        """
        tournament, games = self._decided(request)
        outcomes = Counter(game.outcome for game in games)
        return RulePlan(
            systems=len(tournament.entrants),
            games=len(games),
            ties=outcomes["tie"],
            undecided=outcomes[None],
            unanswered=tournament.unanswered,
        )

    def _decided(self, request: RuleRequest) -> tuple[Tournament, list[Game]]:
        rule = request.rule
        entrants = self.source.entrants(self.source.run_ids(request.runs))
        ids = [each.id for each in entrants]
        scored = {run_id: self._scored(run_id, rule) for run_id in ids}
        keys = self.source.keys(ids)
        fixtures = self.source.fixtures(ids, ArenaOptions(), keys)
        pairings = self.source.pairings(entrants, fixtures, ArenaOptions(documents="none"))
        tournament = Tournament(
            id=secrets.token_hex(8),
            name=f"{rule.column}: {self.source.sweep_name(ids)}"[:200],
            source="rule",
            entrants=entrants,
            sweep_id=sweep_id_of(ids[0]),
            rule=rule,
            unanswered=unanswered(keys),
            created_at=self.clock.now(),
        )
        return tournament, list(games_by_rule(pairings, scored, rule))

    def _scored(self, run_id: str, rule: Rule) -> ByQuestion:
        if rule.assessment is None:
            table = self.evaluations.run_scores(run_id).table
        else:
            table = self.judged_scores(rule.assessment, run_id)
        if rule.column not in table.columns:
            raise InputError(sentence("arena.no-column", column=rule.column), field="column")
        return dict(zip(table.ids, table.column(rule.column), strict=True))
