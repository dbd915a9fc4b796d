"""Computes the standings of a tournament from its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from passer.domain.arena.added_system import AddedStanding, Opponents, added_rating
from passer.domain.arena.comparison import TournamentComparison, compare
from passer.domain.arena.davidson import Davidson, davidson
from passer.domain.arena.effects import order_effect, style_effect
from passer.domain.arena.elo import elo
from passer.domain.arena.figures import RunRecord, SwapFigures, length_figures, swap_figures, win_matrix
from passer.domain.arena.fragility import fragility
from passer.domain.arena.game import Game, Source
from passer.domain.arena.tally import Tally
from passer.domain.arena.tournament import Entrant, Tournament
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.judgement import NamedJudge
from passer.domain.judging.kinship import Kinship
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import NotFoundError
from passer.ports import JudgementStore, LabelStore, TournamentStore
from passer.services.arena.arenas import Arenas
from passer.services.arena.game_table import GameTable
from passer.services.arena.standings import (
    ComparisonQuery,
    CountedGames,
    Standing,
    Standings,
    StandingsQuery,
    summary_of,
)


@dataclass(frozen=True)
class StandingsReader:
    """Reads tournaments."""

    tournaments: TournamentStore
    table: GameTable
    judgements: JudgementStore
    labels: LabelStore
    arenas: Arenas

    def standings(self, tournament_id: str, query: StandingsQuery | None = None) -> Standings:
        """Return ratings and figures of a tournament. Raises NotFoundError if it does not exist."""
        query = query or StandingsQuery()
        tournament = self.tournaments.tournament(tournament_id)
        everything = self.table.games(tournament_id)
        stored = _own(tournament, everything)
        counted, tally = _counted(tournament, stored, query)
        # Figures about the judge use all its verdicts: without the pairs that contradict each other, every judge would
        # agree with itself.
        played = [game for game in stored if {game.a, game.b}.isdisjoint(query.without)]
        assessment = self._assessment(tournament)
        found = davidson(tally, seed=query.seed)
        rated = found if isinstance(found, Davidson) else None
        matrix = win_matrix(tally)
        records = {each.run: each for each in matrix.records}
        entrants = [each for each in tournament.entrants if each.id in tally.runs]
        kin = self.arenas.kinships(assessment) if assessment else {}
        rows = _rows(entrants, tally, rated, records, query, kin, _truncated(played))
        swap = swap_figures(played)
        judge = self._judge(tournament, assessment)
        return Standings(
            tournament=tournament,
            assessment=assessment,
            rows=rows,
            reason=None if isinstance(found, Davidson) else found,
            nu=rated.nu if rated and tally.total[:, :2].any() else None,
            has_prior=rated.has_prior if rated else False,
            questions=len(tally.questions),
            games=dict(sorted(Counter(game.how for game in stored).items())),
            reasons=dict(sorted(Counter(game.reason for game in stored if game.reason is not None).items())),
            above=_above(rated, tally, rows),
            matrix=matrix.cells,
            swap=swap,
            length=length_figures(counted, seed=query.seed),
            order=order_effect(tally.runs, played, seed=query.seed),
            style=style_effect(tally, counted, seed=query.seed),
            fragility=fragility(tally) if rated else None,
            added=_added(tournament, everything, tally, rated, counted),
            rated=judge.rated if judge else None,
            warnings=(
                *_swap_warnings(swap, tournament.source),
                *(self.arenas.warnings(assessment) if assessment else ()),
                *(_uncalibrated(tournament, judge) if judge and tally.questions else ()),
            ),
            summary=summary_of(rows, len(tally.questions)),
        )

    def comparison(self, one: str, query: ComparisonQuery) -> TournamentComparison:
        """Compare a tournament with another by their ratings and by the games that both have decided.

        Raises NotFoundError if one of them does not exist. The same games count in both. Systems that are left out must
        play in the first.
        """
        sides: list[tuple[list[Game], dict[str, float]]] = []
        for tournament in map(self.tournaments.tournament, (one, query.other)):
            known = tuple(each for each in query.without if each in tournament.ids)
            own = query.model_copy(update={"without": known}) if sides else query
            games, tally = _counted(tournament, _own(tournament, self.table.games(tournament.id)), own)
            found = davidson(tally, draws=2)
            rated = found.ratings.tolist() if isinstance(found, Davidson) else []
            sides.append((games, dict(zip(tally.runs, rated, strict=False))))
        (games, ratings), (other_games, other_ratings) = sides
        return compare(games, other_games, ratings, other_ratings)

    def _judge(self, tournament: Tournament, assessment: Assessment | None) -> NamedJudge | None:
        """Return the judge that decides, or whose column does; None where a file, people or a metric decide."""
        with suppress(NotFoundError):
            if assessment is not None:
                return NamedJudge(assessment.spec.judge.model.name, self._by_people(tournament.id))
            if tournament.rule is not None and tournament.rule.assessment is not None:
                of, column = tournament.rule.assessment, tournament.rule.column
                judge = self.judgements.assessment(of).spec.judge.model.name
                return NamedJudge(judge, self.labels.rated(of).get(column, 0))
        return None

    def _by_people(self, tournament_id: str) -> int:
        drawn = (game for other in self.tournaments.draws_of(tournament_id) for game in self.table.games(other))
        return len({(game.question_id, game.a, game.b) for game in drawn if game.outcome is not None})

    def _assessment(self, tournament: Tournament) -> Assessment | None:
        with suppress(NotFoundError):
            return self.judgements.assessment(tournament.id) if tournament.source == "judge" else None
        return None


def _own(tournament: Tournament, games: Sequence[Game]) -> list[Game]:
    """Return the games between systems that its ratings compare."""
    own = set(tournament.ids)
    return [game for game in games if game.a in own and game.b in own]


def _added(
    tournament: Tournament, games: Sequence[Game], tally: Tally, rated: Davidson | None, counted: Sequence[Game]
) -> tuple[AddedStanding, ...]:
    opponents = Opponents.of(tally.runs, rated, counted) if rated and tournament.added else None
    left = [game for game in games if game.a in tally.runs]
    return tuple(added_rating(each, left, opponents) for each in tournament.added)


def _counted(tournament: Tournament, stored: Sequence[Game], query: CountedGames) -> tuple[list[Game], Tally]:
    """Return the games that count, and their tally over the systems that are left."""
    for system in query.without:
        if system not in tournament.ids:
            raise NotFoundError(sentence("arena.no-system", system=system))
    dropped = {
        *(["inconsistent"] if query.inconsistent == "drop" else []),
        *(["same_answer"] if query.same_answer == "drop" else []),
    }
    counted = [game for game in stored if game.how not in dropped and {game.a, game.b}.isdisjoint(query.without)]
    return counted, Tally.of([each for each in tournament.ids if each not in query.without], counted)


def _rows(
    entrants: Sequence[Entrant],
    tally: Tally,
    rated: Davidson | None,
    records: dict[str, RunRecord],
    query: StandingsQuery,
    kin: Mapping[str, Kinship | None],
    truncated: Mapping[str, int],
) -> tuple[Standing, ...]:
    interval = rated.interval if rated else None
    ranks = rated.ranks if rated else None
    shuffled = elo(tally, tournaments=query.tournaments, seed=query.seed) if rated else None
    rows = [
        Standing(
            entrant=each,
            rating=float(rated.ratings[n]) if rated else None,
            low=float(interval[0][n]) if interval else None,
            high=float(interval[1][n]) if interval else None,
            best_rank=int(ranks[0][n]) if ranks else None,
            worst_rank=int(ranks[1][n]) if ranks else None,
            elo=float(shuffled.ratings[n]) if shuffled else None,
            elo_spread=float(shuffled.spread[n]) if shuffled else None,
            record=records[each.id],
            truncated=truncated.get(each.id, 0),
            kinship=kin.get(each.model),
        )
        for n, each in enumerate(entrants)
    ]
    return tuple(sorted(rows, key=lambda row: -(row.rating or 0.0)))


def _truncated(games: Sequence[Game]) -> Counter[str]:
    """Count the questions of each system whose answer, or the prompt for it, was cut."""
    sides = ((game.question_id, run, style) for game in games for run, style in game.sides)
    return Counter(run for _, run in {(question, run) for question, run, style in sides if style.truncated})


def _above(rated: Davidson | None, tally: Tally, rows: Sequence[Standing]) -> tuple[tuple[float, ...], ...]:
    if rated is None or not len(rated.draws):
        return ()
    order = [tally.runs.index(row.entrant.id) for row in rows]
    return tuple(tuple(row) for row in rated.above[order][:, order].tolist())


def _uncalibrated(tournament: Tournament, judge: NamedJudge) -> tuple[LocalizedText, ...]:
    if judge.rated:
        return ()
    if tournament.rule is None:
        return (sentence("arena.uncalibrated-judge", judge=judge.name),)
    return (sentence("arena.uncalibrated-column", judge=judge.name, column=tournament.rule.column),)


def _swap_warnings(swap: SwapFigures | None, source: Source) -> tuple[LocalizedText, ...]:
    if swap is None:
        return ()
    if source == "person":
        return () if swap.prefers is None else (sentence(f"arena.people-prefer-{swap.prefers}"),)
    found = []
    if swap.prefers is not None:
        found.append(sentence(f"arena.prefers-{swap.prefers}"))
    if not swap.carries_information:
        found.append(sentence("arena.no-information"))
    return tuple(found)
