"""score and metrics."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, number, print_json, print_table

if TYPE_CHECKING:
    from passer.domain.score import Profile

ProfileOption = Annotated[str, typer.Option("--profile", help="standard or published.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(score)
    app.command()(metrics)


def score(
    file: Annotated[Path, typer.Argument(help="Table with the columns reference and answer (JSON, JSONL, CSV, XLSX).")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write all scores to .csv, .jsonl or .xlsx.")
    ] = None,
    profile: ProfileOption = "standard",
    as_json: JsonOption = False,
) -> None:
    """Score the answers of a file against their references: all 24 metrics."""
    from passer.bootstrap import services
    from passer.errors import InputError

    try:
        content = file.read_bytes()
    except OSError as exc:
        raise InputError(f"{file} cannot be read ({exc.strerror}): check the path.") from exc
    with services() as built:
        table = built.scoring_files.score(content, file.name, profile=_profile(profile))
        if output is not None:
            built.scoring_files.write(table, output)
    if as_json:
        print_json({"columns": table.columns, "rows": [dict(row) for row in table.rows()]})
        return
    rows = []
    for j, column in enumerate(table.columns):
        present = table.present[:, j]
        mean = float(table.values[present, j].mean()) if present.any() else None
        rows.append((column, number(mean), str(int(present.sum())), str(int((~present).sum()))))
    print_table(["metric", "mean", "n", "without a value"], rows)
    if cut_off := len({i for i, _ in table.notes}):
        note(
            f"In {cut_off} of {len(table):,} rows the encoder saw nothing of the answer behind a long reference "
            "(answer_cut_off): their B-RT values say little."
        )


def metrics(profile: ProfileOption = "standard", as_json: JsonOption = False) -> None:
    """Say what each metric is."""
    from passer.bootstrap import metric_infos

    infos = metric_infos(_profile(profile))
    if as_json:
        print_json({"metrics": infos})
        return
    rows = [
        (i.name, f"[{_bound(i.minimum)}, {_bound(i.maximum)}]", "higher" if i.higher_is_better else "lower", i.summary)
        for i in infos
    ]
    print_table(["metric", "range", "better", "what it is"], rows)


def _bound(value: float | None) -> str:
    return "inf" if value is None else f"{value:g}"


def _profile(text: str) -> Profile:
    from passer.errors import ConfigError

    if text == "standard":
        return "standard"
    if text == "published":
        return "published"
    raise ConfigError("--profile is standard or published: choose one.", field="profile")
