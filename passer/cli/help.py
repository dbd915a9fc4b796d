"""Sections of `passer --help` and of the help of long commands: nobody reads a list of forty names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_command_name
from typer.models import CommandInfo

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


class Command(TyperCommand):
    """A command whose options are listed under the headings that they name as their help panel."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options heading by heading, then the others."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        plain: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            if (record := param.get_help_record(ctx)) is None:
                continue
            # "Repeatable" says it already, in a word that is not Python's.
            name = re.sub(r"<list\[(\w+)]>", r"<\1>", record[0])
            heading = "Arguments" if isinstance(param, TyperArgument) else getattr(param, "rich_help_panel", None)
            (sections.setdefault(heading, []) if heading else plain).append((name, record[1]))
        for heading, records in {**sections, "Options": plain}.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


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
