"""arena people, raters, link: people decide games by links, and the judge is compared with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.files import checked
from passer.cli.judging_output import category_rows, ceiling_rows, with_interval
from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.defaults import GAMES_RATED, LINK_DAYS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from passer.domain.arena.aspects import AspectFigures, AspectTest
    from passer.domain.arena.people_figures import PeopleFigures
    from passer.domain.statistics import Interval
    from passer.services.arena.people import NewLink
    from passer.services.arena.people_reader import BothRatings

DrawnFrom = Annotated[
    list[str],
    typer.Argument(
        metavar="TOURNAMENT|SWEEP|RUN", help="Tournament of a judge or a score to draw from, or a sweep or its runs."
    ),
]
OfPeople = Annotated[str, typer.Argument(metavar="ID", help="Id that `passer arena people` has shown.")]
DaysOption = Annotated[int, typer.Option("--days", min=1, max=366, help="Days for which a link is valid.")]
ServerOption = Annotated[str, typer.Option("--server", help="Address under which raters reach your PaSSER.")]
ADDRESS = "http://127.0.0.1:8000"


def people(
    of: DrawnFrom,
    raters: Annotated[str, typer.Option("--raters", help="Pseudonyms, separated by commas; two or more are best.")],
    games: Annotated[int, typer.Option("--games", min=1, help="Number of games to draw.")] = GAMES_RATED,
    aspects: Annotated[
        str | None,
        typer.Option("--aspects", help="Also grade each answer: Relevance, Accuracy, Completeness, Precision, or all."),
    ] = None,
    days: DaysOption = LINK_DAYS,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the draw, orders and sides.")] = 1,
    server: ServerOption = ADDRESS,
    as_json: JsonOption = False,
) -> None:
    """Draw games for people to decide, and print a link for each rater; links are shown once."""
    from passer.domain.arena.aspects import ASPECTS
    from passer.services.arena.people import PeopleOfRunsRequest, PeopleRequest

    graded = tuple(name.capitalize() for name in _names(aspects or ""))
    graded = ASPECTS if graded == ("All",) else graded
    given = {"games": games, "raters": _names(raters), "days": days, "seed": seed, "aspects": graded}
    request = checked(PeopleRequest, given)
    with services() as built:
        known = {each.id for each in built.adapters.tournaments.tournaments()}
        if len(of) == 1 and of[0] in known:
            made = built.arena.people.start(of[0], request)
        else:
            made = built.arena.people.start_of_runs(checked(PeopleOfRunsRequest, {**given, "runs": tuple(of)}))
        if as_json:
            print_json(made)
            return
        drawn = "1 game" if made.games == 1 else f"{made.games} games"
        note(f"Tournament {made.tournament.id}: {drawn} drawn. Each rater decides all of them.")
        _print_links(built, made.links, server)


def raters(tournament_id: OfPeople, as_json: JsonOption = False) -> None:
    """Show the progress of the raters, their agreement with each other and the judge, and their grades by aspect."""
    with services() as built:
        found = built.arena.people_reader.read(tournament_id)
    if as_json:
        print_json(found)
        return
    print_figures(found.figures)
    names = {each.entrant.id: each.entrant.name for each in found.ratings}
    for aspect in found.aspects:
        _print_aspect(aspect, names)
    _print_ratings(found.ratings)
    if found.comparison is not None and found.comparison.tau is not None:
        note(f"Ratings of people and of tournament {found.figures.of}: Kendall tau-b {found.comparison.tau.tau:.3f}.")


def link(
    tournament_id: OfPeople,
    rater: Annotated[str, typer.Option("--rater", help="Pseudonym: of a new rater, or of one who needs a new link.")],
    days: DaysOption = LINK_DAYS,
    revoke: Annotated[bool, typer.Option("--revoke", help="Revoke the rater's link.")] = False,
    server: ServerOption = ADDRESS,
    as_json: JsonOption = False,
) -> None:
    """Print a link for a rater, in place of an earlier one, or revoke it."""
    from passer.services.arena.people import LinkRequest

    request = checked(LinkRequest, {"rater": rater, "days": days})
    with services() as built:
        if revoke:
            built.arena.people.revoke(tournament_id, request.rater)
            if as_json:
                print_json({"rater": request.rater, "revoked": True})
                return
            note(f"The link of {request.rater} is revoked. Its ratings are kept.")
            return
        made = built.arena.people.add_link(tournament_id, request)
        print_json(made) if as_json else _print_links(built, (made,), server)


def _print_links(built: Services, links: Sequence[NewLink], server: str) -> None:
    project = built.settings.project
    prefix = server.rstrip("/") + ("" if project == DEFAULT_PROJECT else f"/projects/{project}")
    rows = [(each.rater, f"{prefix}{each.path}", f"{each.expires_at:%Y-%m-%d}") for each in links]
    print_table(["rater", "link", "valid until"], rows)


def print_figures(found: PeopleFigures) -> None:
    """Print the progress of raters, and their agreement with each other and with the judge."""
    note(f"{found.decided} of {found.games} games are decided.")
    rows = [
        (each.rater, f"{each.rated} of {each.total}{_twice(each.total - found.games)}", str(each.cannot_tell),
         str(each.both_bad),
         f"{each.first} of {each.decided}{_between(each.first_interval)}",
         f"{each.consistent} of {each.repeated}{_between(each.consistent_interval)}")
        for each in found.raters
    ]  # fmt: skip
    print_table(["rater", "rated", "cannot tell", "both bad", "chose the first", "same when repeated"], rows)
    if found.pairs:
        pairs = [
            (f"{each.one}, {each.other}", str(each.games), f"{each.same}{_between(each.interval)}",
             number(each.kappa))
            for each in found.pairs
        ]  # fmt: skip
        print_table(["raters", "games of both", "same outcome", "kappa"], pairs)
    judge = found.judge
    if judge is None:
        return
    print_table(
        ["judge and people", "value"],
        [
            ("games of both", str(judge.n)),
            *category_rows(judge.categories, same="same outcome"),
            ("Spearman rho, 95 % CI", with_interval(judge.rho, judge.rho_interval)),
            ("Kendall tau-b", "-" if judge.tau is None else f"{number(judge.tau.tau)}, p {number(judge.tau.p)}"),
            ("bias, limits of agreement",
             f"{number(judge.limits.bias, sign=True)}, {number(judge.limits.low)} to {number(judge.limits.high)}"),
            *([] if found.ceiling is None else ceiling_rows(found.ceiling)),
        ],
    )  # fmt: skip


def _twice(games: int) -> str:
    """Return how many of a rater's games come a second time, with the sides swapped."""
    return f" ({games} {'comes' if games == 1 else 'come'} twice)" if games > 0 else ""


def _print_aspect(found: AspectFigures, names: Mapping[str, str]) -> None:
    again = f"{found.consistent} of {found.repeated}{_between(found.consistent_interval)}"
    rows = [("graded answers", str(found.answers)), ("same grade when repeated", again)]
    rows += [
        (f"{pair.one} and {pair.other}", f"{pair.same} of {pair.answers} same, kappa {number(pair.kappa)}")
        for pair in found.raters
    ]
    for each in found.judges:
        agreed = each.agreement
        if agreed is not None:
            tau, kappa = agreed.tau, agreed.categories.kappa if agreed.categories else None
            said = f"tau-b {number(tau.tau if tau else None)}, kappa {number(kappa)}, bias {number(agreed.limits.bias)}"
            rows.append((f"people and {each.judge} ({each.assessment}), {agreed.n} answers", said))
    rows += [(names.get(each.run, each.run), f"mean {number(each.mean)} of {each.questions}") for each in found.systems]
    rows += [_test_row(test, names, "") for test in found.tests]
    rows += [_test_row(test, names, f" by {each.judge}") for each in found.judges for test in each.tests]
    print_table([found.aspect, "value"], rows)


def _test_row(test: AspectTest, names: Mapping[str, str], by: str) -> tuple[str, str]:
    said = f"{number(test.test.mean_difference, sign=True)}{_between(test.test.ci)}"
    p_values = f"p {number(test.test.p)}, Holm {number(test.p_holm)}, sign flips {number(test.flip_p)}"
    return f"{names.get(test.a, test.a)} - {names.get(test.b, test.b)}{by}", f"{said}, {p_values}"


def _names(given: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in given.split(",") if name.strip())


def _print_ratings(ratings: Sequence[BothRatings]) -> None:
    rows = []
    for each in ratings:
        sides = [
            "-" if side is None or side.rating is None else f"{number(side.rating, 1)}{_span(side.low, side.high)}"
            for side in (each.people, each.judge)
        ]
        rows.append((each.entrant.name, *sides))
    print_table(["system", "people", "drawn from"], rows)


def _between(interval: Interval | None) -> str:
    return "" if interval is None else _span(interval.low, interval.high, 2)


def _span(low: float | None, high: float | None, digits: int = 1) -> str:
    return "" if low is None or high is None else f" ({low:.{digits}f} to {high:.{digits}f})"
