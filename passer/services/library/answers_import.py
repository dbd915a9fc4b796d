"""Answers of other tools become the configurations of a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from passer.domain.base import Frozen
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.ports import DatasetStore, TableContent
from passer.services.library.answer_files import AnswerFiles, ReadAnswers


class AnswersSummary(Frozen):
    """Summary of imported answers."""

    dataset: str
    """Name of the dataset that the answers belong to."""
    configurations: tuple[str, ...]
    """Configurations of the sweep; the first is the baseline."""
    sweep: str
    """Id of the sweep."""
    notes: tuple[LocalizedText, ...] = ()
    """What to know of the answers of each configuration, one sentence each."""


class AnswerSweeps(Protocol):
    """Makes sweeps of answers that are known."""

    def run(
        self,
        answers: Mapping[str, ReadAnswers],
        dataset: str,
        *,
        questions: int | None = None,
        title: str | None,
        key: str | None,
    ) -> str:
        """Score answers by configuration in a sweep, and return its id; the first is the baseline.

        `questions` limits it to the first ones of the dataset. A key that was given before continues that sweep. Where
        the job around it is cancelled, so is the sweep: WorkCancelled.
        """


@dataclass(frozen=True)
class AnswersImport:
    """Imports all given files or none."""

    answer_files: AnswerFiles
    datasets: DatasetStore
    sweeps: AnswerSweeps

    def import_files(
        self,
        files: Sequence[tuple[str, str, TableContent]],
        dataset: str,
        *,
        questions: int | None = None,
        title: str | None = None,
        key: str | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> AnswersSummary:
        """Import files, each with the name of its configuration, its own name and its content.

        `columns` are those of `AnswerFiles.read`.

        DatasetError names each row that is wrong; NotFoundError without the dataset.
        """
        known = self.datasets.load_dataset(dataset)
        answers = {
            name: self.answer_files.read(content, filename, known, questions=questions, columns=columns)
            for name, filename, content in files
        }
        sweep = self.sweeps.run(answers, dataset, questions=questions, title=title, key=key)
        notes = [
            sentence("dataset.of-file", name=name, problem=note)
            for name, read in answers.items()
            for note in read.notes
        ]
        return AnswersSummary(dataset=dataset, configurations=tuple(answers), sweep=sweep, notes=tuple(notes))
