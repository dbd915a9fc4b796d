"""The commands `activity`, and what records commands in the activity log."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passer.bootstrap import services
from passer.cli.help import Command, name_of
from passer.cli.output import JsonOption, note, print_json, print_table
from passer.errors import InputError, PasserError

if TYPE_CHECKING:
    from passer.domain.activity import ActOutcome


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
_WORD = re.compile(r"[\w.-]{1,100}")


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
        from passer.domain.activity import Act

        named = (ctx.params.get(each.name) for each in self.params if each.param_type_name == "argument")
        # One word only: a path tells about this machine, and a question or an address may be private.
        subject = next((each for each in named if isinstance(each, str) and _WORD.fullmatch(each)), None)
        act = Act(account=user(), via="command", operation=_name(ctx), subject=subject, outcome=outcome)
        try:
            with services() as built:
                if outcome != "failed" or built.settings.project_home.is_dir():
                    built.activity.record(act)
        except PasserError as exc:
            # The command has ended already; what made it fail, such as a missing database, has been reported.
            if outcome == "done":
                note(f"The activity log has no row of this command: {exc.message}")


def log_commands(app: typer.Typer, *path: str) -> None:
    """Let the commands that change something leave a row in the activity log."""
    for command in app.registered_commands:
        if " ".join((*path, name_of(command))) in LOGGED:
            command.cls = LoggedCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            log_commands(group.typer_instance, *path, str(group.name))


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
    print_table(["row", "time (UTC)", "account", "via", "operation", "subject", "outcome"], rows)


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
    expected = _noted(head)
    with services() as built:
        found = built.activity.check(expected)
    if as_json:
        print_json(found)
    else:
        print(found.problem or (f"{found.rows}:{found.digest}" if found.rows else "The log is empty."))
    if found.problem:
        raise typer.Exit(1)


def _noted(head: str | None) -> tuple[int, str] | None:
    if head is None:
        return None
    parts = re.fullmatch(r"([1-9][0-9]{0,9}):([0-9a-f]{64})", head)
    if parts is None:
        raise InputError("--head is not a row of the log. Use NUMBER:DIGEST, as `passer activity verify` printed it.")
    return int(parts[1]), parts[2]


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
