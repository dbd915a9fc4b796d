"""verdict.json: what the run's sweep concluded, with the values from which anybody can compute it again.

These models are the stored form, so they are apart from those of the analysis: the analysis may grow, old bundles stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from passer.domain.base import Count, Frozen, added_field, canonical_json, digest_of
from passer.domain.bundle.judged_document import JudgedRecord
from passer.domain.bundle.verdict_versions import CURRENT, OLD_RANK, WITH_ONE_AMOUNT, Format, format_of, old_format
from passer.domain.ledger.entry import Digest
from passer.domain.sweeps.budget import TokenPrice
from passer.domain.verdict.family import NoInterval, Outcome
from passer.domain.verdict.verdict import Cost, Kind, Missing, check_price


class RuleRecord(Frozen):
    """The rule of the verdict."""

    primary: str
    """CPS, one of the 24 columns, or the judged column."""
    margin: float = Field(gt=0)
    """Smallest difference that matters."""
    alpha: float = Field(gt=0, lt=0.5)
    """Family-wise error of this look, both sides together."""
    draws: int = Field(ge=99, le=99_999)
    """Bootstrap resamples; bounded, because a verifier draws them again."""
    seed: Count
    """Seed of the resamples."""
    cost: Cost
    """Unit of cost by which configurations are cheaper."""
    price: TokenPrice | None = added_field(None)
    """Price of the tokens; only with the cost `money`."""
    saving: float = Field(gt=0, lt=1)
    """Smallest share of the baseline's cost that makes a configuration cheaper."""
    fewest_pairs: int = Field(ge=5, le=2**53 - 1)
    """Pairs below which there is no verdict."""
    fewest_clusters: int = Field(ge=6, le=2**53 - 1)
    """Clusters below which there is no verdict."""
    most_missing: float = Field(ge=0, lt=1)
    """Share of failed or open questions above which there is no verdict."""


class BoundRecord(Frozen):
    """One metric of the panel with what normalises it."""

    metric: str
    """Column name."""
    weight: float = Field(gt=0, le=1)
    """Share of CPS."""
    higher_is_better: bool
    """Direction."""
    minimum: float
    """Normalised to the worst value where higher is better."""
    maximum: float
    """Normalised to the best value where higher is better."""


class CompositeRecord(Frozen):
    """Derivation of the primary metric from the scores."""

    panel: str
    """Name of the panel."""
    clips: bool
    """True if values beyond the bounds are cut to them."""
    metrics: tuple[BoundRecord, ...] = Field(min_length=1)
    """Metrics in the order of the panel."""


class LookRecord(Frozen):
    """A second look at the sweep."""

    is_planned: bool
    """Planned: its bound accounts for the first look. Not planned: only the new questions are tested."""
    in_first: tuple[bool, ...]
    """True for each question of the first look, in the order of the questions."""
    share: float = Field(gt=0, lt=1)
    """Share of all planned questions that the first look had."""


class RunRecord(Frozen):
    """A run of a configuration."""

    id: str
    """Id of the run."""
    run_digest: Digest | None
    """Digest of its manifest; None where it is not recorded."""


class ConfigurationRecord(Frozen):
    """A configuration with the value of each question."""

    name: str
    """Name in the sweep."""
    model: str
    """Model, with its prompt and temperature where several are compared."""
    runs: tuple[RunRecord, ...] = Field(min_length=1)
    """Its repeats."""
    is_baseline: bool
    """True if others are compared with it."""
    baseline: Count | None
    """Position of the configuration that it is compared with; None without one."""
    planned: Count
    """Answers planned."""
    failed: Count
    """Answers that failed."""
    open: Count
    """Answers that are missing."""
    cost: float | None
    """Mean cost of a question; None where it is unknown."""
    values: tuple[float | None, ...]
    """Primary metric of each question, repeats averaged, higher is better; None where the question has none."""


class GainRecord(Frozen):
    """Gain of a configuration over its baseline."""

    configuration: Count
    """Position of the configuration."""
    gain: float | None
    """Mean difference."""
    standard_error: float | None
    """Standard error by cluster."""
    low: float | None
    """Lower end of the simultaneous interval; None without one, or where it is unbounded."""
    high: float | None
    """Upper end."""
    p: float | None
    """Two-sided, adjusted for the family."""
    outcome: Outcome
    """Outcome that the interval shows."""
    reason: NoInterval | None
    """Reason why there is no interval."""
    pairs: Count
    """Questions that both have."""
    clusters: Count
    """Clusters of these questions."""
    changed: Count
    """Clusters whose difference is not 0."""
    effective_pairs: float | None = added_field(None)
    """Equally weighted pairs that are as informative; only with weights."""
    alike: Count | None = added_field(None)
    """Clusters with the most frequent difference; only with `one_amount`, since version 8."""
    amount: float | None = added_field(None)
    """The most frequent difference; only with `one_amount`, since version 8."""


class CorrectedRecord(Frozen):
    """Gain corrected for having been chosen; stated, because it needs the scores of all runs."""

    gain: float
    """Mean gain on the second halves."""
    better_share: float
    """Share of half splits in which the chosen configuration beat the baseline."""
    splits: Count
    """Number of half splits."""


class ConclusionRecord(Frozen):
    """Verdict of one model."""

    model: str
    """The model."""
    kind: Kind
    """The verdict."""
    missing: tuple[Missing | Literal["judge_bias"], ...]
    """Conditions of a verdict that are not met."""
    recommended: str | None
    """Configuration to use instead of the baseline."""
    corrected: CorrectedRecord | None
    """Gain corrected for having been chosen."""
    better: tuple[str, ...]
    """Configurations that are better."""
    as_good: tuple[str, ...]
    """Configurations that are as good."""
    worse: tuple[str, ...]
    """Configurations that are worse."""
    undecided: tuple[str, ...]
    """Configurations that are undecided."""
    detectable: float | None
    """Smallest difference that these questions find."""
    questions_needed: Count | None
    """Questions that decide at the margin."""
    saved: float | None
    """Share of the baseline's cost that the recommended one saves."""
    cost: Cost | None
    """Unit of the cost."""


class VerdictContent(Frozen):
    """Everything in verdict.json but its own digest."""

    format: Format
    """Version of this form."""
    sweep_id: str
    """The sweep."""
    conclusion_digest: Digest
    """The digest that the sweep's page, `passer analyse` and the report print."""
    exploratory: tuple[str, ...]
    """Settings that were changed after the sweep was planned."""
    rule: RuleRecord
    """The rule."""
    composite: CompositeRecord
    """Formula of the primary metric from the scores; for a column, the column itself."""
    questions: tuple[str, ...] = Field(min_length=1)
    """Ids, in the order of the values."""
    clusters: tuple[Count, ...] | None
    """Cluster of each question; None where each is one."""
    weights: tuple[Annotated[float, Field(gt=0)], ...] | None = added_field(None)
    """Weight of each question; not in version 1."""
    judged: JudgedRecord | None = added_field(None)
    """The judged column that is the primary metric; only since version 3."""
    look: LookRecord | None
    """None for the only or the first look."""
    configurations: tuple[ConfigurationRecord, ...] = Field(min_length=1)
    """Configurations in the order of the sweep."""
    gains: tuple[GainRecord, ...]
    """Gains of the configurations that have a baseline, in order."""
    conclusions: tuple[ConclusionRecord, ...]
    """One per model."""

    @model_validator(mode="after")
    def _is_of_its_version(self) -> Self:
        old = old_format(is_judged=self.judged is not None, is_weighted=self.weights is not None)
        is_rated = self.judged is not None and self.judged.ratings is not None
        now = format_of(
            self.rule.cost,
            is_judged=self.judged is not None and self.judged.is_whole,
            is_rated=is_rated,
            has_one_amount=any(each.reason == "one_amount" for each in self.gains),
        )
        is_unknown = self.format not in (now, old) or (now != CURRENT and self.format != now)
        # Version 8 was introduced after the replies, so it always has them.
        if is_unknown or (now == WITH_ONE_AMOUNT and self.judged is not None and not self.judged.is_whole):
            raise ValueError(
                "version 8 has a gain with one_amount, version 7 has ratings, version 6 has a judge's replies, "
                "version 5 has another cost than tokens of prompts, version 3 has a judge, version 2 has weights and "
                "no judge, version 1 has neither"
            )
        check_price(self.rule.cost, self.rule.price)
        return self

    @property
    def models_without_verdict(self) -> frozenset[str]:
        """Return the models without a verdict; outcomes of their gains are only what the intervals would say."""
        return frozenset(each.model for each in self.conclusions if each.kind == "no_verdict")

    @property
    def has_old_rank(self) -> bool:
        """Return whether its upper ends have the rank of versions 1 to 3."""
        return self.format in OLD_RANK

    @property
    def has_old_family(self) -> bool:
        """Return whether `one_amount` was no reason to leave the family: so it was before version 8."""
        return self.format != WITH_ONE_AMOUNT

    @property
    def drops_unanswered(self) -> bool:
        """Return whether a configuration is not compared because it or its baseline has no value: so it once was."""
        bases = {each.model: each for each in self.configurations if each.is_baseline}
        left_out = (each for each in self.configurations if each.baseline is None and not each.is_baseline)
        pairs = ((each, bases[each.model]) for each in left_out if each.model in bases)
        return any({None} in (set(each.values), set(base.values)) for each, base in pairs)


class VerdictDocument(VerdictContent):
    """verdict.json."""

    digest: Digest
    """Digest of all other members."""


def document_bytes(content: VerdictContent) -> bytes:
    """Return verdict.json: the canonical JSON of the content with its digest."""
    values = content.model_dump(mode="json")
    return canonical_json({**values, "digest": digest_of(values)})


def digest_without_itself(document: Mapping[str, Any]) -> str:
    """Return the digest that the document should state; as JSON was read, where 1e16 is no whole number."""
    return digest_of({name: value for name, value in document.items() if name != "digest"})
