"""The commands `bundle`, `publish` and `verify`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.analysis_options import LabelsOption
from passer.cli.files import parse_head, read_file, read_text, write_file
from passer.cli.imports import is_import
from passer.cli.output import JsonOption, print_json
from passer.cli.reproducing import printable, result_lines
from passer.domain.wording.counted import counted
from passer.errors import ConfigError, InputError

if TYPE_CHECKING:
    from passer.domain.bundle.expectation import Expectation
    from passer.domain.bundle.proofs_check import CheckStamp
    from passer.domain.bundle.verification import Step, Verification
    from passer.domain.dataset import Dataset
    from passer.services.provenance.published_study import Publication

CHOOSE = "Choose the .zip that `passer bundle` or `passer publish` wrote."
StampOption = Annotated[
    bool, typer.Option("--stamp", help="Have the time stamp authority of the project certify that the file exists now.")
]
TextsOption = Annotated[
    bool, typer.Option("--texts/--no-texts", help="Publish the texts of questions, references and answers.")
]
PromptsOption = Annotated[
    bool,
    typer.Option("--prompts", help="Publish the prompts as they were sent, with the texts of the retrieved passages."),
]
MARKS = {"pass": "pass        ", "fail": "FAIL        ", "not_checked": "not checked "}


def bundle(
    run_id: Annotated[str, typer.Argument(help="Id of a finished run, as `passer show` lists it.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write (.zip).")],
    stamp: StampOption = False,
    texts: TextsOption = True,
) -> None:
    """Export a run with its proofs as one file that anyone can verify."""
    with services() as built, built.provenance.bundle_writer.bundle(run_id, stamp=stamp, texts=texts) as content:
        write_file(output, content)


def publish(
    context: typer.Context,
    some_id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="Id of a sweep (`passer runs`) or of imported sheets (`passer import list`), or the digest of a study "
            "that was published before, to write its file again.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write (.zip).")],
    title: Annotated[str | None, typer.Option(help="Title of the publication; default: the name of the sweep.")] = None,
    author: Annotated[list[str] | None, typer.Option(help="Name of an author, as it is cited. Repeatable.")] = None,
    licence: Annotated[str | None, typer.Option(help="SPDX identifier of the licence, such as CC-BY-4.0.")] = None,
    record: Annotated[
        bool, typer.Option("--record/--no-record", help="Enter the digest of the study in the ledger.")
    ] = True,
    label: LabelsOption = None,
    stamp: StampOption = False,
    texts: TextsOption = True,
    prompts: PromptsOption = False,
) -> None:
    """Publish a sweep or imported sheets as one file, whose table and verdict `passer verify` computes again.

    The study of a sweep has all its runs, that of imported sheets their rows and their audit.
    """
    from pydantic import ValidationError

    from passer.services.provenance.published_study import Publication

    try:
        authors = tuple(author or ())
        publication = Publication(title=title, authors=authors, licence=licence, texts=texts, prompts=prompts)
    except ValidationError as exc:
        option = str(exc.errors()[0]["loc"][0]).removesuffix("s")
        raise InputError(
            f"--{option} cannot be used. Titles and names are not empty; a licence is an SPDX identifier, such as "
            "CC-BY-4.0.",
            field=option,
        ) from exc
    if context.args:
        several = (some_id, *context.args)
        raise InputError(
            "A study has one sweep, whose configurations share their baseline and constants. Publish each of "
            f"{' and '.join(several)}: `passer domains {' '.join(several)}` compares them again.",
            field="id",
        )
    if _is_digest(some_id) and (label or publication != Publication()):
        raise InputError(
            "A published study is written with the title and content that it was published with. Leave the other "
            "options out, or give the id of the sweep to publish it with other values.",
            field="id",
        )
    if label and not is_import(some_id):
        raise ConfigError("--label applies to imported sheets only. Remove it.")
    with services() as built, _study(built, some_id, publication, label or (), record=record, stamp=stamp) as content:
        write_file(output, content)


def _is_digest(some_id: str) -> bool:
    return re.fullmatch("[0-9a-f]{64}", some_id) is not None


def _study(
    built: Services, some_id: str, publication: Publication, label: Sequence[str], *, record: bool, stamp: bool
) -> IO[bytes]:
    from passer.domain.sheets.procedures import parsed_labels

    provenance = built.provenance
    if _is_digest(some_id):
        composed = provenance.published_study(some_id)
    elif is_import(some_id):
        composed = provenance.sheet_study_composer.compose(some_id, publication, parsed_labels(label))
    else:
        composed = provenance.study_composer.compose(some_id, publication)
    return provenance.study_publisher.study(composed, record=record, stamp=stamp)


def verify(
    path: Annotated[
        Path, typer.Argument(metavar="BUNDLE", help="File written by `passer bundle` or `passer publish`.")
    ],
    chain: Annotated[
        list[str] | None,
        typer.Option("--chain", help="Address of a node, for the checks that need a blockchain. Repeatable."),
    ] = None,
    contract: Annotated[
        str | None, typer.Option(help="Expected account of the contract; default: the one named in the bundle.")
    ] = None,
    account: Annotated[str | None, typer.Option(help="Account that must have recorded the run.")] = None,
    chain_id: Annotated[str | None, typer.Option(help="Id that the blockchain must have.")] = None,
    head: Annotated[
        str | None, typer.Option(help="NUMBER:DIGEST of a row of the local ledger that was published before.")
    ] = None,
    proof: Annotated[
        Path | None, typer.Option(help="Proof of `passer ledger prove` that a row of the file is in the ledger.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(help="Key of the ledger, as `passer ledger key` prints it, for the proof in the file or --proof."),
    ] = None,
    roots: Annotated[
        Path | None, typer.Option(help="PEM file with the root certificate of the time stamp authority.")
    ] = None,
    dataset: Annotated[
        Path | None, typer.Option(help="Your copy of the question file, to compare the questions with.")
    ] = None,
    rescore: Annotated[
        bool, typer.Option("--rescore", help="Compute the scores again from the recorded texts and compare them.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Verify the bundle of a run or a study, offline unless --chain is used.

    Exit status: 0 verified; 1 not verified; 2 could not check, or not confirmed by a node or
    by a value that you gave.
    """
    expected = {"account": account, "contract": contract, "chain_id": chain_id, "head": head}
    expectation = _with_proof(_expectation(expected, dataset), proof, key)
    found = _verified(path, chain or (), expectation, rescore=rescore, roots=roots)
    print_json(found) if as_json else _show(found)
    if found.failed:
        raise typer.Exit(1)
    if found.unconfirmed:
        raise typer.Exit(2)


def _expectation(values: dict[str, str | None], dataset: Path | None) -> Expectation:
    from pydantic import ValidationError

    from passer.domain.bundle.expectation import Expectation

    head = parse_head(values["head"], printed_by="passer ledger head")
    try:
        expectation = Expectation.model_validate(values | {"head": head})
    except ValidationError as exc:
        option = str(exc.errors()[0]["loc"][0]).replace("_", "-")
        form = "an account has 1 to 12 of the characters a-z, 1-5 and the full stop, a digest 64 hexadecimal digits"
        raise InputError(f"--{option} is not valid. Correct it: {form}.", field=option) from exc
    return expectation if dataset is None else expectation.model_copy(update={"dataset": _dataset(dataset)})


def _with_proof(expectation: Expectation, proof: Path | None, key: str | None) -> Expectation:
    from passer.domain.bundle.expectation import LoggedRow
    from passer.domain.ledger.checkpoint import inclusion_of
    from passer.domain.ledger.signed_note import key_of

    if key is None:
        if proof is not None:
            raise InputError("--proof needs --key: add the key of the ledger.", field="key")
        return expectation
    if proof is None:
        return expectation.model_copy(update={"key": key_of(key)})
    logged = LoggedRow(proof=inclusion_of(read_text(proof)), key=key_of(key))
    return expectation.model_copy(update={"logged": logged})


def _dataset(path: Path) -> Dataset:
    from passer.adapters.recognition import recognised_language
    from passer.adapters.tables import table_readers
    from passer.services.library.dataset_import import DatasetImport

    # The language that counts is the one that the bundle states.
    files = DatasetImport(table_readers(), recognised_language)
    return files.load(read_file(path), path.name, name="expected", language="en")


def _verified(
    path: Path, chain: Sequence[str], expectation: Expectation, *, rescore: bool, roots: Path | None
) -> Verification:
    import mmap

    from passer.antelope.format.entries import recorded_actions
    from passer.services.provenance.bundle_verifier import BundleVerifier
    from passer.services.provenance.verifier import Verifier

    try:
        with path.open("rb") as stream:
            content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else "the file is empty"
        raise InputError(f"{path} cannot be read ({reason}). {CHOOSE}") from exc
    if not chain and not rescore and roots is None:
        return Verifier(BundleVerifier(recorded_actions, expectation=expectation)).verify(memoryview(content))

    from passer.bootstrap.verification import bundle_verifier

    check_stamp = None if roots is None else _stamp_check(roots)
    with bundle_verifier(chain, expectation, rescore=rescore, check_stamp=check_stamp) as built:
        return built.verify(memoryview(content))


def _stamp_check(roots: Path) -> CheckStamp:
    from passer.adapters.time_stamps import certificates_of, stamp_check

    return stamp_check(certificates_of(read_file(roots), name=str(roots)))


def _show(found: Verification) -> None:
    from passer.domain.bundle.verification import TITLES

    for step, *alike in _alike(found.steps):
        print(f"{MARKS[step.outcome]} {TITLES[step.name]}")
        for other in alike:
            print(f"             {TITLES[other.name]}")
        if step.outcome == "fail":
            print(f"             {printable(' '.join(_where(step.member, step.question, step.field)))}")
        print(f"             {printable(step.detail)}")
    print()
    subject = f"run {printable(found.run_id or '?')}, {counted(found.questions, 'question')}"
    if found.study is not None:
        noun = "run" if found.study.of == "sweep" else "sheet"
        runs = f"{found.study.in_table} of {counted(found.study.runs, noun)}"
        of = f"study of {found.study.of} {printable(found.study.sweep_id)}"
        subject = f"{of}, {runs}, {counted(found.questions, 'record')}"
    print(f"{found.verdict}: {subject}")
    for step in found.steps:
        if step.name in (found.unconfirmed or ()):
            print(f"not confirmed: {TITLES[step.name]}. {printable(step.detail)}")
    if found.study is not None:
        for line in result_lines(found.study.result, of=found.study.of) if found.study.result else ():
            print(line)
        print(f"standing       {found.study.standing}")
        print(f"study digest   {found.study.digest}")
        return
    print(f"run digest     {found.run_digest or '-'}")
    print(f"config digest  {found.config_digest or '-'}")
    print(f"questions root {found.questions_root or '-'}")


def _alike(steps: Sequence[Step]) -> Iterable[list[Step]]:
    """Return the steps in order, those that were not checked for one reason together: it is then given once."""
    groups: dict[object, list[Step]] = {}
    for number, step in enumerate(steps):
        groups.setdefault(step.detail if step.outcome == "not_checked" else number, []).append(step)
    return groups.values()


def _where(member: str | None, question: str | None, field: str | None) -> list[str]:
    """Return where a step failed, in words."""
    named = {"in": member, "question": question, "under": field}
    return [f"{word} {value}" for word, value in named.items() if value]
