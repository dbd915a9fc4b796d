"""Options of the command `draft start`."""

from __future__ import annotations

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
WayOption = Annotated[str, typer.Option("--way", help="Method: agentic, inpars or paragraph.", rich_help_panel=DRAFTED)]
TargetOption = Annotated[
    int, typer.Option("--target", min=1, help="Stop when this many questions are accepted.", rich_help_panel=DRAFTED)
]
PatienceOption = Annotated[
    int,
    typer.Option(
        "--patience",
        min=1,
        help="Stop after this many windows without any accepted question.",
        rich_help_panel=DRAFTED,
    ),
]
PassageSeedOption = Annotated[
    int, typer.Option("--seed", min=0, help="Seed of the order of the passages.", rich_help_panel=DRAFTED)
]
LanguageOption = Annotated[
    str | None, typer.Option("--language", help="Language of the documents, such as en.", rich_help_panel=DRAFTED)
]
ExcerptOption = Annotated[
    str | None,
    typer.Option("--window", help="Text in one request, such as 2 passages or 2000 tokens.", rich_help_panel=DRAFTED),
]
CheckLimitsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="CHECK=VALUE",
        help="Limit of a check, or `off`; such as faithfulness=0.8.",
        rich_help_panel=CHECKS,
    ),
]
ExamplesOption = Annotated[
    str | None,
    typer.Option(
        "--examples", help="Dataset with questions of real users, shown to the models.", rich_help_panel=DRAFTED
    ),
]
AnswersOption = Annotated[
    bool, typer.Option("--answers", help="Also answer the questions of the way inpars.", rich_help_panel=DRAFTED)
]
ReviewOption = Annotated[
    str,
    typer.Option(
        "--review", help="Drafts that a person must review: none, all, or sample:0.2.", rich_help_panel=CHECKS
    ),
]
