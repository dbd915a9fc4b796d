"""A verdict as values that a page, a report or a command line can show: what to use, why, and what to do next.

Each line names the table in which its numbers are computed, so that a reader can check every one of them.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from passer.domain.base import Count, Frozen, added_field, digest_of
from passer.domain.verdict.causes import RetrievalCause
from passer.domain.verdict.judged_rule import JudgeBasis
from passer.domain.verdict.lines import CostLine, Line, LinePart, SourcedNumber, parts_of
from passer.domain.verdict.side_comparisons import ArmComparison, GroupDifference, IdenticalSet, SliceGain
from passer.domain.verdict.two_looks import Looks
from passer.domain.verdict.verdict import Kind, Verdict
from passer.domain.wording.sentence import LocalizedText, sentence

NUMBERS: dict[Kind, int] = {
    "no_verdict": 0,
    "better": 1,
    "as_good_cheaper": 2,
    "cannot_tell": 3,
    "keep_baseline": 4,
}
"""Number of each verdict, in the order in which they are tried."""
StepCode = Literal[
    "retry_failed",
    "resume",
    "shorter_prompts",
    "more_questions",
    "add_questions",
    "other_encoder",
    "finer_range",
    "matched_k",
    "gold_lost",
]
"""A next step. The first two are acts on the sweep, `gold_lost` is a list of questions, `add_questions` leads to the
dataset, `other_encoder` to the settings, and the others are new sweeps; `shorter_prompts` leaves open which."""


class RecommendedGain(Frozen):
    """Gain of the recommended configuration in the primary metric, with the simultaneous interval."""

    gain: float
    """Mean difference from the baseline."""
    low: float | None = None
    """Lower end; None where it is unbounded."""
    high: float | None = None
    """Upper end; None where it is unbounded."""
    p: float | None = None
    """Two-sided, adjusted for the family."""
    pairs: Count
    """Questions that both have."""
    corrected: float | None = None
    """Gain corrected for its having been chosen; None unless it is better than the baseline, and one of several."""
    better_share: float | None = None
    """Share of half splits in which what was chosen beat the baseline; below .8 it is not stable."""
    splits: Count = 0
    """Number of half splits."""
    is_stable: bool | None = None
    """True if the share is large enough; None without half splits."""


class TiedSet(Frozen):
    """Configurations that no other one is better than."""

    names: tuple[LocalizedText, ...]
    """Configurations tied with the best one; the baseline may be among them, and the recommended one need not be."""
    line: Line
    """The best configuration, the number that cannot be distinguished from it, and whether the recommended one is among
    them."""


class Basis(Frozen):
    """Data and rules from which the verdict was computed."""

    primary: str
    """CPS, or the column that was chosen."""
    panel: str
    """Panel of CPS."""
    pool: LocalizedText
    """Rows that give minimum and maximum."""
    profile: str
    """Profile of the 24 columns."""
    baseline: LocalizedText | None
    """Name of the baseline; None without one."""
    questions: Count
    """Questions of the comparison."""
    clusters: Count
    """Independent clusters of these questions; as many as questions unless they were declared."""
    comparisons: Count
    """Comparisons of the family."""
    design_effect: float | None = None
    """Variance by source document divided by that of independent questions; None where clusters were declared."""
    look: Line | None = None
    """The current look, in words; None where there is only one."""
    clustering: Line | None = None
    """Clusters in words, or what clusters by document would change; None where neither is known."""
    weighting: Line | None = added_field(None)
    """Effective number of weighted questions, in words; None where all weights are equal."""
    line: Line
    """The basis in words."""


class MarginReading(Frozen):
    """Interpretation of the margin, in questions."""

    margin: float
    """Margin in units of the primary metric."""
    questions: float
    """Questions that would have to change from 0 to 1 to move the mean by the margin."""
    of: Count
    """Questions of the comparison."""
    repeat_sd: float | None = None
    """Standard deviation of the baseline's mean from repeat to repeat; None without repeats."""
    line: Line
    """The margin in words."""


class NextStep(Frozen):
    """Something to do next, with what fills the form of a new sweep."""

    code: StepCode
    """Kind of the step."""
    text: LocalizedText
    """The step in words, as on a button."""
    thresholds: tuple[float, ...] = ()
    """Similarity thresholds of the new sweep."""
    k: tuple[int, ...] = ()
    """Values of k of the new sweep."""
    questions: int | None = None
    """Questions of the new sweep, those of this one included; with `add_questions` those that the dataset needs."""
    looks: Looks | None = None
    """Looks that the new sweep has to record; only with `more_questions`."""
    run_ids: tuple[str, ...] = ()
    """Runs to act on, or whose configuration the new sweep takes."""
    question_ids: tuple[str, ...] = ()
    """Questions to read."""


UNDIGESTED_PARTS = frozenset({"alike", "repeats", "groups"})
"""Parts that verdicts did not have when digests of them had been recorded; no digest contains them."""
UNDIGESTED_NUMBERS = frozenset({"questions_to_ask", "abstained", "abstained_before", "effective_clusters"})
"""Numbers that verdicts did not have then, as the parts above."""


class Conclusion(Frozen):
    """The verdict of the configurations of one baseline: those of a model."""

    model: LocalizedText
    """The model, with its prompt and temperature if several are compared."""
    number: int = Field(ge=0, le=4)
    """0 no verdict yet, 1 better, 2 as good and cheaper, 3 cannot tell, 4 keep the baseline."""
    name: LocalizedText | None
    """Recommended configuration; None where the baseline stays or nothing can be said."""
    run_ids: tuple[str, ...] = ()
    """Runs of the recommended configuration."""
    reason: LocalizedText
    """The verdict in one or two sentences; of a missing one what is missing, for a page that heads it so."""
    numbers: tuple[SourcedNumber, ...] = ()
    """The numbers in the reason."""
    parts: tuple[LinePart, ...] = added_field(())
    """The reason with each of these numbers apart; only in `linked` verdicts."""
    verdict: Verdict
    """The verdict: kind, conditions that are not met, outcomes of all configurations, plan."""
    judge: JudgeBasis | None = added_field(None)
    """The judge where a judged column is the primary metric; None for any other."""
    gain: RecommendedGain | None = None
    """Gain of the recommended configuration."""
    tied: TiedSet | None = None
    """None without a verdict, or without a single baseline."""
    alike: tuple[Line, ...] = added_field(())
    """Configurations that differ by one amount in nearly all questions: the rule does not judge them."""
    cost: CostLine | None = None
    """None where no cost is known."""
    retrieval: RetrievalCause | None = None
    """None where no gold passages are known."""
    basis: Basis
    """Values from which it was computed."""
    margin: MarginReading | None = None
    """None without a comparison."""
    slices: tuple[SliceGain, ...] = ()
    """Gain within groups of questions: of the recommended configuration, else of the one with the largest gain."""
    group_differences: tuple[GroupDifference, ...] = ()
    """Tests whether the gain of the same configuration differs between groups of questions, by kind of group."""
    groups: Line | None = None
    """The test in words: only a test of the difference shows one; None where no groups were tested."""
    repeats: Line | None = None
    """Trade-off of repeats and questions; only with `cannot_tell`, and None without repeats that differ."""
    would_change: tuple[Line, ...] = ()
    """Other procedures and decisions that lead to another result, and groups with the opposite result."""
    next_steps: tuple[NextStep, ...] = ()
    """The most useful first."""

    @property
    def lines(self) -> tuple[tuple[str, Line], ...]:
        """Return all lines in reading order, each with the name of its part."""
        parts: list[tuple[str, Line | None]] = [
            ("verdict", Line(text=self.headed, numbers=self.numbers)),
            ("judge", Line(text=self.judge.line) if self.judge else None),
            ("tied", self.tied.line if self.tied else None),
            *(("alike", line) for line in self.alike),
            ("cost", self.cost.line if self.cost else None),
            ("retrieval", self.retrieval.line if self.retrieval else None),
            *(("cause", cause.line) for cause in (self.retrieval.causes if self.retrieval else ())),
            ("basis", self.basis.line),
            ("look", self.basis.look),
            ("clusters", self.basis.clustering),
            ("weights", self.basis.weighting),
            ("margin", self.margin.line if self.margin else None),
            ("repeats", self.repeats),
            ("groups", self.groups),
            *(("otherwise", line) for line in self.would_change),
        ]
        return tuple((name, line) for name, line in parts if line is not None)

    @property
    def undigested_parts(self) -> frozenset[str]:
        """Return the names of the parts whose numbers are in no digest.

        Besides `UNDIGESTED_PARTS` these are the reason of a missing verdict, and ties if nothing is recommended.
        """
        if self.verdict.kind == "no_verdict":
            return UNDIGESTED_PARTS | {"verdict"}
        return UNDIGESTED_PARTS if self.name is not None else UNDIGESTED_PARTS | {"tied"}

    @property
    def headed(self) -> str:
        """Return the reason as it is written without a heading above it.

        A missing verdict is named, and the name of a judge that decides is never left out.
        """
        if self.judge is not None:
            return sentence("judge.headed", heading=self.judge.heading, reason=self.reason)
        if self.verdict.kind != "no_verdict" or "no_baseline" in self.verdict.missing:
            return self.reason
        return sentence("verdict.headed", reason=self.reason)


class SweepVerdict(Frozen):
    """Conclusions of a sweep."""

    conclusions: tuple[Conclusion, ...]
    """One per model, in the order of the configurations."""
    arms: tuple[ArmComparison, ...] = ()
    """Other models, prompts and retrievers against the first baseline; empty where only one is used."""
    identical: tuple[IdenticalSet, ...] = ()
    """Configurations that are one by several names, because they kept the same passages for all questions."""
    exploratory: tuple[str, ...] = ()
    """Settings that were changed after the sweep was planned (`primary`, `margin`, `alpha`): the verdict is then
    exploratory."""

    def __str__(self) -> str:
        """Return what is concluded for each model, one a line."""
        return "\n".join(f"{item.model}: {item.headed}" for item in self.conclusions)

    @property
    def digest(self) -> str:
        """Return the SHA-256 of verdicts and rounded numbers without texts, equal on every machine."""
        found = [
            {
                "model": item.model,
                "verdict": item.number,
                "name": item.name,
                "missing": list(item.verdict.missing),
                "numbers": [
                    # Nine digits: the last ones of a double differ between processors and between versions of numpy.
                    [each.name, f"{each.value:.9g}"]
                    for part, line in item.lines
                    if part not in item.undigested_parts
                    for each in line.numbers
                    if each.name not in UNDIGESTED_NUMBERS
                ],
            }
            for item in self.conclusions
        ]
        return digest_of({"conclusions": found, "exploratory": list(self.exploratory)})


def linked(value: Any) -> Any:
    """Return a verdict, or a part of one, with the parts of all its lines in the reader's language."""
    if isinstance(value, tuple):
        return tuple(linked(each) for each in value)
    if isinstance(value, Line):
        return value.model_copy(update={"parts": parts_of(value.text, value.numbers)})
    if not isinstance(value, Frozen):
        return value
    found = value.model_copy(update={name: linked(getattr(value, name)) for name in type(value).model_fields})
    if isinstance(found, Conclusion):
        return found.model_copy(update={"parts": parts_of(found.reason, found.numbers)})
    return found
