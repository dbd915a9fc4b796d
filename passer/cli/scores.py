"""The commands `score` and `metrics`."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.files import ColumnOption, check_output, named_columns, read_file, write_file
from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.domain.wording.counted import counted, grouped
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.domain.score import Profile, VectorProfile

ProfileOption = Annotated[str, typer.Option("--profile", help="Metric definitions: standard or published.")]
AnyProfileOption = Annotated[
    str, typer.Option("--profile", help="Metric definitions: standard, published, judged or grounded.")
]


def score(
    file: Annotated[Path, typer.Argument(help="Table with the columns reference and answer (JSON, JSONL, CSV, XLSX).")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write all scores to .csv, .jsonl or .xlsx.")
    ] = None,
    profile: ProfileOption = "standard",
    language: Annotated[str, typer.Option(help="Language tag of the texts, for example en or bg.")] = "en",
    column: ColumnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score the answers of a file against their references with all 24 metrics.

    A column references, or other_references beside a reference, has several right answers: each metric keeps its best
    value. --column names columns that PaSSER does not recognise, as id, reference, references, other_references or
    answer.
    """
    from passer.domain.analysis.run_metrics import scoring_of

    content = read_file(file)
    with services() as built:
        if output is not None:
            built.pipeline.file_scorer.writer(output.name)
            check_output(output)
        table, notes = built.pipeline.file_scorer.score(
            content, file.name, profile=_vector_profile(profile), language=language, columns=named_columns(column)
        )
        scoring = scoring_of(table, encoder=built.pipeline.scorer.identity["encoder"])
        if output is not None:
            write_file(output, BytesIO(built.pipeline.file_scorer.content(table, output.name)))
    if as_json:
        print_json({"columns": table.columns, "rows": [dict(row) for row in table.rows()]})
        return
    rows = []
    for j, name in enumerate(table.columns):
        present = table.present[:, j]
        mean = float(table.values[present, j].mean()) if present.any() else None
        rows.append((name, number(mean), str(int(present.sum())), str(int((~present).sum()))))
    print_table(["metric", "mean", "n", "without a value"], rows)
    for line in (*scoring, *notes):
        note(line)
    if cut_off := sum("answer_cut_off" in notes for notes in table.notes.values()):
        note(
            f"In {grouped(cut_off)} of {counted(len(table), 'row')}, the reference is so long that the encoder read "
            "nothing of the answer (answer_cut_off). Their B-RT values are not meaningful."
        )


def metrics(profile: AnyProfileOption = "standard", as_json: JsonOption = False) -> None:
    """List the metrics with their range and description."""
    from passer.bootstrap.pipeline import metric_infos

    infos = metric_infos(_profile(profile))
    if as_json:
        print_json({"metrics": infos})
        return
    rows = [
        (i.name, f"[{_bound(i.minimum)}, {_bound(i.maximum)}]", "higher" if i.higher_is_better else "lower", i.summary)
        for i in infos
    ]
    print_table(["metric", "range", "better", "description"], rows)


def _bound(value: float | None) -> str:
    return "inf" if value is None else f"{value:g}"


def _vector_profile(text: str) -> VectorProfile:
    if text == "standard":
        return "standard"
    if text == "published":
        return "published"
    raise ConfigError("--profile must be standard or published.", field="profile")


def _profile(text: str) -> Profile:
    if text == "judged":
        return "judged"
    if text == "grounded":
        return "grounded"
    if text not in ("standard", "published"):
        raise ConfigError("--profile must be standard, published, judged or grounded.", field="profile")
    return _vector_profile(text)
