"""Check that the recorded questions are those of the dataset whose digest the manifest states."""

from __future__ import annotations

import hashlib

from passer.domain.base import canonical_json
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.question_record import QuestionRecord, question_digest
from passer.domain.bundle.verification import Outcome
from passer.domain.dataset import Dataset


class DatasetCheck:
    """Sees the records in order. With `dataset`, the auditor's own copy, each question is compared with it."""

    def __init__(self, manifest: Manifest, dataset: Dataset | None) -> None:
        self._stated = manifest.dataset
        # A question file does not state its language. A copy of the model would keep the digest of the other language.
        language = manifest.dataset.language or "en"
        self._dataset = dataset and Dataset(name=dataset.name, language=language, questions=dataset.questions)
        self._limit = manifest.config.get("questions")
        prefix = b'{"language":' + canonical_json(manifest.dataset.language) + b',"questions":['
        self._hash, self._seen, self._has_texts = hashlib.sha256(prefix), 0, True
        self._other: int | None = None
        """Number of the first question that is not the one of the auditor's copy."""

    def see(self, record: QuestionRecord) -> None:
        """Add the next record."""
        asked = {"gold_passages": [], "id": record.id, "reference": record.reference, "text": record.question}
        others = {"other_references": record.other_references} if record.other_references else {}
        self._hash.update((b"," if self._seen else b"") + canonical_json(asked | others))
        known = self._dataset.questions[self._seen : self._seen + 1] if self._dataset else ()
        if self._dataset and self._other is None:
            digests = [question_digest(question.id, question.text, question.references) for question in known]
            if digests != [record.asked]:
                self._other = record.number
        self._has_texts &= record.withheld is None
        self._seen += 1

    def result(self) -> tuple[Outcome, str | Violation]:
        """Return the outcome with one sentence, or with the problem."""
        if self._dataset is not None:
            return self._against(self._dataset)
        if not self._has_texts:
            return "not_checked", (
                "Not checked, because the texts of questions and answers are withheld. Compare with --dataset FILE."
            )
        whole = self._hash.copy()
        whole.update(b"]}")
        if whole.hexdigest() == self._stated.digest:
            return "pass", f"{self._seen} questions, the whole dataset."
        return "not_checked", (
            "Not checked, because the dataset's digest does not follow from the questions alone: the run takes part of "
            "the dataset, questions were left out, or the digest covers gold passages. Compare with --dataset FILE."
        )

    def _against(self, dataset: Dataset) -> tuple[Outcome, str | Violation]:
        if dataset.digest != self._stated.digest:
            return "fail", Violation("Your dataset has another digest.", field="dataset.digest")
        if self._other is not None:
            return "fail", Violation("Its question is not the one in your dataset.", number=self._other)
        limit = self._limit if isinstance(self._limit, int) else len(dataset.questions)
        if self._seen != min(limit, len(dataset.questions)):
            return "fail", Violation(
                f"The run has {self._seen} of the {len(dataset.questions)} questions of your dataset.",
                field="dataset.questions",
            )
        return "pass", f"{self._seen} of {len(dataset.questions)} questions, compared with your dataset."
