"""Registration of a sweep: its plan, entered in the ledger before the first question is asked (docs/study.md).

A verdict is confirmatory only for a registered plan; later choices make it exploratory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from passer.domain.base import Count, Frozen, digest_of
from passer.domain.ledger.entry import Digest, Entry, Receipt, testid_of
from passer.domain.sweeps.sweep import MOST_CONFIGURATIONS, Sweep
from passer.domain.verdict.verdict import VerdictRule
from passer.domain.wording.sentence import LocalizedText, sentence

FORMAT: Literal["passer-registration-1"] = "passer-registration-1"
Kind = Literal["confirmatory", "exploratory"]


class RegistrationDocument(Frozen):
    """Content of a registration. It states no texts, so its digest can be published before the study."""

    format: Literal["passer-registration-1"]
    """Version of the form."""
    sweep: str
    """Id of the sweep."""
    design_digest: Digest
    """Digest of the design: hypothesis, primary metric, margin, alpha, panel, baseline and axes."""
    dataset: Digest
    """Digest of the dataset."""
    questions: tuple[Digest, ...] = Field(min_length=1)
    """Digest of id, text and reference of each question that is asked, in order."""
    configurations: Annotated[tuple[Digest, ...], Field(min_length=1, max_length=MOST_CONFIGURATIONS)]
    """Digests of all configurations, in order."""
    known: tuple[Digest, ...]
    """Digests of the configurations that other sweeps had already asked questions of this dataset: their results could
    be known."""
    earlier: Count
    """Number of other sweeps of this dataset in the installation."""

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the canonical JSON."""
        return digest_of(self)


class RegisteredPlan(Frozen):
    """Registration of a sweep, as its page shows it."""

    digest: Digest
    """Digest of the registration, as the ledger contains it."""
    recorded_at: datetime
    """Time of the row in the ledger, UTC."""
    configurations: Count
    """Number of registered configurations."""
    known: Count
    """Number of those that had already answered questions of this dataset."""
    earlier: Count
    """Number of sweeps of this dataset that existed already."""


class Registration(Frozen):
    """A registration with its place in the ledger."""

    document: RegistrationDocument
    """The plan's digests."""
    receipt: Receipt
    """Receipt of the ledger."""

    @property
    def plan(self) -> RegisteredPlan:
        """Return the summary."""
        return RegisteredPlan(
            digest=self.document.digest,
            recorded_at=self.receipt.recorded_at,
            configurations=len(self.document.configurations),
            known=len(self.document.known),
            earlier=self.document.earlier,
        )


class VerdictStatus(Frozen):
    """Status of a verdict: confirmatory or exploratory, with the reason."""

    kind: Kind
    """`confirmatory` only where everything follows a plan that was registered before its results existed."""
    line: LocalizedText
    """The reason, in one sentence."""
    digest: Digest | None
    """Digest of the registration; None without one."""


def with_stated_rule(sweep: Sweep) -> Sweep:
    """Return a sweep to register with each part of its rule stated, also where it is the default."""
    if sweep.hypothesis is None:
        return sweep
    default = VerdictRule()
    stated = {name: getattr(default, name) for name in ("primary", "margin", "alpha") if getattr(sweep, name) is None}
    return sweep.model_copy(update=stated)


def registration_entry(document: RegistrationDocument, rule: VerdictRule) -> Entry:
    """Return the ledger entry; its numbers: configurations, questions, margin, alpha, other sweeps, known ones."""
    sizes = (len(document.configurations), len(document.questions))
    return Entry(
        action="addtest",
        testid=testid_of(document.sweep),
        description=f"registration of sweep {document.sweep}",
        results=(*map(float, sizes), rule.margin, rule.alpha, float(document.earlier), float(len(document.known))),
        run_digest=document.digest,
        config_digest=document.design_digest,
    )


def verdict_status(plan: RegisteredPlan | None, changed: Sequence[str] = ()) -> VerdictStatus:
    """Return the standing of a verdict; `changed` names what the analysis does otherwise than the sweep planned."""
    if plan is None:
        return VerdictStatus(kind="exploratory", line=sentence("standing.unregistered"), digest=None)
    at = f"{plan.recorded_at:%Y-%m-%d %H:%M} UTC"
    if plan.known:
        line = sentence("standing.known", known=plan.known, all=plan.configurations, at=at)
    elif changed:
        line = sentence("standing.changed", at=at)
    else:
        line = sentence("standing.confirmatory", at=at, earlier=plan.earlier)
    is_kept = not plan.known and not changed
    return VerdictStatus(kind="confirmatory" if is_kept else "exploratory", line=line, digest=plan.digest)


def first_difference(
    document: RegistrationDocument, *, sweep: str, design: str, dataset: str, configurations: Iterable[str]
) -> str | None:
    """Return the first member of a registration that is not the one of a study; None where all are."""
    expected = {"sweep": sweep, "design_digest": design, "dataset": dataset, "configurations": tuple(configurations)}
    return next((name for name, value in expected.items() if getattr(document, name) != value), None)
