"""The example corpora that come with PaSSER: found, and loaded like anyone's documents and questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from passer.domain.base import Frozen
from passer.errors import InputError, NotFoundError
from passer.ports import DatasetStore, Progress
from passer.services.ingesting import Ingesting
from passer.services.loading import Loading

FOLDER = Path(__file__).parents[1] / "datasets"
CHECKOUT = Path(__file__).parents[2] / "datasets"
"""In a checkout the examples lie beside the package; in a wheel, within it."""


class Example(Frozen):
    """An example corpus with its questions."""

    name: str
    """Name of the collection and of the dataset that it becomes."""
    documents: int
    """How many."""
    questions: int
    """How many."""


@dataclass(frozen=True)
class Examples:
    """Loads examples under their own names."""

    ingesting: Ingesting
    loading: Loading
    datasets: DatasetStore
    folders: Sequence[Path] = (FOLDER, CHECKOUT)

    def all(self) -> tuple[Example, ...]:
        """What there is, by name."""
        return tuple(self.find(path.parent.name) for path in self._question_files())

    def find(self, name: str) -> Example:
        """One example."""
        folder = self._folder(name)
        lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        documents = len(list((folder / "corpus").glob("*.md")))
        return Example(name=name, documents=documents, questions=len(lines))

    def load(self, name: str, *, progress: Progress | None = None) -> Example:
        """Ingest its documents and take its questions; doing it again adds nothing."""
        folder = self._folder(name)
        questions = folder / "questions.jsonl"
        dataset = self.loading.load(questions.read_bytes(), questions.name, name=name, language="en")
        sources = [(path.name, path.read_bytes()) for path in sorted((folder / "corpus").glob("*.md"))]
        report = self.ingesting.ingest_sources(name, sources, progress=progress)
        for document in report.documents:
            if document.problem:
                raise InputError(f"The example {name!r} is damaged ({document.problem}): install PaSSER again.")
        self.datasets.save_dataset(dataset)
        return self.find(name)

    def _folder(self, name: str) -> Path:
        for path in self._question_files():
            if path.parent.name == name:
                return path.parent
        known = ", ".join(path.parent.name for path in self._question_files())
        raise NotFoundError(f"There is no example {name!r}: use one of {known or 'none is installed'}.")

    def _question_files(self) -> list[Path]:
        for folder in self.folders:
            found = sorted(folder.glob("*/questions.jsonl"))
            if found:
                return found
        return []
