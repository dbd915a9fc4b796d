"""Transactions that were prepared, signed or sent, in every store."""

from __future__ import annotations

import threading

import pytest

from passer.domain.sweeps.run import RunState
from passer.errors import LeaseError
from tests.adapters.store.made import NOW
from tests.adapters.store.recorded import RUN, entry, on_chain, record, sent


def test_what_was_sent_is_kept_as_it_was_and_moves_on(stores):
    stores.journal.keep([sent(1), sent(2)])
    stores.journal.keep([sent(1, packed="ff")])
    assert stores.journal.sent("open") == [sent(1), sent(2)]
    posted = sent(1, state="posted", block_number=7, block_time=NOW)
    stores.journal.settled([posted])
    assert stores.journal.sent("posted") == [posted]
    assert stores.journal.sent("open", "posted") == [posted, sent(2)]
    final = posted.model_copy(update={"state": "final", "block_id": "e" * 64})
    stores.journal.settled([final, sent(2, state="dropped")])
    assert stores.journal.sent("open", "posted") == []
    assert stores.journal.sent("final") == [final]


def test_an_entry_is_never_in_two_transactions_of_which_either_may_be_taken(stores):
    stores.journal.keep([sent(1)])
    overlapping = sent(2, identities=(entry("new").identity, entry("one of 1").identity))
    with pytest.raises(LeaseError, match="in the meantime"):
        stores.journal.keep([sent(3), overlapping])
    assert [one.id for one in stores.journal.sent("open")] == [sent(1).id]
    stores.journal.keep([overlapping.model_copy(update={"state": "posted"})])
    stores.journal.settled([sent(1, state="dropped")])
    stores.journal.keep([sent(4, identities=sent(1).identities)])


def test_what_was_meant_for_another_chain_or_contract_holds_no_entry(stores):
    stores.journal.keep([sent(1)])
    stores.journal.keep([sent(2, identities=sent(1).identities, chain_id="2" * 64)])
    stores.journal.keep([sent(3, identities=sent(1).identities, contract="another")])
    assert len(stores.journal.sent("open")) == 3


def test_an_entry_is_never_in_two_transactions_that_may_be_signed(stores):
    prepared = sent(1, state="prepared", signatures=())
    stores.journal.keep([prepared])
    assert stores.journal.sent("prepared") == [prepared]
    assert stores.journal.sent("open") == []
    for state in ("prepared", "open"):
        with pytest.raises(LeaseError, match="in the meantime"):
            stores.journal.keep([sent(2, state=state, identities=prepared.identities[1:])])
    assert stores.journal.given_up(prepared)
    stores.journal.keep([sent(2, state="prepared", identities=prepared.identities[1:])])


def test_what_is_prepared_is_signed_or_given_up_once(stores):
    one, two = sent(1, state="prepared", signatures=()), sent(2, state="prepared", signatures=())
    stores.journal.keep([one, two])
    signed = one.model_copy(update={"signatures": ("SIG_K1_mine",)})
    assert stores.journal.signed(signed)
    assert not stores.journal.signed(one.model_copy(update={"signatures": ("SIG_K1_late",)}))
    assert not stores.journal.given_up(one)
    assert stores.journal.given_up(two)
    assert not stores.journal.given_up(two)
    assert not stores.journal.signed(two)
    opened = signed.model_copy(update={"state": "open"})
    assert stores.journal.sent("open") == [opened]
    assert stores.journal.find(one.id) == opened
    assert stores.journal.find(two.id) == two.model_copy(update={"state": "dropped"})
    assert stores.journal.find("0" * 64) is None


def test_one_of_many_that_sign_and_give_up_at_once_is_heard(stores):
    kept = sent(1, state="prepared", signatures=())
    stores.journal.keep([kept])
    heard: list[bool] = []
    acts = [stores.journal.signed, stores.journal.given_up] * 4
    threads = [threading.Thread(target=lambda act=act: heard.append(act(kept))) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(heard) == [False] * 7 + [True]


def test_entries_follow_their_transaction_to_the_end_or_wait_again(sql):
    sql.runs.set_state([RUN], RunState.RUNNING)
    sql.runs.finish(RUN, record("one", "two", "three"), ledger="antelope")
    [kept] = sql.outbox.records(RUN, ledger="antelope")
    waiting = sql.outbox.waiting(kept.number, ledger="antelope", limit=9)
    first, second = sent(1), sent(2)
    sql.journal.keep([first, second])
    places = [(first, 0), (first, 1), (second, 0)]
    receipts = [on_chain(one.entry, *place) for one, place in zip(waiting, places, strict=True)]
    sql.outbox.posted([one.number for one in waiting], receipts)
    found = sql.outbox.entries(RUN, ledger="antelope")
    assert [(one.state, one.receipt) for one in found] == [("posted", receipt) for receipt in receipts]
    assert [one.block_number for one in sql.journal.sent("posted")] == [7, 7]
    with pytest.raises(LeaseError, match="in the meantime"):
        sql.journal.keep([sent(9, identities=(waiting[1].entry.identity,))])
    final = first.model_copy(update={"state": "final", "block_id": "e" * 64, "block_time": NOW})
    sql.journal.settled([final, second.model_copy(update={"state": "dropped"})])
    after = sql.outbox.entries(RUN, ledger="antelope")
    assert [one.state for one in after] == ["recorded", "recorded", "waiting"]
    assert [one.receipt and one.receipt.place.block_id for one in after] == ["e" * 64, "e" * 64, None]


def test_a_transaction_is_posted_with_all_that_it_holds(sql):
    sql.runs.set_state([RUN], RunState.RUNNING)
    sql.runs.finish(RUN, record("one", "two", "three"), ledger="antelope")
    [kept] = sql.outbox.records(RUN, ledger="antelope")
    waiting = sql.outbox.waiting(kept.number, ledger="antelope", limit=9)
    whole = sent(1, identities=tuple(one.entry.identity for one in waiting))
    sql.journal.keep([whole])
    sql.outbox.posted([waiting[0].number], [on_chain(waiting[0].entry, whole, 0)])
    found = sql.outbox.entries(RUN, ledger="antelope")
    assert [one.receipt and one.receipt.place.action_index for one in found] == [0, 1, 2]
    assert {one.state for one in found} == {"posted"}


def test_a_transaction_over_two_runs_is_posted_in_both(sql):
    other = "sweep-001"
    sql.runs.set_state([RUN, other], RunState.RUNNING)
    sql.runs.finish(RUN, record("one"), ledger="antelope")
    sql.runs.finish(other, record("two", "three", digest="e"), ledger="antelope")
    waiting = sql.outbox.awaiting([entry(name).identity for name in ("one", "two", "three")], ledger="antelope")
    whole = sent(1, identities=tuple(one.entry.identity for one in waiting[:2]))
    sql.journal.keep([whole])
    sql.outbox.posted([waiting[0].number], [on_chain(waiting[0].entry, whole, 0)])
    found = sql.outbox.entries(other, ledger="antelope")
    assert [one.state for one in found] == ["posted", "waiting"]
    assert found[0].receipt == on_chain(waiting[1].entry, whole, 1)
