"""The command line. Each command calls one service and prints; heavy imports stay inside the bodies."""

from __future__ import annotations

import sys
from copy import copy
from functools import cache
from inspect import getdoc

import typer
from typer.core import TyperGroup
from typer.main import get_group

import passer.cli.activity as activity
import passer.cli.analyses as analyses
import passer.cli.arena as arena
import passer.cli.collections as collections
import passer.cli.control as control
import passer.cli.crossings as crossings
import passer.cli.demo as demo
import passer.cli.drafting as drafting
import passer.cli.failures as failures
import passer.cli.grounding as grounding
import passer.cli.judging as judging
import passer.cli.labels as labels
import passer.cli.ledger as ledger
import passer.cli.models as models
import passer.cli.project_settings as project_settings
import passer.cli.projects as projects
import passer.cli.provenance as provenance
import passer.cli.regressions as regressions
import passer.cli.reproducing as reproducing
import passer.cli.results as results
import passer.cli.retrieval as retrieval
import passer.cli.runs as runs
import passer.cli.scores as scores
import passer.cli.system as system
import passer.cli.timings as timings
import passer.cli.users as users
from passer.cli.help import CommandList, divide_options, name_of
from passer.domain.collector import collect_rarely
from passer.domain.visible import visible
from passer.errors import InputError, PasserError

app = typer.Typer(
    name="passer",
    help="Find out how a retrieval-augmented generation system should be configured, and prove what was measured.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    cls=CommandList,
)
for module in (
    demo, system, users, projects, project_settings, activity, models, collections, retrieval, runs, control, analyses,
    failures, crossings, grounding, judging, labels, arena, drafting, results, scores, timings, ledger, provenance,
    reproducing, regressions,
):  # fmt: skip
    module.register(app)
activity.log_commands(app)
divide_options(app)


def _list_whole_sentences(of: typer.Typer) -> None:
    """Have `--help` list each command with its whole first sentence: where none is set, Click cuts it to one line."""
    for command in of.registered_commands:
        command.short_help = _first_sentence(command.help or getdoc(command.callback))
    for group in of.registered_groups:
        if group.typer_instance is not None:
            group.short_help = _first_sentence(group.typer_instance.info.help)
            _list_whole_sentences(group.typer_instance)


def _first_sentence(text: str | None) -> str:
    first, ends, _ = " ".join((text or "").split("\n\n")[0].split()).partition(". ")
    return first + ends.strip()


_list_whole_sentences(app)

MOST_SHOWN = 20


@cache
def program(word: str) -> TyperGroup:
    """Return the program with the command or group of commands WORD alone; whole, where nothing is named so.

    Typer evaluates the annotations of every command that it builds, .2 s for all, which each command would wait for.
    """
    narrowed = copy(app)
    narrowed.registered_commands = [each for each in app.registered_commands if name_of(each) == word]
    narrowed.registered_groups = [each for each in app.registered_groups if each.name == word]
    return get_group(narrowed if narrowed.registered_commands or narrowed.registered_groups else app)


def main() -> None:
    """Run a command. Exit status: 0 success, 1 negative result, 2 wrong usage or an error."""
    collect_rarely()
    try:
        program(sys.argv[1] if len(sys.argv) > 1 else "")(standalone_mode=True)
    except PasserError as exc:
        print(visible(f"passer: {exc.message}"), file=sys.stderr)
        problems = exc.problems if isinstance(exc, InputError) else ()
        for problem in problems[:MOST_SHOWN]:
            where = f"row {problem.row}: " if problem.row is not None else ""
            print(visible(f"  {where}{problem.message}"), file=sys.stderr)
        if len(problems) > MOST_SHOWN:
            print(f"  ... and {len(problems) - MOST_SHOWN} more", file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


__all__ = ["app", "main"]
