"""The published contract's ABI: written to and read on a real node, and why its rows prove so little."""

from __future__ import annotations

import json

import pytest

from passer.antelope.client.chain import AntelopeChain
from passer.domain.ledger.entry import Entry
from tests.chain.booted import PUBLISHED as ACCOUNT
from tests.chain.booted import Chain
from tests.contracts.packed import PUBLISHED, TABLES, Row, action, stored

both = pytest.mark.parametrize(("said", "table"), TABLES)


@pytest.fixture(scope="module")
def published(chain: Chain) -> Chain:
    wasm, abi = (PUBLISHED / "published.wasm").read_bytes(), json.loads((PUBLISHED / "published.abi").read_text())
    chain.deploy(ACCOUNT, wasm=wasm, abi=abi)
    return chain


@both
def test_it_is_written_and_read(published: Chain, said: str, table: str) -> None:
    row = Row(testid="old", results=(0.1, 1 / 3), run_digest=b"", config_digest=b"")
    published.push(action(said, row.published_data, code=ACCOUNT))
    assert stored(published.packed_rows(table, code=ACCOUNT)[-1], digests=False).row == row
    shown = published.rows(table, code=ACCOUNT, index=3, key="old")[-1]
    assert {key: shown[key] for key in ("userid", "testid", "description")} == {
        "userid": "researcher1",
        "testid": "old",
        "description": "run one, question one",
    }
    assert "run_digest" not in shown
    assert published.rows(table, code=ACCOUNT, index=2, key="researcher1") == published.rows(table, code=ACCOUNT)


@both
def test_our_client_writes_to_it(published: Chain, said: str, table: str) -> None:
    legacy = AntelopeChain(published.rpc, ACCOUNT, published=True)
    entry = Entry.model_validate(
        {
            "action": said,
            "testid": "ours",
            "description": f"digest {'7' * 64}",
            "results": (0.5, 0.25),
            "run_digest": "7" * 64,
            "config_digest": "8" * 64,
        }
    )
    legacy.push(legacy.sign(legacy.prepare([entry], "researcher1"), published.keys["researcher1"]))
    found = stored(published.packed_rows(table, code=ACCOUNT)[-1], digests=False).row
    assert (found.user, found.testid, found.results) == ("researcher1", "ours", (0.5, 0.25))
    assert found.description == entry.description.encode()


def test_anyone_writes_in_anyones_name_and_erases_everything(published: Chain) -> None:
    """So it is with the published contract; that is why its rows are shown as unauthenticated."""
    for said, table in TABLES:
        for text in (b"one", b"two", b"three"):
            row = Row(user="researcher1", testid="forged", description=text, run_digest=b"", config_digest=b"")
            published.push(action(said, row.published_data, by=("stranger",), code=ACCOUNT), by="stranger")
            assert stored(published.packed_rows(table, code=ACCOUNT)[-1], digests=False).row == row
    published.push(action("erase", b"", by=("stranger",), code=ACCOUNT), by="stranger")
    for _, table in TABLES:
        for index in (1, 2, 3):
            assert published.rows(table, code=ACCOUNT, index=index) == []
