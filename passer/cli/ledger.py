"""ledger head, list, show, post, record, verify, export, compare: what is recorded for good."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, print_json, print_table

if TYPE_CHECKING:
    from passer.ports import LedgerHead, LedgerQuery
    from passer.services.recording import RunEntries

ledger = typer.Typer(help="What is recorded for good, and what waits for it.", no_args_is_help=True)

AccountOption = Annotated[str | None, typer.Option("--account", help="Only rows that this account signed.")]
RunOption = Annotated[str | None, typer.Option("--run", help="Only rows of this run: its id, or its testid.")]
SinceOption = Annotated[datetime | None, typer.Option("--since", help="Recorded then (UTC) or later.")]
UntilOption = Annotated[datetime | None, typer.Option("--until", help="Recorded before then (UTC).")]
RunId = Annotated[str, typer.Argument(help="Id of the run, as `passer show` lists it.")]
MOST_SHOWN = 20


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (head, listed, show, post, record, verify, export, compare):
        ledger.command("list" if command is listed else None)(command)
    app.add_typer(ledger, name="ledger")


def head(as_json: JsonOption = False) -> None:
    """Print where the ledger stands: publish it elsewhere, and nobody can change what is before it unnoticed."""
    from passer.bootstrap import services

    with services() as built:
        found = built.ledger.head()
    if as_json:
        print_json(found)
        return
    print(f"{found.entries if found.entries is not None else '-'} {found.digest or '-'}")
    _say(found)


def listed(
    account: AccountOption = None,
    run: RunOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    after: Annotated[str | None, typer.Option(help="Go on after this row.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 20,
    as_json: JsonOption = False,
) -> None:
    """List rows straight from the ledger, oldest first."""
    from passer.bootstrap import services

    with services() as built:
        query = _query(account=account, since=since, until=until).model_copy(update={"after": after, "limit": limit})
        page = built.tracing.page(query, run=run)
    if as_json:
        print_json(page)
        return
    rows = [
        (row.id, f"{row.recorded_at:%Y-%m-%d %H:%M:%S}", row.account or "-", row.testid, row.description,
         (row.run_digest or "-")[:12], "" if row.authenticated else "legacy, unauthenticated")
        for row in page.items
    ]  # fmt: skip
    print_table(["row", "recorded (UTC)", "account", "testid", "description", "digest", ""], rows)
    if page.next:
        note(f"There is more: --after {page.next}")


def show(run_id: RunId, as_json: JsonOption = False) -> None:
    """Show what was recorded of a run, what waits, and why."""
    from passer.bootstrap import services

    with services() as built:
        found = built.recording.entries(run_id, limit=500 if as_json else 1)
    if as_json:
        print_json(found)
    else:
        _print_entries(found)


def post(as_json: JsonOption = False) -> None:
    """Post what waits, now; exit status 1 where something still waits."""
    from passer.bootstrap import services

    with services() as built:
        done = built.posting.post(at_once=True)
    if as_json:
        print_json(done)
    else:
        note(f"{done.posted} entries posted, {done.waiting} wait.")
        for reason in done.reasons:
            note(f"  {reason}")
        if done.unsettled:
            note(f"{done.unsettled} transactions are in blocks that can still be undone: post again to settle them.")
    if done.waiting:
        raise typer.Exit(1)


def record(run_id: RunId, as_json: JsonOption = False) -> None:
    """Record a finished run that has no record yet, or none for the ledger that is set now."""
    from passer.bootstrap import services

    with services() as built:
        built.recording.record(run_id)
        built.posting.post(at_once=True)
        found = built.recording.entries(run_id, limit=500 if as_json else 1)
    if as_json:
        print_json(found)
    else:
        _print_entries(found)


def verify(
    head: Annotated[
        str | None, typer.Option("--head", help="An earlier head, as NUMBER:DIGEST: it must still be there.")
    ] = None,
) -> None:
    """Check every row of the local ledger: its digest, and that it follows the one before."""
    from passer.bootstrap import services

    with services() as built:
        broken = built.local_ledger.broken(until=_earlier(head))
        found = built.local_ledger.head()
    if broken:
        note(broken)
        raise typer.Exit(1)
    note(f"All {found.entries} rows hold; the head is {found.digest or '-'}.")
    _say(found)


def export(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File; standard output by default.")] = None,
    account: AccountOption = None,
    run: RunOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
) -> None:
    """Write rows as JSON Lines, for `passer ledger compare` or any other program."""
    from passer.bootstrap import services

    count = 0
    with services() as built, output.open("w", encoding="utf-8") if output else nullcontext(sys.stdout) as stream:
        for row in built.tracing.rows(_query(account=account, since=since, until=until), run=run):
            stream.write(row.model_dump_json() + "\n")
            count += 1
    note(f"{count} rows.")


def compare(
    file: Annotated[Path, typer.Argument(help="A bundle, a ledger's export, or an export of a sweep.")],
    as_json: JsonOption = False,
) -> None:
    """Compare an export with what the ledger holds; exit status 1 where they differ."""
    from passer.bootstrap import services
    from passer.errors import InputError

    try:
        content = file.read_bytes()
    except OSError as exc:
        raise InputError(f"{file} cannot be read ({exc.strerror}): check its name.") from exc
    with services() as built:
        found = built.tracing.compare(content, name=file.name)
    if as_json:
        print_json(found)
    else:
        note(f"{found.equal} rows equal, {len(found.differs)} differ, {len(found.missing)} are missing.")
        if found.unauthenticated:
            note(f"{found.unauthenticated} of them are legacy, unauthenticated: anyone could have written them.")
        for title, rows in (("differs", found.differs), ("missing", found.missing), ("only there", found.extra)):
            for row in rows[:MOST_SHOWN]:
                print(f"{title}: {row}")
            if len(rows) > MOST_SHOWN:
                print(f"{title}: ... and {len(rows) - MOST_SHOWN} more")
    if not found.holds:
        raise typer.Exit(1)


def _query(*, account: str | None, since: datetime | None, until: datetime | None) -> LedgerQuery:
    from datetime import UTC

    from passer.ports import LedgerQuery

    moments = [moment and moment.replace(tzinfo=UTC) for moment in (since, until)]
    return LedgerQuery(account=account, since=moments[0], until=moments[1])


def _earlier(head: str | None) -> tuple[int, str] | None:
    from passer.errors import InputError

    if head is None:
        return None
    number, _, digest = head.partition(":")
    if not number.isdigit() or len(digest) != 64:
        raise InputError("Write --head as NUMBER:DIGEST, as `passer ledger head` printed them.", field="head")
    return int(number), digest


def _print_entries(found: RunEntries) -> None:
    rows = [
        (r.digest[:12], f"{r.created_at:%Y-%m-%d %H:%M}", str(r.entries), str(r.recorded), str(r.posted),
         str(r.waiting), "superseded" if r.superseded else "", r.reason or "")
        for r in found.records
    ]  # fmt: skip
    print_table(["digest", "finished", "entries", "recorded", "posted", "waiting", "", "why they wait"], rows)
    if found.note:
        note(found.note)


def _say(found: LedgerHead) -> None:
    note(found.proves)
    note(found.proves_not)
