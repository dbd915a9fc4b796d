"""judge facts: the key facts by which answers are judged, to be chosen by people before."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated

import typer

from passer.bootstrap import services
from passer.cli.files import write_file
from passer.cli.output import JsonOption, note, print_json, print_table
from passer.domain.wording.counted import counted


def facts_of(
    assessment_id: Annotated[
        str, typer.Argument(metavar="ID", help="Assessment with a nugget metric, such as Nugget vital share.")
    ],
    out: Annotated[Path | None, typer.Option("--out", help=".csv, .jsonl or .xlsx; default: print them.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the key facts of an assessment with nuggets, or write them to a file to edit and judge by (--facts)."""
    with services() as built, TemporaryFile() as content:
        if out is None:
            found = built.judging.key_facts.of(assessment_id)
        else:
            found = built.judging.key_facts.write(assessment_id, content, out.suffix.lower())
            content.seek(0)
            write_file(out, content)
    if as_json:
        print_json(found)
    elif out is None:
        rows = [(each.question, fact.importance, fact.text) for each in found.questions for fact in each.facts]
        print_table(["question", "importance", "fact"], rows)
    if found.unlisted:
        note(f"{counted(found.unlisted, 'question')} without key facts.")
