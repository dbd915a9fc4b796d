"""Options of the command `draft start`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from passer.cli.help import MODELS

DRAFTED = "What is drafted"
CHECKS = "Checks and review"

WritersOption = Annotated[
    list[str], typer.Option("--model", help="Model that writes questions. Repeatable.", rich_help_panel=MODELS)
]
CheckerOption = Annotated[
    str | None,
    typer.Option("--judge", help="Model that checks drafts; default: the first model.", rich_help_panel=MODELS),
]
AnswersOption = Annotated[
    bool, typer.Option("--answers", help="Also answer the questions of the way inpars.", rich_help_panel=DRAFTED)
]


@dataclass(frozen=True)
class DraftOptions:
    """Method, extent, checks and review of a draft."""

    way: Annotated[str, typer.Option(help="Method: agentic, inpars or paragraph.", rich_help_panel=DRAFTED)] = "agentic"
    target: Annotated[
        int, typer.Option(min=1, help="Stop when this many questions are accepted.", rich_help_panel=DRAFTED)
    ] = 100
    patience: Annotated[
        int,
        typer.Option(
            min=1, help="Stop after this many windows without any accepted question.", rich_help_panel=DRAFTED
        ),
    ] = 40
    seed: Annotated[int, typer.Option(min=0, help="Seed of the order of the passages.", rich_help_panel=DRAFTED)] = 1
    language: Annotated[
        str | None, typer.Option(help="Language of the documents, such as en.", rich_help_panel=DRAFTED)
    ] = None
    window: Annotated[
        str | None,
        typer.Option(help="Text in one request, such as 2 passages or 2000 tokens.", rich_help_panel=DRAFTED),
    ] = None
    limits: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="CHECK=VALUE",
            help="Limit of a check, or `off`; such as faithfulness=0.8.",
            rich_help_panel=CHECKS,
        ),
    ] = None
    examples: Annotated[
        str | None,
        typer.Option(help="Dataset with questions of real users, shown to the models.", rich_help_panel=DRAFTED),
    ] = None
    instruction: Annotated[
        str,
        typer.Option(help="Instruction for writing questions, in place of PaSSER's.", rich_help_panel=DRAFTED),
    ] = ""
    review: Annotated[
        str,
        typer.Option(help="Drafts that a person must review: none, all, or sample:0.2.", rich_help_panel=CHECKS),
    ] = "none"
    answers: AnswersOption = False
