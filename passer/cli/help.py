"""Sections of `passer --help`, and headings of options: nobody reads a list of forty names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import typer
from typer.core import TyperGroup

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
