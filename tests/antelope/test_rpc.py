"""The node's API over real HTTP: which address is asked, what its errors mean, and what never gets out."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from passer.antelope.client import node as node_module
from passer.antelope.client.chain import AntelopeChain, new_transaction
from passer.antelope.client.rpc import Rpc
from passer.antelope.signing.keys import PrivateKey
from passer.errors import ChainRefused, ConfigError, InputError, LedgerUnavailable, NotFoundError
from tests.antelope.entries import entry
from tests.antelope.legacy import legacy_private_text
from tests.antelope.scripted_node import CHAIN, INFO, ScriptedNode, error

PUSH = "/v1/chain/send_transaction"
TABLE = "/v1/chain/get_table_rows"


@pytest.fixture
def node() -> ScriptedNode:
    return ScriptedNode()


@pytest.fixture
def rpc(node: ScriptedNode) -> Iterator[Rpc]:
    with node.serving() as url:
        yield from opened(url)


def opened(*urls: str, read_timeout_s: float = 5, chain_id: str | None = None) -> Iterator[Rpc]:
    rpc = Rpc(urls, chain_id=chain_id, connect_timeout_s=2, read_timeout_s=read_timeout_s)
    yield rpc
    rpc.close()


def closed_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def test_the_chains_clock_and_a_block_that_stays(rpc: Rpc) -> None:
    info = rpc.info()
    transaction = new_transaction(info, [], lifetime_s=60)
    assert info.head_block_time == datetime(2026, 1, 2, 3, 4, 5, 500000, tzinfo=UTC)
    assert transaction.expiration == datetime(2026, 1, 2, 3, 5, 5, tzinfo=UTC)
    assert (transaction.ref_block_num, transaction.ref_block_prefix) == (900, 0x04030201)


@pytest.mark.parametrize("lifetime_s", [0, -1, 3601])
def test_a_lifetime_that_chains_refuse(rpc: Rpc, lifetime_s: int) -> None:
    with pytest.raises(InputError, match="1 to 3600"):
        new_transaction(rpc.info(), [], lifetime_s=lifetime_s)


@pytest.mark.parametrize(
    ("code", "name", "said", "reason", "sentence"),
    [
        (3040008, "tx_duplicate", "duplicate transaction ab", "duplicate", "There is nothing to do"),
        (3040005, "expired_tx_exception", "expired transaction ab", "expired", "Prepare and sign it again"),
        (3040007, "invalid_ref_block_exception", "Transaction's reference block did not match", "reference", "again"),
        (3080001, "ram_usage_exceeded", "account a has insufficient ram; needs 9 bytes", "ram", "Buy RAM"),
        (3080002, "tx_net_usage_exceeded", "transaction net usage is too high", "net", "NET"),
        (3080004, "tx_cpu_usage_exceeded", "billed CPU time (9 us) is greater", "cpu", "CPU"),
        (3080005, "block_cpu_exceeded", "not enough time left in block", "busy", "Try again soon"),
        (3080006, "deadline_exception", "transaction took too long", "busy", "Try again soon"),
        (
            3090003,
            "unsatisfied_authorization",
            "does not have signatures for it",
            "authority",
            "Sign with one of its keys",
        ),
        (3090004, "missing_auth_exception", "missing authority of bob", "authority", "Sign with one of its keys"),
        (3050003, "eosio_assert", "assertion failure with message: results: 65 are too many", "contract", "65 are too"),
        (3040000, "transaction_exception", "action's code account 'x' does not exist", "account", "Check both names"),
        (
            3040000,
            "transaction_exception",
            "include a non-existent permission: x",
            "authority",
            "Sign with one of its keys",
        ),
        (3040000, "transaction_exception", "something else", "transaction", "something else"),
        (3070000, "wasm_exception", "the wasm broke", "transaction", "the wasm broke"),
    ],
)
def test_refusals(node: ScriptedNode, rpc: Rpc, code: int, name: str, said: str, reason: str, sentence: str) -> None:
    node.say(PUSH, 500, error(code, name, said))
    with pytest.raises(ChainRefused) as raised:
        rpc.push(b"\1", ["SIG_K1_x"])
    assert raised.value.reason == reason
    assert sentence in raised.value.message
    assert raised.value.message.endswith(".")
    assert "assertion failure" not in raised.value.message


def test_what_is_pushed(node: ScriptedNode, rpc: Rpc) -> None:
    answer = {"transaction_id": "cd" * 32, "processed": {"block_num": 7, "block_time": "2026-01-02T03:04:06.000"}}
    node.say(PUSH, 202, answer)
    pushed = rpc.push(b"\1\2", ["SIG_K1_x"])
    expected = {"signatures": ["SIG_K1_x"], "compression": "none", "packed_context_free_data": "", "packed_trx": "0102"}
    assert node.asked[-1] == (PUSH, expected)
    assert (pushed.processed.block_num, pushed.cpu_us, pushed.net_bytes, pushed.ram_bytes) == (7, 0, 0, 0)


def test_a_trace_that_failed_is_a_refusal(node: ScriptedNode, rpc: Rpc) -> None:
    failed = {"code": 3050003, "name": "eosio_assert_message_exception", "message": "m",
              "stack": [{"format": "assertion failure with message: no"}]}  # fmt: skip
    node.say(PUSH, 202, {"transaction_id": "cd" * 32, "processed": {"except": failed}})
    with pytest.raises(ChainRefused, match=r"rejected the entries \(no\)") as raised:
        rpc.push(b"\1", [])
    assert raised.value.reason == "contract"


def test_an_error_with_a_status_of_success_is_no_answer(node: ScriptedNode, rpc: Rpc) -> None:
    """The ABI has no field that must be there: the error alone would pass for an account without a contract."""
    node.say("/v1/chain/get_abi", 200, error(3080006, "deadline_exception", "too slow"))
    with pytest.raises(LedgerUnavailable, match="too slow"):
        rpc.abi("llmtest")
    node.say("/v1/chain/get_abi", 200, {"abi": {"types": [{"new_type_name": "error", "type": "name"}]}})
    assert rpc.abi("llmtest") == {"types": [{"new_type_name": "error", "type": "name"}]}


def test_another_transaction_than_was_pushed(node: ScriptedNode, rpc: Rpc) -> None:
    chain = AntelopeChain(rpc, "llmtest")
    node.say(PUSH, 202, {"transaction_id": "cd" * 32, "processed": {}})
    signed = chain.sign(chain.prepare([entry(1)], "alice"), PrivateKey.generate())
    with pytest.raises(LedgerUnavailable, match=signed.prepared.id):
        chain.push(signed)


def test_reads_go_to_the_next_address(node: ScriptedNode) -> None:
    with node.serving() as url:
        for rpc in opened(closed_port(), url):
            assert [rpc.info().head_block_num for _ in range(3)] == [1000] * 3
    assert node.paths() == ["/v1/chain/get_info"] * 4, "one look at its chain, then the reads"


@pytest.mark.parametrize("status", [429, 502, 503, 504, 301])
def test_a_server_before_the_node_is_no_node(node: ScriptedNode, status: int) -> None:
    front = ScriptedNode()
    front.say(TABLE, status, b"<html>overloaded</html>")
    node.say(TABLE, 200, {"rows": ["00"], "more": False})
    with front.serving() as first, node.serving() as second:
        for rpc in opened(first, second):
            assert rpc.table_page("llmtest", "testtable").rows == ("00",)
        for rpc in opened(first):
            with pytest.raises(LedgerUnavailable, match=f"status {status}"):
                rpc.table_page("llmtest", "testtable")


def test_a_node_that_hangs(node: ScriptedNode) -> None:
    """A read goes elsewhere; a push does not, since it may have been taken."""
    hanging = ScriptedNode()
    hanging.hang(TABLE)
    hanging.hang(PUSH)
    node.say(TABLE, 200, {"rows": [], "more": False})
    with hanging.serving() as first, node.serving() as second:
        for rpc in opened(first, second, read_timeout_s=0.3):
            with pytest.raises(LedgerUnavailable, match="ReadTimeout"):
                rpc.push(b"\1", [])
            assert rpc.table_page("llmtest", "testtable").rows == ()
    assert PUSH not in node.paths()


def test_a_push_goes_to_the_next_address_where_the_first_took_no_connection(node: ScriptedNode) -> None:
    node.say(PUSH, 202, {"transaction_id": "cd" * 32, "processed": {}})
    with node.serving() as url:
        for rpc in opened(closed_port(), url):
            assert rpc.push(b"\1", []).transaction_id == "cd" * 32


def test_nobody_there() -> None:
    url = closed_port()
    for rpc in opened(url):
        with pytest.raises(LedgerUnavailable, match=f"{url}: ConnectError"):
            rpc.info()


def test_nodes_of_two_chains_are_refused(node: ScriptedNode) -> None:
    other = ScriptedNode()
    other.say("/v1/chain/get_info", 200, {**INFO, "chain_id": "ef" * 32})
    other.say(TABLE, 200, {"rows": []})
    node.say(TABLE, 503, b"")
    with node.serving() as first, other.serving() as second:
        for rpc in opened(first, second):
            with pytest.raises(ConfigError, match="one blockchain"):
                rpc.table_page("llmtest", "testtable")
        for rpc in opened(first, chain_id="ef" * 32):
            with pytest.raises(ConfigError, match=CHAIN):
                rpc.info()


def test_no_address() -> None:
    with pytest.raises(ConfigError, match="at least one"):
        Rpc([])
    with pytest.raises(ConfigError, match="is not an address"):
        Rpc(["ftp://x"])


def test_every_request_has_the_credentials_of_the_address(node: ScriptedNode) -> None:
    """RFC 7617: Basic and the base64 of USER:PASSWORD. A password of an address is written in percent signs."""
    with node.serving() as url:
        for rpc in opened(url.replace("//", "//me:p%40ss@")):
            assert rpc.info() == rpc.info()
            assert "p@ss" not in str(rpc.urls)
            assert "p%40ss" not in str(rpc.urls)
    assert node.credentials == {"Basic bWU6cEBzcw=="}


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"not json", b'{"chain_id": "x"}'])
def test_what_is_no_node(body: bytes) -> None:
    node = ScriptedNode()
    node.answers["/v1/chain/get_info"] = [(200, body)]
    with node.serving() as url:
        for rpc in opened(url):
            with pytest.raises(LedgerUnavailable, match="did not reply like an Antelope node"):
                rpc.info()


def test_a_reply_without_end_is_cut_off(node: ScriptedNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_module, "LARGEST_REPLY", 1000)
    node.say(TABLE, 200, {"rows": ["00" * 2000]})
    with node.serving() as url:
        for rpc in opened(url):
            with pytest.raises(LedgerUnavailable):
                rpc.table_page("llmtest", "testtable")


def test_missing_and_unable_differ(node: ScriptedNode, rpc: Rpc) -> None:
    node.say(TABLE, 500, error(3060003, "contract_table_query_exception", "Table testtable is not specified"))
    with pytest.raises(NotFoundError, match="has no table testtable"):
        rpc.table_page("llmtest", "testtable")
    node.say(TABLE, 500, error(3080006, "deadline_exception", "too long"))
    with pytest.raises(LedgerUnavailable, match="too long"):
        rpc.table_page("llmtest", "testtable")
    with pytest.raises(LedgerUnavailable, match="Unknown Endpoint"):
        rpc.code_hash("llmtest")
    assert rpc.raw_block(5) is None, "an older version of the node"
    assert rpc.block_of("ab" * 32) is None


def test_an_account_with_a_key_of_a_strange_kind(node: ScriptedNode, rpc: Rpc) -> None:
    auth = {"threshold": 1, "keys": [{"key": "PUB_XX_abc", "weight": 1}]}
    answer = {"account_name": "a", "permissions": [{"perm_name": "active", "required_auth": auth}]}
    node.say("/v1/chain/get_account", 200, answer)
    with pytest.raises(InputError, match="public key"):
        rpc.account("a").authority()
    assert rpc.account("a").authority("other") is None


def test_passwords_in_addresses_stay_hidden(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    url = closed_port().replace("//", "//someone:s3cret@")
    for rpc in opened(url):
        assert "s3cret" not in str(rpc.urls)
        with pytest.raises(LedgerUnavailable) as raised:
            rpc.info()
    assert "s3cret" not in raised.value.message + caplog.text


def test_no_private_key_comes_back_in_an_error_or_a_log(
    node: ScriptedNode, rpc: Rpc, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither one that signs nor one that somebody wrote into a text."""
    caplog.set_level(logging.DEBUG)
    key = PrivateKey.generate()
    forms = [key.reveal().get_secret_value(), legacy_private_text(key).get_secret_value()]
    for form in forms:
        node.say(PUSH, 500, error(3050003, "eosio_assert", f"assertion failure with message: bad key {form} here"))
        chain = AntelopeChain(rpc, "llmtest")
        signed = chain.sign(chain.prepare([entry(1)], "alice"), key)
        with pytest.raises(ChainRefused, match="a private key, left out") as raised:
            chain.push(signed)
        shown = f"{raised.value!r} {raised.value.said} {caplog.text} {node.asked} {signed!r} {chain!r}"
        assert not any(text in shown or text[8:-8] in shown for text in forms)


@pytest.mark.parametrize("creator", ["Alice", "a b", "aaaaaaaaaaaaaz", "ü"])
def test_a_creator_that_is_no_account(rpc: Rpc, creator: str) -> None:
    chain = AntelopeChain(rpc, "llmtest")
    with pytest.raises(InputError, match="a-z, 1-5"):
        chain.prepare([entry(1)], creator)
    with pytest.raises(InputError, match="no entry to record"):
        chain.prepare([], "alice")
    with pytest.raises(InputError, match="at most 50"):
        chain.prepare([entry(1)] * 51, "alice")
