"""The commands `ledger head`, `list`, `show`, `post`, `record`, `verify`, `export`, `compare`, and of checkpoints."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.files import parse_head, read_file
from passer.cli.output import JsonOption, note, print_json, print_table

if TYPE_CHECKING:
    from passer.ports import LedgerHead, LedgerQuery
    from passer.services.provenance.outbox_poster import Posted
    from passer.services.provenance.run_recorder import RunEntries


AccountOption = Annotated[str | None, typer.Option("--account", help="Only rows signed by this account.")]
RunOption = Annotated[str | None, typer.Option("--run", help="Only rows of this run: its id or testid.")]
SinceOption = Annotated[
    datetime | None, typer.Option("--since", help="Only rows recorded at this time (UTC) or later.")
]
UntilOption = Annotated[datetime | None, typer.Option("--until", help="Only rows recorded before this time (UTC).")]
RunId = Annotated[str, typer.Argument(help="Id of the run, as `passer show` lists it.")]
MOST_SHOWN = 20


NO_ROWS = "The ledger has no such rows. A finished run adds its rows."


def head(as_json: JsonOption = False) -> None:
    """Print the head of the ledger. Publish it, so that later changes to earlier rows can be detected."""
    with services() as built:
        found = built.adapters.ledgers.chosen.head()
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
    after: Annotated[str | None, typer.Option(help="Start after this row.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of rows.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List the rows of the ledger, oldest first."""
    with services() as built:
        query = _query(account=account, since=since, until=until).model_copy(update={"after": after, "limit": limit})
        page = built.provenance.ledger_browser.page(query, run=run)
    if as_json:
        print_json(page)
        return
    rows = [
        (row.id, f"{row.recorded_at:%Y-%m-%d %H:%M:%S}", row.account or "-", row.testid, row.description,
         (row.run_digest or "-")[:12], "" if row.authenticated else "legacy, unauthenticated")
        for row in page.items
    ]  # fmt: skip
    print_table(["row", "recorded (UTC)", "account", "testid", "description", "digest", ""], rows, empty=NO_ROWS)
    if page.next:
        note(f"More rows follow. Continue with --after {page.next}")


def show(run_id: RunId, as_json: JsonOption = False) -> None:
    """Show the recorded and waiting entries of a run."""
    with services() as built:
        found = built.provenance.run_recorder.entries(run_id, limit=500 if as_json else 1)
    print_json(found) if as_json else _print_entries(found)


def post(as_json: JsonOption = False) -> None:
    """Post all waiting entries; exit status 1 if some still wait."""
    with services() as built:
        done = built.provenance.outbox_poster.post(at_once=True)
    print_json(done) if as_json else _print_posted(done)
    if done.waiting:
        raise typer.Exit(1)


def _print_posted(done: Posted) -> None:
    note(f"Posted: {done.posted}. Waiting: {done.waiting}.")
    for reason in done.reasons:
        note(f"  {reason}")
    if done.unsettled:
        note(f"Transactions in blocks that are not yet irreversible: {done.unsettled}. Post again to confirm them.")


def record(run_id: RunId, as_json: JsonOption = False) -> None:
    """Record a finished run that has no record in the current ledger."""
    with services() as built:
        built.provenance.run_recorder.record(run_id)
        built.provenance.outbox_poster.post(at_once=True)
        found = built.provenance.run_recorder.entries(run_id, limit=500 if as_json else 1)
    print_json(found) if as_json else _print_entries(found)


def verify(
    head: Annotated[
        str | None, typer.Option("--head", help="Earlier head that the ledger must contain, as NUMBER:DIGEST.")
    ] = None,
) -> None:
    """Check the digest and order of every row of the local ledger, and every checkpoint that was signed."""
    with services() as built:
        broken = built.adapters.ledgers.local.broken(until=parse_head(head, printed_by="passer ledger head"))
        if broken is None and built.settings.ledger == "local":
            broken = built.provenance.checkpoints.broken()
        found = built.adapters.ledgers.local.head()
    if broken:
        note(broken)
        raise typer.Exit(1)
    note(f"Valid rows: {found.entries} (all). Head: {found.digest or '-'}")
    _say(found)


def export(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; default: standard output.")
    ] = None,
    account: AccountOption = None,
    run: RunOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
) -> None:
    """Export rows as JSON Lines."""
    count = 0
    with services() as built, output.open("w", encoding="utf-8") if output else nullcontext(sys.stdout) as stream:
        for row in built.provenance.ledger_browser.rows(_query(account=account, since=since, until=until), run=run):
            stream.write(row.model_dump_json() + "\n")
            count += 1
    note(f"Rows: {count}")


def compare(
    file: Annotated[Path, typer.Argument(help="A bundle, an export of the ledger, or an export of a sweep.")],
    as_json: JsonOption = False,
) -> None:
    """Compare an export with the ledger; exit status 1 if they differ."""
    content = read_file(file)
    with services() as built:
        found = built.provenance.ledger_browser.compare(content, name=file.name)
    if as_json:
        print_json(found)
    else:
        note(found.compared)
        note(f"Equal rows: {found.equal}; different: {len(found.differs)}; missing: {len(found.missing)}.")
        if found.unauthenticated:
            note(f"Of these, {found.unauthenticated} are legacy and unauthenticated: anyone could have written them.")
        for title, rows in (
            ("differs", found.differs),
            ("missing", found.missing),
            ("more than once", found.repeated),
            ("left out of the file", found.left_out),
            ("only in the ledger", found.extra),
        ):
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


def _print_entries(found: RunEntries) -> None:
    rows = [
        (r.digest[:12], f"{r.created_at:%Y-%m-%d %H:%M}", str(r.entries), str(r.recorded), str(r.posted),
         str(r.waiting), "superseded" if r.superseded else "", r.reason or "")
        for r in found.records
    ]  # fmt: skip
    print_table(["digest", "finished", "entries", "recorded", "posted", "waiting", "", "reason for waiting"], rows)
    if found.note:
        note(found.note)


def _say(found: LedgerHead) -> None:
    note(found.proves)
    note(found.proves_not)
