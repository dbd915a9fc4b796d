"""What a bundle shows by itself: each step holds one member against what follows from the others."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property

from passer.domain.base import canonical_json
from passer.domain.bundle.documents import ReadMember, Wrong, read_entry, read_manifest
from passer.domain.bundle.members import SCORES_HEADER, EntryDocument, scores_row, seal_of
from passer.domain.bundle.reading import (
    NotedLeaf,
    ReadRecords,
    ReadTimings,
    read_noted,
    read_records,
    read_timings,
)
from passer.domain.bundle.verification import OfflineStep, StepName, Steps
from passer.domain.bundle.zip_form import MEMBERS, Buffer, ReadZip, read_zip
from passer.domain.manifest import Counts, Manifest, Mean, Tally, collection_digest

MANIFEST, QUESTIONS, SCORES, ENTRY, TIMINGS = MEMBERS


class BundleCheck:
    """One bundle, member by member; `steps` grows in the order of docs/bundle.md."""

    def __init__(self, data: Buffer) -> None:
        self.steps = Steps()
        self.zip: ReadZip = read_zip(data)

    @cached_property
    def manifest(self) -> ReadMember[Manifest] | None:
        """manifest.json; None where it cannot be found."""
        return read_manifest(bytes(self.zip.members[MANIFEST])) if MANIFEST in self.zip.members else None

    @cached_property
    def entry(self) -> ReadMember[EntryDocument] | None:
        """entry.json; None where it cannot be found."""
        return read_entry(bytes(self.zip.members[ENTRY])) if ENTRY in self.zip.members else None

    @cached_property
    def records(self) -> ReadRecords:
        """questions.jsonl; without a record where it cannot be found."""
        return read_records(self.zip.members.get(QUESTIONS, b""))

    @cached_property
    def timings(self) -> ReadTimings:
        """timings.jsonl, held against the records."""
        return read_timings(self.zip.members.get(TIMINGS, b""), self.records)

    @cached_property
    def noted(self) -> Mapping[int, NotedLeaf]:
        """Ids and leaves as scores.csv notes them."""
        return read_noted(bytes(self.zip.members.get(SCORES, b"")))

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Members of manifest.json that do not have the seal in entry.json; none where the seals do not hold."""
        sealed = self._sealed
        if self.manifest is None or self.manifest.canonical is None or sealed is None:
            return ()
        value, dump = self.manifest.canonical.value, self.manifest.canonical.dump
        if not isinstance(value, dict):
            return ()
        names = sorted(value.keys() | sealed.keys())
        return tuple(name for name in names if name not in value or sealed.get(name) != seal_of(dump(value[name])))

    @property
    def _sealed(self) -> Mapping[str, str] | None:
        """The manifest's seals, where they have their own seal."""
        document = self.entry.value if self.entry else None
        if document is None:
            return None
        own = seal_of(canonical_json(document.manifest))
        return document.manifest if own == document.seals.manifest else None

    def look(self) -> None:
        """Every step about the run itself."""
        self._zip()
        self._manifest()
        self._questions()
        self._root()
        self._config()
        self._collection()
        self._counts_and_means()
        self._scores()
        self._timings()

    def name_of(self, number: int | None) -> str | None:
        """Id of a question: as its record has it where that is the right one, else as most members have it."""
        if number is None:
            return None
        records, timings, noted = self.records.records, self.timings.timings, self.noted.get(number)
        record = records[number] if number < len(records) else None
        timing = timings[number] if number < len(timings) else None
        if record is not None and self.steps.outcome("root") == "pass":
            return record.id
        said = [kept.id for kept in (noted, timing, record) if kept is not None and kept.id is not None]
        return max(said, key=said.count) if said else None

    def at_question(self, name: StepName, member: str, wrong: Wrong, *, more: int = 0) -> None:
        """A step failed at a question."""
        question = self.name_of(wrong.number)
        where = f"Question {wrong.number} ({question or 'id unknown'}): " if wrong.number is not None else ""
        others = f" {more} more have something wrong." if more else ""
        self.steps.failed(
            name, f"{where}{wrong.detail}{others}", member=member, number=wrong.number, question=question,
            path=wrong.field,
        )  # fmt: skip

    def _zip(self) -> None:
        problems = self.zip.problems
        if problems:
            more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
            self.steps.failed("zip", problems[0][0] + more, member=problems[0][1])
        else:
            self.steps.passed("zip", f"{len(MEMBERS)} members, stored, and no byte between or after them.")

    def _manifest(self) -> None:
        read = self.manifest
        if read is None:
            self.steps.skipped("manifest", "it cannot be found in the file")
        elif read.wrong is not None:
            self.steps.failed("manifest", read.wrong.detail, member=MANIFEST, path=read.wrong.field)
        elif self.changed:
            named = ", ".join(self.changed)
            detail = f"What it says under {named} does not have the seal in entry.json: it was changed afterwards."
            self.steps.failed("manifest", detail, member=MANIFEST, path=self.changed[0])
        elif self._sealed is None:
            self.steps.passed("manifest", "Canonical and of the form; entry.json has no seals to hold it against.")
        else:
            self.steps.passed("manifest", f"Canonical, of the form, and as sealed; SHA-256 {read.digest}.")

    def _questions(self) -> None:
        if QUESTIONS not in self.zip.members:
            self.steps.skipped("questions", "questions.jsonl cannot be found in the file")
        elif self.records.wrong:
            self.at_question("questions", QUESTIONS, self.records.wrong[0], more=len(self.records.wrong) - 1)
        else:
            self.steps.passed("questions", f"{len(self.records.records)} records, canonical, in order.")

    def _root(self) -> None:
        manifest = self._about("root", QUESTIONS)
        if manifest is None:
            return
        if self.records.root == manifest.questions_root:
            self.steps.passed("root", f"Root {manifest.questions_root} over {len(self.records.leaves)} leaves.")
            return
        if "questions_root" in self.changed:
            self._blame_manifest("root", "questions_root")
            return
        number = self._first_other_leaf()
        if number is None:
            detail = "The records do not lead to the root, though scores.csv notes the same leaves."
            self.steps.failed("root", detail, member=MANIFEST, path="questions_root")
        else:
            detail = "It is not the record that the root and scores.csv were made with."
            self.at_question("root", QUESTIONS, Wrong(detail, number=number))

    def _first_other_leaf(self) -> int | None:
        """Number of the first question whose leaf is not the one that scores.csv notes."""
        leaves = self.records.leaves
        for number in range(max(len(leaves), len(self.noted))):
            noted = self.noted.get(number)
            if number >= len(leaves) or noted is None or noted.leaf != leaves[number].hex():
                return number
        return None

    def _config(self) -> None:
        manifest = self._about("config")
        if manifest is None:
            return
        if self._digest_of("config") == manifest.config_digest:
            self.steps.passed("config", f"Configuration digest {manifest.config_digest}.")
        else:
            self._blame_manifest("config", "config" if "config" in self.changed else "config_digest")

    def _collection(self) -> None:
        manifest = self._about("collection")
        if manifest is None:
            return
        found = manifest.collection
        if found is None:
            self.steps.skipped("collection", "the manifest says that the collection is not known")
            return
        ordered = tuple(sorted(found.documents, key=lambda document: (document.name, document.digest)))
        digest = collection_digest(found.documents, chunking=found.chunking, embedding=found.embedding)
        if ordered == found.documents and digest == found.digest:
            self.steps.passed("collection", f"{len(found.documents)} documents, digest {digest}.")
        else:
            self._blame_manifest("collection", "collection")

    def _counts_and_means(self) -> None:
        recomputed = self._recomputed()
        for name in ("counts", "means"):
            manifest = self._about(name, QUESTIONS)
            if manifest is None:
                continue
            if recomputed is None:
                self.steps.skipped(name, "a question record is broken")
                continue
            counts, means = recomputed
            if name == "means":
                columns = {"means": (sorted(manifest.means), sorted(means))}
                self._hold(name, columns | {f"means.{c}": (manifest.means.get(c), mean) for c, mean in means.items()})
            else:
                stated = {key: (value, getattr(counts, key)) for key, value in manifest.counts}
                asked = {"dataset.questions": (manifest.dataset.questions, counts.asked)}
                self._hold(name, {f"counts.{key}": pair for key, pair in stated.items()} | asked)

    def _recomputed(self) -> tuple[Counts, dict[str, Mean]] | None:
        whole = self.records.whole
        if whole is None:
            return None
        tally = Tally()
        for record in whole:
            tally.add(state=record.state, reason=record.reason, scores=record.scores)
        return tally.counts, tally.means

    def _hold(self, name: OfflineStep, pairs: Mapping[str, tuple[object, object]]) -> None:
        """What is stated against what follows."""
        for path, (stated, follows) in pairs.items():
            if stated != follows:
                self._blame_manifest(name, path)
                return
        self.steps.passed(name, f"The {name} in the manifest follow from the records.")

    def _scores(self) -> None:
        if SCORES not in self.zip.members or QUESTIONS not in self.zip.members:
            self.steps.skipped("scores", "the table or the records cannot be found in the file")
            return
        content = bytes(self.zip.members[SCORES])
        if not content.startswith(SCORES_HEADER):
            self.steps.failed("scores", "Its first row is not the one that it has to have.", member=SCORES)
            return
        offset: int | None = len(SCORES_HEADER)
        for number, record in enumerate(self.records.records):
            if record is None:
                offset = self.noted[number + 1].offset if number + 1 in self.noted else None
                continue
            row = scores_row(
                number=number, question_id=record.id, leaf=self.records.leaves[number].hex(), state=record.state,
                tokens=record.tokens,
            )  # fmt: skip
            if offset is not None and content[offset : offset + len(row)] != row:
                self.at_question("scores", SCORES, Wrong("Its row does not follow from its record.", number=number))
                return
            offset = None if offset is None else offset + len(row)
        self._scores_end(len(content), offset)

    def _scores_end(self, size: int, offset: int | None) -> None:
        if self.records.whole is None:
            self.steps.skipped("scores", "a question record is broken; the rows before and after it fit")
        elif offset != size:
            wrong = Wrong("The table holds more rows than there are records.", number=len(self.records.records))
            self.at_question("scores", SCORES, wrong)
        else:
            self.steps.passed("scores", f"{len(self.records.records)} rows, byte for byte.")

    def _timings(self) -> None:
        if TIMINGS not in self.zip.members:
            self.steps.skipped("timings", "timings.jsonl cannot be found in the file")
            return
        timings, manifest = self.timings, self.manifest.value if self.manifest else None
        if timings.wrong:
            self.at_question("timings", TIMINGS, timings.wrong[0], more=len(timings.wrong) - 1)
        elif manifest is None:
            self.steps.skipped("timings", "manifest.json, which holds its digest, cannot be read")
        elif timings.digest == manifest.timings_digest:
            self.steps.passed("timings", f"SHA-256 {timings.digest}.")
        elif "timings_digest" in self.changed:
            self._blame_manifest("timings", "timings_digest")
        else:
            self.steps.failed("timings", "Its SHA-256 is not the one in the manifest.", member=TIMINGS)

    def _about(self, name: OfflineStep, *members: str) -> Manifest | None:
        """The manifest, or the step is left out because it, or another member that is needed, is not there."""
        absent = [member for member in members if member not in self.zip.members]
        if absent:
            self.steps.skipped(name, f"{absent[0]} cannot be found in the file")
            return None
        if self.manifest is None or self.manifest.value is None:
            self.steps.skipped(name, "manifest.json cannot be read")
            return None
        return self.manifest.value

    def _digest_of(self, member: str) -> str | None:
        """SHA-256 of the canonical form of a member of the manifest."""
        canonical = self.manifest.canonical if self.manifest else None
        return hashlib.sha256(canonical.dump(canonical.value[member])).hexdigest() if canonical else None

    def _blame_manifest(self, name: OfflineStep, path: str) -> None:
        detail = f"What the manifest says under {path} is not what follows from the rest of the bundle."
        self.steps.failed(name, detail, member=MANIFEST, path=path)
