"""Arenas: planned and created for a judge, or imported from a file."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field

from passer.domain.arena.game_recipe import Pairing, arena_tasks, play
from passer.domain.arena.people import GAME
from passer.domain.arena.rubric import longest_criteria
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import ArenaOptions, Entrant, Tournament
from passer.domain.judging.ask import Ask
from passer.domain.judging.assessment import Assessment, AssessmentSpec
from passer.domain.judging.judgement import JUDGE_OPTIONS, Judge
from passer.domain.judging.kinship import Kinship, judge_warnings, kinship
from passer.domain.models.generation import served
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.inputs import StoredQrels
from passer.domain.sweeps.run import sweep_id_of
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import ConfigError, InputError
from passer.ports import Clock, JudgementStore, TournamentStore
from passer.services.arena.imported import Imported
from passer.services.arena.pairings import PairingSource
from passer.services.arena.runner import arena_context, options_of
from passer.services.judging.asker import PreparedAsk, prepare
from passer.services.judging.items import ItemKey
from passer.services.judging.leaked_criteria import leaked_criteria
from passer.services.judging.requests import JudgeRequest, RequestCosts, request_costs

PLANNED_GAMES = 2000
"""Most games that a plan counts; it extrapolates the others."""


def _once(runs: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(runs))


Runs = Annotated[tuple[str, ...], AfterValidator(_once), Field(min_length=1, max_length=100)]


class ArenaRequest(JudgeRequest):
    """A request to have a judge compare the answers of some runs."""

    runs: Runs
    """Ids of runs of sweeps with the same questions; the id of a sweep means all of its runs."""
    options: ArenaOptions = ArenaOptions()
    """Options of the comparison."""


class ArenaPlan(RequestCosts):
    """Plan of an arena: its games, requests, tokens and cost."""

    systems: int
    """Number of runs."""
    games: int
    """Number of games."""
    same_answer: int
    """Number of games between equal answers: they are ties that cost nothing."""
    unanswered: int
    """Number of questions of runs without an answer, which play no game."""
    ungraded: int
    """Number of passages that are left out because nobody graded their relevance."""
    warnings: tuple[LocalizedText, ...]
    """Warnings to read before the start."""


@dataclass(frozen=True)
class Arenas:
    """Plans, creates and imports tournaments."""

    tournaments: TournamentStore
    judgements: JudgementStore
    source: PairingSource
    describe: Callable[[Model], ModelInfo]
    located: Callable[[Model], Model]
    clock: Clock

    def create(self, request: ArenaRequest) -> Assessment:
        """Save a new arena; its work is still to be queued.

        Raises ConfigError, InputError or NotFoundError for options that cannot be carried out.
        """
        assessment, tournament, _ = self._made(request)
        self.tournaments.add_tournament(tournament)
        self.judgements.add_assessment(assessment)
        return assessment

    def plan(self, request: ArenaRequest) -> ArenaPlan:
        """Count the games and asks; the model server is only asked to describe the model."""
        assessment, tournament, keys = self._made(request)
        fixtures = self.source.fixtures(tournament.ids, request.options, keys)
        return self.counted(
            assessment, tournament.entrants, fixtures, games=len(fixtures), unanswered=tournament.unanswered
        )

    def counted(
        self,
        assessment: Assessment,
        entrants: Sequence[Entrant],
        fixtures: Sequence[Fixture],
        *,
        games: int,
        unanswered: int,
    ) -> ArenaPlan:
        """Count the requests of `games` of these games; those of many are extrapolated from some."""
        options, price, ids = options_of(assessment), assessment.spec.judge.price, [each.id for each in entrants]
        looked_at = fixtures[:PLANNED_GAMES]
        asks: dict[str, PreparedAsk] = {}
        same = 0
        for pairing in self.source.pairings(entrants, looked_at, options):
            same += pairing.is_same_answer
            asks.update(self._asks(assessment, pairing, options))
        known = self.judgements.judgements(list(asks))
        scale = games / len(looked_at) if looked_at else 1.0
        costs = request_costs(asks.values(), known, scale=scale, price=price)
        return ArenaPlan(
            **dict(costs),
            systems=len(entrants),
            games=games,
            same_answer=round(scale * same),
            unanswered=unanswered,
            ungraded=self.source.ungraded(ids, options),
            warnings=self.warnings(assessment),
        )

    def add_imported(self, imported: Imported, name: str) -> Tournament:
        """Save a tournament of imported games."""
        tournament = Tournament(
            id=secrets.token_hex(8),
            name=name[:200] or "games",
            source="import",
            entrants=imported.entrants,
            created_at=self.clock.now(),
        )
        self.tournaments.add_tournament(tournament, imported.games)
        return tournament

    def warnings(self, assessment: Assessment) -> tuple[LocalizedText, ...]:
        """Return warnings about the judge of an arena: that it is weak, or related to a model that it judges."""
        spec = assessment.spec
        answerers = self.source.items.answerers(spec.runs)
        instructions = [task.instruction for task in assessment.tasks]
        found = judge_warnings(spec.judge.model.name, spec.judge_info, answerers)
        return (*found, *leaked_criteria(self.source.items, spec.runs, instructions))

    def kinships(self, assessment: Assessment) -> dict[str, Kinship | None]:
        """Return how the judge of an arena is related to each model that plays, by the model's name."""
        spec = assessment.spec
        judge = spec.judge.model.name, spec.judge_info.digest
        answerers = self.source.items.answerers(spec.runs)
        return {name: kinship(*judge, name, info.digest if info else "unknown") for name, info in answerers.items()}

    def _made(self, request: ArenaRequest) -> tuple[Assessment, Tournament, list[ItemKey]]:
        if not request.judge.reads_prompts:
            raise ConfigError(sentence("judging.copies"), field="judge")
        entrants = self.source.entrants(self.source.run_ids(request.runs))
        ids = tuple(each.id for each in entrants)
        played = self._checked(ids, request.options)
        info = self.describe(request.judge)
        options = JUDGE_OPTIONS.model_copy(update={"num_ctx": request.num_ctx, "seed": request.seed})
        spec = AssessmentSpec(
            runs=ids,
            columns=(GAME,),
            judge=Judge(model=self.located(request.judge), options=options, price=request.price),
            judge_info=info,
            served=served(info, options),
            arena=played,
        )
        assessment = Assessment(
            id=secrets.token_hex(8),
            sweep_id=sweep_id_of(ids[0]),
            spec=spec,
            tasks=tuple(task.text for task in arena_tasks(played)),
            budget=request.budget.priced(request.price),
            created_at=self.clock.now(),
        )
        keys = self.source.keys(ids)
        tournament = Tournament(
            id=assessment.id,
            name=f"{request.judge.name}: {self.source.sweep_name(ids)}"[:200],
            source="judge",
            entrants=entrants,
            sweep_id=assessment.sweep_id,
            unanswered=unanswered(keys),
            created_at=assessment.created_at,
        )
        return assessment, tournament, keys

    def _checked(self, run_ids: Sequence[str], options: ArenaOptions) -> ArenaOptions:
        """Return the options with the digest of saved grades.

        Raises InputError or NotFoundError for grades that do not fit.
        """
        if options.qrels is not None:
            digest = self.source.inputs.find(StoredQrels, options.qrels).summary.digest
            return options.model_copy(update={"qrels_digest": digest})
        if options.relevance is not None:
            self.source.relevance.column(options.relevance)
            graded = self.judgements.assessment(options.relevance)
            if graded.sweep_id not in {sweep_id_of(run_id) for run_id in run_ids}:
                raise InputError(sentence("arena.grades-elsewhere", assessment=graded.id), field="relevance")
        return options

    def _asks(self, assessment: Assessment, pairing: Pairing, options: ArenaOptions) -> dict[str, PreparedAsk]:
        """Return the requests of a game, for an estimate: criteria not written yet count with their greatest length."""
        context = arena_context(assessment)
        recipe = play(pairing, options)
        found: list[PreparedAsk] = []
        with suppress(StopIteration):
            wanted = next(recipe)
            if isinstance(wanted, Ask):
                criteria = prepare(context, wanted)
                found.append(criteria)
                stored = self.judgements.judgements([criteria.key])
                wanted = recipe.send(stored.get(criteria.key) or longest_criteria(criteria.key))
            assert isinstance(wanted, tuple), "a game asks for all of its showings together"
            found += [prepare(context, ask) for ask in wanted if isinstance(ask, Ask)]
        recipe.close()
        return {ask.key: ask for ask in found}


def unanswered(keys: Sequence[ItemKey]) -> int:
    """Count the questions of runs without an answer, which play no game."""
    return sum(found.key is None for found in keys)
