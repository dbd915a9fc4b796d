"""`passer serve` without a key, killed and cut off while what a wallet signed is on its way: each row is there once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from passer.adapters.store.database import Database
from tests.chain.booted import Chain
from tests.e2e.cutting_proxy import CuttingProxy
from tests.served import Served
from tests.waiting import wait_until
from tests.wallets import ME, STRANGER, Desk, Wallet, expected, finish, on_chain, refused


class Home:
    """A folder with a finished run, and servers on it that have no key."""

    def __init__(self, folder: Path, chain: Chain, *, entries: int = 5) -> None:
        self.folder, self.chain, self.entries = folder, chain, entries
        database = Database(f"sqlite:///{folder / 'passer.sqlite3'}")
        self.run_id = finish(database, entries=entries)
        database.close()

    def serve(self, url: str | None = None, *, log: str = "serve.log") -> Served:
        return Served(
            self.folder,
            log=self.folder / log,
            PASSER_ENCODER="none",
            PASSER_LEDGER="antelope",
            PASSER_CHAIN_URLS=url or self.chain.url,
            PASSER_CHAIN_CONTRACT=self.chain.contract,
        )

    def wait_recorded(self, server: Served) -> None:
        """Until all is there for good, and once."""
        wait_until(lambda: set(Desk(server.client).states(self.run_id)) == {"recorded"})
        assert on_chain(self.chain, self.run_id) == expected(self.run_id, self.entries)
        [record] = server.client.get(f"/api/v1/runs/{self.run_id}/entries").json()["records"]
        assert (record["recorded"], record["reason"]) == (self.entries, None)


def test_a_server_killed_between_the_push_and_its_recording(chain, tmp_path):
    home, me = Home(tmp_path, chain), Wallet(chain, ME)
    servers: list[Served] = []

    def kill(_: int) -> bool:
        servers[0].process.kill()
        return False

    with CuttingProxy(chain.url, kill) as proxy:
        with home.serve(proxy.url) as server:
            servers.append(server)
            shown = Desk(server.client).prepare(ME, home.run_id)
            try:
                Desk(server.client).send(shown["id"], ME, me.sign(shown))
            except httpx.TransportError:
                server.process.wait(timeout=30)
            assert server.process.poll() is not None
        assert proxy.pushes == 1
    with home.serve() as server:
        home.wait_recorded(server)
        again = Desk(server.client).send(shown["id"], ME, me.sign(shown))
        assert (again.status_code, again.json()["posted"]) == (201, home.entries)
    assert len(on_chain(chain, home.run_id)) == home.entries


def test_an_answer_that_was_cut_off_is_found_on_the_chain(chain, tmp_path):
    home = Home(tmp_path, chain)
    is_whole: list[bool] = []
    with CuttingProxy(chain.url, lambda _: bool(is_whole)) as proxy, home.serve(proxy.url) as server:
        desk = Desk(server.client)
        shown = desk.prepare(ME, home.run_id)
        answer = desk.send(shown["id"], ME, Wallet(chain, ME).sign(shown))
        # The server's own poster may push first. Then its answer is cut, and the request finds the rows on the chain.
        if answer.status_code != 201:
            refused(answer, 503, "kept", "No node replied to /v1/chain/send_transaction")
        assert proxy.pushes
        is_whole.append(True)
        home.wait_recorded(server)


def test_signatures_given_while_the_node_is_away_are_posted_when_it_is_back(fresh_chain, tmp_path):
    home, stranger = Home(tmp_path, fresh_chain), Wallet(fresh_chain, STRANGER)
    with home.serve() as server:
        desk = Desk(server.client)
        shown = desk.prepare(ME, home.run_id)
        signatures = Wallet(fresh_chain, ME).sign(shown)
        foreign = stranger.sign(shown)
        fresh_chain.node.stop()
        known = server.client.get("/api/v1/ledger/wallet").json()
        assert (known["available"], known["waiting"]) == (False, home.entries)
        assert "Start the node" in known["reason"]
        refused(desk.send(shown["id"], ME, signatures), 503, "kept", "Start the node")
        assert desk.ask_prepared(ME, home.run_id).status_code == 503
        # The first are kept: what comes after them changes nothing.
        refused(desk.send(shown["id"], ME, foreign), 503, "kept", "Start the node")
        fresh_chain.node.start()
        refused(desk.send(shown["id"], ME, foreign), 403, "foreign-key", ME)
        assert desk.send(shown["id"], ME, signatures).status_code == 201
        home.wait_recorded(server)


@pytest.mark.soak
def test_two_servers_on_one_database_prepare_one_transaction_and_post_it_once(chain, tmp_path):
    home, me = Home(tmp_path, chain, entries=60), Wallet(chain, ME)
    with home.serve(log="one.log") as one, home.serve(log="two.log") as two, ThreadPoolExecutor(8) as pool:
        desks = [Desk(one.client), Desk(two.client)] * 3
        while True:
            asked = list(pool.map(lambda desk: desk.ask_prepared(ME, home.run_id), desks))
            if {answer.status_code for answer in asked} == {409}:
                break
            assert {answer.status_code for answer in asked} == {201}, [answer.text for answer in asked]
            [shown] = {json.dumps(answer.json()): answer.json() for answer in asked}.values()
            signatures = me.sign(shown)
            sent = list(pool.map(lambda desk: desk.send(shown["id"], ME, signatures), desks))  # noqa: B023
            assert {answer.status_code for answer in sent} == {201}, [answer.text for answer in sent]
            assert {answer.json()["state"] for answer in sent} == {"posted"}
        refused(asked[0], 409, "nothing-waits", "There is nothing to do")
        home.wait_recorded(one)


def test_nothing_of_a_key_is_asked_for_or_kept(chain, tmp_path):
    home = Home(tmp_path, chain)
    with home.serve() as server:
        desk = Desk(server.client)
        shown = desk.prepare(ME, home.run_id)
        key = chain.keys[ME].reveal().get_secret_value()
        body = {"account": ME, "signatures": [key]}
        answer = server.client.post(f"/api/v1/ledger/transactions/{shown['id']}/signatures", json=body)
        refused(answer, 422, "malformed-signature", "SIG_K1_")
        assert key not in answer.text
        assert desk.send(shown["id"], ME, Wallet(chain, ME).sign(shown)).status_code == 201
        home.wait_recorded(server)
    files = [path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert len(files) > 1
    assert not any(key.encode() in content for content in files)
