"""Ledger entries as actions of the contract `llmtest`, and back; and of the published contract, without digests."""

from __future__ import annotations

from typing import get_args

from pydantic import ValidationError

from passer.domain.ledger.antelope.packing import Packer, Unpacker
from passer.domain.ledger.antelope.transaction import ChainAction, PermissionLevel
from passer.domain.ledger.entry import Action, Entry
from passer.errors import InputError


def entry_action(entry: Entry, *, contract: str, creator: str, permission: str = "active") -> ChainAction:
    """The action that records an entry."""
    data = _first_four(entry, creator).checksum256(entry.run_digest).checksum256(entry.config_digest)
    return _action(entry, data, contract=contract, creator=creator, permission=permission)


def published_action(entry: Entry, *, contract: str, creator: str, permission: str = "active") -> ChainAction:
    """The same for the published contract: no digests, so put the digest into the entry's description."""
    data = _first_four(entry, creator)
    return _action(entry, data, contract=contract, creator=creator, permission=permission)


def action_entry(action: ChainAction) -> tuple[Entry, str]:
    """The entry that an action of `llmtest` records, and its creator; InputError where it is none."""
    if action.name not in get_args(Action):
        raise InputError(f"Look at another transaction: {action.name} records no entry.")
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
        raise InputError(f"Look at another transaction: what {action.name} holds is no entry of PaSSER.") from exc
    return entry, creator


def _first_four(entry: Entry, creator: str) -> Packer:
    return Packer().name(creator).name(entry.testid).string(entry.description).float64s(entry.results)


def _action(entry: Entry, data: Packer, *, contract: str, creator: str, permission: str) -> ChainAction:
    return ChainAction(
        account=contract,
        name=entry.action,
        authorization=(PermissionLevel(actor=creator, permission=permission),),
        data=data.packed().hex(),
    )
