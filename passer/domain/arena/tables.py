"""Tables of a tournament for exports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from passer.domain.analysis.study_table import StudyTable, tabulate
from passer.domain.arena.game import Game
from passer.domain.judging.judgement import calibration

_LETTERS = {"first": "A", "second": "B", "tie": "C", None: "-"}


def games_table(games: Iterable[Game]) -> StudyTable:
    """Return one row per game; `verdicts` has a letter per showing, A for the answer of `first`."""
    return tabulate(
        ("qid", "a", "b", "winner", "how", "reason", "first", "verdicts", "raters", "words_a", "words_b", "key"),
        games,
        {
            "qid": "question_id",
            "winner": lambda game: {"a": "A", "b": "B", "tie": "C"}.get(game.outcome, ""),
            "first": lambda game: " ".join(shown.first for shown in game.verdicts),
            "verdicts": lambda game: " ".join(_LETTERS[shown.verdict] for shown in game.verdicts),
            "raters": lambda game: ", ".join(shown.rater for shown in game.verdicts if shown.rater),
            "words_a": lambda game: game.lengths[0] if game.lengths else None,
            "words_b": lambda game: game.lengths[1] if game.lengths else None,
        },
    )


def ratings_table(standings: Sequence[object], rated: int | None) -> StudyTable:
    """Return one row per system, in the order of the standings; `rated` is None where no judge decides."""
    return tabulate(
        ("system", "name", "rating", "low", "high", "best_rank", "worst_rank", "elo", "elo_sd", "wins", "losses",
         "ties", "mean_share", "calibration"),
        standings,
        {
            "system": "entrant.id",
            "name": "entrant.name",
            "elo_sd": "elo_spread",
            "wins": "record.wins",
            "losses": "record.losses",
            "ties": "record.ties",
            "mean_share": "record.mean_share",
            "calibration": lambda _: None if rated is None else calibration(rated),
        },
    )  # fmt: skip
