"""Checks of a bundle's own members: each step compares one member with what follows from the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from passer.domain.base import digest_of
from passer.domain.bundle.dataset_check import DatasetCheck
from passer.domain.bundle.documents import ReadMember, Violation, read_document
from passer.domain.bundle.manifest import Manifest, collection_digest
from passer.domain.bundle.members import SCORES_HEADER, EntryDocument, scores_row, seal_of
from passer.domain.bundle.plausibility import Plausibility
from passer.domain.bundle.proofs_check import Proofs
from passer.domain.bundle.question_record import QuestionRecord
from passer.domain.bundle.reading import ReadRecord, read_ids_and_leaves, read_records, read_timings
from passer.domain.bundle.rows_check import Subject
from passer.domain.bundle.verdict_check import VerdictCheck, read_verdict
from passer.domain.bundle.verification import OfflineStep, Outcome, StepName, Steps
from passer.domain.bundle.zip_form import MEMBERS, VERDICT, Buffer
from passer.domain.dataset import Dataset
from passer.domain.sweeps.run_tally import Counts, Mean, Tally
from passer.domain.wording.counted import counted

MANIFEST, QUESTIONS, SCORES, ENTRY, TIMINGS = MEMBERS
WITHHELD = "the texts of questions and answers are withheld"

Rescore = Callable[[Manifest, Sequence[QuestionRecord]], tuple[Outcome, str | Violation]]
"""Scores the texts of a run's scored records again: the outcome with one sentence, or with the problem."""

See = Callable[[QuestionRecord], object]
"""Called with each record that can be read, in order."""


class BundleCheck(Subject):
    """The members of one bundle; the methods add steps in the order of docs/bundle.md."""

    def __init__(
        self,
        members: Mapping[str, Buffer],
        steps: Steps,
        dataset: Dataset | None = None,
        rescore: Rescore | None = None,
        see: See | None = None,
    ) -> None:
        super().__init__(steps, read_document(EntryDocument, bytes(members[ENTRY])), Proofs.of(members, MANIFEST))
        self._rescore, self._also_see, self._copy = rescore, see, dataset
        self._scored: list[QuestionRecord] = []
        """Records that are kept to be scored again."""
        self.manifest: ReadMember[Manifest] = read_document(Manifest, bytes(members[MANIFEST]))
        value = self.manifest.value
        self._dataset = None if value is None else DatasetCheck(value, dataset)
        self._plausibility = None if value is None else Plausibility(value)
        self.records = read_records(members[QUESTIONS], self._see)
        self.timings = read_timings(members[TIMINGS], self.records)
        self._scores = bytes(members[SCORES])
        self._verdict = bytes(members[VERDICT]) if VERDICT in members else None
        self.noted = read_ids_and_leaves(self._scores)
        self._sealed = self._manifest_seals()
        self.changed = self._changed_members()
        """Members of manifest.json without the seal in entry.json; empty where the seals themselves were changed."""

    def check(self) -> None:
        """Check everything about the run itself."""
        self._check_manifest()
        self._check_questions()
        manifest = self.manifest.value
        if manifest is None:
            for name in ("root", "config", "collection", "counts", "means"):
                self.steps.skipped(name, "manifest.json cannot be read")
        else:
            self._check_root(manifest)
            self._check_config(manifest)
            self._check_collection(manifest)
            self._check_counts_and_means(manifest)
        self._check_scores()
        self._check_timings(manifest)
        self._check_seen()
        self._check_verdict(manifest)

    def name_of(self, number: int | None) -> str | None:
        """Return the id of a question: from its record if the root is correct, else the id that most members state."""
        if number is None:
            return None
        records, timings, noted = self.records.records, self.timings.timings, self.noted.get(number)
        record = records[number] if number < len(records) else None
        timing = timings[number] if number < len(timings) else None
        if record is not None and self.steps.outcome("root") == "pass":
            return record.id
        # Three members name the question, and one of them was changed: two that agree name it rightly.
        ids = [kept.id for kept in (noted, timing, record) if kept is not None]
        return max(ids, key=ids.count) if ids else None

    @property
    def questions(self) -> int:
        """Return the number of records, broken or not."""
        return len(self.records.records)

    def _see(self, record: QuestionRecord) -> None:
        if self._also_see is not None:
            self._also_see(record)
        if self._dataset is not None and self._plausibility is not None:
            self._dataset.see(record)
            self._plausibility.see(record)
        if self._rescore is not None and record.state == "scored":
            self._scored.append(record)

    def _manifest_seals(self) -> Mapping[str, str] | None:
        document = self.entry.value
        # Seals are only used to blame: a list of seals without its own seal may have been changed itself and proves
        # nothing.
        is_sealed = document is not None and seal_of(document.manifest) == document.seals.manifest
        return document.manifest if document is not None and is_sealed else None

    def _changed_members(self) -> tuple[str, ...]:
        sealed, value = self._sealed, self.manifest.json
        if sealed is None or not isinstance(value, dict):
            return ()
        names = sorted(value.keys() | sealed.keys())
        return tuple(name for name in names if name not in value or sealed.get(name) != seal_of(value[name]))

    def _check_manifest(self) -> None:
        read = self.manifest
        if read.violation is not None:
            self.steps.failed("manifest", read.violation.detail, member=MANIFEST, path=read.violation.field)
        elif self.changed:
            detail = f"{', '.join(self.changed)} does not match the seal in entry.json. It was changed afterwards."
            self.steps.failed("manifest", detail, member=MANIFEST, path=self.changed[0])
        elif self._sealed is None:
            self.steps.passed("manifest", "Canonical and valid; entry.json has no seals to compare with.")
        else:
            self.steps.passed("manifest", f"Canonical and valid, seals match; SHA-256 {read.digest}.")

    def _check_questions(self) -> None:
        if self.records.violations:
            self.fail_at("questions", QUESTIONS, self.records.violations[0], more=len(self.records.violations) - 1)
        else:
            self.steps.passed("questions", f"{counted(len(self.records.records), 'record')}, canonical, in order.")

    def _check_root(self, manifest: Manifest) -> None:
        if self.records.root == manifest.questions_root:
            if self.records.has_texts:
                of = counted(len(self.records.leaves), "question")
                self.steps.passed("root", f"Root {manifest.questions_root} of {of}.")
            else:
                self.steps.skipped("root", f"{WITHHELD}: leaves are stated, and their root is that of the manifest")
            return
        if "questions_root" in self.changed:
            self._blame_manifest("root", "questions_root")
            return
        # The root differs and the manifest kept its seal, so a record was changed; the leaves in scores.csv tell which
        # one.
        number = self._first_other_leaf()
        if number is None:
            detail = "The root of the records differs, although scores.csv has the same leaves."
            self.steps.failed("root", detail, member=MANIFEST, path="questions_root")
        else:
            detail = "Its leaf differs from the one in scores.csv: the record was changed."
            self.fail_at("root", QUESTIONS, Violation(detail, number=number))

    def _first_other_leaf(self) -> int | None:
        leaves = self.records.leaves
        for number in range(max(len(leaves), len(self.noted))):
            noted = self.noted.get(number)
            if number >= len(leaves) or noted is None or noted.leaf != leaves[number].hex():
                return number
        return None

    def _check_config(self, manifest: Manifest) -> None:
        if digest_of(manifest.config) == manifest.config_digest:
            self.steps.passed("config", f"Configuration digest {manifest.config_digest}.")
        else:
            self._blame_manifest("config", "config" if "config" in self.changed else "config_digest")

    def _check_collection(self, manifest: Manifest) -> None:
        found = manifest.collection
        if found is None:
            self.steps.skipped("collection", "the manifest states no collection")
            return
        # Their order is fixed too: equal collections must not have different manifests.
        ordered = tuple(sorted(found.documents, key=lambda document: (document.name, document.digest)))
        digest = collection_digest(found.documents, chunking=found.chunking, embedding=found.embedding)
        if ordered == found.documents and digest == found.digest:
            self.steps.passed("collection", f"{counted(len(found.documents), 'document')}, digest {digest}.")
        else:
            self._blame_manifest("collection", "collection")

    def _check_counts_and_means(self, manifest: Manifest) -> None:
        records = self.records.whole
        if records is None:
            for name in ("counts", "means"):
                self.steps.skipped(name, "a question record is damaged")
            return
        tally = Tally()
        for record in records:
            tally.add(state=record.state, reason=record.reason, scores=record.scores)
        self._compare("counts", _counts(manifest, tally.counts))
        self._compare("means", _means(manifest, tally.means))

    def _compare(self, name: OfflineStep, pairs: Mapping[str, tuple[object, object]]) -> None:
        """Pass where every stated value equals the one that follows; else blame the first path."""
        other = next((path for path, (stated, follows) in pairs.items() if stated != follows), None)
        if other is not None:
            self._blame_manifest(name, other)
        else:
            self.steps.passed(name, f"The {name} in the manifest match the records.")

    def _check_scores(self) -> None:
        records = self.records.whole
        if records is None:
            self.steps.skipped("scores", "a question record is damaged")
        elif not self._scores.startswith(SCORES_HEADER):
            self.steps.failed("scores", "Its first row is not the table's header.", member=SCORES)
        else:
            self._check_rows(records)

    def _check_rows(self, records: Sequence[ReadRecord]) -> None:
        end = len(SCORES_HEADER)
        for number, record in enumerate(records):
            # Rows are compared as bytes: reading the table back would forgive other spellings of numbers and quotes.
            row = scores_row(
                number=number, question_id=record.id, leaf=self.records.leaves[number].hex(), state=record.state,
                scores=record.scores,
            )  # fmt: skip
            if self._scores[end : end + len(row)] != row:
                self.fail_at("scores", SCORES, Violation("Its row does not match its record.", number=number))
                return
            end += len(row)
        if end != len(self._scores):
            self.fail_at("scores", SCORES, Violation("The table has more rows than records.", number=len(records)))
        else:
            self.steps.passed("scores", f"{counted(len(records), 'row')}, byte for byte.")

    def _check_timings(self, manifest: Manifest | None) -> None:
        timings = self.timings
        if timings.violations:
            self.fail_at("timings", TIMINGS, timings.violations[0], more=len(timings.violations) - 1)
        elif manifest is None:
            self.steps.skipped("timings", "manifest.json, which contains its digest, cannot be read")
        elif timings.digest == manifest.timings_digest:
            self.steps.passed("timings", f"SHA-256 {timings.digest}.")
        elif "timings_digest" in self.changed:
            self._blame_manifest("timings", "timings_digest")
        else:
            self.steps.failed("timings", "Its SHA-256 differs from the one in the manifest.", member=TIMINGS)

    def _check_verdict(self, manifest: Manifest | None) -> None:
        if self._verdict is None:
            self.steps.skipped("verdict", "the bundle was written without the verdict of its sweep")
            return
        document, wrong = read_verdict(self._verdict)
        records = self.records.whole
        if document is None or wrong is not None:
            self.fail_at("verdict", VERDICT, wrong or Violation("It is not valid."))
        elif manifest is None or records is None:
            self.steps.skipped("verdict", "manifest.json or a question record is damaged")
        else:
            # A digest that follows from texts alone covers no clusters and no weights.
            known = self._copy.questions if self._copy else () if self.steps.outcome("dataset") == "pass" else None
            check = VerdictCheck(document, manifest.run.id, manifest.run.sweep_id, records, known)
            if (problem := check.problem()) is not None:
                self.fail_at("verdict", VERDICT, problem)
            else:
                self.steps.passed("verdict", check.detail)

    def _check_seen(self) -> None:
        dataset, plausibility = self._dataset, self._plausibility
        if dataset is None or plausibility is None or self.records.whole is None:
            broken = "manifest.json cannot be read" if dataset is None else "a question record is damaged"
            for name in ("dataset", "plausible", "rescored"):
                self.steps.skipped(name, broken)
            return
        self._add_found("dataset", *dataset.result())
        detail = "Scores are in range, passages and names are those of the configuration."
        self._add_found("plausible", "fail" if plausibility.violation else "pass", plausibility.violation or detail)
        if not self.records.has_texts:
            self.steps.skipped("rescored", WITHHELD)
        elif self._rescore is None or self.manifest.value is None:
            self.steps.skipped("rescored", "nothing is scored again without --rescore")
        else:
            self._add_found("rescored", *self._rescore(self.manifest.value, self._scored))

    def _add_found(self, name: StepName, outcome: Outcome, found: str | Violation) -> None:
        """Add a step; a problem without the number of a record is in the manifest."""
        self.add(name, outcome, found, MANIFEST if isinstance(found, str) or found.number is None else QUESTIONS)

    def _blame_manifest(self, name: OfflineStep, path: str) -> None:
        detail = f"{path} in the manifest does not match the rest of the bundle."
        self.steps.failed(name, detail, member=MANIFEST, path=path)


def _counts(manifest: Manifest, counts: Counts) -> dict[str, tuple[object, object]]:
    """Return stated and recomputed counts by path."""
    stated = {f"counts.{name}": (value, getattr(counts, name)) for name, value in manifest.counts}
    return stated | {"dataset.questions": (manifest.dataset.questions, counts.asked)}


def _means(manifest: Manifest, means: Mapping[str, Mean]) -> dict[str, tuple[object, object]]:
    """Return stated and recomputed means by path."""
    columns: dict[str, tuple[object, object]] = {"means": (manifest.means.keys(), means.keys())}
    return columns | {f"means.{column}": (manifest.means.get(column), mean) for column, mean in means.items()}
