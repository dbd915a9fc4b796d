"""Result of a verification: steps in order, each passed, failed or not checked, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from passer.domain.base import Frozen
from passer.domain.verdict.verdict import Kind
from passer.domain.wording.verifications import VerifierText

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
    "dataset",
    "plausible",
    "rescored",
    "verdict",
    "entry",
    "run_entry",
    "question_entries",
    "local_ledger",
    "checkpoint",
    "stamps",
    "transaction_id",
    "action",
    "expected",
]
"""Steps that need only the bundle."""
ChainStep = Literal["signer", "inclusion", "block", "time", "irreversible", "code", "lock", "row"]
"""Steps that only a chain can confirm."""
StudyStep = Literal["study", "files", "runs", "design", "table", "methods", "registration", "study_entry"]
"""Steps of a study that a run's bundle does not have."""
StepName = OfflineStep | ChainStep | StudyStep
CHAIN_STEPS: tuple[ChainStep, ...] = get_args(ChainStep)
"""All of them, in order."""
CONFIRMING: tuple[ChainStep, ...] = ("signer", "inclusion", "block", "time", "irreversible", "row")
"""Steps that must pass for a chain to confirm a bundle; the contract's code and lock say how much a row is worth."""
STEPS: tuple[StepName, ...] = (*get_args(OfflineStep), *CHAIN_STEPS)
"""Steps of a run's bundle, in order."""
STUDY_STEPS: tuple[StepName, ...] = (
    "zip", "study", "files", "runs", "dataset", "rescored", "design", "verdict", "table", "methods",
    "registration", "entry", "study_entry", "local_ledger", "checkpoint", "stamps", "transaction_id", "action",
    "expected", *CHAIN_STEPS,
)  # fmt: skip
"""Steps of a study, in order."""
Outcome = Literal["pass", "fail", "not_checked"]

TITLES: dict[str, str] = {
    "zip": "The file is a canonical bundle",
    "manifest": "manifest.json is canonical and its members match their seals",
    "questions": "Question records are canonical and in order",
    "root": "The question records match the root in the manifest",
    "config": "The configuration matches its digest in the manifest",
    "collection": "The collection matches its digest in the manifest",
    "counts": "The counts match the question records",
    "means": "The means match the question records",
    "scores": "scores.csv matches the question records",
    "timings": "timings.jsonl matches the question records and its digest in the manifest",
    "verdict": "The sweep's verdict follows from its values, and this run's values from its records",
    "dataset": "The questions match the digest of the dataset",
    "plausible": "Scores and passages are within their ranges and agree with the configuration",
    "rescored": "The scores follow from the recorded texts",
    "entry": "entry.json is canonical and matches its seals",
    "run_entry": "The run's ledger row matches the manifest",
    "question_entries": "The questions' ledger rows match the question records",
    "local_ledger": "The local ledger rows match their digests and form a chain",
    "checkpoint": "The recorded row is in the ledger at its signed checkpoint",
    "stamps": "A time stamp authority saw the checkpoint or the digest",
    "transaction_id": "Transaction ids match the transaction bytes",
    "action": "Each entry is the action at its position in the transaction",
    "expected": "The bundle agrees with what you expect of it",
    "signer": "Each transaction is signed by its creator",
    "inclusion": "Each transaction is in its block",
    "block": "Block ids match the block headers",
    "time": "The stated times are those of the blocks and rows",
    "irreversible": "Each block is irreversible",
    "code": "The contract code is the code in this repository",
    "lock": "The contract code can no longer be changed",
    "row": "The rows on the blockchain match the entries",
    "study": "study.json is canonical and its members match their seals",
    "files": "The other files match their digests in study.json",
    "runs": "The bundles of all runs in the table are verified; imported sheets have all their rows",
    "design": "Runs match the design and share questions and scorer; imported sheets match their rows",
    "table": "Every cell of table.csv follows from the records and the verdict",
    "methods": "The numbers in methods.md are those that they link to",
    "registration": "The plan was registered before the results, and the study follows it",
    "study_entry": "The study's ledger row matches study.json",
}
"""Subject of each step."""


class Step(Frozen):
    """One step of a verification."""

    name: StepName
    """Name of the step."""
    outcome: Outcome
    """The result."""
    detail: VerifierText
    """One sentence; for a step that was not checked, the reason."""
    member: str | None = None
    """Member of the bundle where it failed."""
    number: int | None = None
    """Number of the question where it failed, from 0."""
    question: str | None = None
    """Id of that question, if it is known."""
    field: str | None = None
    """Path in a JSON member where it failed."""


class Finding(Frozen):
    """Result of one chain step for one transaction."""

    outcome: Outcome
    """The result."""
    detail: VerifierText
    """One sentence; for a step that was not checked, the reason."""


class StudyConclusion(Frozen):
    """Conclusion of a study about one model."""

    model: str
    """The model."""
    kind: Kind
    """Its verdict."""
    recommended: str | None
    """Configuration to use instead of the baseline; None where the baseline stays or nothing can be said."""
    gain: float | None = None
    """Gain of the recommended configuration in the primary metric; None without one."""
    low: float | None = None
    """Lower end of its simultaneous interval."""
    high: float | None = None
    """Upper end."""
    setting: str | None = None
    """Retrieval setting of the recommended configuration by its runs, as canonical JSON: its name is only stated. None
    without a recommendation, and of imported sheets."""
    line: VerifierText
    """The verdict in one sentence, as in methods.md."""


class StatedConfiguration(Frozen):
    """A configuration of the table: its name is only stated, its setting is that of its runs."""

    name: str
    """Name in table.csv and methods.md."""
    model: str
    """Name of the model."""
    setting: str
    """Retrieval setting of its runs, as canonical JSON."""


class StudyResult(Frozen):
    """Conclusions of a study with its dates and its design."""

    conclusions: tuple[StudyConclusion, ...]
    """One per model."""
    unchecked_judge: str | None
    """The judge that decides where nobody checked it; None otherwise."""
    planned_at: str | None
    """Time of the plan, or of the import, by the clock of its machine; None where the study states no time."""
    finished_at: str | None
    """Time at which the last run of the table finished, by the same clock; None where the study states no time."""
    dataset: str
    """Name of the dataset."""
    questions: int
    """Questions of each configuration."""
    configurations: int
    """Configurations in the table."""
    settings: tuple[StatedConfiguration, ...] = ()
    """Names in the table beside what they stand for, in order; empty for imported sheets."""
    primary: str
    """Primary metric."""
    margin: float
    """Smallest difference that matters."""
    alpha: float
    """Error of all comparisons together."""


class VerifiedStudy(Frozen):
    """Facts that a study states of itself."""

    digest: str
    """SHA-256 of study.json: the digest that a ledger must have."""
    of: Literal["sweep", "import"]
    """Content of the study: the runs of a sweep, or imported result sheets."""
    sweep_id: str
    """Id of the sweep, or of the import."""
    title: str
    """Title of the publication."""
    runs: int
    """Number of runs of the sweep, or of imported sheets."""
    in_table: int
    """Number of these in the table."""
    standing: Literal["confirmatory", "exploratory"]
    """`confirmatory` where the plan was registered before any configuration had results."""
    result: StudyResult | None = None
    """Conclusions; None unless the study is verified."""


class Verification(Frozen):
    """The result for a bundle of a run, or for a study."""

    verdict: Literal["verified", "not verified"]
    """`verified` if no step failed."""
    run_id: str | None
    """Run id in the manifest; None if it cannot be read."""
    run_digest: str | None
    """SHA-256 of manifest.json: the digest that a ledger must have."""
    config_digest: str | None
    """Configuration digest in the manifest."""
    questions_root: str | None
    """Merkle root of the records."""
    questions: int
    """Number of records."""
    steps: tuple[Step, ...]
    """All of them, in order."""
    unconfirmed: tuple[StepName, ...] | None = None
    """Steps that had to pass and did not, because a chain was asked or a value expected; None if neither was."""
    study: VerifiedStudy | None = None
    """Facts of a study; None for the bundle of a run, and where study.json cannot be read."""

    @property
    def failed(self) -> tuple[Step, ...]:
        """Failed steps."""
        return tuple(step for step in self.steps if step.outcome == "fail")


def verdict_of(steps: Sequence[Step]) -> Literal["verified", "not verified"]:
    """Return `verified` if no step failed."""
    return "not verified" if any(step.outcome == "fail" for step in steps) else "verified"


@dataclass
class Steps:
    """Collects steps in order."""

    done: list[Step] = field(default_factory=list)

    def passed(self, name: StepName, detail: str) -> None:
        """Add a passed step."""
        self.done.append(Step(name=name, outcome="pass", detail=detail))

    def skipped(self, name: StepName, because: str) -> None:
        """Add a step that was not checked, with the reason."""
        self.not_checked(name, f"Not checked, because {because}.")

    def not_checked(self, name: StepName, detail: str) -> None:
        """Add a step that was not checked, with a whole sentence."""
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
        """Add a failed step and where it failed."""
        self.done.append(
            Step(name=name, outcome="fail", detail=detail, member=member, number=number, question=question, field=path)
        )

    def outcome(self, name: StepName) -> Outcome | None:
        """Return the outcome of an earlier step; None if it was not reached."""
        return next((step.outcome for step in self.done if step.name == name), None)
