"""bundle and verify: a run taken out so that anyone can check it, and the check."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, print_json

if TYPE_CHECKING:
    from passer.domain.bundle.verification import Verification

MARKS = {"pass": "pass        ", "fail": "FAIL        ", "not_checked": "not checked "}


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (bundle, verify):
        app.command()(command)


def bundle(
    run_id: Annotated[str, typer.Argument(help="Id of a finished run, as `passer show` lists it.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write, .zip.")],
) -> None:
    """Write a run with its proofs as one file, to be checked with `passer verify` or by hand."""
    import shutil

    from passer.bootstrap import services
    from passer.errors import InputError

    partial = output.with_name(f".{output.name}.part")
    with services() as built, built.bundling.bundle(run_id) as content:
        try:
            with partial.open("wb") as stream:
                shutil.copyfileobj(content, stream)
            partial.replace(output)
        except OSError as exc:
            partial.unlink(missing_ok=True)
            raise InputError(f"{output} cannot be written ({exc.strerror}): choose another file.") from exc
    note(f"Wrote {output}.")


def verify(
    path: Annotated[Path, typer.Argument(metavar="BUNDLE", help="File that `passer bundle` wrote.")],
    chain: Annotated[
        list[str] | None, typer.Option("--chain", help="Address of a node to ask what only a chain can confirm.")
    ] = None,
    contract: Annotated[
        str | None, typer.Option(help="Account that must hold the contract; without it, the one the bundle names.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a bundle: exit status 0 verified, 1 not, 2 could not check. Needs no set-up; offline without --chain."""
    found = _verified(path, chain or (), contract)
    if as_json:
        print_json(found)
    else:
        _show(found)
    if found.failed:
        raise typer.Exit(1)
    if chain and not found.confirmed_by_chain:
        note("The chain was asked and confirmed nothing: the steps above say why.")
        raise typer.Exit(2)


def _verified(path: Path, chain: Sequence[str], contract: str | None) -> Verification:
    import mmap

    from passer.errors import InputError
    from passer.services.verifying import Verifying

    try:
        with path.open("rb") as stream:
            content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else "there is nothing in it"
        raise InputError(f"{path} cannot be read ({reason}): give the .zip that `passer bundle` wrote.") from exc
    if not chain:
        return Verifying().verify(memoryview(content))
    from passer.bootstrap.verification import verifying

    with verifying(chain, contract=contract) as built:
        return built.verify(memoryview(content))


def _show(found: Verification) -> None:
    from passer.domain.bundle.verification import TITLES

    for step in found.steps:
        print(f"{MARKS[step.outcome]} {TITLES[step.name]}")
        if step.outcome == "fail":
            print(f"             {_printable(' '.join(_where(step.member, step.question, step.field)))}")
        print(f"             {_printable(step.detail)}")
    print()
    print(f"{found.verdict}: run {_printable(found.run_id or '?')}, {found.questions} questions")
    print(f"run digest     {found.run_digest or '-'}")
    print(f"config digest  {found.config_digest or '-'}")
    print(f"questions root {found.questions_root or '-'}")


def _where(member: str | None, question: str | None, field: str | None) -> list[str]:
    """Where a step failed, in words."""
    named = {"in": member, "question": question, "under": field}
    return [f"{word} {value}" for word, value in named.items() if value]


def _printable(text: str) -> str:
    """Without what would steer a terminal: ids and names in a bundle are somebody else's."""
    return "".join(mark if mark.isprintable() else f"\\x{ord(mark):02x}" for mark in text)
