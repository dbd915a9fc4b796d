"""The commands `activity`, and the list of the commands that the activity log records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passer.bootstrap import services
from passer.cli.commands import LoggedCommand, name_of
from passer.cli.files import parse_head
from passer.cli.output import JsonOption, note, print_json, print_table
from passer.errors import InputError

LOGGED = frozenset({
    "activity export", "annotate", "arena add", "arena delete", "arena import", "arena link", "arena people",
    "arena resume", "arena start",
    "ask", "ask-again", "backup", "cancel", "demo", "draft cancel", "draft finish", "draft resume", "draft review",
    "draft start", "failures", "import answers", "import dataset", "import qrels", "import ragelo", "import run",
    "import sheets", "import terms", "ingest", "judge answer", "judge cancel", "judge pool", "judge qrels",
    "judge resume", "judge run", "judge tune", "label draw", "label import", "label passage", "ledger post",
    "ledger record", "models connect", "models pull",
    "pause", "projects add",
    "projects allow", "projects remove", "publish", "register", "reindex", "reproduce", "restore", "resume", "retry",
    "run", "settings set", "settings unset", "sweep",
    "users add", "users change", "users connect", "users disconnect", "users recover", "users remove", "users token",
})  # fmt: skip
"""Commands that the activity log records: all that change something, start work, or ask a model."""


def log_commands(app: typer.Typer, *path: str) -> None:
    """Let the commands that change something leave a row in the activity log."""
    for command in app.registered_commands:
        if " ".join((*path, name_of(command))) in LOGGED:
            command.cls = LoggedCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            log_commands(group.typer_instance, *path, str(group.name))


NO_ROWS = "The log has no such rows."


def listed(
    account: Annotated[str | None, typer.Option(help="Only rows of this account.")] = None,
    operation: Annotated[str | None, typer.Option(help="Only rows of this operation, such as delete_dataset.")] = None,
    before: Annotated[int | None, typer.Option(help="Only rows before this one.", min=1)] = None,
    limit: Annotated[int, typer.Option(help="Maximum number of rows.", min=1, max=1000)] = 20,
    as_json: JsonOption = False,
) -> None:
    """List who did what in a project, newest first; `passer --project` chooses it."""
    with services() as built:
        found = built.activity.newest(account=account, operation=operation, before=before, limit=limit)
    if as_json:
        print_json({"items": found})
        return
    rows = [
        (str(row.number), f"{row.at:%Y-%m-%d %H:%M:%S}", row.account or "-", row.via, row.operation, row.subject or "-",
         row.outcome)
        for row in found
    ]  # fmt: skip
    print_table(["row", "time (UTC)", "account", "via", "operation", "subject", "outcome"], rows, empty=NO_ROWS)


def export(file: Annotated[Path, typer.Argument(help="File to write, as JSON Lines.")]) -> None:
    """Write the whole log of a project to a file, oldest row first; `passer --project` chooses it."""
    from shutil import copyfileobj

    with services() as built, built.activity.exported() as content:
        try:
            with file.open("wb") as target:
                copyfileobj(content, target)
        except OSError as exc:
            raise InputError(f"{file} cannot be written ({exc.strerror}). Choose another path.") from exc
    note(f"Wrote {file}.")


def verify(
    head: Annotated[
        str | None, typer.Option(help="Row noted earlier, as this command prints it: NUMBER:DIGEST.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check that no row was changed, removed or inserted, and print the last row. Exit status 1 if one was."""
    expected = parse_head(head, printed_by="passer activity verify")
    with services() as built:
        found = built.activity.check(expected)
    if as_json:
        print_json(found)
    else:
        print(found.problem or (f"{found.rows}:{found.digest}" if found.rows else "The log is empty."))
    if found.problem:
        raise typer.Exit(1)
