"""Budgets: their notation, when a limit is reached, and the notes of a plan."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from passer.domain.models.model import Model
from passer.domain.sweeps.budget import NO_LIMITS, Budget, Price, Spent, SweepBudget, TokenPrice, budget_of, limits_of
from passer.domain.sweeps.plan import JudgingPlan, ModelPlan, SweepPlan
from passer.domain.sweeps.sweep import Sweep
from passer.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("500-asks", {"asks": 500}),
        ("1 request", {"asks": 1}),
        ("200k-tokens", {"tokens": 200_000}),
        ("1.5M tokens", {"tokens": 1_500_000}),
        ("90min", {"running_s": 5400}),
        ("2h", {"running_s": 7200}),
        ("45 s", {"running_s": 45}),
        ("500-asks, 2h", {"asks": 500, "running_s": 7200}),
        ("", {}),
    ],
)
def test_limits_are_read(text, expected):
    assert budget_of([text]) == SweepBudget(**expected)


def test_a_limit_of_money_needs_a_price():
    price = Price(input=0.15, output=0.6)
    assert budget_of(["5EUR"], "0.15,0.60") == SweepBudget(cost=5, currency="EUR", price=price)
    assert budget_of(["5$"], "0.15,0.60").currency == "USD"
    with pytest.raises(ConfigError, match="needs a price"):
        budget_of(["5EUR"])
    with pytest.raises(ConfigError, match="needs a price"):
        limits_of(["5EUR"]).priced(None)
    assert limits_of(["5EUR", "2h"]).priced(price) == Budget(cost=5, running_s=7200)
    for price_text in ("cheap", "1", "nan,1", "1,inf", "-1,1"):
        with pytest.raises(ConfigError, match="two numbers"):
            budget_of(["5EUR"], price_text)


@pytest.mark.parametrize("text", ["much", "5", "2kh", "-3-asks", "5 apples", "1e9-tokens", "9" * 400 + "-asks"])
def test_what_is_no_budget_is_refused_with_examples(text):
    with pytest.raises(ConfigError, match="200k-tokens, 90min, 2h or 5EUR") as refused:
        budget_of([text])
    assert refused.value.field == "budget"


def test_two_limits_of_one_kind_are_refused():
    with pytest.raises(ConfigError, match="second limit"):
        budget_of(["1h", "90min"])


def test_the_first_limit_that_is_reached_is_named_and_all_are_shown():
    # 600,000 tokens of prompts at .15 and 100,000 of replies at .60 a million are .09 + .06 = .15.
    spent = Spent(asks=40, input_tokens=600_000, output_tokens=100_000, running_s=1800)
    budget = SweepBudget(asks=50, tokens=1_000_000, running_s=7200, cost=0.3, price=Price(input=0.15, output=0.6))
    assert budget.reached(spent) is None
    assert budget.used(spent) == (
        "Budget used: 80\u202f% of 50 requests, 70\u202f% of 1\u202f000\u202f000 tokens, 25\u202f% of 2 h, "
        "50\u202f% of 0.30 EUR."
    )
    assert budget.reached(spent.model_copy(update={"asks": 50})) == "50 requests"
    assert SweepBudget(asks=0).reached(Spent()) == "0 requests"
    assert (NO_LIMITS.reached(spent), NO_LIMITS.used(spent)) == (None, None)


def plan(**changes: object) -> SweepPlan:
    model = ModelPlan(model=Model(), evaluations=90, prompt_tokens=30_000)
    found = SweepPlan(questions=30, configurations=3, evaluations=90, distinct_prompts=60, cached=10, models=(model,))
    return found.model_copy(update=changes)


@pytest.mark.parametrize(
    ("limits", "found", "said"),
    [
        ("50-asks", plan(), "suffices: at most 50 requests"),
        ("49-asks", plan(), "pauses the sweep before its end: about 50 requests"),
        ("49-asks", plan(distinct_prompts=None), "not known yet"),
        ("50-asks", plan(evaluations=0, distinct_prompts=None), "not known yet"),
        # Prompts have 30,000 tokens, and 50 replies of at most 100 tokens have 5,000.
        ("35k-tokens", plan(), "suffices"),
        ("32k-tokens", plan(), "not known yet"),
        ("29k-tokens", plan(), "pauses the sweep"),
        ("1h", plan(), "not known yet"),
        ("1h", plan(expected_s=3600.0), "suffices: at most 60 min"),
        ("1h", plan(expected_s=9000.0), "pauses the sweep before its end: about 2.5 h"),
    ],
)
def test_a_plan_says_whether_the_budget_suffices(limits, found, said):
    [line] = found.within(budget_of([limits]), reply_tokens=100).budget
    assert said in line


def test_a_plan_without_a_budget_says_nothing_of_it():
    assert plan().within(NO_LIMITS, reply_tokens=100) == plan()


def test_a_price_names_its_currency_once() -> None:
    assert budget_of(["5USD"], "0.15,0.60 USD").currency == "USD"
    assert budget_of([], "0.15,0.60 CHF").currency == "CHF"
    with pytest.raises(ConfigError, match="in EUR and the price in USD"):
        budget_of(["5EUR"], "0.15,0.60 USD")
    with pytest.raises(ConfigError, match="two numbers"):
        budget_of([], "0.15,0.60 dollars")


@pytest.mark.parametrize("amount", [1e300, -1.0, float("inf"), float("nan")])
def test_what_cannot_be_a_price_is_refused(amount: float) -> None:
    with pytest.raises(ValidationError):
        Price(input=0.15, output=amount)
    with pytest.raises(ConfigError, match="two numbers"):
        budget_of([], f"0.15,{amount}")


def test_money_is_a_cost_only_with_a_price() -> None:
    config = {"dataset": "d", "collection": "c"}
    sweep = Sweep.model_validate({"name": "s", "config": config, "cost": "money", "price": "0.15,0.60 USD"})
    assert sweep.price == TokenPrice(input=0.15, output=0.6, currency="USD")
    for given in ({"cost": "money"}, {"price": "1,1"}, {"cost": "passages", "price": "1,1"}):
        with pytest.raises(ValidationError, match="price"):
            Sweep.model_validate({"name": "s", "config": config, **given})


def judged_plan(**judging) -> SweepPlan:
    model = ModelPlan(model=Model(), evaluations=10, prompt_tokens=10_000)
    plan = SweepPlan(questions=5, configurations=2, evaluations=10, distinct_prompts=8, cached=2, models=(model,))
    given = {"model": Model(name="J"), "column": "Answer correctness", "answers": 8, "asks": 8, "is_complete": True}
    return plan.model_copy(update={"judging": JudgingPlan(**{**given, **judging})})


def test_a_plan_counts_the_requests_of_the_judge_in_budget_and_price():
    priced = budget_of(["13-asks", "20k-tokens", "0.02EUR"], "1,2", "2,4")
    plan = judged_plan(input_tokens=4000, output_tokens=1000).within(priced, reply_tokens=100)
    assert plan.judging is not None
    # 4,000 tokens at 2 and 1,000 at 4 a million.
    assert plan.judging.cost == pytest.approx(0.012)
    assert [str(line) for line in plan.judging.lines] == [
        "Afterwards J judges at most 8 answers (Answer correctness), with about 8 requests.",
        "These requests have about 4\u202f000 tokens in the prompts and at most 1\u202f000 tokens in the replies.",
        "The judge costs at most about 0.01 EUR for these requests.",
    ]
    asks, tokens, cost = map(str, plan.budget)
    # 8 - 2 requests and 8 of the judge.
    assert asks.startswith("The budget of 13 requests pauses the sweep before its end: about 14 requests")
    # 10,000 + 6 x 100, and 5,000 of the judge.
    assert tokens == "The budget of 20\u202f000 tokens suffices: at most 15\u202f600 tokens are needed."
    # 10,000 at 1 + 600 at 2, and .012 of the judge: .0232 at most; at least .01 + 4,000 at 2 = .018.
    assert cost.startswith("It is not known yet")
    free = judged_plan(input_tokens=4000, output_tokens=1000).within(budget_of(["1EUR"], None, "2,4"), reply_tokens=100)
    assert str(free.budget[0]) == "The budget of 1.00 EUR suffices: at most 0.01 EUR are needed."


def test_an_odd_price_is_said_at_the_field_it_was_typed_in():
    for field, prices in (("price", ("abc", "1,2")), ("judge_price", ("1,2", "abc"))):
        with pytest.raises(ConfigError, match="two numbers") as caught:
            budget_of([], *prices)
        assert caught.value.field == field


def test_what_later_steps_of_a_judge_take_is_not_known():
    plan = judged_plan(is_complete=False).within(budget_of(["100-asks", "1EUR"], "1,2"), reply_tokens=100)
    assert plan.judging is not None
    assert "in the first step. Later steps depend on the replies." in str(plan.judging.lines[0])
    assert (plan.judging.cost, "Run the preview" in str(plan.judging.lines[1])) == (None, True)
    assert all(str(line).startswith("It is not known yet") for line in plan.budget)


def test_the_judge_gets_what_a_sweep_left_of_its_limits():
    budget = budget_of(["10-asks", "1000-tokens", "2h", "0.01EUR"], "1,2", "5,5")
    left = budget.left(Spent(asks=4, input_tokens=700, output_tokens=100, running_s=8000))
    # 700 at 1 + 100 at 2 a million are .0009.
    assert left.limits == pytest.approx({"asks": 6, "tokens": 200, "running_s": 0, "cost": 0.0091})
    assert NO_LIMITS.left(Spent(asks=4)) == Budget()
    assert budget.price_of_judge == Price(input=5, output=5)
    assert budget_of([], "1,2").price_of_judge == Price(input=1, output=2)
