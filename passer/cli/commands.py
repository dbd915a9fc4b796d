"""How a function becomes a command: its options from dataclasses, its pages of help, its row in the activity log."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import partial
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, cast, get_type_hints

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_command_name
from typer.models import CommandInfo

from passer.bootstrap import services
from passer.cli.files import PARAMETERS
from passer.cli.output import note
from passer.errors import PasserError

if TYPE_CHECKING:
    from passer.domain.accounts.activity import ActOutcome


SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Start": ("demo", "serve", "doctor", "models", "mcp"),
    "Documents and questions": ("ingest", "reindex", "collections", "import", "datasets", "draft"),
    "Retrieval": ("retrieve", "expand", "rankings"),
    "Sweeps and runs": (
        "run", "sweep", "register", "runs", "show", "pause", "resume", "retry", "cancel", "annotate",
    ),
    "Single questions and answers": ("ask", "ask-again", "score", "metrics"),
    "Results": (
        "analyse", "check", "failures", "grounding", "timings", "match-k", "domains", "origins", "export",
    ),
    "Judges and people": ("judge", "label", "calibrate", "arena"),
    "Records and proofs": ("bundle", "publish", "verify", "reproduce", "ledger"),
    "Administration": ("projects", "settings", "users", "activity", "backup", "restore"),
}  # fmt: skip
"""Headings of `passer --help` with their commands, in the order in which most people need them."""

# Options by the heading under which a command lists them. Those without a heading are listed last, as "Options".
material_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Questions and documents")
cut_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Retrieval")
model_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Models and prompts")
verdict_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Verdict")
limit_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Limits and cost")
drafted_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="What is drafted")
check_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Checks and review")
sweep_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Options for sweeps only")
sheet_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Options for imported sheets only")


class CommandList(TyperGroup):
    """The program itself: its commands are listed by SECTIONS."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each section with its commands and their first sentences."""
        for heading, names in SECTIONS.items():
            found = [(name, self.commands[name].get_short_help_str()) for name in names if name in self.commands]
            with formatter.section(heading):
                formatter.write_dl(found)


_WORD = re.compile(r"[\w.-]{1,100}")


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command for Typer: each parameter that is a dataclass is replaced by an option per field."""
    parameters = signature(command, eval_str=True).parameters.values()
    groups: dict[str, Any] = {each.name: each.annotation for each in parameters if is_dataclass(each.annotation)}
    flat = [one for each in parameters for one in (_options(each.annotation) if each.name in groups else [each])]

    def call(**given: Any) -> None:
        made = {
            name: made_of(**{field.name: given.pop(field.name) for field in fields(made_of)})
            for name, made_of in groups.items()
        }
        command(**made, **given)

    # Typer reads both. The ones that `wraps` copied still have the option groups as single parameters.
    made: Any = functools.wraps(command)(call)
    made.__signature__ = Signature([each.replace(kind=Parameter.KEYWORD_ONLY) for each in flat])
    made.__annotations__ = {each.name: each.annotation for each in flat}
    return cast(Callable[..., None], made)


def _options(made_of: Any) -> list[Parameter]:
    hints = get_type_hints(made_of, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(made_of)
    ]


class Command(TyperCommand):
    """A command whose options are listed under the headings that they name as their help panel."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; errors name its options."""
        PARAMETERS.set(self.params)
        return super().invoke(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return arguments in capitals and without braces, as the documentation writes them."""
        return [piece.replace("{", "").replace("}", "").upper() for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options heading by heading, then the others."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        plain: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            if (record := param.get_help_record(ctx)) is None:
                continue
            is_argument = isinstance(param, TyperArgument)
            # Leaves out "list", a term of Python: the help text says "Repeatable" already.
            name = (
                record[0].partition(" <")[0].upper() if is_argument else re.sub(r"<list\[(\w+)]>", r"<\1>", record[0])
            )
            heading = "Arguments" if is_argument else getattr(param, "rich_help_panel", None)
            (sections.setdefault(heading, []) if heading else plain).append((name, record[1]))
        for heading, records in {**sections, "Options": plain}.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


class LoggedCommand(Command):
    """A command that leaves a row in the activity log of its project when it has ended."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command and record how it ended."""
        try:
            result = super().invoke(ctx)
        except typer.Exit as exc:
            self._record(ctx, "done" if exc.exit_code in (0, 1) else "failed")
            raise
        except BaseException:
            self._record(ctx, "failed")
            raise
        self._record(ctx, "done")
        return result

    def _record(self, ctx: Any, outcome: ActOutcome) -> None:
        from passer.domain.accounts.activity import Act

        named = (ctx.params.get(each.name) for each in self.params if each.param_type_name == "argument")
        # Record one word only: a path reveals details of this machine, and a question or an address may be private.
        subject = next((each for each in named if isinstance(each, str) and _WORD.fullmatch(each)), None)
        act = Act(account=user(), via="command", operation=_name(ctx), subject=subject, outcome=outcome)
        try:
            with services() as built:
                if outcome != "failed" or built.settings.project_home.is_dir():
                    built.activity.record(act)
        except PasserError as exc:
            # A command that failed has reported its reason, such as a missing database, already.
            if outcome == "done":
                note(f"The activity log has no row of this command: {exc.message}")


def name_of(command: CommandInfo) -> str:
    """Return the word that runs the command: its own, or the name of its function."""
    return command.name or (get_command_name(command.callback.__name__) if command.callback else "")


def divide_options(app: typer.Typer) -> None:
    """Let all commands list their options under headings; those with a class of their own inherit from `Command`."""
    for command in app.registered_commands:
        if command.cls is TyperCommand or command.cls is None:
            command.cls = Command
    for group in app.registered_groups:
        if group.typer_instance is not None:
            divide_options(group.typer_instance)


def _name(ctx: Any) -> str:
    """Return the command without the name of the program."""
    names = []
    while ctx.parent is not None:
        names.append(str(ctx.info_name))
        ctx = ctx.parent
    return " ".join(reversed(names))


def user() -> str:
    """Return the operating system's user; a container may have no name for its number."""
    import getpass
    import os

    try:
        return getpass.getuser()[:60]
    except (OSError, KeyError):
        return f"uid {os.getuid()}"
