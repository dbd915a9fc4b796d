"""People who sign with wallets, as a server sees them: what they ask, what they sign, and what the chain holds then."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from passer.adapters.store.database import Database
from passer.adapters.store.runs import DatabaseRuns
from passer.antelope.format.transactions import packed_transaction, signing_digest, transaction_id
from passer.antelope.signing.keys import PrivateKey
from passer.antelope.signing.signatures import sign
from passer.domain.ledger.chain import ChainTransaction
from passer.domain.ledger.entry import Entry
from passer.domain.ledger.entry import testid_of as name_of
from passer.domain.sweeps.run import RunState
from passer.ports import RunRecord
from passer.settings import Settings
from tests.adapters.store.made import sweep
from tests.chain.booted import Chain
from tests.fakes import FakeClock

ME, OTHER, STRANGER = "researcher1", "researcher2", "stranger"
WALLET, TRANSACTIONS = "/api/v1/ledger/wallet", "/api/v1/ledger/transactions"
names = count()


def settings_of(chain: Chain, home: Path, **changes: object) -> Settings:
    given = {
        "ledger": "antelope", "chain_urls": (chain.url,), "chain_contract": chain.contract, "encoder": "none", **changes
    }  # fmt: skip
    return Settings(home=home, **given)


def finish(database: Database, *, entries: int = 3) -> str:
    """A finished run whose entries wait; its id."""
    name = f"signing{next(names)}"
    store = DatabaseRuns(database, FakeClock())
    store.create_sweep(sweep(name, runs=1))
    run_id = f"{name}-000"
    store.set_state([run_id], RunState.RUNNING)
    made = tuple(entry(run_id, number) for number in range(entries))
    store.finish(run_id, RunRecord(digest="a" * 64, manifest="{}", entries=made), ledger="antelope")
    return run_id


def entry(run_id: str, number: int) -> Entry:
    return Entry(
        action="addtest",
        testid=name_of(run_id),
        description=f"run {run_id} question q{number} – ü",
        results=tuple((number + place) / 7 for place in range(24)),
        run_digest=f"{number:064x}",
        config_digest="c" * 64,
    )


class Wallet:
    """An account and its key, as a wallet holds them: it signs what it is shown."""

    def __init__(self, chain: Chain, account: str, key: PrivateKey | None = None) -> None:
        self.account, self._key, self._chain = account, key or chain.keys[account], chain

    def sign(self, shown: dict[str, Any]) -> list[str]:
        """Over the bytes that follow from the JSON, as a wallet makes them itself."""
        packed = packed_transaction(ChainTransaction.model_validate_json(json.dumps(shown["transaction"])))
        assert transaction_id(packed) == shown["id"]
        assert packed.hex() == shown["packed"]
        return self.sign_bytes(packed)

    def sign_bytes(self, packed: bytes) -> list[str]:
        return [sign(signing_digest(packed, chain_id=self._chain.chain_id), self._key).text]


class Desk:
    """A server, and what a page asks it."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def prepare(self, account: str, run_id: str | None = None, **changes: object) -> dict[str, Any]:
        found = self.ask_prepared(account, run_id, **changes)
        assert found.status_code == 201, found.text
        assert found.headers["location"] == f"{TRANSACTIONS}/{found.json()['id']}"
        return found.json()

    def ask_prepared(self, account: str, run_id: str | None = None, **changes: object) -> Any:
        return self.client.post(TRANSACTIONS, json={"account": account, "run_id": run_id, **changes})

    def send(self, key: str, account: str, signatures: list[str]) -> Any:
        body = {"account": account, "signatures": signatures}
        return self.client.post(f"{TRANSACTIONS}/{key}/signatures", json=body)

    def drop(self, key: str) -> Any:
        return self.client.delete(f"{TRANSACTIONS}/{key}")

    def states(self, run_id: str) -> list[str]:
        items = self.client.get(f"/api/v1/runs/{run_id}/entries").json()["items"]
        return [item["state"] for item in items]


def refused(response: Any, status: int, reason: str, said: str) -> None:
    found = response.json()
    assert (response.status_code, found["type"]) == (status, f"urn:passer:signing:{reason}"), found
    assert said in found["detail"]
    assert found["detail"].endswith(".")


def on_chain(chain: Chain, run_id: str) -> list[tuple[str, str]]:
    rows = chain.rows("testtable", index=3, key=name_of(run_id))
    return [(row["userid"], row["description"]) for row in sorted(rows, key=lambda row: int(row["id"]))]


def expected(run_id: str, count: int, *, by: str = ME) -> list[tuple[str, str]]:
    return [(by, entry(run_id, number).description) for number in range(count)]
