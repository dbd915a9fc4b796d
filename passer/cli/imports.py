"""The commands `import sheets`, `import answers` and `import ragelo`, and the analysis of imported sheets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from passer.bootstrap import Services, services
from passer.cli.files import ColumnOption, named_columns, read_file
from passer.cli.output import (
    JsonOption,
    ProgressLine,
    note,
    number,
    p_value,
    print_json,
    print_study_table,
    print_table,
)
from passer.cli.run_output import print_evidence, print_outcome
from passer.domain.wording.counted import counted
from passer.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    from passer.domain.analysis.choices import SheetChoices
    from passer.domain.sheets.defect_effects import DefectEffects
    from passer.domain.sheets.procedures import Procedure, StudyAnalysis


def import_sheets(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Folder with DIR/MODEL/threshold_T/*.xlsx, DIR/MODEL/threshold_T.xlsx or DIR/MODEL-T.xlsx."
        ),
    ],
    dataset: Annotated[
        str | None, typer.Option("--dataset", help="Question file or name of a dataset with the references.")
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Exit with status 0 even if some files of the folder were not read.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Import and audit a study's result sheets, all or none; exit status 1 if files of the folder were not read."""
    from passer.domain.sheets.audit import audit_text
    from passer.services.work.kinds import ImportSpec

    file = _question_file(dataset)
    spec = ImportSpec(
        folder=str(folder.absolute()), references=file and file[0], dataset=None if file else dataset, name=None
    )
    with services() as built, ProgressLine() as line:
        imported = built.work.queue.run_here(spec, [file[1]] if file else (), progress=line)
    if as_json:
        print_json(imported)
    else:
        print(audit_text(imported.audit))
        note("")
        note(f"Imported as {imported.id}. To print its figures and tables:")
        note(f"  passer analyse {imported.id} --procedure corrected      (or published)")
    if imported.audit.is_partial and not partial:
        note("Some files of the folder were not read. Rename or convert them, or repeat the command with --partial.")
        raise typer.Exit(1)


def import_answers(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Files with questions and answers (JSON, JSONL, CSV, XLSX), such as those of RAGAS and DeepEval."
        ),
    ],
    name: Annotated[
        list[str],
        typer.Option(
            "--as", help="Name of the configuration. Repeatable: one for each file; the first is the baseline."
        ),
    ],
    dataset: Annotated[str, typer.Option("--dataset", help="Name of the dataset that the answers belong to.")],
    questions: Annotated[int | None, typer.Option(help="Only the first questions of the dataset.", min=1)] = None,
    title: Annotated[str | None, typer.Option(help="Name of the sweep.")] = None,
    column: ColumnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import the answers of other tools as configurations of a sweep, and score them; all rows or none.

    --column names columns that PaSSER does not recognise, as id, question, answer or passages, such as
    --column answer=Risposta.
    """
    from passer.bootstrap.home import Home
    from passer.services.work.kinds import AnswersSpec

    if len(name) != len(files) or len(set(name)) != len(name):
        raise ConfigError("Give each file a name of its own: --as NAME, once per file.", field="as")
    named = tuple((each, file.name) for each, file in zip(name, files, strict=True))
    spec = AnswersSpec(dataset=dataset, files=named, questions=questions, title=title, columns=named_columns(column))
    contents = [read_file(file) for file in files]
    with services() as built:
        imported = Home(built).run_import(spec, contents)
        print_json(built.adapters.runs.load_sweep(imported.sweep)) if as_json else print_outcome(built, imported.sweep)
        for line in imported.notes:
            note(line)


def import_ragelo(
    queries: Annotated[Path, typer.Argument(help="RAGElo's queries: columns qid, query.")],
    documents: Annotated[
        Path | None, typer.Option(help="Its documents: columns qid, did. They become an imported ranking.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Its answers: columns qid, agent, answer. Each agent is a configuration.")
    ] = None,
    judgements: Annotated[
        Path | None,
        typer.Option(help="Its judgements of documents: columns qid, did, answer. They become imported grades."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of everything that is imported; default: name of the file of queries.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Import RAGElo's files as a dataset, a ranking, relevance grades and a sweep; all rows of all files or none."""
    from passer.bootstrap.home import Home

    with services() as built:
        found = Home(built).import_ragelo(
            name or queries.stem, queries, documents=documents, judgements=judgements, answers=answers
        )
        if as_json:
            print_json(found)
            return
        note(f"Dataset “{found.dataset}”: {counted(found.questions, 'question')}, without reference answers.")
        if found.metadata:
            note(f"  Kept with the questions, for prompt templates: {', '.join(found.metadata)}.")
        if found.ranked:
            note(f"Ranking “{found.dataset}”: documents of {counted(found.ranked, 'question')}.")
        if found.graded:
            note(f"Grades “{found.dataset}”: {counted(found.graded, 'document')} graded.")
        if found.sweep is not None:
            print_outcome(built, found.sweep)


def listed(as_json: JsonOption = False) -> None:
    """List the imported result sheets, newest first; `passer datasets` and `passer rankings` list other imports."""
    with services() as built:
        found = built.adapters.imports.list_imports()
    if as_json:
        print_json({"items": found})
        return
    rows = [
        (each.id, each.name, ", ".join(each.models), str(each.sheets), str(each.rows), str(each.defects),
         f"{each.created_at:%Y-%m-%d %H:%M}")
        for each in found
    ]  # fmt: skip
    columns = ["import", "name", "models", "sheets", "rows", "defects", "imported (UTC)"]
    print_table(columns, rows, empty="There are no imported sheets. Import them with `passer import sheets DIR`.")


@contextmanager
def sweep_or(other: Literal["import", "run"], *ids: str) -> Iterator[None]:
    """Name the other kind too where an id is of no sweep, but might have been of an import or a run."""
    from passer.domain.wording.sentence import sentence

    try:
        yield
    except NotFoundError as exc:
        for each in ids:
            if exc.message == sentence("problem.no-sweep", sweep=each):
                raise NotFoundError(sentence(f"problem.no-sweep-or-{other}", id=each)) from exc
        raise


def is_import(some_id: str) -> bool:
    """Return whether an id belongs to imported sheets."""
    from passer.services.sheets.sheet_library import ID_PREFIX

    return some_id.startswith(ID_PREFIX)


def analyse_import(built: Services, import_id: str, choices: SheetChoices, *, as_json: bool) -> None:
    """Print the audit, then figures and tables of imported sheets."""
    from passer.domain.sheets.audit import audit_text

    imported = built.adapters.imports.load_import(import_id, with_answers=False)
    analysis = built.sheets.sheet_library.analyse(import_id, choices)
    effects = built.sheets.sheet_library.effects(import_id, choices.labels)
    if as_json:
        found = {"id": import_id, "audit": imported.audit, "defect_effects": effects}
        print_json({**found, **analysis.model_dump(mode="json")})
        return
    print(audit_text(imported.audit))
    print()
    _print_effects(effects)
    print()
    _print_study(analysis)


def _question_file(given: str | None) -> tuple[str, bytes] | None:
    """Return name and content of a question file; None for the name of a dataset, or no input."""
    if given is None or not Path(given).is_file():
        return None
    path = Path(given)
    return path.name, read_file(path)


def chosen_sheets(procedure: str | None, *, labels: list[str], bands: str = "phase3") -> SheetChoices:
    """Return the settings of the analysis; ConfigError names an invalid option."""
    from passer.domain.analysis.choices import SheetChoices
    from passer.domain.sheets.procedures import parsed_labels

    if bands not in ("phase3", "phase4"):
        raise ConfigError("--bands must be phase3 or phase4.", field="bands")
    return SheetChoices(
        procedure=_procedure(procedure),
        labels=parsed_labels(labels),
        bands="phase4" if bands == "phase4" else "phase3",
    )


def _procedure(text: str | None) -> Procedure:
    """Return the named procedure; ConfigError lists the names."""
    from passer.domain.sheets.procedures import PROCEDURES

    for procedure in PROCEDURES:
        if text == procedure:
            return procedure
    raise ConfigError(f"--procedure must be one of {', '.join(PROCEDURES)}.", field="procedure")


def _print_effects(effects: DefectEffects) -> None:
    """Print the conclusions under both procedures, and the effect of each defect on the main figures."""
    from passer.domain.sheets.defect_effects import effects_table

    if effects.reason:
        print(effects.reason)
        return
    for heading, lines in (
        ("As published:", [item.published for item in effects.models]),
        ("Corrected:", [item.corrected for item in effects.models]),
        ("Conclusions that changed:", effects.changed or ["None."]),
    ):
        print(heading, *(f"- {line}" for line in lines), sep="\n")
    if effects.direction:
        print(effects.direction)
    print()
    print_study_table("defect_effects", effects_table(effects, headlines=True))


def _print_study(analysis: StudyAnalysis) -> None:
    rows = [
        (
            item.model,
            item.strategy or ("baseline" if item.threshold is None else f"{item.threshold:.2f}"),
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
            print_study_table(name, table)
    if analysis.evidence is not None:
        print()
        print_evidence(analysis.evidence)
    for line in (*analysis.statements, *(analysis.evidence.statements if analysis.evidence else ())):
        note(f"  {line}")
