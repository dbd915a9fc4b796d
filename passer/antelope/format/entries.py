"""Converts ledger entries to actions of `llmtest` and back, and to actions of the published contract."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import get_args

from pydantic import ValidationError

from passer.antelope.format.packing import Packer, Unpacker
from passer.antelope.format.transactions import packed_action, unpacked_transaction
from passer.domain.ledger.chain import ChainAction, PermissionLevel, RecordedAction
from passer.domain.ledger.entry import Action, Entry
from passer.domain.wording.sentence import sentence
from passer.errors import InputError


def entry_action(entry: Entry, *, contract: str, creator: str, permission: str = "active") -> ChainAction:
    """Return the action that records an entry."""
    return _action(entry, _fields(entry, creator), contract=contract, creator=creator, permission=permission)


def published_action(entry: Entry, *, contract: str, creator: str, permission: str = "active") -> ChainAction:
    """Return the action of the published contract. It has no digests: put them into the entry's description."""
    data = _fields(entry, creator, published=True)
    return _action(entry, data, contract=contract, creator=creator, permission=permission)


def packed_entry(entry: Entry, *, contract: str, creator: str, permission: str, published: bool) -> bytes:
    """Return the packed bytes of the action that records an entry, without a value for each of its parts."""
    data = _fields(entry, creator, published=published)
    return packed_action(contract, entry.action, _level(creator, permission), data)


def action_entry(action: ChainAction) -> tuple[Entry, str]:
    """Return the entry of an `llmtest` action and its creator; InputError for other actions."""
    if action.name not in get_args(Action):
        raise InputError(sentence("chain.records-nothing", action=action.name))
    fields = Unpacker(bytes.fromhex(action.data))
    creator, testid, description = fields.name(), fields.name(), fields.string()
    results, digests = fields.float64s(), (fields.checksum256(), fields.checksum256())
    fields.done()
    try:
        entry = Entry.model_validate(
            {
                "action": action.name,
                "testid": testid,
                "description": description,
                "results": results,
                "run_digest": digests[0],
                "config_digest": digests[1],
            }
        )
    except ValidationError as exc:
        raise InputError(sentence("chain.not-our-entry", action=action.name)) from exc
    return entry, creator


def recorded_actions(packed: bytes) -> list[RecordedAction]:
    """Return the actions of a packed transaction with their entries; InputError for other bytes."""
    try:
        transaction = unpacked_transaction(packed)
    except ValidationError as exc:
        raise InputError(sentence("chain.not-transaction")) from exc
    return [replace(_recorded(action), expires_at=transaction.expiration) for action in transaction.actions]


def _recorded(action: ChainAction) -> RecordedAction:
    with suppress(InputError):
        entry, creator = action_entry(action)
        return RecordedAction(action.account, creator, entry)
    with suppress(InputError):
        fields = Unpacker(bytes.fromhex(action.data))
        creator, testid, description, results = fields.name(), fields.name(), fields.string(), fields.float64s()
        fields.done()
        return RecordedAction(action.account, creator, legacy=(action.name, testid, description, tuple(results)))
    return RecordedAction(action.account)


def _fields(entry: Entry, creator: str, *, published: bool = False) -> bytes:
    first = Packer().name(creator).name(entry.testid).string(entry.description).float64s(entry.results)
    return (first if published else first.checksum256(entry.run_digest).checksum256(entry.config_digest)).packed()


@lru_cache(maxsize=64)
def _level(creator: str, permission: str) -> tuple[PermissionLevel]:
    """Return who acts; thousands of actions share it."""
    return (PermissionLevel(actor=creator, permission=permission),)


def _action(entry: Entry, data: bytes, *, contract: str, creator: str, permission: str) -> ChainAction:
    return ChainAction(
        account=contract,
        name=entry.action,
        authorization=_level(creator, permission),
        data=data.hex(),
    )
