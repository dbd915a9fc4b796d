"""Authorities of accounts: weighted keys and accounts, and whether a set of keys reaches the threshold."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache

from passer.antelope.format.packing import Packer, name_value
from passer.antelope.signing.keys import PublicKey
from passer.domain.ledger.chain import PermissionLevel


@dataclass(frozen=True, slots=True)
class Authority:
    """An authority: its parts must reach the threshold by weight."""

    threshold: int
    keys: tuple[tuple[PublicKey, int], ...] = ()
    """Key and weight."""
    accounts: tuple[tuple[PermissionLevel, int], ...] = ()
    """Another account's permission and weight."""
    waits: tuple[tuple[int, int], ...] = ()
    """Seconds and weight."""

    @classmethod
    def of_key(cls, key: PublicKey) -> Authority:
        """Return the authority for which this key alone suffices."""
        return cls(1, keys=((key, 1),))

    @classmethod
    def of_account(cls, account: PermissionLevel) -> Authority:
        """Return the authority of another account's permission; `eosio.null@active`, which nobody controls, locks."""
        return cls(1, accounts=((account, 1),))

    def pack(self, packer: Packer) -> None:
        """Add the authority as `newaccount` and `updateauth` require it: keys by their bytes, accounts by name."""
        packer.uint32(self.threshold)
        by_key = sorted(self.keys, key=lambda part: part[0].packed)
        packer.list(by_key, lambda out, part: out.raw(part[0].packed).uint16(part[1]))
        by_name = sorted(self.accounts, key=lambda part: (name_value(part[0].actor), name_value(part[0].permission)))
        packer.list(by_name, lambda out, part: out.name(part[0].actor).name(part[0].permission).uint16(part[1]))
        packer.list(sorted(self.waits), lambda out, part: out.uint32(part[0]).uint16(part[1]))


@dataclass(frozen=True, slots=True)
class SignerCheck:
    """Result of checking a set of keys against an authority; None if that cannot be decided here."""

    satisfied: bool | None
    detail: str
    """One sentence."""


DEEPEST = 6
"""Accounts behind accounts that a chain follows."""
MOST_FOLLOWED = 64
"""Permissions that are asked for in one check; accounts may refer to each other without end."""


@dataclass(frozen=True, slots=True)
class PermissionSearch:
    """Search for a permission that some keys satisfy, through authorities of other accounts as a chain does."""

    satisfied: bool
    foreign: tuple[PublicKey, ...]
    """Keys that count nowhere in it; a chain refuses a transaction that bears their signatures."""


def reached(
    keys: Collection[PublicKey], who: PermissionLevel, authority_of: Callable[[PermissionLevel], Authority | None]
) -> PermissionSearch:
    """Return whether keys suffice for a permission, of a transaction that is not delayed: waiting counts nothing."""
    used: set[PublicKey] = set()
    asked: dict[PermissionLevel, Authority | None] = {}

    @cache
    def suffices(level: PermissionLevel, depth: int) -> bool:
        if level not in asked and len(asked) < MOST_FOLLOWED:
            asked[level] = authority_of(level)
        authority = asked.get(level)
        if authority is None:
            return False
        mine = [(key, part) for key, part in authority.keys if key in keys]
        used.update(key for key, _ in mine)
        weight = sum(part for _, part in mine)
        if depth < DEEPEST:
            weight += sum(part for other, part in authority.accounts if suffices(other, depth + 1))
        return weight >= authority.threshold

    satisfied = suffices(who, 0)
    return PermissionSearch(satisfied, tuple(key for key in keys if key not in used))


def check_signers(authority: Authority, keys: Collection[PublicKey], *, who: PermissionLevel) -> SignerCheck:
    """Return whether these keys, recovered from signatures, reach the authority of `who`.

    Only K1 keys count, since only their signatures can be checked here. Where other accounts or waiting could make
    up for what is missing the answer is None: their authorities would have to be followed.
    """
    weight = sum(part for key, part in authority.keys if key in keys)
    named = f"{who.actor}@{who.permission}"
    if weight >= authority.threshold:
        return SignerCheck(True, f"The signing keys have weight {weight}; {named} needs {authority.threshold}.")
    elsewhere = sum(part for _, part in authority.accounts) + sum(part for _, part in authority.waits)
    if weight + elsewhere >= authority.threshold:
        return SignerCheck(
            None,
            f"{named} also counts other accounts or delays, which are not checked here. Its keys that "
            f"signed have weight {weight} of {authority.threshold}.",
        )
    return SignerCheck(False, f"The signing keys have weight {weight}; {named} needs {authority.threshold}.")
