"""Figures of a tournament of people: raters, agreement, grades of aspects, and the ratings of the judge."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from passer.domain.arena.aspects import (
    Aspect,
    AspectFigures,
    AspectGrades,
    GradedAnswer,
    JudgedAspect,
    aspect_column,
    aspect_figures,
)
from passer.domain.arena.comparison import TournamentComparison
from passer.domain.arena.game import Game
from passer.domain.arena.people import GameDraw
from passer.domain.arena.people_figures import PeopleFigures, people_figures
from passer.domain.arena.tournament import Entrant, Tournament
from passer.domain.base import Frozen
from passer.errors import NotFoundError
from passer.ports import JudgementStore, LabelStore, TournamentStore
from passer.services.arena.game_table import GameTable
from passer.services.arena.pairings import PairingSource
from passer.services.arena.standings import ComparisonQuery, Standing, StandingsQuery
from passer.services.arena.standings_reader import StandingsReader
from passer.services.judging.answers import first_values


@dataclass(frozen=True)
class GradedAspects:
    """Reads grades of answers."""

    labels: LabelStore
    judgements: JudgementStore
    source: PairingSource

    def figures(self, tournament: Tournament, draw: GameDraw) -> tuple[AspectFigures, ...]:
        """Return the figures of each aspect of a draw; none where raters are not asked for grades."""
        if not draw.aspects:
            return ()
        every = [
            GradedAnswer(each.place.run_id, each.place.question_id, each.key)
            for each in self.source.keys(tournament.ids)
            if each.key is not None
        ]
        games = {(run, game.question_id) for game in draw.games for run in (game.a, game.b)}
        drawn = [each for each in every if (each.run, each.question) in games]
        items = sorted({each.item for each in drawn})
        found = [
            AspectGrades(
                aspect,
                given_grades(self.labels, draw, items, aspect, again=False),
                given_grades(self.labels, draw, items, aspect, again=True),
                self._judged(tournament, aspect, {each.item for each in every}),
            )
            for aspect in draw.aspects
        ]
        return aspect_figures(found, tournament.ids, drawn, every)

    def _judged(self, tournament: Tournament, aspect: Aspect, items: set[str]) -> list[JudgedAspect]:
        found = []
        judged = (each for sweep_id in tournament.sweeps for each in self.judgements.assessments(sweep_id))
        for assessment in judged:
            if aspect in assessment.spec.columns:
                known = first_values(self.judgements, assessment.id, aspect)
                values = {item: value for item, value in known.items() if item in items}
                found.append(JudgedAspect(assessment.id, assessment.spec.judge.model.name, values))
        return found


def given_grades(
    labels: LabelStore, draw: GameDraw, items: Sequence[str], aspect: Aspect, *, again: bool
) -> dict[str, dict[str, float]]:
    """Return what the raters of a draw gave these items in an aspect, by rater and item; the newest label counts."""
    found: dict[str, dict[str, float]] = {}
    for label in labels.labels(items, column=aspect_column(aspect, again=again)):
        if label.draw == draw.tournament_id:
            found.setdefault(label.rater, {})[label.item_key] = label.value
    return found


class BothRatings(Frozen):
    """One system in both tournaments."""

    entrant: Entrant
    """The system."""
    people: Standing | None
    """Its standing among people's games; None if it has none."""
    judge: Standing | None
    """Its standing in the tournament that the games were drawn from."""


class LinkState(Frozen):
    """The link of a rater; its secret is not stored."""

    rater: str
    """Pseudonym."""
    expires_at: datetime
    """Time from which it is invalid, in UTC; the time of revoking for a revoked one."""


class ReadPeople(Frozen):
    """A tournament of people."""

    figures: PeopleFigures
    """Raters and agreement."""
    links: tuple[LinkState, ...]
    """Links of the raters."""
    of: Tournament | None
    """The tournament that the games were drawn from; None if there was none, or it was deleted."""
    ratings: tuple[BothRatings, ...]
    """Systems with both ratings, in the order of the people's."""
    comparison: TournamentComparison | None
    """Agreement of both tournaments; None without the other."""
    aspects: tuple[AspectFigures, ...]
    """Grades of the answers by aspect; empty where raters are not asked for any."""


@dataclass(frozen=True)
class PeopleReader:
    """Reads tournaments of people."""

    tournaments: TournamentStore
    table: GameTable
    standings: StandingsReader
    graded: GradedAspects

    def read(self, tournament_id: str) -> ReadPeople:
        """Return raters, agreement and both ratings; NotFoundError for a tournament that people do not decide."""
        draw = self.tournaments.draw(tournament_id)
        links = self.tournaments.links(tournament_id)
        of: Tournament | None = None
        judged: list[Game] = []
        if draw.of is not None:
            with suppress(NotFoundError):
                of, judged = self.tournaments.tournament(draw.of), self.table.games(draw.of)
        figures = people_figures(
            draw,
            links,
            self.table.given(draw),
            self.table.given(draw, again=True),
            self.table.games(tournament_id),
            judged,
        )
        return ReadPeople(
            figures=figures,
            links=tuple(LinkState(rater=link.rater, expires_at=link.expires_at) for link in links),
            of=of,
            ratings=self._ratings(tournament_id, of),
            comparison=self.standings.comparison(tournament_id, ComparisonQuery(other=of.id)) if of else None,
            aspects=self.graded.figures(self.tournaments.tournament(tournament_id), draw),
        )

    def _ratings(self, tournament_id: str, of: Tournament | None) -> tuple[BothRatings, ...]:
        query = StandingsQuery(tournaments=2)
        people = self.standings.standings(tournament_id, query).rows
        judge = {row.entrant.id: row for row in self.standings.standings(of.id, query).rows} if of else {}
        return tuple(BothRatings(entrant=row.entrant, people=row, judge=judge.get(row.entrant.id)) for row in people)
