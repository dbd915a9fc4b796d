"""A home of PaSSER in a Python program or a notebook: `passer.open`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from passer.adapters.caller_files import read_file, write_file
from passer.adapters.experiments.reader import experiment_of
from passer.bootstrap import Services, build_services
from passer.bootstrap.experiments import experiment
from passer.bootstrap.systems import System, answering, function_system, sweep_of
from passer.domain.analysis.analysis import SweepAnalysis
from passer.domain.analysis.choices import SweepChoices
from passer.domain.retrieval.passages import Chunking
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.conclusion import SweepVerdict
from passer.errors import InputError
from passer.services.exports.sweep_exporter import ROW_TABLES
from passer.services.library.ingest_report import IngestReport
from passer.services.library.ragelo_files import RageloPart
from passer.services.library.ragelo_import import RageloSummary
from passer.services.work.kinds import AnswersSpec, DatasetSpec, ExampleSpec, IngestSpec, R, RageloSpec, WorkSpec
from passer.services.work.sources import Paths
from passer.settings import Settings


class Home:
    """Documents, datasets and sweeps of one home. Close it, or open it with `with`."""

    def __init__(self, services: Services) -> None:
        self.services = services
        """Everything else that PaSSER does; its methods may change from version to version."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close database, vector store and model processes."""
        self.services.close()

    def example(self, name: str) -> None:
        """Load the documents and the questions of an example that comes with PaSSER; NotFoundError lists the names."""
        self.services.work.queue.run_here(ExampleSpec(name=name))

    def ingest(self, collection: str, *paths: str | Path, chunking: Chunking | None = None) -> IngestReport:
        """Add files, and all files in folders, to a collection; the report names the files that could not be read."""
        if not paths:
            raise InputError("There is nothing to add. Pass files or folders.", field="paths")
        source = Paths(paths=tuple(str(Path(path).absolute()) for path in paths))
        report: IngestReport = self.services.work.queue.run_here(
            IngestSpec(collection=collection, source=source, chunking=chunking)
        )
        return report

    def import_dataset(
        self, file: str | Path, *, name: str | None = None, language: str | None = None, add: bool = False
    ) -> str:
        """Import questions with reference answers, and return the name of the dataset.

        With `add` they are added to its newest version, which they replace otherwise. DatasetError names every bad row;
        nothing is imported then.
        """
        path = Path(file)
        content = read_file(path, field="file")
        named = (name or path.stem).strip()
        base = self.services.adapters.datasets.load_dataset(named).digest if add else None
        spec = DatasetSpec(name=named, file=path.name, language=language, base=base)
        self.services.work.queue.run_here(spec, [content])
        return spec.name

    def sweep(self, wanted: Sweep | Mapping[str, Any] | str | Path) -> str:
        """Run a sweep to its end, and return its id.

        `wanted` is the path of an experiment file, its keys as a mapping, or a Sweep. ConfigError names the key that is
        wrong. `resume` continues a sweep that was interrupted; stored answers are not asked for again.
        """
        if isinstance(wanted, Sweep):
            sweep = wanted
        elif isinstance(wanted, Mapping):
            sweep = experiment_of(wanted, Path())
        else:
            sweep = experiment(Path(wanted))
        stored = self.services.sweeps.planner.create(sweep)
        self._run(stored.id)
        return stored.id

    def evaluate(
        self,
        systems: System | Mapping[str, System],
        dataset: str,
        *,
        name: str = "system",
        questions: int | None = None,
        at_once: int = 1,
    ) -> str:
        """Ask an external system all questions of a dataset, score its answers, and return the id of the sweep.

        A system is a function of the question, or anything with `invoke`, such as a runnable of LangChain; it returns
        a text, or a mapping with `answer` and `passages`. With several, by name, the first is the baseline. Functions
        run in this process, `at_once` calls together, and are asked every time, because PaSSER cannot see whether they
        changed. InputError without a system, NotFoundError without the dataset.
        """
        named = dict(systems) if isinstance(systems, Mapping) else {name: systems}
        if not named:
            raise InputError("There is no system to evaluate. Pass a function.", field="systems")
        found = {key: function_system(each, at_once=at_once) for key, each in named.items()}
        with answering(self.services.adapters, found):
            return self.sweep(sweep_of(found, dataset, questions=questions, title=None))

    def import_answers(
        self,
        files: Mapping[str, str | Path],
        dataset: str,
        *,
        questions: int | None = None,
        title: str | None = None,
        columns: dict[str, str] | None = None,
    ) -> str:
        """Import answers of other tools as configurations, score them, and return the id of the sweep.

        `files` are by the name of the configuration; with several, the first is the baseline. `columns` maps
        `id`, `question`, `answer` or `passages` to columns of the files; the others are found by their names.
        DatasetError names every row that is wrong; nothing is imported then.
        """
        if not files:
            raise InputError("There is nothing to import. Pass a file.", field="files")
        paths = {name: Path(file) for name, file in files.items()}
        contents = [read_file(path, field="file") for path in paths.values()]
        named = tuple((name, path.name) for name, path in paths.items())
        spec = AnswersSpec(dataset=dataset, files=named, questions=questions, title=title, columns=columns or {})
        return self.run_import(spec, contents).sweep

    def import_ragelo(
        self,
        name: str,
        queries: str | Path,
        *,
        documents: str | Path | None = None,
        judgements: str | Path | None = None,
        answers: str | Path | None = None,
    ) -> RageloSummary:
        """Import RAGElo's files under a name: a dataset, a ranking, relevance grades, and a sweep of its answers.

        DatasetError names file, row and column of everything that is wrong; nothing is imported then.
        """
        given: dict[RageloPart, str | Path | None] = {
            "queries": queries,
            "documents": documents,
            "answers": answers,
            "judgements": judgements,
        }
        files = {part: Path(file) for part, file in given.items() if file is not None}
        contents = [read_file(file, field=part) for part, file in files.items()]
        spec = RageloSpec(name=name, files=tuple((part, file.name) for part, file in files.items()))
        return self.run_import(spec, contents)

    def run_import(self, spec: WorkSpec[R], contents: Sequence[bytes]) -> R:
        """Import what was read from files, post its entries to a local ledger, and return the result.

        Raises what the import raises: DatasetError for wrong rows, NotFoundError for an unknown dataset.
        """
        imported: R = self.services.work.queue.run_here(spec, contents)
        self.services.provenance.post_locally()
        return imported

    def resume(self, sweep_id: str) -> None:
        """Continue a sweep that was interrupted, to its end. Raises NotFoundError if it does not exist."""
        self.services.sweeps.control.resume(sweep_id)
        self._run(sweep_id)

    def analyse(self, sweep_id: str, choices: SweepChoices | None = None) -> SweepAnalysis:
        """Return composites, gains, tests and the verdict of a sweep.

        Raises NotFoundError if it does not exist, and ConflictError if it has no score yet, is paused or still being
        run.
        """
        return self.services.analysis.sweep_results.analyse(sweep_id, choices or SweepChoices())

    def verdict(self, sweep_id: str) -> SweepVerdict:
        """Return what a sweep concludes, for each model."""
        return self.analyse(sweep_id).verdict

    def rows(self, sweep_id: str, table: str = "evaluations") -> list[dict[str, Any]]:
        """Return a table as rows, for `pandas.DataFrame(rows)` or `polars.DataFrame(rows)`.

        `evaluations` has one row per run and question, `composites` one per configuration.
        """
        with self.services.exports.sweep_exporter.export(
            sweep_id, table=ROW_TABLES[_known(table)], suffix=".jsonl"
        ) as lines:
            return [json.loads(line) for line in lines]

    def export(self, sweep_id: str, file: str | Path, table: str = "evaluations") -> None:
        """Write a table to a .csv, .jsonl or .xlsx file, completely or not at all."""
        path = Path(file)
        with self.services.exports.sweep_exporter.export(
            sweep_id, table=ROW_TABLES[_known(table)], suffix=path.suffix
        ) as content:
            write_file(path, content)

    def _run(self, sweep_id: str) -> None:
        self.services.sweeps.runner.run(sweep_id)
        self.services.provenance.post_locally()
        judging = self.services.work.recorded_assessment(sweep_id)
        if judging is not None:
            self.services.work.queue.run_here(judging)


def open_home(home: str | Path | None = None, *, project: str | None = None, **settings: Any) -> Home:
    """Open a home: a folder that is created if it is missing; by default the one that `passer` uses.

    `settings` are those of the environment variables PASSER_..., in lower case and without the prefix. ConfigError
    names the one that is wrong; NotFoundError for an unknown project.
    """
    given = {"home": None if home is None else Path(home), "project": project, **settings}
    found = Settings.of_environment(**{name: value for name, value in given.items() if value is not None})
    return Home(build_services(found))


def evaluate(
    systems: System | Mapping[str, System],
    dataset: str | Path,
    *,
    home: str | Path | None = None,
    name: str = "system",
    questions: int | None = None,
    at_once: int = 1,
    **settings: Any,
) -> SweepAnalysis:
    """Evaluate an external system in a home, by default the one that `passer` uses, and return the analysis.

    `dataset` is the name of a dataset, or a question file, which is imported first; the rest is as in `Home.evaluate`.
    """
    with open_home(home, **settings) as opened:
        named = opened.import_dataset(dataset) if Path(dataset).is_file() else str(dataset)
        sweep = opened.evaluate(systems, named, name=name, questions=questions, at_once=at_once)
        return opened.analyse(sweep)


def _known(table: str) -> str:
    if table not in ROW_TABLES:
        raise InputError(f"There is no table “{table}”. Choose one of {', '.join(ROW_TABLES)}.", field="table")
    return table
