"""The command line. Each command calls one service and prints; heavy imports stay inside the bodies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from copy import copy
from functools import cache
from inspect import getdoc

import typer
from typer.core import TyperGroup
from typer.main import get_group

import passer.cli.activity as activity
import passer.cli.analyses as analyses
import passer.cli.arena as arena
import passer.cli.arena_games as arena_games
import passer.cli.arena_people as arena_people
import passer.cli.checkpoints as checkpoints
import passer.cli.collections as collections
import passer.cli.control as control
import passer.cli.crossings as crossings
import passer.cli.datasets as datasets
import passer.cli.demo as demo
import passer.cli.drafting as drafting
import passer.cli.exports as exports
import passer.cli.failures as failures
import passer.cli.grounding as grounding
import passer.cli.imports as imports
import passer.cli.judge_tuning as judge_tuning
import passer.cli.judging as judging
import passer.cli.labels as labels
import passer.cli.ledger as ledger
import passer.cli.models as models
import passer.cli.pooling as pooling
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
from passer.cli.commands import CommandList, divide_options, name_of
from passer.domain.collector import collect_rarely
from passer.domain.texts.visible import visible
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


def _add_group(
    name: str, help_text: str, commands: Mapping[str, Callable[..., None]], *, shows_help: bool = True
) -> typer.Typer:
    """Add a group of commands by their names; with `shows_help`, the group alone prints its help."""
    group = typer.Typer(help=help_text, no_args_is_help=shows_help)
    for word, command in commands.items():
        group.command(word)(command)
    app.add_typer(group, name=name)
    return group


app.callback()(projects.choose)
for alone in (
    demo.demo, system.serve, system.doctor, system.mcp, system.backup, system.restore,
    collections.ingest, collections.reindex, collections.collections, datasets.datasets,
    retrieval.retrieve, retrieval.expand, retrieval.rankings,
    runs.run, runs.sweep, control.resume, control.runs, control.show, control.annotate, control.cancel, control.pause,
    control.retry, control.register, exports.export, results.ask, results.ask_again, scores.score, scores.metrics,
    analyses.analyse, failures.failures, crossings.domains, crossings.match_k, crossings.origins, grounding.grounding,
    labels.calibrate, timings.timings, regressions.check, provenance.bundle, provenance.verify, reproducing.reproduce,
):  # fmt: skip
    app.command()(alone)
# `publish` accepts further ids only to refuse them with advice: Click's own message would not say what to do.
app.command(context_settings={"allow_extra_args": True})(provenance.publish)
_add_group(
    "users",
    "Add, change and remove accounts. As soon as one exists, everybody signs in.",
    {
        "add": users.add, "list": users.listed, "change": users.change, "recover": users.recover,
        "remove": users.remove, "token": users.token, "identities": users.identities, "connect": users.connect,
        "disconnect": users.disconnect,
    },
    shows_help=False,
)  # fmt: skip
_add_group(
    "projects",
    "Add projects, which keep the data of groups apart, and choose who may use them.",
    {
        "list": projects.listed, "add": projects.add, "members": projects.members, "allow": projects.allow,
        "remove": projects.remove,
    },
    shows_help=False,
)  # fmt: skip
_add_group(
    "settings",
    "Show and change the settings of a project; `--project NAME` chooses it.",
    {"show": projects.show, "set": projects.set_value, "unset": projects.unset},
    shows_help=False,
)
_add_group(
    "activity",
    "Show who did what in a project, and check that the log was not changed.",
    {"list": activity.listed, "export": activity.export, "verify": activity.verify},
    shows_help=False,
)
_add_group(
    "models",
    "List the models of every model server, connect a server or a RAG system, or pull a model.",
    {"pull": models.pull, "connect": models.connect},
    shows_help=False,
).callback(invoke_without_command=True)(models.listed)
_add_group(
    "import",
    "Import questions, answers of other tools, result sheets, rankings, relevance grades or term maps.",
    {
        "dataset": datasets.import_dataset, "answers": imports.import_answers, "ragelo": imports.import_ragelo,
        "sheets": imports.import_sheets, "run": retrieval.import_run, "qrels": retrieval.import_qrels,
        "terms": retrieval.import_terms, "list": imports.listed,
    },
)  # fmt: skip
_add_group(
    "judge",
    "Have a model judge the answers of a sweep or run, or the questions of datasets.",
    {
        "run": judging.run, "pool": pooling.pool, "show": judging.show, "answer": judging.answer,
        "facts": judging.facts_of, "compare": judging.compare, "columns": judging.columns, "qrels": judging.qrels,
        "tune": judge_tuning.tune, "tuning": judge_tuning.tuning, "tunings": judge_tuning.tunings,
        "resume": judging.resume, "cancel": judging.cancel, "list": judging.listed,
    },
)  # fmt: skip
_add_group(
    "label",
    "Have people rate a random sample of judged answers, or single passages.",
    {
        "draw": labels.draw, "list": labels.listed, "import": labels.import_file, "export": labels.export,
        "passage": pooling.passage,
    },
)  # fmt: skip
_add_group(
    "arena",
    "Compare answers pair by pair, and rate the configurations.",
    {
        "start": arena.start, "add": arena.add, "show": arena.show, "resume": arena.resume, "list": arena.listed,
        "game": arena_games.game, "export": arena_games.export, "delete": arena_games.delete,
        "import": arena_games.import_games, "people": arena_people.people, "raters": arena_people.raters,
        "link": arena_people.link,
    },
)  # fmt: skip
_add_group(
    "draft",
    "Have models draft questions from documents.",
    {
        "start": drafting.start, "show": drafting.show, "review": drafting.review, "resume": drafting.resume,
        "cancel": drafting.cancel, "list": drafting.listed, "finish": drafting.finish,
    },
)  # fmt: skip
_add_group(
    "ledger",
    "Inspect and post the records of finished runs.",
    {
        "head": ledger.head, "list": ledger.listed, "show": ledger.show, "post": ledger.post, "record": ledger.record,
        "verify": ledger.verify, "export": ledger.export, "compare": ledger.compare, "key": checkpoints.key,
        "checkpoint": checkpoints.checkpoint, "prove": checkpoints.prove, "consistency": checkpoints.consistency,
        "check": checkpoints.check, "stamp": checkpoints.stamp, "stamped": checkpoints.stamped,
    },
)  # fmt: skip
activity.log_commands(app)
divide_options(app)


def _list_full_sentences(of: typer.Typer) -> None:
    """Have `--help` list each command with its complete first sentence: Click would cut it to one line."""
    for command in of.registered_commands:
        command.short_help = _first_sentence(command.help or getdoc(command.callback))
    for group in of.registered_groups:
        if group.typer_instance is not None:
            group.short_help = _first_sentence(group.typer_instance.info.help)
            _list_full_sentences(group.typer_instance)


def _first_sentence(text: str | None) -> str:
    first, ends, _ = " ".join((text or "").split("\n\n")[0].split()).partition(". ")
    return first + ends.strip()


_list_full_sentences(app)

MOST_SHOWN = 20
"""Problems of a file that are printed with an error."""


@cache
def program(word: str) -> TyperGroup:
    """Return the program with the named command or command group only; with all commands if no command has this name.

    Typer evaluates the annotations of every command that it builds, which takes .2 s for all of them.
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
