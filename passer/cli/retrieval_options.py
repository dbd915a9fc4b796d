"""Options of the command `retrieve`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from passer.cli.run_options import RETRIEVERS

RetrieversOption = Annotated[
    list[str] | None,
    typer.Option("--retriever", help=f"{RETRIEVERS} Repeatable; gains are relative to the first."),
]
CutsOption = Annotated[
    str, typer.Option("--k", help="Numbers of passages K to evaluate: a list (1,3,5) or a range (1..10).")
]
QrelsOption = Annotated[
    str | None,
    typer.Option(
        "--qrels",
        metavar="NAME|FILE",
        help="TREC qrels that replace the gold passages of the dataset: imported ones by name, or a file.",
    ),
]
RankingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--run",
        metavar="NAME|FILE",
        help="Also compare the ranking of another system: an imported one by name, a TREC run, or RAGElo's CSV of "
        "documents. Repeatable.",
    ),
]


@dataclass(frozen=True)
class EvaluatedOptions:
    """Questions that are ranked, and the passages that are relevant to them."""

    dataset: Annotated[
        str | None, typer.Option("--dataset", help="Name of the dataset; default: that of the sweep.")
    ] = None
    by: Annotated[str, typer.Option("--by", help="Unit of relevance: passage or document.")] = "passage"
    questions: Annotated[int | None, typer.Option("--questions", help="Only the first N questions.", min=1)] = None
    group: Annotated[str | None, typer.Option(help="Only the questions of this group of the dataset.")] = None
    category: Annotated[str | None, typer.Option(help="Only the questions of this category.")] = None


@dataclass(frozen=True)
class FileOptions:
    """Files that are written beside the printed report."""

    trec: Annotated[
        Path | None,
        typer.Option("--trec", help="Also write each ranking as a TREC run to this folder, with the qrels."),
    ] = None
    table: Annotated[
        Path | None,
        typer.Option("--table", help="Also write every figure at every K to this file (.csv, .jsonl or .xlsx)."),
    ] = None
