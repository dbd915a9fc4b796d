"""Figures of a tournament other than its ratings: win matrix, order of showing, and length of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np

from passer.domain.arena.game import Game, Outcome
from passer.domain.arena.paired_logit import fit, one_step
from passer.domain.arena.tally import Tally, question_weights
from passer.domain.base import Frozen
from passer.domain.share_intervals import FEWEST_CLUSTERS, clustered_share, resampled_interval
from passer.domain.statistics import Interval

NO_CONSISTENCY, ONE_LETTER = 0.1, 0.9
"""Share of agreeing pairs below which, and share of one letter above which, verdicts depend on order or habit alone."""
COIN = 0.5
"""Share that the interval must exclude before verdicts are said to carry no information: a coin between two answers
agrees with itself in half of the pairs, and names each place half of the time."""
LENGTH_DRAWS = 1_000


class PairCell(Frozen):
    """Games of one run against another, seen from the first."""

    run: str
    """Id of the run: the row of the matrix."""
    opponent: str
    """Id of the other run: the column of the matrix."""
    wins: int
    """Games that `run` won."""
    losses: int
    """Games that it lost."""
    ties: int
    """Games without a winner."""

    @property
    def share(self) -> float:
        """Return wins / games."""
        return self.wins / (self.wins + self.losses + self.ties)


class RunRecord(Frozen):
    """All games of one run."""

    run: str
    """The run."""
    wins: int
    """Games that it won."""
    losses: int
    """Games that it lost."""
    ties: int
    """Games without a winner."""
    mean_share: float | None
    """Mean over opponents of the share of games won; None without games."""


class WinMatrix(Frozen):
    """Wins, losses and ties of each pair of systems."""

    cells: tuple[PairCell, ...]
    """Pairs that have played, in both orders."""
    records: tuple[RunRecord, ...]
    """One for each run, in the tournament's order; each game counts once."""


def win_matrix(tally: Tally) -> WinMatrix:
    """Return the win matrix of a tournament."""
    cells = []
    for (a, b), (first, second, ties) in zip(tally.pairs.tolist(), tally.total.astype(int).tolist(), strict=True):
        one, other = tally.runs[a], tally.runs[b]
        cells.append(PairCell(run=one, opponent=other, wins=first, losses=second, ties=ties))
        cells.append(PairCell(run=other, opponent=one, wins=second, losses=first, ties=ties))
    place = {run: number for number, run in enumerate(tally.runs)}
    cells.sort(key=lambda cell: (place[cell.run], place[cell.opponent]))
    return WinMatrix(cells=tuple(cells), records=tuple(_record(run, cells) for run in tally.runs))


def _record(run: str, cells: Sequence[PairCell]) -> RunRecord:
    own = [cell for cell in cells if cell.run == run]
    return RunRecord(
        run=run,
        wins=sum(cell.wins for cell in own),
        losses=sum(cell.losses for cell in own),
        ties=sum(cell.ties for cell in own),
        mean_share=float(np.mean([cell.share for cell in own])) if own else None,
    )


class SwapFigures(Frozen):
    """Influence of the order of showing on the outcomes."""

    asked_twice: int
    """Games with a verdict in both orders."""
    consistent: int
    """Number of these games whose verdicts name the same answer, or both a tie."""
    decided: int
    """Verdicts that name an answer."""
    first: int
    """Number of these verdicts for the answer shown first."""
    interval: Interval | None
    """95 % interval of first / decided by whole questions; None below six questions."""
    letters: dict[str, int]
    """Verdicts by what they say: first, second, tie."""
    prefers: str | None
    """`first` or `second` if the interval excludes one half; else None."""
    carries_information: bool
    """False if at most a tenth of the pairs agree, or nine tenths of the verdicts say the same, and the 95 % interval
    of that share excludes one half; True also where the questions are too few to tell."""


def swap_figures(games: Sequence[Game]) -> SwapFigures | None:
    """Return how far the order of showing decides; None if no game in a random order has a readable verdict."""
    random = [game for game in games if game.has_random_order]
    read = [
        (shown.verdict, game.question_id) for game in random for shown in game.verdicts if shown.verdict is not None
    ]
    if not read:
        return None
    twice = [game for game in random if len(game.verdicts) == 2 and game.outcome is not None]
    agreed = [(game.how == "agreed", game.question_id) for game in twice]
    letters = Counter[str](verdict for verdict, _ in read)
    decided = [(verdict == "first", question) for verdict, question in read if verdict != "tie"]
    interval = _interval(decided)
    prefers = None
    if interval is not None and not interval.low <= 0.5 <= interval.high:
        prefers = "first" if interval.low > 0.5 else "second"
    [(most, frequent)] = letters.most_common(1)
    # Verdicts of one question are dependent: a judge that finds two answers equal returns a tie in both orders.
    is_mute = frequent >= ONE_LETTER * len(read) and _excludes([(verdict == most, each) for verdict, each in read])
    is_inconsistent = _count(agreed) <= NO_CONSISTENCY * len(twice) and _excludes(agreed)
    return SwapFigures(
        asked_twice=len(twice),
        consistent=_count(agreed),
        decided=len(decided),
        first=letters["first"],
        interval=interval,
        letters=dict(sorted(letters.items())),
        prefers=prefers,
        carries_information=not (is_inconsistent or is_mute),
    )


Hits = Sequence[tuple[bool, str]]
"""Observations of a share, each with its question."""


def _count(hits: Hits) -> int:
    return sum(hit for hit, _ in hits)


def _interval(hits: Hits) -> Interval | None:
    return clustered_share([hit for hit, _ in hits], [question for _, question in hits])


def _excludes(hits: Hits) -> bool:
    interval = _interval(hits)
    return interval is not None and not interval.low <= COIN <= interval.high


NoSlope = Literal["too_few_games", "one_direction"]
"""`too_few_games`: fewer than FEWEST_GAMES; `one_direction`: the longer answer won all of them or none, and then no
finite slope fits best."""
FEWEST_GAMES = 10
"""Games with a winner and answers of different length below which the effect of length is not estimated: ten for each
coefficient, as Peduzzi et al. (1996) found for logistic regression."""


class LengthFigures(Frozen):
    """Influence of the answers' length on the outcomes."""

    decided: int
    """Games with a winner whose answers differ in length."""
    longer_won: int
    """Number of these games that the longer answer won."""
    interval: Interval | None
    """95 % interval of longer_won / decided by whole questions; None below six questions."""
    slope: float | None
    """Change of the log odds of winning for each doubling of length; None with a reason."""
    slope_reason: NoSlope | None = None
    """Reason why there is no slope."""
    slope_interval: Interval | None
    """95 % interval over samples of whole questions; None below six questions."""


def length_figures(games: Sequence[Game], *, seed: int = 1) -> LengthFigures | None:
    """Return how far the longer answer wins; None if no lengths are known.

    The slope is that of a logistic regression through the origin of the winner on log2 of the ratio of words. Answers
    without words are left out of it, and there is none below FEWEST_GAMES or where the length decides every game.
    """
    known = [game for game in games if game.lengths is not None and game.outcome in ("a", "b")]
    if not known:
        return None
    ratios, wins, questions = [], [], []
    longer: list[tuple[bool, str]] = []
    for game in known:
        one, other = game.lengths or (0, 0)
        if one != other:
            longer.append(((one > other) == (game.outcome == "a"), game.question_id))
        if one and other:
            ratios.append(np.log2(one / other))
            wins.append(game.outcome)
            questions.append(game.question_id)
    reason = _no_slope(np.array(ratios), wins)
    slope, interval = (None, None) if reason else _slope(np.array(ratios), wins, questions, seed)
    return LengthFigures(
        decided=len(longer),
        longer_won=_count(longer),
        interval=_interval(longer),
        slope=slope,
        slope_reason=reason,
        slope_interval=interval,
    )


def _no_slope(ratios: np.ndarray[tuple[int], np.dtype[np.float64]], wins: Sequence[Outcome | None]) -> NoSlope | None:
    towards = np.sign(ratios) * np.array([1 if winner == "a" else -1 for winner in wins])
    longer, shorter = int((towards > 0).sum()), int((towards < 0).sum())
    if longer + shorter < FEWEST_GAMES:
        return "too_few_games"
    return None if longer and shorter else "one_direction"


def _slope(
    ratios: np.ndarray[tuple[int], np.dtype[np.float64]],
    wins: Sequence[Outcome | None],
    questions: Sequence[str],
    seed: int,
) -> tuple[float, Interval | None]:
    counts = np.zeros((1, len(wins), 3))
    counts[0, np.arange(len(wins)), [0 if winner == "a" else 1 for winner in wins]] = 1
    none = np.zeros(1, bool)
    fitted = fit(ratios[:, None], counts, runs=0, prior=none)
    found = fitted.parameters[0, 0]
    names = list(dict.fromkeys(questions))
    if len(names) < FEWEST_CLUSTERS:
        return float(found), None
    place = {name: number for number, name in enumerate(names)}
    groups = np.array([place[question] for question in questions])
    weights = question_weights(len(names), LENGTH_DRAWS, seed)
    drawn = one_step(ratios[:, None], counts[0], fitted, runs=0, groups=groups, weights=weights)[:, 0]
    return float(found), resampled_interval(drawn, float(found), len(names))
