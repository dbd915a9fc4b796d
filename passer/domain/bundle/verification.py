"""What a verification says: steps in order, each passed, failed or not checked, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from passer.domain.base import Frozen

OfflineStep = Literal[
    "zip",
    "manifest",
    "questions",
    "root",
    "config",
    "collection",
    "counts",
    "means",
    "scores",
    "timings",
    "entry",
    "run_entry",
    "question_entries",
    "local_ledger",
    "transaction_id",
    "action",
]
"""What a bundle alone can show."""
ChainStep = Literal["signer", "inclusion", "block", "irreversible", "code", "row"]
"""What only the chain can confirm."""
StepName = OfflineStep | ChainStep
CHAIN_STEPS: tuple[ChainStep, ...] = get_args(ChainStep)
"""In order."""
Outcome = Literal["pass", "fail", "not_checked"]

TITLES: dict[str, str] = {
    "zip": "The file has the one form of a bundle",
    "manifest": "manifest.json is canonical and its members are the sealed ones",
    "questions": "Every question record is canonical and in its place",
    "root": "The records lead to the root in the manifest",
    "config": "The configuration has the digest in the manifest",
    "collection": "The collection has the digest in the manifest",
    "counts": "The counts follow from the records",
    "means": "The means follow from the records",
    "scores": "scores.csv follows from the records",
    "timings": "timings.jsonl belongs to the records and has the digest in the manifest",
    "entry": "entry.json is canonical and its seals hold",
    "run_entry": "The ledger's row of the run says what the manifest says",
    "question_entries": "The ledger's rows of the questions say what the records say",
    "local_ledger": "The rows of the local ledger have their digests and follow one another",
    "transaction_id": "Every transaction's id is the digest of its bytes",
    "action": "Every entry is the action at its place in the transaction",
    "signer": "Each transaction is signed by its creator",
    "inclusion": "Each transaction is in its block",
    "block": "Each block has its id",
    "irreversible": "Each block is irreversible",
    "code": "The contract's code is the one of this repository",
    "row": "The rows on the chain equal the entries",
}
"""What each step checks, in words."""


class Step(Frozen):
    """One step of a verification."""

    name: StepName
    """Which."""
    outcome: Outcome
    """How it went."""
    detail: str
    """One sentence; of a step that was not checked, why."""
    member: str | None = None
    """File of the bundle in which it failed."""
    number: int | None = None
    """Number of the question at which it failed, from 0."""
    question: str | None = None
    """Id of that question, where it can be told."""
    field: str | None = None
    """Path of the member of a JSON file at which it failed."""


class Finding(Frozen):
    """What a chain says about one step for one transaction."""

    outcome: Outcome
    """How it went."""
    detail: str
    """One sentence; of a step that was not checked, why."""


class Verification(Frozen):
    """What was found out about a bundle."""

    verdict: Literal["verified", "not verified"]
    """`verified` where no step failed."""
    run_id: str | None
    """As the manifest names it; None where it cannot be read."""
    run_digest: str | None
    """SHA-256 of manifest.json: what a ledger must hold."""
    config_digest: str | None
    """As the manifest states it."""
    questions_root: str | None
    """As the records lead to it."""
    questions: int
    """Records."""
    steps: tuple[Step, ...]
    """In order."""

    @property
    def failed(self) -> tuple[Step, ...]:
        """The steps that failed."""
        return tuple(step for step in self.steps if step.outcome == "fail")

    @property
    def confirmed_by_chain(self) -> bool:
        """Whether a chain confirmed anything at all."""
        return any(step.name in CHAIN_STEPS and step.outcome == "pass" for step in self.steps)


def verdict_of(steps: Sequence[Step]) -> Literal["verified", "not verified"]:
    """Verified where no step failed."""
    return "not verified" if any(step.outcome == "fail" for step in steps) else "verified"


@dataclass
class Steps:
    """Steps as they are found out."""

    done: list[Step] = field(default_factory=list)

    def passed(self, name: StepName, detail: str) -> None:
        """It holds."""
        self.done.append(Step(name=name, outcome="pass", detail=detail))

    def skipped(self, name: StepName, because: str) -> None:
        """It could not be looked at."""
        self.unseen(name, f"Not checked, because {because}.")

    def unseen(self, name: StepName, detail: str) -> None:
        """The same, the whole sentence given."""
        self.done.append(Step(name=name, outcome="not_checked", detail=detail))

    def failed(
        self,
        name: StepName,
        detail: str,
        *,
        member: str | None = None,
        number: int | None = None,
        question: str | None = None,
        path: str | None = None,
    ) -> None:
        """It does not hold, there."""
        self.done.append(
            Step(name=name, outcome="fail", detail=detail, member=member, number=number, question=question, field=path)
        )

    def outcome(self, name: StepName) -> Outcome | None:
        """Of a step before; None where it was not reached."""
        return next((step.outcome for step in self.done if step.name == name), None)
