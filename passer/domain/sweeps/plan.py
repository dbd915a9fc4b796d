"""Expected work of a sweep and of its judge before it starts, and the work that it saved."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Literal

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.composite import CPS
from passer.domain.defaults import ALPHA, MARGIN
from passer.domain.models.answer import ModelTimings
from passer.domain.models.model import Model
from passer.domain.panel import is_of_unit_scale
from passer.domain.sweeps.budget import Price, SweepBudget
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.sample_size import ASSUMED_SPREAD, DecisionPlan, PlannedSpread
from passer.domain.verdict.two_looks import spent_alpha
from passer.domain.verdict.unobserved_losses import questions_to_exclude
from passer.domain.verdict.verdict import FEWEST_PAIRS
from passer.domain.wording.sentence import LocalizedText, Sentence, sentence

Bounds = tuple[float | None, float | None]
"""Least and most of an amount; None where it is not known."""


class JudgingPlan(Frozen):
    """Expected requests of a recorded judge, with the reference answers in place of the answers."""

    model: Model
    """The judge."""
    column: str
    """The judged column that decides."""
    answers: int
    """Number of answers that are judged, at most: equal answers from the same passages are judged once."""
    asks: int
    """Number of requests of the first step; later steps depend on the replies."""
    is_complete: bool
    """True if the column has no later step."""
    input_tokens: int | None = None
    """Estimated tokens of the prompts of these requests; None before a preview if they contain passages."""
    output_tokens: int | None = None
    """Largest number of tokens of their replies; None where `input_tokens` is."""
    cost: float | None = None
    """Cost of these tokens; None without a price."""
    lines: tuple[LocalizedText, ...] = ()
    """The same in words."""

    def priced(self, budget: SweepBudget) -> JudgingPlan:
        """Return the plan with its cost and its words."""
        price = budget.price_of_judge
        key = "plan.judging" if self.is_complete else "plan.judging-steps"
        lines: list[LocalizedText] = [
            sentence(key, judge=self.model.name, answers=self.answers, asks=self.asks, column=self.column)
        ]
        if self.input_tokens is None or self.output_tokens is None:
            return self.model_copy(update={"lines": (*lines, sentence("plan.judging-passages"))})
        lines.append(sentence("plan.judging-tokens", input=self.input_tokens, output=self.output_tokens))
        cost = None if price is None else price.of(self.input_tokens, self.output_tokens)
        if cost is not None:
            lines.append(sentence("plan.judging-cost", cost=budget.amount("cost", cost)))
        return self.model_copy(update={"cost": cost, "lines": tuple(lines)})

    def needs(self, budget: SweepBudget) -> dict[str, Bounds]:
        """Return least and most of each amount that a budget can limit."""
        read, written, price = self.input_tokens, self.output_tokens, budget.price_of_judge
        most: dict[str, float | None] = {"asks": self.asks, "tokens": None, "cost": None, "running_s": None}
        if read is not None and written is not None:
            most |= {"tokens": read + written, "cost": None if price is None else price.of(read, written)}
        least: dict[str, float] = {
            "asks": self.asks,
            "tokens": read or 0,
            "cost": 0.0 if price is None else price.of(read or 0, 0),
            "running_s": 0.0,
        }
        return {name: (least[name], most[name] if self.is_complete else None) for name in least}


class Missing(Frozen):
    """A required part that does not exist yet, or is not available."""

    kind: Literal["dataset", "collection", "embedding", "model"]
    """Kind of the missing part."""
    name: str
    """Kind and name, e.g. `collection books`."""
    command: str
    """Command that creates it; words in capitals are placeholders. Empty without one."""
    line: LocalizedText
    """Reason why it is missing, with an action or a replacement."""
    model: Model | None = None
    """The model that is not available; None for other kinds."""
    replacement: Model | None = None
    """Model that can replace it to try the sweep out; None for other kinds."""


class ModelPlan(Frozen):
    """Expected work of one model in a sweep."""

    model: Model
    """The model."""
    evaluations: int
    """Number of evaluations."""
    generations: int | None = None
    """Distinct (options, prompt, repetition) to generate; None before a preview."""
    cached: int | None = None
    """Number of these that are in the cache already; None before a preview, or if the server does not identify its
    model."""
    median_s: float | None = None
    """Median seconds of its newest stored answers; None without any."""
    writing_s: float | None = None
    """Median seconds of an answer without the reading of its prompt; None if the server does not report it."""
    token_s: float | None = None
    """Seconds to read a token of a prompt; None if the server does not report it."""
    expected_s: float | None = None
    """Expected seconds of generation (before a preview: at most); None without measured answers."""
    prompt_tokens: int | None = None
    """Tokens of all prompts together, estimated; None before a preview and for a reader of no prompts."""
    read_tokens: int | None = None
    """Number of these that the server reads if prompts with the same beginning are read once."""

    def seconds(self, generations: int, *, read_tokens: float | None, at_once: int) -> float | None:
        """Return the expected seconds of this number of generations, `at_once` of them together.

        With `read_tokens` (where prompts that begin alike share what they read) and a server that tells how long it
        read, reading and writing count apart; else each generation takes the median. None without measured answers.
        """
        if not generations:
            return 0.0
        if read_tokens is not None and self.writing_s is not None and self.token_s is not None:
            return (generations * self.writing_s + read_tokens * self.token_s) / at_once
        return None if self.median_s is None else generations * self.median_s / at_once


class SweepPlan(Frozen):
    """Expected work of a sweep, before it starts."""

    questions: int
    """Questions per configuration."""
    configurations: int
    """Number of configurations."""
    evaluations: int
    """questions x configurations."""
    distinct_prompts: int | None = None
    """Number of generations; None without a preview."""
    cached: int | None = None
    """Number of these that earlier runs have answered already."""
    fixed: int | None = None
    """Evaluations answered by the fixed abstention without a generation; None without a preview."""
    expected_s: float | None = None
    """Expected seconds by the model's measured speed; None without one. An upper bound without a preview."""
    models: tuple[ModelPlan, ...] = ()
    """Expected work per model."""
    missing: tuple[Missing, ...] = ()
    """Required parts that do not exist yet."""
    decision: DecisionPlan | None = None
    """Decisions that the questions allow at the margin; None without comparisons."""
    judging: JudgingPlan | None = None
    """Requests of the judge that the sweep records; None if it records none."""
    budget: tuple[LocalizedText, ...] = ()
    """One sentence for each limit of the budget: it is enough, or not; empty without a budget."""
    warnings: tuple[LocalizedText, ...] = ()
    """Warnings before the start."""

    def within(self, budget: SweepBudget, *, reply_tokens: int) -> SweepPlan:
        """Return the plan with what it says of a budget; a reply has at most `reply_tokens` tokens."""
        asks = self.evaluations if self.distinct_prompts is None else self.distinct_prompts - (self.cached or 0)
        read = [model.prompt_tokens for model in self.models]
        tokens = None if None in read or not read else sum(filter(None, read))
        replies = asks * reply_tokens
        # Only the judge may have a price: the models are then free.
        price = budget.price or (None if budget.judge_price is None else Price(input=0, output=0))
        judging = None if self.judging is None else self.judging.priced(budget)
        needs: dict[str, Bounds] = {
            "asks": (asks if self.distinct_prompts is not None else None, asks),
            "tokens": (tokens, None if tokens is None else tokens + replies),
            "running_s": (self.expected_s if self.distinct_prompts is not None else None, self.expected_s),
            "cost": (None, None)
            if tokens is None or price is None
            else (price.of(tokens, 0), price.of(tokens, replies)),
        }
        if judging is not None:
            needs = {name: _sum(each, judging.needs(budget)[name]) for name, each in needs.items()}
        if not self.evaluations:
            # Without a dataset nothing is known of the work.
            needs = dict.fromkeys(needs, (None, None))
        said = tuple(_forecast(budget, name, most, *needs[name]) for name, most in budget.limits.items())
        return self.model_copy(update={"budget": said, "judging": judging})


def _sum(one: Bounds, other: Bounds) -> Bounds:
    """Add bounds; what is not known of one is not known of the sum."""
    low, high = (None if None in pair else sum(filter(None, pair)) for pair in zip(one, other, strict=True))
    return low, high


def _forecast(budget: SweepBudget, name: str, most: float, least: float | None, highest: float | None) -> Sentence:
    """Return whether a limit is enough for work between two bounds; a bound is None where it is not known."""
    limit = budget.amount(name, most)
    if highest is not None and highest <= most:
        return sentence("budget.suffices", limit=limit, needed=budget.amount(name, highest))
    if least is not None and least > most:
        return sentence("budget.short", limit=limit, needed=budget.amount(name, least))
    return sentence("budget.unknown", limit=limit)


class Saved(Frozen):
    """Saved work of one kind."""

    naive: int = Field(ge=0)
    """Times without sharing: once per evaluation that needs it."""
    made: int = Field(ge=0)
    """Times it was done, at most."""


class Savings(Frozen):
    """Work that a sweep saved by sharing."""

    retrievals: Saved
    """Retrieval: once per question and collection for all configurations; none that an earlier sweep has done."""
    generations: Saved
    """Generation: once per distinct prompt; none for prompts that an earlier run asked."""
    scorings: Saved
    """Scoring: once per distinct pair; pairs scored by earlier sweeps count as done."""


def decision_plan(sweep: Sweep, questions: int, spread: PlannedSpread | None = None) -> DecisionPlan | None:
    """Return what this number of questions can detect; None without a baseline or questions.

    `spread` is what earlier sweeps measured. Without it None also for a primary metric of another scale than 0 to 1:
    no spread of its differences can be assumed.
    """
    comparisons = sum(1 for config, is_baseline in sweep.configurations() if config.repeat == 1 and not is_baseline)
    primary, margin = sweep.primary or CPS, sweep.margin or MARGIN
    is_known = spread is not None or is_of_unit_scale(primary)
    if sweep.baseline is None or not comparisons or not questions or not is_known:
        return None
    counted, alpha, final_alpha, look = _look_of(sweep, questions)
    found = DecisionPlan.of(
        questions=counted,
        comparisons=comparisons,
        margin=margin,
        alpha=alpha,
        final_alpha=final_alpha,
        spread=spread or ASSUMED_SPREAD,
        fewest=FEWEST_PAIRS,
        primary=primary,
    )
    line, excluding = found.line, questions_to_exclude(margin, alpha=final_alpha)
    if is_of_unit_scale(primary) and counted < excluding:
        line = sentence("plan.as-good", line=line, n=excluding)
    if look is not None:
        line = sentence("plan.look", line=line, look=look)
    return found.model_copy(update={"line": line})


def _look_of(sweep: Sweep, questions: int) -> tuple[int, float, float, Sentence | None]:
    """Return the questions that count, alpha of this look and of the last one, and the look in words."""
    looks, alpha = sweep.looks, sweep.alpha or ALPHA
    if looks is None:
        return questions, alpha, alpha, None
    sizes, is_first = looks.model_dump(include={"first", "second"}), questions <= looks.first
    if not looks.is_planned:
        # The earlier questions chose what to test.
        counted = questions if is_first else questions - looks.first
        return counted, alpha, alpha, sentence("look.new-questions", **sizes, new=looks.second - looks.first)
    spent = spent_alpha(alpha, looks.first / looks.second)
    # What is left is a little less than the second look uses, because both looks share questions.
    if is_first:
        return questions, spent, alpha - spent, sentence("look.first", **sizes, alpha=round(spent, 5))
    return questions, alpha - spent, alpha - spent, sentence("look.second", **sizes)


def reading_and_writing(measured: Sequence[tuple[float, ModelTimings]]) -> tuple[float | None, float | None]:
    """Return the median seconds of an answer without reading, and the seconds of a token read; None where unknown.

    `measured` has the seconds of each answer and what its server reports; both are unknown unless it reports reading.
    """
    reported = [
        (seconds, timings.prompt_eval_duration_ns / 1e9, timings.read_count)
        for seconds, timings in measured
        if timings.prompt_eval_duration_ns is not None and timings.read_count is not None
    ]
    tokens = sum(count for _, _, count in reported)
    if len(reported) < len(measured) or not tokens:
        return None, None
    writing = median(max(0.0, seconds - reading) for seconds, reading, _ in reported)
    return writing, sum(reading for _, reading, _ in reported) / tokens
