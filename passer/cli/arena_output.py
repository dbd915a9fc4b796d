"""Printing the plan, the ratings and the comparison of tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passer.bootstrap import Services
from passer.cli.judge_options import print_requests
from passer.cli.output import note, number, percent, print_json, print_table, span
from passer.domain.wording.counted import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passer.domain.arena.added_system import AddedStanding
    from passer.domain.arena.comparison import TournamentComparison
    from passer.domain.arena.effects import Effect
    from passer.domain.arena.game import Game
    from passer.domain.statistics import Interval
    from passer.services.arena.arenas import ArenaPlan
    from passer.services.arena.game_table import ReadGame
    from passer.services.arena.score_rule import RulePlan
    from passer.services.arena.standings import Standings


def print_plan(plan: ArenaPlan, *, as_json: bool) -> None:
    """Print what a tournament would ask and cost."""
    if as_json:
        print_json(plan)
        return
    rows = [
        ("systems", str(plan.systems)),
        ("games", str(plan.games)),
        ("of these between equal answers", str(plan.same_answer)),
        ("questions without an answer", str(plan.unanswered)),
        *([("passages without a grade, left out", str(plan.ungraded))] if plan.ungraded else []),
    ]
    print_requests(plan, rows)


def print_rule_plan(plan: RulePlan, *, as_json: bool) -> None:
    """Print what a score would decide."""
    if as_json:
        print_json(plan)
        return
    rows = [
        ("systems", str(plan.systems)),
        ("games", str(plan.games)),
        ("of these ties", str(plan.ties)),
        ("of these without an outcome: a score is missing", str(plan.undecided)),
        ("questions without an answer", str(plan.unanswered)),
        ("requests", "0"),
    ]
    print_table(["", "plan"], rows)


def print_standings(built: Services, tournament_id: str, query: Any = None, *, as_json: bool) -> None:
    """Print ratings with intervals, wins, and how much order and length of the answers matter."""
    found = built.arena.standings.standings(tournament_id, query)
    if as_json:
        print_json(found)
        return
    for warning in found.warnings:
        note(warning)
    rows = [
        (row.entrant.name, number(row.rating, 1), span(row.low, row.high, 1), _ranks(row.best_rank, row.worst_rank),
         number(row.elo, 1), str(row.record.wins), str(row.record.losses), str(row.record.ties),
         "-" if row.record.mean_share is None else percent(row.record.mean_share, 1))
        for row in found.rows
    ]  # fmt: skip
    print_table(["system", "rating", "95 % CI", "ranks", "Elo", "wins", "losses", "ties", "mean win share"], rows)
    if found.summary is not None:
        note(found.summary)
    if found.matrix:
        _print_matrix(found)
    if found.added:
        _print_added(found)
    for row in found.rows:
        if row.truncated:
            questions = "1 question" if row.truncated == 1 else f"{row.truncated} questions"
            note(f"{row.entrant.name}: answer or prompt truncated on {questions}.")
    for line in _lines(found):
        note(line)


def _print_matrix(found: Standings) -> None:
    entrants = [row.entrant for row in found.rows]
    cells = {(cell.run, cell.opponent): percent(cell.share) for cell in found.matrix}
    rows = [
        (f"{place}. {row.name}", *(cells.get((row.id, column.id), "-") for column in entrants))
        for place, row in enumerate(entrants, 1)
    ]
    print_table(["games won against", *(str(place) for place in range(1, len(entrants) + 1))], rows)


def _print_added(found: Standings) -> None:
    rows = [
        (each.entrant.name, str(each.games), str(each.wins), str(each.losses), str(each.ties), _share(each),
         number(each.rating, 1))
        for each in found.added
    ]  # fmt: skip
    print_table(["few games", "games", "wins", "losses", "ties", "share won", "rating beside the others"], rows)


def _share(added: AddedStanding) -> str:
    return f"{percent(added.wins / added.games)}{_range(added.interval)}" if added.games else "-"


def _range(interval: Interval | None) -> str:
    return "" if interval is None else f" ({percent(interval.low)} to {percent(interval.high)})"


def print_games(found: Sequence[Game], *, as_json: bool) -> None:
    """Print one row per game."""
    if as_json:
        print_json({"games": [each.model_dump(mode="json") for each in found]})
        return
    rows = [
        (each.question_id, each.a, each.b, {"a": each.a, "b": each.b, "tie": "tie"}.get(each.outcome or "", "-"),
         each.reason or each.how.replace("_", " "))
        for each in found
    ]  # fmt: skip
    print_table(["question", "a", "b", "winner", "decision"], rows)


def print_game(found: ReadGame, *, as_json: bool) -> None:
    """Print one game with its texts, and what was said in each showing."""
    print_json(found) if as_json else print_table(["", "game"], _game_rows(found))


def _game_rows(found: ReadGame) -> list[tuple[str, str]]:
    game = found.game
    answers = found.answers or ("not known: imported", "not known: imported")
    return [
        ("question", found.question or game.question_id),
        *((f"{run}{cut}", answer) for run, cut, answer in zip((game.a, game.b), _cuts(game), answers, strict=True)),
        *((f"passage {place}", text) for place, text in enumerate(found.documents, 1)),
        ("outcome", f"{game.outcome or '-'} ({game.reason or game.how.replace('_', ' ')})"),
        *((f"{game.a if shown.first == 'a' else game.b} shown first", shown.verdict or shown.reason or "-")
          for shown in game.verdicts),
        *((f"reply {place}", reply.raw)
          for place, judgement in enumerate(found.judgements, 1) for reply in judgement.replies),
    ]  # fmt: skip


def _cuts(game: Game) -> tuple[str, ...]:
    cuts = tuple(f" ({style.truncated} truncated)" if style.truncated else "" for _, style in game.sides)
    return cuts or ("", "")


def _lines(found: Standings) -> list[str]:
    lines = []
    if found.reason == "not_connected":
        lines.append("No ratings: no games connect these runs.")
    elif found.reason == "no_games":
        lines.append("No ratings: no game has an outcome.")
    reasons = ", ".join(f"{reason} {count}" for reason, count in found.reasons.items())
    games = ", ".join(
        f"{how.replace('_', ' ')} {count}{f' ({reasons})' if how == 'failed' and reasons else ''}"
        for how, count in found.games.items()
    )
    lines.append(f"Games: {games or 'none'}; {found.tournament.unanswered} questions without an answer.")
    if found.reason is None:
        tie = "" if found.nu is None else f", weight of a tie {found.nu:.3f}"
        prior = "; a system never lost or never won: one imaginary tie per system keeps the ratings finite"
        prior = prior if found.has_prior else ""
        lines.append(f"Davidson, {found.questions} questions{tie}{prior}.")
        if found.rows[0].low is None:
            lines.append("No intervals and ranks: they need six questions or more.")
    if found.swap is not None and found.swap.decided:
        swap = found.swap
        lines.append(
            f"Order: {swap.consistent} of {swap.asked_twice} pairs agree in both orders; the first answer won "
            f"{swap.first} of {swap.decided} verdicts{_range(swap.interval)}."
        )
    if found.length is not None and found.length.decided:
        length = found.length
        lines.append(
            f"Length: the longer answer won {length.longer_won} of {length.decided} decided games"
            f"{_range(length.interval)}."
        )
    for adjusted, condition in ((found.order, "the same order"), (found.style, "equal length and markup")):
        if adjusted is not None:
            lines += [_effect(each, condition) for each in adjusted.effects]
    if found.fragility is not None:
        few = found.fragility
        lines.append(f"Without {len(few.questions)} of {few.of} questions, {_name(found, few.successor)} leads.")
    return lines


def _effect(effect: Effect, condition: str) -> str:
    ci = "" if effect.interval is None else f" ({_odds(effect.interval.low)} to {_odds(effect.interval.high)})"
    more = {"items": "list items", "bold": "bold passages"}.get(effect.name, effect.name)
    # A raw count is no unit here: an effect is that of the root mean square of the relative differences.
    what = "of the answer shown first" if effect.name == "order" else f"for a typical surplus of {more}"
    return f"Odds of winning {what}: {_odds(effect.odds)}{ci}; `--json` has the ratings at {condition}."


def _odds(odds: float) -> str:
    from passer.domain.arena.effects import FARTHEST

    if odds > FARTHEST:
        return f"more than {grouped(FARTHEST)}"
    return f"less than {1 / FARTHEST}" if odds < 1 / FARTHEST else f"{odds:.2f}"


def _name(found: Standings, some_id: str) -> str:
    return next((each.name for each in found.tournament.entrants if each.id == some_id), some_id)


def print_comparison(found: TournamentComparison, *, as_json: bool) -> None:
    """Print how far two tournaments agree."""
    if as_json:
        print_json(found)
        return
    tau = found.tau
    rows = [
        ("systems in both", str(found.runs)),
        ("Kendall tau-b of ratings", "-" if tau is None else f"{tau.tau:.3f}"),
        ("games decided by both", str(found.games)),
        ("same outcome", str(found.same)),
        ("kappa", number(found.kappa, 3)),
    ]
    print_table(["", "comparison"], rows)


def _ranks(best: int | None, worst: int | None) -> str:
    if best is None or worst is None:
        return "-"
    return str(best) if best == worst else f"{best} to {worst}"
