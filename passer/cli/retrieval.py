"""The commands `retrieve` and `expand`."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.cli.run_options import RETRIEVERS
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.domain.distances import Distances
    from passer.domain.retrieval_report import FigureAtK, RankingFigures, RetrievalReport
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
    k: Annotated[
        str, typer.Option("--k", help="Numbers of passages K to evaluate: 1,3,5 or all of a range, 1..10.")
    ] = "1,3,5,10",
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
    table: Annotated[
        Path | None,
        typer.Option("--table", help="Also write every figure at every K to this file (.csv, .jsonl or .xlsx)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare retrievers on a dataset. No model is called, except by retrievers that ask one."""
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.cli.files import write_file
    from passer.cli.output import ProgressLine
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


def _print(report: RetrievalReport) -> None:
    from passer.domain.retrieval_at_k import figure_name

    for warning in report.warnings:
        note(warning)
    if not report.n_judged:
        return
    cuts = report.ks if len(report.ks) <= WIDEST else report.ks[-1:]
    shown = [figure_name(name, k) for k in cuts for name in SHOWN]
    print_table(
        ["retriever", *shown],
        [
            [ranking.label, *(number(figure.mean, 3) for figure in _named(ranking, shown))]
            for ranking in report.rankings
        ],
        title=f"{report.collection}, {report.dataset}: {counted(report.n_judged, 'question')}, by {report.by}; "
        "macro means over questions",
    )
    if len(report.ks) > WIDEST:
        _print_curves(report)
    _print_means(report)
    _print_distances(report)
    compared = [ranking for ranking in report.rankings if any(figure.gain for figure in ranking.figures)]
    if compared:
        # Five columns for each cut would not fit a screen; --json and --table have all.
        last = shown[-len(SHOWN) :]
        print_table(
            ["gain over " + report.rankings[0].label, *last],
            [[ranking.label, *map(_gain_cell, _named(ranking, last))] for ranking in compared],
            title="Gains; + better, - worse, = as good, ? undecided (95 % simultaneous intervals)",
        )


def _print_curves(report: RetrievalReport) -> None:
    """Print each measure over K, a row for each retriever."""
    for figure in report.curves:
        print_table(
            [figure.title.partition(" over ")[0], *(f"K = {k}" for k in report.ks)],
            [[str(series.name), *(number(float(row.y or 0), 3) for row in series.rows)] for series in figure.series],
        )


def _print_means(report: RetrievalReport) -> None:
    """Print the other means at the largest cut: over groups, and F1 of the means of P and R."""
    from passer.domain.retrieval_at_k import figure_name

    k = max(report.ks)
    names = [figure_name(name, k) for name in SHOWN]
    f1 = f"{figure_name('F1', k)} of means"
    rows = []
    for ranking in report.rankings:
        found = _named(ranking, names)
        rows.append([ranking.label, "questions", *(number(each.mean, 3) for each in found),
                     number(ranking.f1_of_means[str(k)], 3)])  # fmt: skip
        if groups := found[0].groups:
            rows.append([ranking.label, "groups", *(number(each.over_groups, 3) for each in found),
                         number(ranking.f1_of_group_means[str(k)], 3)])  # fmt: skip
            rows += [[ranking.label, name, *(number(each.groups[name], 3) for each in found), ""] for name in groups]
    print_table(["retriever", "macro mean over", *names, f1], rows, title=f"Means at K = {k}, by name")


def _print_distances(report: RetrievalReport) -> None:
    """Print the distances of the first passages at the largest cut, by band."""
    k = str(max(report.ks))
    found = [(ranking.label, ranking.distances[k]) for ranking in report.rankings if ranking.distances]
    if not found:
        return
    names = list(found[0][1].all.bands)

    def row(label: str, mean: float | None, rated: str | None, near: Distances, over_groups: float | None) -> list[str]:
        counts = (*(str(near.bands[name]) for name in names), str(near.dropped))
        return [
            label, number(mean), number(over_groups), rated or "-", number(near.smallest), number(near.largest), *counts
        ]  # fmt: skip

    rows = []
    for label, bands in found:
        rows.append(row(label, bands.mean, bands.rating, bands.all, bands.over_groups))
        if bands.unanswerable is not None:
            near = bands.unanswerable
            rows.append(row(f"{label}: questions without an answer", near.mean, None, near, None))
    print_table(
        ["retriever", "mean", "over groups", "rating", "smallest", "largest", *names, "dropped"],
        rows,
        title=f"Distance (1 - similarity) of the first {k}, by band",
    )


def _named(ranking: RankingFigures, names: Sequence[str]) -> list[FigureAtK]:
    """Return the figures of these names, in their order."""
    found = {figure.name: figure for figure in ranking.figures}
    return [found[name] for name in names]


WIDEST = 4
"""Most cuts in one table; more are printed as one table for each measure."""
MARKS = {"better": "+", "worse": "-", "as_good": "=", "undecided": "?", "identical": "="}


def _gain_cell(figure: FigureAtK) -> str:
    gain = figure.gain
    return "-" if gain is None else f"{number(gain.gain, 3, sign=True)} {MARKS[gain.outcome]}"
