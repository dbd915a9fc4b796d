"""Options of the command `draft start`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from passer.cli.help import check_option, drafted_option, model_option

WritersOption = Annotated[list[str], model_option("--model", help="Model that writes questions. Repeatable.")]
CheckerOption = Annotated[
    str | None, model_option("--judge", help="Model that checks drafts; default: the first model.")
]
AnswersOption = Annotated[bool, drafted_option("--answers", help="Also answer the questions of the method inpars.")]


@dataclass(frozen=True)
class DraftOptions:
    """Method, extent, checks and review of a draft."""

    way: Annotated[str, drafted_option(help="Method: agentic, inpars or paragraph.")] = "agentic"
    target: Annotated[int, drafted_option(min=1, help="Stop when this many questions are accepted.")] = 100
    patience: Annotated[
        int, drafted_option(min=1, help="Stop after this many windows without any accepted question.")
    ] = 40
    seed: Annotated[int, drafted_option(min=0, help="Seed of the order of the passages.")] = 1
    language: Annotated[str | None, drafted_option(help="Language of the documents, such as en.")] = None
    window: Annotated[str | None, drafted_option(help="Text in one request, such as 2 passages or 2000 tokens.")] = None
    limits: Annotated[
        list[str] | None,
        check_option("--limit", metavar="CHECK=VALUE", help="Limit of a check, or `off`; such as faithfulness=0.8."),
    ] = None
    examples: Annotated[
        str | None, drafted_option(help="Dataset with questions of real users, shown to the models.")
    ] = None
    instruction: Annotated[str, drafted_option(help="Instruction for writing questions, in place of PaSSER's.")] = ""
    review: Annotated[str, check_option(help="Drafts that a person must review: none, all, or sample:0.2.")] = "none"
    answers: AnswersOption = False
