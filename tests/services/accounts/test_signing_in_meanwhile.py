"""An account is changed while somebody signs in to it: checking and hashing a password takes a tenth of a second."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from passer.adapters.passwords import Argon2Passwords
from passer.adapters.store.accounts import DatabaseAccounts
from passer.adapters.store.database import Database
from passer.errors import SignInNeeded
from passer.services.accounts.accounts import Accounts
from tests.fakes import FakeClock

OLD, NEW, NEWER = "correct horse battery", "another password here", "a third password of hers"


class Interrupted(Argon2Passwords):
    """Somebody else does `meanwhile` as soon as a password was checked, and before one is hashed."""

    meanwhile: Callable[[], object] = staticmethod(lambda: None)

    def is_right(self, password: str, hashed: str) -> bool:
        found = super().is_right(password, hashed)
        self.meanwhile()
        return found

    def hash(self, password: str) -> str:
        self.meanwhile()
        return super().hash(password)


@pytest.fixture
def place(tmp_path: Path) -> tuple[Accounts, Accounts, Interrupted]:
    """The accounts of two requests, and the hasher of the first."""
    database, hasher = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}"), Interrupted()
    store, clock = DatabaseAccounts(database), FakeClock()
    accounts = Accounts(store, hasher, clock)
    for name in ("boss", "maria"):
        accounts.add(name, role="admin", password=OLD)
    return accounts, Accounts(store, Argon2Passwords(), clock), hasher


def test_a_sign_in_does_not_give_back_a_role_that_is_taken_meanwhile(place):
    accounts, others, hasher = place
    hasher.meanwhile = lambda: others.set_role("maria", "default", "viewer")
    _, secret = accounts.sign_in("maria", OLD, address="a")
    found = others.store.find_account("maria")
    assert found.role == "viewer"
    assert found.signed_in_at is not None
    assert others.caller_of_session(secret).role == "viewer"


def test_a_sign_in_with_a_password_that_is_replaced_meanwhile_opens_no_session(place):
    accounts, others, hasher = place
    hasher.meanwhile = lambda: others.change("maria", password=NEW)
    with pytest.raises(SignInNeeded):
        accounts.sign_in("maria", OLD, address="a")
    hasher.meanwhile = lambda: None
    with pytest.raises(SignInNeeded):
        accounts.sign_in("maria", OLD, address="a")
    assert accounts.sign_in("maria", NEW, address="a")[0].name == "maria"


def test_a_sign_in_to_an_account_that_is_deleted_meanwhile_opens_no_session(place):
    accounts, others, hasher = place
    hasher.meanwhile = lambda: others.delete("maria")
    with pytest.raises(SignInNeeded):
        accounts.sign_in("maria", OLD, address="a")


def test_a_new_password_does_not_give_back_a_role_that_is_taken_meanwhile(place):
    accounts, others, hasher = place
    hasher.meanwhile = lambda: others.set_role("maria", "default", "viewer")
    accounts.change("maria", password=NEWER)
    assert others.store.find_account("maria").role == "viewer"
