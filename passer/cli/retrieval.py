"""The commands `retrieve` and `expand`."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.cli.run_options import RETRIEVERS
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.domain.retrieval_report import FigureAtK, RetrievalReport
    from passer.services.pipeline.retrieval_evaluation import Imported

SHOWN = ("R", "P", "F1", "MRR", "nDCG")
"""Measures shown in the table; --json contains all of them."""


def register(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(retrieve)
    app.command()(expand)


def retrieve(
    collection: Annotated[str, typer.Argument(help="Name of the collection.")],
    dataset: Annotated[str, typer.Option("--dataset", help="Name of the dataset.")],
    retriever: Annotated[
        list[str] | None,
        typer.Option(
            "--retriever",
            help=f"{RETRIEVERS} Repeatable; gains are relative to the first.",
        ),
    ] = None,
    k: Annotated[str, typer.Option("--k", help="Numbers of passages K to evaluate, separated by commas.")] = "1,3,5,10",
    by: Annotated[str, typer.Option("--by", help="What is relevant or not: passage or document.")] = "passage",
    questions: Annotated[int | None, typer.Option("--questions", help="Only the first N questions.", min=1)] = None,
    group: Annotated[str | None, typer.Option(help="Only the questions of this group of the dataset.")] = None,
    category: Annotated[str | None, typer.Option(help="Only the questions of this category.")] = None,
    qrels: Annotated[
        Path | None, typer.Option("--qrels", help="TREC qrels file that replaces the gold passages of the dataset.")
    ] = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            "--run",
            help="Also compare the ranking of another system: a TREC run, or RAGElo's CSV of documents. Repeatable.",
        ),
    ] = None,
    trec: Annotated[
        Path | None,
        typer.Option("--trec", help="Also write each ranking as a TREC run to this folder, with the qrels."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare retrievers on a dataset. No model is called, except by retrievers that ask one."""
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.cli.output import ProgressLine
    from passer.cli.wanted import retriever_named
    from passer.domain.retrieval_report import RetrievalRequest

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
    if trec is not None:
        _write_trec(report, trec)
    print_json(report) if as_json else _print(report)


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
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ConfigError(f"--k {text!r} is not a list of numbers. Example: 1,3,5,10.", field="k") from None


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


def _print(report: RetrievalReport) -> None:
    for warning in report.warnings:
        note(warning)
    if not report.n_judged:
        return
    names = [figure for figure in report.rankings[0].figures if figure.name.partition("@")[0] in SHOWN]
    shown = [figure.name for figure in names if " " not in figure.name]
    print_table(
        ["retriever", *shown],
        [
            [ranking.label, *(_cell(figure) for figure in ranking.figures if figure.name in shown)]
            for ranking in report.rankings
        ],
        title=f"{report.collection}, {report.dataset}: {counted(report.n_judged, 'question')}, by {report.by}",
    )
    _print_distances(report)
    compared = [ranking for ranking in report.rankings if any(figure.gain for figure in ranking.figures)]
    if compared:
        print_table(
            ["gain over " + report.rankings[0].label, *shown],
            [
                [ranking.label, *(_gain_cell(figure) for figure in ranking.figures if figure.name in shown)]
                for ranking in compared
            ],
            title="Gains; + better, - worse, = as good, ? undecided (95 % simultaneous intervals)",
        )


def _print_distances(report: RetrievalReport) -> None:
    """Print the distances of the first passages at the largest cut, by band."""
    k = str(max(report.ks))
    found = [(ranking.label, ranking.distances[k]) for ranking in report.rankings if ranking.distances]
    if not found:
        return
    names = list(found[0][1].all.bands)
    print_table(
        ["retriever", "mean", "rating", "smallest", "largest", *names, "dropped"],
        [
            [
                label, number(bands.mean), bands.rating or "-", number(bands.all.smallest), number(bands.all.largest),
                *(str(bands.all.bands[name]) for name in names), str(bands.all.dropped),
            ]
            for label, bands in found
        ],
        title=f"Distance (1 - similarity) of the first {k}, by band",
    )  # fmt: skip


def _cell(figure: FigureAtK) -> str:
    return number(figure.mean, 3)


MARKS = {"better": "+", "worse": "-", "as_good": "=", "undecided": "?", "identical": "="}


def _gain_cell(figure: FigureAtK) -> str:
    gain = figure.gain
    return "-" if gain is None else f"{number(gain.gain, 3, sign=True)} {MARKS[gain.outcome]}"
