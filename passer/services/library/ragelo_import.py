"""An experiment of RAGElo becomes a dataset, a ranking, relevance grades and a sweep of its answers."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.base import Count, Frozen
from passer.domain.retrieval.inputs import StoredQrels, StoredRun
from passer.ports import DatasetStore
from passer.services.library.answers_import import AnswerSweeps
from passer.services.library.ragelo_files import RageloFiles, RageloReader


class RageloSummary(Frozen):
    """Summary of an imported experiment."""

    dataset: str
    """Name of the dataset, and of ranking and grades."""
    questions: Count
    """Its questions."""
    ranked: Count
    """Questions with documents, stored as an imported ranking."""
    graded: Count
    """Graded pairs of question and document, stored as imported grades."""
    agents: tuple[str, ...]
    """Configurations of the sweep; the first is the baseline."""
    metadata: tuple[str, ...]
    """Other columns of the queries, kept with the questions for prompt templates."""
    sweep: str | None
    """Id of the sweep; None without answers."""


@dataclass(frozen=True)
class RageloImport:
    """Imports all files of an experiment or none."""

    reader: RageloReader
    datasets: DatasetStore
    sweeps: AnswerSweeps

    def import_files(self, files: RageloFiles, name: str, *, key: str | None = None) -> RageloSummary:
        """Import the files under a name; DatasetError names file, row and column of everything that is wrong."""
        read = self.reader.read(files, name)
        # Stored forms check the name before anything is saved.
        run = StoredRun(name=name, content=read.documents) if read.documents else None
        grades = StoredQrels(name=name, content=read.grades) if read.grades else None
        self.datasets.save_dataset(read.dataset, [stored for stored in (run, grades) if stored is not None])
        sweep = self.sweeps.run(read.answers, name, title=f"{name}, RAGElo", key=key) if read.answers else None
        return RageloSummary(
            dataset=name,
            questions=len(read.dataset.questions),
            ranked=len(read.documents),
            graded=sum(map(len, read.grades.values())),
            agents=tuple(read.answers),
            metadata=read.metadata,
            sweep=sweep,
        )
