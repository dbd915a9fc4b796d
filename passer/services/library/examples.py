"""The example corpora and the experiment files that come with PaSSER."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from passer.domain.base import Frozen
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError
from passer.ports import DatasetStore, Progress
from passer.services.library.dataset_import import DatasetImport
from passer.services.library.document_ingest import DocumentIngest

FOLDER = Path(__file__).parents[2] / "datasets"
QUESTIONS = "questions.jsonl"
CHECKOUT = Path(__file__).parents[3] / "datasets"
"""In a checkout the examples are beside the package, in a wheel within it."""
FOLDERS = (Path(__file__).parents[2] / "configs", Path(__file__).parents[3] / "configs")
"""In a wheel the files are within the package, in a checkout beside it."""


class Example(Frozen):
    """An example corpus with its questions."""

    name: str
    """Name of its collection and its dataset."""
    documents: int
    """Number of documents."""
    questions: int
    """Number of questions."""


@dataclass(frozen=True)
class Examples:
    """Loads examples under their names."""

    document_ingest: DocumentIngest
    dataset_import: DatasetImport
    datasets: DatasetStore
    folders: Sequence[Path] = (FOLDER, CHECKOUT)

    def all(self) -> tuple[Example, ...]:
        """List the examples by name."""
        return tuple(self.find(path.parent.name) for path in self._question_files())

    def find(self, name: str) -> Example:
        """Return one example. Raises NotFoundError if it does not exist."""
        folder = self._folder(name)
        lines = (folder / QUESTIONS).read_text(encoding="utf-8").splitlines()
        documents = len(list((folder / "corpus").glob("*.md")))
        return Example(name=name, documents=documents, questions=len(lines))

    def load(self, name: str, *, progress: Progress | None = None) -> Example:
        """Ingest the documents and import the questions of an example; a second load adds nothing.

        Further question files on the same documents become datasets named by the file.
        """
        folder = self._folder(name)
        datasets = [
            self.dataset_import.load(path.read_bytes(), path.name, name=dataset, language="en")
            for dataset, path in _datasets(folder).items()
        ]
        sources = [(path.name, path.read_bytes()) for path in sorted((folder / "corpus").glob("*.md"))]
        report = self.document_ingest.ingest_sources(name, sources, progress=progress)
        for document in report.documents:
            if document.problem:
                raise InputError(sentence("example.damaged", name=name, why=document.problem))
        for dataset in datasets:
            self.datasets.save_dataset(dataset)
        return self.find(name)

    def _folder(self, name: str) -> Path:
        for path in self._question_files():
            if path.parent.name == name:
                return path.parent
        known = ", ".join(path.parent.name for path in self._question_files())
        raise NotFoundError(sentence("example.none", name=name, known=known or "(none installed)"))

    def _question_files(self) -> list[Path]:
        for folder in self.folders:
            found = sorted(folder.glob(f"*/{QUESTIONS}"))
            if found:
                return found
        return []


def _datasets(folder: Path) -> dict[str, Path]:
    """Return the question files of an example by the name of their dataset, the example's own first."""
    further = {path.stem: path for path in sorted(folder.glob("*.jsonl")) if path.name != QUESTIONS}
    return {folder.name: folder / QUESTIONS, **further}


class Experiment(Frozen):
    """An experiment file."""

    name: str
    """Name of the file, without its ending."""
    sweep: Sweep
    """The sweep that it describes."""


@dataclass(frozen=True)
class Experiments:
    """Reads the files."""

    read: Callable[[Path], Sweep]
    folders: Sequence[Path] = FOLDERS

    def all(self) -> tuple[Experiment, ...]:
        """List the experiments by name."""
        found = next((paths for folder in self.folders if (paths := sorted(folder.glob("*.yaml")))), [])
        return tuple(Experiment(name=path.stem, sweep=self.read(path)) for path in found)
