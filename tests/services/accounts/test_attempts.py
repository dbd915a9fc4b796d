"""How many failures to sign in are let through."""

from __future__ import annotations

import pytest

from passer.errors import TooManyAttempts
from passer.services.accounts.attempts import MOST, WINDOW_S, Attempts


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def failed(attempts: Attempts, times: int, *, name: str = "maria", address: str = "10.0.0.1") -> None:
    for _ in range(times):
        attempts.check(name, address)
        attempts.failed(name, address)


def test_one_address_may_fail_for_a_name_a_few_times_in_a_quarter_of_an_hour():
    clock = Clock()
    attempts = Attempts(clock)
    failed(attempts, MOST["both"])
    with pytest.raises(TooManyAttempts):
        attempts.check("maria", "10.0.0.1")
    attempts.check("maria", "10.0.0.2")
    attempts.check("ivan", "10.0.0.1")
    clock.now = WINDOW_S + 1
    attempts.check("maria", "10.0.0.1")


def test_many_names_from_one_address_and_many_addresses_for_one_name_are_limited_too():
    attempts = Attempts(Clock())
    for number in range(MOST["address"]):
        failed(attempts, 1, name=f"guess{number}")
    with pytest.raises(TooManyAttempts):
        attempts.check("another", "10.0.0.1")
    attempts = Attempts(Clock())
    for number in range(MOST["name"]):
        failed(attempts, 1, address=f"10.0.0.{number}")
    with pytest.raises(TooManyAttempts):
        attempts.check("maria", "10.1.0.1")


def test_a_success_forgets_the_failures():
    attempts = Attempts(Clock())
    failed(attempts, MOST["both"] - 1)
    attempts.succeeded("maria", "10.0.0.1")
    failed(attempts, MOST["both"])
