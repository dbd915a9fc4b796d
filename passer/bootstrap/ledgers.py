"""The ledger that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.errors import ConfigError, InputError

if TYPE_CHECKING:
    from passer.adapters.antelope.chain import AntelopeChain
    from passer.adapters.antelope.keys import PrivateKey
    from passer.adapters.antelope.rpc import Rpc
    from passer.settings import Settings


def chain_rpc(settings: Settings) -> Rpc:
    """The nodes of the settings; ConfigError where none is named."""
    from passer.adapters.antelope.rpc import Rpc

    if not settings.chain_urls:
        raise ConfigError("Set PASSER_CHAIN_URLS to a node's address, or PASSER_LEDGER to local.", field="chain_urls")
    return Rpc(settings.chain_urls)


def chain_contract(settings: Settings, rpc: Rpc) -> AntelopeChain:
    """The contract of the settings."""
    from passer.adapters.antelope.chain import AntelopeChain

    contract = _account(settings.chain_contract, "chain_contract")
    if contract is None:
        raise ConfigError("Set PASSER_CHAIN_CONTRACT to the account that holds the contract.", field="chain_contract")
    return AntelopeChain(rpc, contract, published=settings.chain_contract_kind == "published")


def chain_account(settings: Settings) -> str | None:
    """Who signs; None where only browsers do."""
    return _account(settings.chain_account, "chain_account")


def chain_key(settings: Settings) -> PrivateKey | None:
    """The signing key; ConfigError, without it, where it cannot be used."""
    from passer.adapters.antelope.key_loading import key_from_file, key_from_value

    if settings.chain_key is not None and settings.chain_key_file is not None:
        raise ConfigError("Set PASSER_CHAIN_KEY or PASSER_CHAIN_KEY_FILE, not both.", field="chain_key")
    key = None
    if settings.chain_key is not None:
        key = key_from_value(settings.chain_key)
    elif settings.chain_key_file is not None:
        key = key_from_file(settings.chain_key_file)
    if key is not None and settings.chain_account is None:
        raise ConfigError("Set PASSER_CHAIN_ACCOUNT to the account that the key signs for.", field="chain_account")
    return key


def _account(name: str | None, field: str) -> str | None:
    from passer.domain.ledger.antelope.names import name_value

    if name is None:
        return None
    try:
        name_value(name)
    except InputError as exc:
        raise ConfigError(f"PASSER_{field.upper()} is no account: {exc.message}", field=field) from exc
    return name
