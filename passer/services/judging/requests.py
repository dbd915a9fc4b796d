"""Limits, context window, judge and estimated costs of jobs that ask models."""

from __future__ import annotations

from collections.abc import Collection

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.judgement import JUDGE_OPTIONS
from passer.domain.models.generation import estimate_tokens
from passer.domain.models.model import Model
from passer.domain.sweeps.budget import Budget, GivenBudget, Price
from passer.services.judging.asker import PreparedAsk


class AskingRequest(Frozen):
    """A request for a job that asks models."""

    budget: GivenBudget = Budget()
    """Limits at which the job pauses."""
    price: Price | None = None
    """Cost of a million tokens, of all models that are asked."""
    num_ctx: int = Field(default=JUDGE_OPTIONS.num_ctx, ge=512, le=10_000_000)
    """Context window of these models in tokens."""


class JudgeRequest(AskingRequest):
    """A request for a job that asks a judge."""

    judge: Model
    """Model that judges."""
    seed: int = Field(default=JUDGE_OPTIONS.seed, ge=0, le=2**31 - 1)
    """Seed of the judge, in its first repetition."""


class RequestCosts(Frozen):
    """Number of requests, their tokens and their cost."""

    asks: int
    """Number of distinct requests."""
    known: int
    """Number of these requests with a stored judgement; they cost nothing."""
    input_tokens: int
    """Estimated tokens of the prompts of new requests, rounded up for safety."""
    output_tokens: int
    """Largest number of tokens that the replies can have."""
    cost: float | None
    """Cost of these tokens; None without a price."""


def request_costs(
    asks: Collection[PreparedAsk], known: Collection[str] = (), *, scale: float, price: Price | None
) -> RequestCosts:
    """Return the costs of `scale` times as many requests as `asks`; `known` has the keys of stored judgements."""
    new = [ask for ask in asks if ask.key not in known]
    tokens_in = round(scale * sum(estimate_tokens(ask.messages) for ask in new))
    tokens_out = round(scale * sum(ask.options.num_predict for ask in new))
    return RequestCosts(
        asks=round(scale * len(asks)),
        known=round(scale * len(known)),
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cost=price.of(tokens_in, tokens_out) if price else None,
    )
