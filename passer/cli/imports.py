"""import sheets: result sheets of earlier PaSSER versions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, number, p_value, print_json, print_table

if TYPE_CHECKING:
    from passer.bootstrap import Services
    from passer.domain.analysis.choices import SheetChoices
    from passer.domain.analysis.study_tables import Cell
    from passer.domain.dataset import Dataset
    from passer.domain.evidence.found import Evidence
    from passer.domain.sheets.procedures import Procedure, StudyAnalysis


def import_sheets(
    folder: Annotated[
        Path, typer.Argument(help="DIR/MODEL/threshold_T/*.xlsx, DIR/MODEL/threshold_T.xlsx or DIR/MODEL-T.xlsx.")
    ],
    dataset: Annotated[
        str | None, typer.Option("--dataset", help="Question file, or name of a dataset, that holds the references.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Take a study's result sheets, whole or not at all, and say what is wrong with them."""
    from passer.bootstrap import services
    from passer.cli.output import ProgressLine
    from passer.domain.sheets.audit_text import audit_text
    from passer.services.importing import ImportDetail

    with services() as built:
        references = _references(built, dataset)
        with ProgressLine() as line:
            imported = built.importing.take_folder(folder, dataset=references, progress=line)
    if as_json:
        print_json(ImportDetail.of(imported))
        return
    print(audit_text(imported.audit))
    note("")
    note(f"The import is {imported.id}. For its figures and tables:")
    note(f"  passer analyse {imported.id} --procedure corrected      (or published)")


def is_import(some_id: str) -> bool:
    """Whether an id is one of imported sheets."""
    from passer.services.importing import ID_PREFIX

    return some_id.startswith(ID_PREFIX)


def analyse_import(built: Services, import_id: str, choices: SheetChoices, *, as_json: bool) -> None:
    """Print figures and tables of imported sheets; the audit comes first."""
    from passer.domain.sheets.audit_text import audit_text

    imported = built.imports.load_import(import_id, with_answers=False)
    analysis = built.importing.analyse(import_id, choices)
    if as_json:
        print_json({"id": import_id, "audit": imported.audit, **analysis.model_dump(mode="json")})
        return
    print(audit_text(imported.audit))
    print()
    _print_study(analysis)


def _references(built: Services, given: str | None) -> Dataset | str | None:
    """A question file as a dataset that is not kept, or the name of one that is."""
    from passer.errors import InputError

    if given is None or not Path(given).is_file():
        return given
    path = Path(given)
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise InputError(f"{path} cannot be read ({exc.strerror}): check the path.") from exc
    return built.loading.load(content, path.name, name=path.stem)


def chosen_sheets(procedure: str | None, *, labels: list[str], bands: str = "phase3") -> SheetChoices:
    """How imported sheets are to be analysed; ConfigError names the option that is wrong."""
    from passer.domain.analysis.choices import SheetChoices
    from passer.domain.sheets.procedures import parsed_labels
    from passer.errors import ConfigError

    if bands not in ("phase3", "phase4"):
        raise ConfigError("--bands is phase3 or phase4: choose one.", field="bands")
    return SheetChoices(
        procedure=_procedure(procedure),
        labels=parsed_labels(labels),
        bands="phase4" if bands == "phase4" else "phase3",
    )


def _procedure(text: str | None) -> Procedure:
    """The procedure of a text; ConfigError lists them."""
    from passer.domain.sheets.procedures import PROCEDURES
    from passer.errors import ConfigError

    for procedure in PROCEDURES:
        if text == procedure:
            return procedure
    raise ConfigError(f"Imported sheets are analysed with --procedure {', '.join(PROCEDURES)}.", field="procedure")


def _print_study(analysis: StudyAnalysis) -> None:
    rows = [
        (
            item.model,
            "baseline" if item.threshold is None else f"{item.threshold:.2f}",
            str(item.n),
            str(item.n_pairs or "-"),
            number(item.mean_cps),
            number(item.cps_improvement_pct, 2, sign=True),
            number(item.cv, 3),
            number(item.tcps),
            number(item.tcps_improvement_pct, 2, sign=True),
            p_value(item.p_value),
            number(item.cohens_d, 3, sign=True),
            number(item.balance_score, 3),
            item.significance or "",
        )
        for item in analysis.configurations
    ]
    columns = ["model", "threshold", "n", "pairs", "CPS", "gain %", "CV", "T-CPS", "T-CPS %", "p", "d", "Balance", ""]
    print_table(columns, rows, title=f"{analysis.procedure}, panel {analysis.panel}")
    for name, table in analysis.tables.items():
        if table.rows:
            print()
            print_table(table.columns, [[_cell(cell) for cell in row] for row in table.rows], title=name)
    if analysis.evidence is not None:
        print()
        print_evidence(analysis.evidence)
    for line in (*analysis.statements, *(analysis.evidence.statements if analysis.evidence else ())):
        note(f"  {line}")


def print_evidence(evidence: Evidence) -> None:
    """Every gain by every test; the JSON holds the rest."""
    rows = [
        (
            item.model,
            f"{item.threshold:.2f}",
            str(item.n_pairs),
            number(_points(item.gain), 2, sign=True),
            number(_points(item.ci.low if item.ci else None), 2, sign=True),
            number(_points(item.ci.high if item.ci else None), 2, sign=True),
            number(_points(item.detectable), 2),
            str(item.questions_for_a_point or "-"),
            number(item.cohens_d, 3, sign=True),
            p_value(item.p_t),
            p_value(item.p_wilcoxon),
            p_value(item.p_permutation),
            p_value(item.p_max_t),
            p_value(item.p_holm),
        )
        for item in evidence.comparisons
    ]
    columns = [
        "model", "threshold", "pairs", "gain (points)", "from", "to", "detectable", "n for 1", "d", "p (t)",
        "p (Wilcoxon)", "p (flips)", "p (max-T)", "p (Holm)",
    ]  # fmt: skip
    print_table(columns, rows, title=f"every test; corrected over {evidence.family_size} comparisons")


def _points(value: float | None) -> float | None:
    return None if value is None else value * 100


def _cell(value: Cell) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
