"""What wallets sign, on a real node: whose keys count, what is found on the chain, and what is pushed by whom."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from passer.antelope.client.chain import AntelopeChain
from passer.antelope.client.rpc import Rpc
from passer.antelope.format.transactions import signing_digest
from passer.antelope.ledger.ledger import AntelopeLedger
from passer.antelope.ledger.wallets import AntelopeWallets
from passer.antelope.signing.authorities import Authority, reached
from passer.antelope.signing.keys import PrivateKey
from passer.antelope.signing.signatures import sign
from passer.domain.ledger.chain import PermissionLevel
from passer.domain.ledger.entry import testid_of as name_of
from passer.errors import (
    ChainRefused,
    ConflictError,
    LedgerRefused,
    LedgerUnavailable,
    NotFoundError,
    SignatureAwaited,
    SigningRefused,
)
from passer.ports import Sent
from scripts.test_node.system_actions import updateauth
from tests.antelope.ledger.made import ME, OTHER, Cut, entries, marked, on_chain, said, settled
from tests.chain.booted import PUBLISHED, Chain
from tests.fake_outbox import MemoryJournal


class Site:
    """A server without a key, and wallets that sign there."""

    def __init__(self, chain: Chain, rpc: Rpc, *, lifetime_s: int = 60) -> None:
        self.chain, self.journal = chain, MemoryJournal()
        contract = AntelopeChain(rpc, chain.contract)
        self.wallets = AntelopeWallets(contract, self.journal, lifetime_s=lifetime_s)
        self.ledger = AntelopeLedger(contract, self.journal, account=None, key=None)

    def with_key(self, rpc: Rpc, account: str = ME) -> AntelopeLedger:
        """The same with a key, as another server or after another start."""
        contract = AntelopeChain(rpc, self.chain.contract)
        return AntelopeLedger(contract, self.journal, account=account, key=self.chain.keys[account])

    def prepared(self, given: list, account: str = ME) -> Sent:
        sent = self.wallets.prepared(given, account=account, permission="active")
        self.journal.keep([sent])
        return sent

    def signed(self, given: list, account: str = ME, *, by: PrivateKey | None = None) -> Sent:
        """Prepared, signed and kept, and not pushed yet."""
        sent = self.prepared(given, account)
        made = self.wallets.with_signatures(sent, [signature(self.chain, sent, by or self.chain.keys[account])])
        assert self.journal.signed(made)
        return made


def signature(chain: Chain, sent: Sent, key: PrivateKey) -> str:
    return sign(signing_digest(bytes.fromhex(sent.packed), chain_id=chain.chain_id), key).text


@pytest.fixture
def site(chain: Chain, rpc: Rpc) -> Site:
    return Site(chain, rpc)


def test_what_was_signed_and_kept_is_pushed_by_whoever_posts_next(chain, site, testid):
    given = entries(testid, 1, 2, 3)
    sent = site.signed(given[:2])
    receipts = site.ledger.append(given)
    assert [receipt.entry for receipt in receipts] == given[:2]
    assert {receipt.place.transaction_id for receipt in receipts} == {sent.id}
    assert {receipt.place.creator for receipt in receipts} == {ME}
    assert {row["userid"] for row in chain.rows("testtable", index=3, key=testid)} == {ME}
    marked(site.journal, receipts)
    with pytest.raises(SignatureAwaited, match="Sign in the browser"):
        site.ledger.append(given[2:])
    assert on_chain(chain, testid) == said(given[:2])
    assert settled(chain, site.ledger) == 0
    assert [one.state for one in site.journal.sent("open", "posted", "final")] == ["final"]


def test_after_a_lost_answer_the_rows_are_found_and_nothing_is_pushed_twice(chain, rpc, testid):
    site = Site(chain, Cut(rpc))
    given = entries(testid, 1, 2)
    site.signed(given)
    with pytest.raises(LedgerUnavailable):
        site.ledger.append(given)
    chain.wait_blocks(2)
    again = AntelopeLedger(AntelopeChain(rpc, chain.contract), site.journal, account=None, key=None)
    assert [receipt.entry for receipt in again.append(given)] == given
    assert on_chain(chain, testid) == said(given)


def test_what_was_signed_and_expired_waits_for_a_new_signature(chain, rpc, testid):
    site = Site(chain, rpc, lifetime_s=1)
    given = entries(testid, 1)
    site.signed(given)
    chain.wait_irreversible(chain.wait_blocks(6))
    with pytest.raises(SignatureAwaited):
        site.ledger.append(given)
    assert len(site.journal.sent("dropped")) == 1
    assert on_chain(chain, testid) == []
    # Signed with the usual lifetime: one of a second may expire on a busy machine before it is sent.
    site.wallets = AntelopeWallets(AntelopeChain(rpc, chain.contract), site.journal, lifetime_s=60)
    site.signed(given, OTHER)
    assert len(site.ledger.append(given)) == 1
    assert on_chain(chain, testid) == said(given)


def test_a_foreign_signature_that_was_kept_unchecked_is_not_pushed(chain, site, testid, monkeypatch):
    given = entries(testid, 1)
    site.signed(given, by=chain.keys[OTHER])

    def push(*_: object) -> None:
        raise AssertionError("it was pushed")

    monkeypatch.setattr(site.ledger._chain.rpc, "push", push)
    with pytest.raises(LedgerRefused, match=f"key of {ME}@active"):
        site.ledger.append(given)


def test_rows_that_a_wallet_sent_by_itself_are_found_with_its_signature(chain, rpc, site, testid):
    given = entries(testid, 1, 2)
    sent = site.prepared(given)
    assert site.journal.given_up(sent)
    signed = signature(chain, sent, chain.keys[ME])
    rpc.push(bytes.fromhex(sent.packed), [signed])
    chain.wait_blocks(3)
    receipts = site.wallets.there([*given, *entries(testid, 3)], account=OTHER)
    assert [receipt.entry for receipt in receipts] == given
    assert {(receipt.place.creator, receipt.place.signatures) for receipt in receipts} == {(ME, (signed,))}
    [kept] = site.journal.sent("posted")
    assert (kept.id, kept.signatures) == (sent.id, (signed,))


def test_equal_rows_of_others_are_nobodys_receipt(chain, rpc, site, testid):
    """Anybody can write what is public under an account of their own: it counts for that account alone."""
    given = entries(testid, 1)
    site.with_key(rpc, OTHER).append(given)
    chain.wait_blocks(3)
    fresh = Site(chain, rpc)
    assert fresh.wallets.there(given, account=ME) == []
    assert len(fresh.wallets.there(given, account=OTHER)) == 1


def test_a_server_with_a_key_leaves_what_a_wallet_is_asked_to_sign(chain, rpc, testid):
    site = Site(chain, rpc, lifetime_s=2)
    given = entries(testid, 1, 2)
    sent = site.prepared(given, OTHER)
    with pytest.raises(LedgerRefused, match=f"{OTHER} has been asked to sign"):
        site.with_key(rpc).append(given)
    chain.wait_blocks(6)
    receipts = site.with_key(rpc).append(given)
    assert {receipt.place.creator for receipt in receipts} == {ME}
    assert site.journal.find(sent.id).state == "dropped"
    assert on_chain(chain, testid) == said(given)


def test_a_server_with_a_key_pushes_what_another_account_signed(chain, rpc, site, testid):
    given = entries(testid, 1, 2)
    site.signed(given[:1], OTHER)
    receipts = site.with_key(rpc).append(given)
    assert [receipt.place.creator for receipt in receipts] == [OTHER, ME]
    assert on_chain(chain, testid) == said(given)


@pytest.mark.usefixtures("published")
def test_the_published_contract_is_signed_for_with_the_digest_in_the_description(chain, rpc, testid):
    contract, journal = AntelopeChain(rpc, PUBLISHED, published=True), MemoryJournal()
    wallets = AntelopeWallets(contract, journal)
    assert wallets.contract().kind == "published"
    given = entries(testid, 1, 2)
    sent = wallets.prepared(given, account=ME, permission="active")
    journal.keep([sent])
    journal.signed(wallets.with_signatures(sent, [signature(chain, sent, chain.keys[ME])]))
    ledger = AntelopeLedger(contract, journal, account=None, key=None, published=True)
    assert [receipt.entry for receipt in ledger.append(given)] == given
    rows = chain.rows("testtable", code=PUBLISHED, index=3, key=testid)
    wanted = [f"{one.description} digest {one.run_digest}" for one in given]
    assert [(row["userid"], row["description"]) for row in rows] == [(ME, text) for text in wanted]
    chain.wait_blocks(3)
    assert len(AntelopeWallets(contract, MemoryJournal()).there(given, account=ME)) == 2


def test_only_the_account_that_the_settings_name_may_sign(chain, rpc, testid):
    named = AntelopeWallets(AntelopeChain(rpc, chain.contract), MemoryJournal(), account=OTHER)
    with pytest.raises(ConflictError, match=OTHER):
        named.prepared(entries(testid, 1), account=ME, permission="active")
    with pytest.raises(NotFoundError, match="nosuch"):
        named.prepared(entries(testid, 1), account=OTHER, permission="nosuch")


def test_several_keys_and_accounts_behind_accounts_count_as_the_chain_counts_them(fresh_chain, rpc_of_fresh):
    """The node itself is asked beside: what the check lets through it takes, what it refuses it refuses."""
    chain, first, second = fresh_chain, PrivateKey.generate(), PrivateKey.generate()
    two_of_three = Authority(
        2, keys=((first.public, 1), (second.public, 1)), accounts=((PermissionLevel(actor=OTHER), 1),), waits=((60, 1),)
    )
    chain.push(updateauth(ME, "active", two_of_three), by=ME)
    chain.wait_irreversible(chain.wait_blocks())
    site = Site(chain, rpc_of_fresh)
    keys = {"first": first, "second": second, "other": chain.keys[OTHER], "stranger": chain.keys["stranger"]}
    wanted: dict[tuple[str, ...], str | None] = {
        ("first",): "missing-signature",
        ("first", "first"): "missing-signature",
        ("other",): "missing-signature",
        ("first", "second"): None,
        ("first", "other"): None,
        ("first", "second", "stranger"): "foreign-key",
        ("stranger",): "foreign-key",
    }
    for number, (names, reason) in enumerate(wanted.items()):
        sent = site.wallets.prepared(entries(name_of(f"several {number}"), 1), account=ME, permission="active")
        given = [signature(chain, sent, keys[name]) for name in names]
        signed = site.wallets.with_signatures(sent, given)
        if reason is None:
            site.wallets.check(signed)
            assert rpc_of_fresh.push(bytes.fromhex(sent.packed), signed.signatures).transaction_id == sent.id
            continue
        with pytest.raises(SigningRefused) as refused:
            site.wallets.check(signed)
        assert refused.value.reason == reason
        with pytest.raises(ChainRefused):
            rpc_of_fresh.push(bytes.fromhex(sent.packed), signed.signatures)


@pytest.fixture
def rpc_of_fresh(fresh_chain: Chain) -> Iterator[Rpc]:
    made = Rpc((fresh_chain.url,))
    yield made
    made.close()


def test_accounts_that_stand_for_each_other_in_a_circle_end():
    key = PrivateKey.generate().public
    one, two = PermissionLevel(actor="one"), PermissionLevel(actor="two")
    circle = {one: Authority.of_account(two), two: Authority.of_account(one)}
    assert not reached([key], one, circle.get).satisfied
    assert reached([key], one, circle.get).foreign == (key,)
    assert not reached([key], PermissionLevel(actor="nobody"), circle.get).satisfied
