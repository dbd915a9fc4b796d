"""Grades that people give the answers of drawn games, beside those of the judges of the sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.arena.aspects import (
    Aspect,
    AspectFigures,
    AspectGrades,
    GradedAnswer,
    JudgedAspect,
    aspect_column,
    aspect_figures,
)
from passer.domain.arena.people import GameDraw
from passer.domain.arena.tournament import Tournament
from passer.ports import JudgementStore, LabelStore
from passer.services.arena.pairings import PairingSource
from passer.services.judging.answers import first_values


@dataclass(frozen=True)
class GradedAspects:
    """Reads grades of answers; changes nothing."""

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
