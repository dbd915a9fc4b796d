"""The commands `ledger key`, `checkpoint`, `prove`, `consistency`, `check`, `stamp` and `stamped`."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.files import read_file, read_text, write_file
from passer.cli.output import note
from passer.errors import ConfigError, NotFoundError

OutputOption = Annotated[Path | None, typer.Option("--output", "-o", help="File to write; default: standard output.")]
KeyOption = Annotated[str, typer.Option("--key", help="Key of the ledger, as `passer ledger key` prints it.")]


def key() -> None:
    """Print the key that signs checkpoints. Publish it where auditors find it without asking you."""
    with services() as built:
        print(built.provenance.checkpoints.key.text)


def checkpoint(output: OutputOption = None) -> None:
    """Print the signed checkpoint of all rows. Publish it, so that later changes to earlier rows can be detected."""
    with services() as built:
        _write(built.provenance.checkpoints.current().note, output)


def prove(
    row: Annotated[str, typer.Argument(help="Number of a row, or the id of a run, or of a sweep with a study.")],
    output: OutputOption = None,
) -> None:
    """Write the proof that a row is in the ledger; `passer verify FILE --proof PROOF --key KEY` checks it."""
    with services() as built:
        _write(built.provenance.checkpoints.prove(_sequence(built, row)).text, output)


def consistency(
    earlier: Annotated[Path, typer.Argument(help="File with a checkpoint that was published before.")],
    output: OutputOption = None,
) -> None:
    """Write the proof that the ledger still begins with the rows of an earlier checkpoint."""
    from passer.domain.ledger.checkpoint import opened_checkpoint

    with services() as built:
        checkpoints = built.provenance.checkpoints
        head = opened_checkpoint(read_text(earlier), checkpoints.key)
        _write(checkpoints.continuation(head.size).text, output)


def check(
    earlier: Annotated[Path, typer.Argument(help="File with a checkpoint that was published before.")],
    proof: Annotated[Path, typer.Argument(help="File that `passer ledger consistency` wrote.")],
    key: KeyOption,
) -> None:
    """Check, without the ledger, that a later checkpoint continues an earlier one; exit status 1 if not."""
    from passer.domain.ledger.checkpoint import consistency_of, continues, opened_checkpoint
    from passer.domain.ledger.signed_note import key_of

    log = key_of(key)
    before = opened_checkpoint(read_text(earlier), log)
    after = continues(consistency_of(read_text(proof)), before, log)
    if after is None:
        note(f"FAIL: the proof does not show that the ledger continues its checkpoint of {before.size} rows.")
        raise typer.Exit(1)
    note(f"{after.origin}: its {after.size} rows begin with the {before.size} rows of the earlier checkpoint.")


def stamp(
    file: Annotated[Path, typer.Argument(help="A checkpoint, a study or a bundle.")],
    authority: Annotated[
        str | None,
        typer.Option(help="Address of a time stamp authority (RFC 3161); default: that of the project."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; default: FILE.tsr beside the file.")
    ] = None,
) -> None:
    """Have an authority certify that a file exists now. It learns the digest of the file only."""
    from passer.adapters import time_stamps

    reply = time_stamps.stamped(read_file(file), authority or _authority())
    write_file(output or file.with_name(f"{file.name}.tsr"), BytesIO(reply))


def stamped(
    file: Annotated[Path, typer.Argument(help="The file that was stamped.")],
    reply: Annotated[Path, typer.Argument(metavar="STAMP", help="File that `passer ledger stamp` wrote.")],
    roots: Annotated[Path, typer.Option(help="PEM file with the root certificate of the authority.")],
) -> None:
    """Check a time stamp: print when the authority saw the file; exit status 1 if it proves nothing."""
    from passer.adapters.time_stamps import certificates_of, time_stamp

    trusted = certificates_of(read_file(roots), name=str(roots))
    found = time_stamp(read_file(reply), read_file(file), trusted, name=str(reply))
    if isinstance(found, str):
        note(f"FAIL: {reply} does not show that an authority of {roots} stamped {file} ({found.rstrip('.')}).")
        raise typer.Exit(1)
    print(f"{file} existed at {found.at:%Y-%m-%d %H:%M:%S} UTC, says {found.authority} (number {found.serial_number}).")


def _authority() -> str:
    """Return the address that the project, or the environment, has set; ConfigError without one."""
    with services() as built:
        address = built.adapters.project_settings.current().timestamp_url
    if address is None:
        raise ConfigError(
            "No time stamp authority is known. Set one with `passer settings set timestamp_url ADDRESS`, "
            "or add --authority ADDRESS."
        )
    return address


def _sequence(built: Services, row: str) -> int:
    """Return the number of a row, or of the newest row of a run or of a sweep's study."""
    from passer.domain.ledger.entry import testid_of
    from passer.domain.ledger.of_run import run_description
    from passer.domain.study.entry import study_description
    from passer.ports import LedgerQuery

    if row.isascii() and row.isdigit():
        return int(row)
    named = (run_description(row), study_description(row), study_description(row, of_sheets=True))
    rows = built.provenance.ledger_browser.rows(LedgerQuery(testid=testid_of(row)))
    found = [int(each.id) for each in rows if each.description in named]
    if not found:
        raise NotFoundError(f"The ledger has no row of “{row}”. `passer ledger list --run {row}` lists its rows.")
    return found[-1]


def _write(text: str, output: Path | None) -> None:
    if output is None:
        print(text, end="")
    else:
        write_file(output, BytesIO(text.encode()))
