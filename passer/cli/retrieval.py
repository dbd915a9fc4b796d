"""The commands `retrieve`, `expand`, `rankings` and `import run|qrels|terms`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.commands import grouped
from passer.cli.files import check_output, checked, read_file, write_file
from passer.cli.option_models import retriever_named, term_map, values_of_k
from passer.cli.output import JsonOption, ProgressLine, note, print_json, print_table
from passer.cli.retrieval_output import print_parts, print_report, write_texts
from passer.cli.run_options import RETRIEVERS
from passer.domain.wording.counted import counted
from passer.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    from passer.domain.retrieval.inputs import StoredInput
    from passer.domain.retrieval.report import RetrievalRequest
    from passer.services.pipeline.imported_rankings import Imported


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


NOTHING_IMPORTED = "Nothing is imported. Use `passer import run`, `passer import qrels` or `passer import terms`."


@grouped
def retrieve(
    source: Annotated[
        str,
        typer.Argument(
            metavar="COLLECTION|SWEEP",
            help="Name of the collection, or id of a sweep: its collection, dataset, questions and retrievers.",
        ),
    ],
    *,
    evaluated: EvaluatedOptions,
    retriever: RetrieversOption = None,
    k: CutsOption = "1,3,5,10",
    qrels: QrelsOption = None,
    question: Annotated[
        str | None,
        typer.Option("--question", help="Show the rankings of this question side by side, with their parts."),
    ] = None,
    run: RankingsOption = None,
    written: FileOptions,
    as_json: JsonOption = False,
) -> None:
    """Compare retrievers on a dataset. No model is called, except by retrievers that need one."""
    from passer.adapters.trec import comparison_files
    from passer.domain.retrieval.report import RetrievalRequest, retrieval_table

    chosen = {
        **asdict(evaluated), "retrievers": [retriever_named(name) for name in retriever] if retriever else None
    }  # fmt: skip
    request = checked(
        RetrievalRequest,
        _compared(source, evaluated.dataset)
        | {name: value for name, value in chosen.items() if value is not None}
        | {
            "ks": values_of_k(k),
            "runs": [name for name in run or () if not Path(name).is_file()],
            "qrels": None if qrels is None or Path(qrels).is_file() else qrels,
        },
    )  # fmt: skip
    if question is not None:
        _show_question(request, question, as_json=as_json)
        return
    if written.trec is not None:
        check_output(written.trec / "relevant.qrels")
    with services() as built, ProgressLine() as line:
        if written.table is not None:
            built.exports.table_export.writer(written.table.suffix)
            check_output(written.table)
        imported = _imported(built, qrels, run or ())
        report = built.pipeline.retrieval_evaluation.evaluate(request, imported=imported, progress=line)
        if written.table is not None:
            with built.exports.table_export.table(retrieval_table(report), suffix=written.table.suffix) as content:
                write_file(written.table, content)
    if written.trec is not None:
        write_texts(comparison_files(report), written.trec)
    print_json(report) if as_json else print_report(report)


def _compared(source: str, dataset: str | None) -> dict[str, object]:
    """Return what a sweep asked of which collection, or the collection of this name.

    Raises ConfigError if the source does not name one collection.
    """
    try:
        with services() as built:
            sweep = built.adapters.runs.load_sweep(source, counted=False)
    except NotFoundError as exc:
        if dataset is None:
            raise ConfigError(
                f"There is no sweep {source}. Pass a collection and --dataset, or the id of a sweep.", field="source"
            ) from exc
        return {"collection": source}
    configs = [run.config for run in sweep.runs if not run.config.model.is_outside]
    collections = list(dict.fromkeys(config.collection for config in configs))
    if len(collections) != 1:
        names = ", ".join(collections) or "none"
        raise ConfigError(
            f"Sweep {source} has several collections or none ({names}). Name one collection and --dataset.",
            field="source",
        )
    return {
        "collection": collections[0],
        "dataset": sweep.sweep.config.dataset,
        "questions": sweep.questions,
        "retrievers": list({config.retriever.key: config.retriever for config in configs}.values()),
    }


def _show_question(request: RetrievalRequest, question: str, *, as_json: bool) -> None:
    from passer.domain.retrieval.report import QuestionRequest

    with services() as built:
        wanted = QuestionRequest(**dict(request), question_id=question)
        found = built.pipeline.retrieval_evaluation.side_by_side(wanted)
    if as_json:
        print_json({"items": found})
        return
    for ranking in found:
        print_parts(ranking)


def expand(
    question: Annotated[str, typer.Argument(help="The question.")],
    terms: Annotated[
        str,
        typer.Option(
            "--terms",
            metavar="NAME|FILE",
            help="A saved term map, or a CSV file with one term in each line, followed by the words that it adds.",
        ),
    ],
    most: Annotated[int, typer.Option("--most", help="Largest number of words to add.", min=1, max=50)] = 8,
) -> None:
    """Print the words that `terms:RETRIEVER@FILE` searches for instead of the question."""
    from passer.domain.retrieval.expansion import expansion
    from passer.domain.wording.sentence import sentence

    found = expansion(question, term_map(terms, most=most))
    typer.echo(found.asked[0])
    if found.reason is not None:
        note(sentence(f"rewriting.{found.reason}"))


def _imported(built: Services, qrels: str | None, runs: Sequence[str]) -> Imported:
    """Read what is given as files; names are for the services."""
    from passer.services.pipeline.imported_rankings import Imported

    paths = [path for run in runs if (path := Path(run)).is_file()]
    relevance = None if qrels is None or not Path(qrels).is_file() else Path(qrels)
    return Imported(
        runs=[built.library.read_run(read_file(path), path.name) for path in paths],
        grades=None if relevance is None else built.library.read_qrels(read_file(relevance), relevance.name),
        graded_by="qrels" if relevance is None else relevance.stem,
    )


def import_run(
    file: Annotated[Path, typer.Argument(help="TREC run, or a table of documents (qid, did, rank).")],
    name: Annotated[str | None, typer.Option(help="Name of the ranking; default: the tag of the run.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Import the ranking of another system, to compare retrievers with it; a file with a wrong line is refused."""
    from passer.domain.retrieval.inputs import StoredRun

    content = read_file(file)

    def named(built: Services) -> tuple[str, object]:
        tag, ranked = built.library.read_run(content, file.name)
        return name or tag, ranked

    _save(StoredRun, named, as_json=as_json)


def import_qrels(
    file: Annotated[Path, typer.Argument(help="TREC or BEIR qrels, or a table of grades (qid, did, answer).")],
    name: Annotated[str | None, typer.Option(help="Name of the grades; default: the name of the file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Import relevance grades, to measure retrievers by them; a file with a wrong line is refused."""
    from passer.domain.retrieval.inputs import StoredQrels

    content = read_file(file)
    _save(StoredQrels, lambda built: (name or file.stem, built.library.read_qrels(content, file.name)), as_json=as_json)


def import_terms(
    file: Annotated[
        Path, typer.Argument(help="CSV file with one term in each line, followed by the words that it adds.")
    ],
    name: Annotated[str | None, typer.Option(help="Name of the map; default: the name of the file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Save a term map for query expansion, `terms:RETRIEVER@NAME`; a file with a wrong line is refused."""
    from passer.adapters.term_maps import read_term_map
    from passer.domain.retrieval.inputs import StoredTerms

    terms = read_term_map(file)
    _save(StoredTerms, lambda _: (name or file.stem, terms), as_json=as_json)


def rankings(as_json: JsonOption = False) -> None:
    """List the imported rankings, relevance grades and term maps."""
    with services() as built:
        found = built.judging.relevance_grades.listed("qrels", "run", "terms")
    if as_json:
        print_json({"items": found})
        return
    rows = [(each.kind, each.name, str(each.entries), each.judge or "-", each.digest[:12]) for each in found]
    print_table(["kind", "name", "questions or terms", "judge", "digest"], rows, empty=NOTHING_IMPORTED)


def _save(form: type[StoredInput], read: Callable[[Services], tuple[str, object]], *, as_json: bool) -> None:
    """Save what `read` returns: a name and its content."""
    with services() as built:
        name, content = read(built)
        stored = checked(form, {"name": name, "content": content})
        summary = built.adapters.retrieval_inputs.save(stored)
    if as_json:
        print_json(summary)
        return
    what = "term" if summary.kind == "terms" else "question"
    note(f"Saved “{summary.name}” with {counted(summary.entries, what)}.")
