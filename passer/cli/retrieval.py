"""The commands `retrieve` and `expand`."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, print_json
from passer.cli.run_options import RETRIEVERS

if TYPE_CHECKING:
    from passer.domain.retrieval_report import RetrievalReport
    from passer.services.pipeline.retrieval_evaluation import Imported

RetrieversOption = Annotated[
    list[str] | None,
    typer.Option("--retriever", help=f"{RETRIEVERS} Repeatable; gains are relative to the first."),
]
CutsOption = Annotated[
    str, typer.Option("--k", help="Numbers of passages K to evaluate: 1,3,5 or all of a range, 1..10.")
]
QrelsOption = Annotated[
    Path | None, typer.Option("--qrels", help="TREC qrels file that replaces the gold passages of the dataset.")
]
RankingsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--run",
        help="Also compare the ranking of another system: a TREC run, or RAGElo's CSV of documents. Repeatable.",
    ),
]
TrecOption = Annotated[
    Path | None, typer.Option("--trec", help="Also write each ranking as a TREC run to this folder, with the qrels.")
]
TableOption = Annotated[
    Path | None,
    typer.Option("--table", help="Also write every figure at every K to this file (.csv, .jsonl or .xlsx)."),
]


def register(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(retrieve)
    app.command()(expand)


def retrieve(
    collection: Annotated[str, typer.Argument(help="Name of the collection.")],
    dataset: Annotated[str, typer.Option("--dataset", help="Name of the dataset.")],
    retriever: RetrieversOption = None,
    k: CutsOption = "1,3,5,10",
    by: Annotated[str, typer.Option("--by", help="What is relevant or not: passage or document.")] = "passage",
    questions: Annotated[int | None, typer.Option("--questions", help="Only the first N questions.", min=1)] = None,
    group: Annotated[str | None, typer.Option(help="Only the questions of this group of the dataset.")] = None,
    category: Annotated[str | None, typer.Option(help="Only the questions of this category.")] = None,
    qrels: QrelsOption = None,
    run: RankingsOption = None,
    trec: TrecOption = None,
    table: TableOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare retrievers on a dataset. No model is called, except by retrievers that ask one."""
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.cli.files import write_file
    from passer.cli.output import ProgressLine
    from passer.cli.retrieval_output import print_report
    from passer.cli.wanted import retriever_named
    from passer.domain.retrieval_report import RetrievalRequest, retrieval_table

    request = checked(
        RetrievalRequest,
        {
            "collection": collection, "dataset": dataset, "ks": _cuts(k), "by": by, "group": group,
            "category": category, "questions": questions,
            "retrievers": [retriever_named(name) for name in retriever or ["dense"]],
        },
    )  # fmt: skip
    imported = _imported(qrels, run or ())
    with services() as built, ProgressLine() as line:
        report = built.pipeline.retrieval_evaluation.evaluate(request, imported=imported, progress=line)
        if table is not None:
            with built.exports.table_export.table(retrieval_table(report), suffix=table.suffix) as content:
                write_file(table, content)
    if trec is not None:
        _write_trec(report, trec)
    print_json(report) if as_json else print_report(report)


def expand(
    question: Annotated[str, typer.Argument(help="The question.")],
    terms: Annotated[
        Path, typer.Option("--terms", help="CSV file: a term, then the words that it adds, in each line.")
    ],
    most: Annotated[int, typer.Option("--most", help="Largest number of words to add.", min=1, max=50)] = 8,
) -> None:
    """Print what `terms:RETRIEVER@FILE` searches for in place of a question."""
    from passer.cli.wanted import term_map
    from passer.domain.expansion import expansion
    from passer.domain.wording.sentence import sentence

    found = expansion(question, term_map(terms, most=most))
    typer.echo(found.asked[0])
    if found.reason is not None:
        note(sentence(f"rewriting.{found.reason}"))


def _cuts(text: str) -> list[int]:
    from passer.errors import ConfigError

    try:
        return [number for part in text.split(",") for number in _range(part)]
    except ValueError:
        raise ConfigError(f"--k {text!r} is not a list of numbers. Examples: 1,3,5,10 and 1..10.", field="k") from None


def _range(part: str) -> range:
    """Return the numbers of `5` or `1..10`, at most 1,001 of them, so that a typing error takes no memory."""
    first, _, last = part.partition("..")
    return range(int(first), min(int(last or first), int(first) + 1000) + 1)


def _imported(qrels: Path | None, runs: list[Path] | tuple[()]) -> Imported:
    from passer.adapters.trec import read_qrels, read_run
    from passer.cli.files import read_file
    from passer.services.pipeline.retrieval_evaluation import Imported

    return Imported(
        runs=[read_run(read_file(path), path.name) for path in runs],
        grades=None if qrels is None else read_qrels(read_file(qrels), qrels.name),
    )


def _write_trec(report: RetrievalReport, folder: Path) -> None:
    from passer.adapters.trec import trec_files
    from passer.cli.files import write_file

    for name, text in trec_files(report).items():
        write_file(folder / name, BytesIO(text.encode()))
