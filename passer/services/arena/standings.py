"""Standings of a tournament: ratings, win matrix, figures of order and length, single games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from passer.domain.arena.added_system import AddedStanding
from passer.domain.arena.davidson import NoRatings
from passer.domain.arena.effects import Adjusted
from passer.domain.arena.figures import LengthFigures, PairCell, RunRecord, SwapFigures
from passer.domain.arena.fragility import Fragility
from passer.domain.arena.tournament import Entrant, Tournament
from passer.domain.base import IN_QUERY, Frozen
from passer.domain.defaults import ELO_ORDERS
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.kinship import Kinship
from passer.domain.wording.sentence import LocalizedText, Sentence, Value, sentence


class CountedGames(Frozen):
    """Selection of the games of a tournament that count."""

    model_config = IN_QUERY

    inconsistent: Literal["tie", "drop"] = "tie"
    """Games whose two orders disagree: a tie, or left out."""
    same_answer: Literal["tie", "drop"] = "tie"
    """Games between equal answers: a tie, or left out."""
    without: tuple[Annotated[str, Field(max_length=100)], ...] = ()
    """Systems whose games are left out, such as those that the judge answers for."""


class StandingsQuery(CountedGames):
    """Settings by which ratings are computed."""

    tournaments: int = Field(default=ELO_ORDERS, ge=2, le=2000)
    """Orders of the games over which Elo ratings are averaged."""
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    """Seed of the orders and of the bootstrap."""


class ComparisonQuery(CountedGames):
    """Other tournament of a comparison."""

    other: str = Field(max_length=100)
    """Id of the other tournament."""


class Standing(Frozen):
    """One system of a tournament."""

    entrant: Entrant
    """The system."""
    rating: float | None
    """Davidson's rating, 1000 on average; None where there are no ratings."""
    low: float | None
    """Lower end of its 95 % interval over questions; None below two questions."""
    high: float | None
    """Upper end."""
    best_rank: int | None
    """Best rank at 95 %, simultaneously for all systems; None without intervals."""
    worst_rank: int | None
    """Worst rank."""
    elo: float | None
    """Mean Elo rating over orders of the games."""
    elo_spread: float | None
    """Standard deviation over orders: the noise of shuffling, not the uncertainty."""
    record: RunRecord
    """Wins, losses, ties."""
    truncated: int
    """Questions on which its answer was cut, or the prompt for it."""
    kinship: Kinship | None
    """Relation of the judge to the model that answered."""


class Standings(Frozen):
    """A tournament as far as it is played."""

    tournament: Tournament
    """Entrants, and how games are decided."""
    assessment: Assessment | None
    """The judge and its options; None unless a judge decides."""
    rows: tuple[Standing, ...]
    """Systems, the highest rating first."""
    reason: NoRatings | None
    """Reason why there are no ratings: `no_games` were decided, or no game joins some systems (`not_connected`)."""
    nu: float | None
    """Davidson's weight of a tie; None where no game has a winner, because the estimate is infinite."""
    has_prior: bool
    """True if phantom ties keep ratings finite, because some system is unbeaten or without a win."""
    questions: int
    """Questions with a decided game."""
    games: dict[str, int]
    """Stored games by how they were decided."""
    reasons: dict[str, int]
    """Games without an outcome by reason."""
    above: tuple[tuple[float, ...], ...]
    """Share of bootstrap draws in which the system of a row (in the order of `rows`) is above that of a column."""
    matrix: tuple[PairCell, ...]
    """Pairs that have played, in both orders."""
    swap: SwapFigures | None
    """Effect of the order in which answers are shown; None where no order is known. Of people, a pair is two raters."""
    length: LengthFigures | None
    """Effect of the longer answer; None where lengths are not known."""
    order: Adjusted | None
    """Ratings adjusted for the order in which answers are shown; None with too few verdicts."""
    style: Adjusted | None
    """Ratings at equal length and markup; None with too few games."""
    fragility: Fragility | None
    """Questions whose removal changes the leader; None where nobody leads, or removing half of them does not."""
    added: tuple[AddedStanding, ...]
    """Systems that joined later with few games; they are in no other figure."""
    rated: int | None
    """Games that people have decided too, or answers that they rated in the judged column of its rule; 0 is
    uncalibrated. None where no judge decides."""
    warnings: tuple[LocalizedText, ...]
    """Remarks to read before the ratings are used."""
    summary: LocalizedText | None = None
    """Which systems can rank first, in one sentence; None where no ranks are known."""


def summary_of(rows: Sequence[Standing], questions: int) -> Sentence | None:
    """Return which systems can rank first by their simultaneous ranks; None without ranks."""
    if any(row.best_rank is None for row in rows) or len(rows) < 2:
        return None
    first = [row.entrant.name for row in rows if row.best_rank == 1]
    values: dict[str, Value] = {"systems": len(rows), "first": len(first), "n": questions}
    if len(first) == len(rows):
        return sentence("arena.summary-open", **values)
    code = "one" if len(first) == 1 else "several"
    return sentence(f"arena.summary-{code}", **values, names=tuple(first))
