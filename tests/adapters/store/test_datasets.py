"""Datasets in every store: versions, and which sweeps ask them."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from passer.domain.sweeps.run import RunState
from passer.errors import ConflictError, NotFoundError, StoreUnavailable
from tests.adapters.store.made import SqlStore, dataset, sweep


def test_a_dataset_comes_back_as_it_was_and_a_change_is_a_new_version(store):
    first, second = dataset("one?", "two?"), dataset("one?", "two?", "three?")
    store.save_dataset(first)
    store.save_dataset(second)
    assert store.load_dataset("farm") == second
    assert store.load_dataset("farm", first.digest) == first
    [summary] = store.list_datasets()
    assert (summary.questions, summary.with_gold, summary.versions) == (3, 1, 2)
    store.save_dataset(first)
    assert store.load_dataset("farm") == first, "what was saved last is the newest"
    assert store.list_datasets()[0].versions == 2


def test_of_two_that_add_to_one_version_at_once_the_second_is_refused(store):
    base = dataset("one?")
    store.save_dataset(base)
    added = [dataset("one?", f"{number}?") for number in range(6)]

    def add(each):
        try:
            store.save_dataset(each, base=base.digest)
        except ConflictError:
            return None
        return each

    with ThreadPoolExecutor(len(added)) as threads:
        [saved] = [each for each in threads.map(add, added) if each is not None]
    assert store.load_dataset("farm") == saved
    store.save_dataset(saved, base=base.digest)
    assert store.list_datasets()[0].versions == 2, "begun again after it was saved"


def test_a_dataset_that_a_sweep_needs_cannot_be_deleted_and_stays_readable_for_finished_ones(store):
    kept = dataset("one?")
    store.save_dataset(kept)
    store.create_sweep(sweep(digest=kept.digest))
    with pytest.raises(ConflictError, match="still needs"):
        store.delete_dataset("farm")
    store.set_state(["sweep-000", "sweep-001"], RunState.CANCELLED)
    store.delete_dataset("farm")
    assert store.list_datasets() == []
    with pytest.raises(NotFoundError):
        store.load_dataset("farm")
    assert store.load_dataset("farm", kept.digest) == kept
    with pytest.raises(NotFoundError):
        store.delete_dataset("farm")


def test_versions_of_a_dataset_say_which_sweeps_ask_them(store):
    old, new = dataset("one"), dataset("one", "two")
    store.save_dataset(old)
    store.create_sweep(sweep(digest=old.digest))
    store.save_dataset(new)
    versions = store.list_versions("farm")
    assert [(item.digest, item.questions, item.with_gold, item.sweeps) for item in versions] == [
        (new.digest, 2, 1, 0),
        (old.digest, 1, 1, 1),
    ]
    with pytest.raises(NotFoundError):
        store.list_versions("none")


def test_a_dataset_whose_stored_questions_are_damaged_is_named(tmp_path):
    url = f"sqlite:///{tmp_path / 'passer.sqlite3'}"
    made = SqlStore(url)
    made.save_dataset(dataset("one"))
    made.database.close()
    with closing(sqlite3.connect(tmp_path / "passer.sqlite3")) as database:
        database.execute("UPDATE datasets SET content = substr(content, 1, 20)")
        database.commit()
    again = SqlStore(url)
    with pytest.raises(StoreUnavailable, match=r"farm are damaged.*Restore a backup"):
        again.load_dataset("farm")
    again.database.close()
