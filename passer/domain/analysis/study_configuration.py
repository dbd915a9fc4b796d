"""One configuration of a study with the figures that its tables print."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from passer.domain.analysis.gains import Gain
from passer.domain.analysis.levels import Level
from passer.domain.base import Frozen
from passer.domain.statistics import stars
from passer.domain.verdict.family import FamilyGain
from passer.domain.wording.sentence import LocalizedText, Sentence, sentence

SHARE_TO_RANK = 0.9
"""Share of its baseline's questions that a configuration needs to be ranked."""


class StudyConfiguration(Frozen):
    """One configuration as the study prints it."""

    model: LocalizedText
    """Label."""
    threshold: float | None
    """Similarity threshold; None for the baseline and for strategies."""
    strategy: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """Collaboration of agents; absent where thresholds are compared."""
    n: int
    """Rows, or questions after averaging."""
    n_pairs: int | None = None
    """Rows or questions compared with the baseline."""
    mean_cps: float | None
    """Mean CPS over the compared rows; over all rows without a baseline."""
    mean_cps_all_rows: float | None = Field(default=None, exclude_if=lambda value: value is None)
    """Mean CPS over all rows; absent under `corrected`."""
    cps_improvement_pct: float | None = None
    """Gain of mean_cps over the baseline's, in percent."""
    cv: float | None
    """Standard deviation / mean, ddof 1."""
    tcps: float | None
    """T-CPS: the mean with a reward for stability."""
    tcps_improvement_pct: float | None = None
    """Gain of tcps over the baseline's, in percent."""
    t_statistic: float | None = None
    """Statistic of the paired t-test."""
    p_value: float | None = None
    """Two-sided, uncorrected."""
    cohens_d: float | None = None
    """Cohen's d for pairs, ddof 1."""
    balance_score: float | None = None
    """(T-CPS improvement % / 100) / CV."""
    significance: str | None = None
    """`***` .001, `**` .01, `*` .05, `ns`: of judged.p, as published of p_value."""
    judged: FamilyGain | None = Field(default=None, exclude_if=lambda value: value is None)
    """The gain by the rule of the verdict; absent as published."""
    is_ranked: bool = Field(default=True, exclude_if=lambda value: value)
    """False if it has less than 90 % of its baseline's questions; otherwise absent."""

    @property
    def level(self) -> Level | None:
        """Return the threshold or strategy; None for the baseline."""
        return self.threshold if self.strategy is None else self.strategy

    @property
    def name(self) -> Sentence:
        """Return the name: `threshold 0.5`, `competitive`, `baseline`."""
        if self.strategy is not None:
            return Sentence(self.strategy)
        if self.threshold is None:
            return sentence("effects.baseline")
        return sentence("figure.threshold-of", threshold=self.threshold)

    @property
    def is_significant(self) -> bool:
        """Return whether the gain has stars."""
        return self.significance not in (None, "ns")

    def with_gain(self, gain: Gain, judged: FamilyGain | None = None) -> StudyConfiguration:
        """Return the configuration compared with its baseline; stars follow the verdict if given, else the t-test."""
        p = gain.test.p if judged is None else judged.p
        return self.model_copy(
            update={
                "n_pairs": gain.test.n_pairs,
                "cps_improvement_pct": gain.improvement_pct,
                "tcps_improvement_pct": gain.tcps_improvement_pct,
                "t_statistic": gain.test.t,
                "p_value": gain.test.p,
                "cohens_d": gain.test.cohens_d,
                "balance_score": gain.balance,
                # Where nothing is decided, p is a figure among others.
                "significance": None if judged is not None and judged.reason == "too_few" else stars(p) or None,
                "judged": judged,
            }
        )


def with_ranks(configurations: Sequence[StudyConfiguration]) -> tuple[StudyConfiguration, ...]:
    """Rank no configuration with too few of its baseline's questions: easier questions look like a gain."""
    asked = {item.model: item.n for item in configurations if item.level is None}
    return tuple(
        item.model_copy(update={"is_ranked": False})
        if item.n_pairs is not None and item.n_pairs < SHARE_TO_RANK * asked.get(item.model, 0)
        else item
        for item in configurations
    )
