"""Passwords are hashed as RFC 9106 recommends where memory is short."""

from __future__ import annotations

from functools import cached_property

import argon2

from passer.adapters.passwords import Argon2Passwords


def test_parameters_are_those_of_the_rfc(cheap_passwords: cached_property[argon2.PasswordHasher]):
    hashed = cheap_passwords.func(Argon2Passwords()).hash("a long password")
    assert hashed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_a_hash_is_of_one_password_and_what_is_no_hash_is_of_none():
    passwords = Argon2Passwords()
    hashed = passwords.hash("a long password")
    assert passwords.is_right("a long password", hashed)
    assert not passwords.is_right("a wrong password", hashed)
    assert not passwords.is_right("a long password", "no hash")
    assert passwords.hash("a long password") != hashed
