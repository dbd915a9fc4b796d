"""Budgets: limits at which asking models pauses, what was used of them, and what tokens cost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from passer.domain.base import Frozen, added_field
from passer.domain.models.answer import Answer
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import ConfigError

_HOUR_S, _MINUTE_S = 3600.0, 60.0
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*(k|M)?[\s-]*([A-Za-z€$]+)")
_ASKS = frozenset({"ask", "asks", "request", "requests"})
_TOKENS = frozenset({"token", "tokens"})
_SECONDS = {"s": 1.0, "min": _MINUTE_S, "h": _HOUR_S}
_LARGEST = 1e15
"""Largest limit or price: larger numbers are not exact in JSON and mean a slip of the keys."""
_SIGNS = {"€": "EUR", "$": "USD"}


class Price(Frozen):
    """Price of a million tokens, in one currency."""

    input: float = Field(ge=0, le=_LARGEST)
    """Cost of a million tokens of prompts."""
    output: float = Field(ge=0, le=_LARGEST)
    """Cost of a million tokens of replies."""

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """Return the cost of this number of tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


class TokenPrice(Price):
    """A price with its currency, by which a verdict measures cost."""

    currency: str = Field(default="EUR", pattern="^[A-Z]{3}$")
    """Three letters; only shown."""


class Spent(Frozen):
    """Requests, tokens and time that were used so far."""

    asks: int = 0
    """Number of requests that the server answered."""
    input_tokens: int = 0
    """Tokens of prompts as the server counts them; a server that counts none adds 0."""
    output_tokens: int = 0
    """Tokens of replies as the server counts them."""
    running_s: float = added_field(0.0)
    """Seconds of work, in all processes together; pauses do not count."""

    def plus(self, answer: Answer) -> Spent:
        """Return the sum with one more reply."""
        timings = answer.timings
        return self.model_copy(
            update={
                "asks": self.asks + 1,
                "input_tokens": self.input_tokens + (timings.prompt_eval_count or 0),
                "output_tokens": self.output_tokens + (timings.eval_count or 0),
            }
        )

    def amounts(self, price: Price | None) -> dict[str, float]:
        """Return the usage by the name of its limit; without a price, the cost is 0."""
        return {
            "asks": self.asks,
            "tokens": self.input_tokens + self.output_tokens,
            "running_s": self.running_s,
            "cost": price.of(self.input_tokens, self.output_tokens) if price else 0.0,
        }


NOTHING = Spent()


class Budget(Frozen):
    """Limits at which work pauses and keeps its results; None means no limit."""

    asks: int | None = Field(default=None, ge=0)
    """Largest number of requests."""
    tokens: int | None = Field(default=None, ge=0)
    """Largest number of tokens, of prompts and replies together."""
    cost: float | None = Field(default=None, ge=0)
    """Largest cost, in the currency of the model's price."""
    running_s: float | None = Field(default=None, ge=0)
    """Largest running time in seconds, over all processes; pauses do not count."""

    @property
    def limits(self) -> dict[str, float]:
        """Return the limits that are set, by field."""
        named = {"asks": self.asks, "tokens": self.tokens, "running_s": self.running_s, "cost": self.cost}
        return {name: float(most) for name, most in named.items() if most is not None}

    def priced(self, price: Price | None) -> Budget:
        """Return these limits; ConfigError if money is limited without a price, because the limit would never apply."""
        if self.cost is not None and price is None:
            raise ConfigError(sentence("budget.no-price"), field="price")
        return self

    def first_reached(self, spent: Spent, price: Price | None) -> str | None:
        """Return the field of the first limit that is used up; None if there is none."""
        used = spent.amounts(price)
        return next((name for name, most in self.limits.items() if used[name] >= most), None)


class SweepBudget(Budget):
    """Limits of a sweep. No result depends on them, so they can be changed whenever the sweep is resumed."""

    currency: str = Field(default="EUR", pattern="^[A-Z]{3}$")
    """Currency of `cost` and `price`; only shown."""
    price: Price | None = None
    """Price of the models of the sweep; a limit of cost needs one, or that of the judge."""
    judge_price: Price | None = added_field(None)
    """Price of the judge that the sweep records; None: that of the models."""

    @model_validator(mode="after")
    def _cost_has_a_price(self) -> SweepBudget:
        if self.cost is not None and self.price_of_judge is None:
            raise ValueError(sentence("budget.no-price"))
        return self

    @property
    def price_of_judge(self) -> Price | None:
        """Return the price of the recorded judge; None if there is no price."""
        return self.judge_price or self.price

    def left(self, spent: Spent) -> Budget:
        """Return what is left of each limit."""
        used = spent.amounts(self.price)
        return Budget.model_validate({name: max(0, most - used[name]) for name, most in self.limits.items()})

    def reached(self, spent: Spent) -> Sentence | None:
        """Return the limit that is used up, such as `200,000 tokens`; None if there is none."""
        # Asked before every request: only the limit that is reached is put into words.
        name = self.first_reached(spent, self.price)
        return None if name is None else self.amount(name, self.limits[name])

    def used_up(self, spent: Spent) -> Sentence | None:
        """Return a sentence with the limit that is used up and the remedy; None if no limit is used up."""
        limit = self.reached(spent)
        return None if limit is None else sentence("budget.used-up", limit=limit)

    def used(self, spent: Spent, judge: Spent = NOTHING) -> Sentence | None:
        """Return how much of each limit the sweep and its judge have used, as a sentence; None without limits."""
        if not self.limits:
            return None
        own, of_judge = spent.amounts(self.price), judge.amounts(self.price_of_judge)
        used = {name: own[name] + of_judge[name] for name in own}
        parts = (
            sentence("budget.share", share=min(1.0, used[name] / most) if most else 1.0, limit=self.amount(name, most))
            for name, most in self.limits.items()
        )
        return sentence("budget.used", parts=tuple(parts))

    def amount(self, field: str, value: float) -> Sentence:
        """Return an amount of what a limit counts, in words: `200,000 tokens`."""
        if field == "running_s":
            is_long = value >= 2 * _HOUR_S
            return sentence(
                "budget.hours" if is_long else "budget.minutes",
                value=round(value / (_HOUR_S if is_long else _MINUTE_S), 1),
            )
        if field == "cost":
            return sentence("budget.money", value=round(value, 2), currency=self.currency)
        return sentence(f"budget.{field}", value=int(value))


NO_LIMITS = SweepBudget()


def budget_of(texts: Sequence[str], price: str | None = None, judge_price: str | None = None) -> SweepBudget:
    """Parse limits such as `500-asks`, `200k-tokens`, `90min`, `2h` and `5EUR`; commas separate several.

    `price` is the cost of a million tokens of prompts and of replies, `0.15,0.60` or `0.15,0.60 USD`; `judge_price` is
    that of the recorded judge. ConfigError names what is wrong.
    """
    given, known = _limits(texts)
    prices: dict[str, Price] = {}
    for name, text in (("price", price), ("judge_price", judge_price)):
        if not text:
            continue
        prices[name], priced_in = _priced(text, name)
        if known and priced_in and known != priced_in:
            raise ConfigError(sentence("budget.two-currencies", budget=known, price=priced_in), field=name)
        known = known or priced_in
    Budget.model_validate(given).priced(next(iter(prices.values()), None))
    return SweepBudget.model_validate({**given, **({"currency": known} if known else {}), **prices})


def limits_of(texts: Sequence[str]) -> Budget:
    """Parse limits as `budget_of` does, of work whose models have their own price.

    Raises ConfigError for an invalid limit.
    """
    return Budget.model_validate(_limits(texts)[0])


def _limits(texts: Sequence[str]) -> tuple[dict[str, float], str | None]:
    """Return the limits by field, and the currency of a limit of money."""
    given: dict[str, float] = {}
    currencies: list[str] = []
    for text in (part.strip() for each in texts for part in each.split(",")):
        if not text:
            continue
        name, value, currency = _limit(text)
        if name in given:
            raise ConfigError(sentence("budget.twice", text=text), field="budget")
        given[name] = value
        currencies += [currency] if currency else []
    return given, next(iter(currencies), None)


def _read_limits(given: object) -> object:
    """Return limits that are given as text as a budget, and anything else as it is."""
    if not isinstance(given, str):
        return given
    try:
        return limits_of((given,))
    except ConfigError as exc:
        raise ValueError(exc.message) from exc


GivenBudget = Annotated[Budget, BeforeValidator(_read_limits, json_schema_input_type=Budget | str)]
"""Limits as they are given over HTTP: an object, or text such as `500-asks, 2h`."""


def price_of(text: str) -> Price:
    """Parse a price per million tokens of prompts and of replies; ConfigError if it is not two numbers."""
    return _priced(text)[0]


def _priced(text: str, field: str = "price") -> tuple[Price, str | None]:
    """Return the price of `0.15,0.60` or `0.15,0.60 USD` with its currency; None where none is named.

    ConfigError names `field`.
    """
    amounts, _, currency = text.strip().partition(" ")
    try:
        given, made = (float(part) for part in amounts.split(","))
        if not re.fullmatch("([A-Z]{3})?", currency):
            raise ValueError(text)
        return Price(input=given, output=made), currency or None
    except ValueError as exc:
        raise ConfigError(sentence("budget.odd-price"), field=field) from exc


def _read_price(given: object) -> object:
    """Return a price that is given as text as an object; anything else as it is."""
    if not isinstance(given, str):
        return given
    try:
        price, currency = _priced(given)
    except ConfigError as exc:
        raise ValueError(exc.message) from exc
    return {**price.model_dump(), **({"currency": currency} if currency else {})}


GivenPrice = Annotated[TokenPrice, BeforeValidator(_read_price, json_schema_input_type=TokenPrice | str)]
"""A price as it is given in files and over HTTP: an object, or text such as `0.15,0.60 USD`."""


def _limit(text: str) -> tuple[str, float, str | None]:
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise ConfigError(sentence("budget.odd", text=text), field="budget")
    amount, factor, unit = found.groups()
    value = float(amount) * {"k": 1e3, "M": 1e6, None: 1.0}[factor]
    if value > _LARGEST:
        raise ConfigError(sentence("budget.odd", text=text), field="budget")
    if unit in _ASKS | _TOKENS:
        return "asks" if unit in _ASKS else "tokens", int(value), None
    if factor is None and unit in _SECONDS:
        return "running_s", value * _SECONDS[unit], None
    currency = _SIGNS.get(unit, unit)
    if len(currency) == 3 and currency.isupper():
        return "cost", value, currency
    raise ConfigError(sentence("budget.odd", text=text), field="budget")
