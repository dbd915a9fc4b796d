"""Imported rankings, grades and term maps: the same tests for the databases and the fake."""

from __future__ import annotations

from contextlib import closing

import pytest
from pydantic import ValidationError
from sqlalchemy import text

from passer.adapters.store.database import Database
from passer.adapters.store.datasets import DatabaseDatasets
from passer.adapters.store.retrieval_inputs import DatabaseRetrievalInputs, retrieval_inputs
from passer.domain.dataset import Dataset, Question
from passer.domain.retrieval.inputs import StoredInput, StoredQrels, StoredRun, StoredTerms
from passer.errors import ConflictError, NotFoundError
from passer.ports import RetrievalInputStore
from tests.fake_retrieval_inputs import FakeRetrievalInputs
from tests.fakes import FakeClock


def kept(store: RetrievalInputStore) -> None:
    run = StoredRun(name="theirs", content={"q1": ("b", "a"), "q2": ()})
    grades = StoredQrels(name="theirs", content={"q1": {"b": 2, "a": 0}})
    terms = StoredTerms(name="морета", content={"море": ("sea", "ocean")})
    for each in (run, grades, terms):
        store.save(each)
    for each in (run, grades, terms):
        assert store.find(type(each), each.name) == each
    listed = store.list_inputs("run", "terms")
    assert [(each.kind, each.name, each.entries) for each in listed] == [("run", "theirs", 2), ("terms", "морета", 1)]
    # The digest is that of the content alone, and another content under the same name replaces it.
    same = run.model_copy(update={"name": "same"})
    assert store.save(same).digest == listed[0].digest
    assert store.save(StoredRun(name="same", content={"q1": ("a",)})).digest != listed[0].digest
    assert store.find(StoredRun, "same").content == {"q1": ("a",)}
    store.delete("run", "theirs")
    assert store.find(StoredQrels, "theirs") == grades
    with pytest.raises(NotFoundError, match=r"no .*theirs"):
        store.find(StoredRun, "theirs")
    with pytest.raises(NotFoundError, match=r"no .*theirs"):
        store.delete("run", "theirs")


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_inputs_are_kept_by_kind_and_name(database, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'passer.sqlite3'}"
    if database == "postgresql":
        url = request.getfixturevalue("empty_postgres")
    with closing(Database(url)) as opened:
        kept(DatabaseRetrievalInputs(opened))


def test_the_fake_keeps_them_alike():
    kept(FakeRetrievalInputs())


@pytest.mark.parametrize(
    ("form", "content"),
    [(StoredRun, {}), (StoredQrels, {"q": {"a": -1}}), (StoredTerms, {"sea": ["ocean"], "SEA": ["lake"]})],
)
def test_content_that_says_nothing_is_refused(form: type[StoredInput], content):
    with pytest.raises(ValidationError):
        form(name="fine", content=content)


def test_a_name_that_is_no_part_of_an_address_is_refused():
    with pytest.raises(ValidationError):
        StoredRun(name="a/b", content={"q": ("a",)})


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_dataset_is_saved_with_its_rankings_and_grades_or_not_at_all(database, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}" if database == "sqlite" else request.getfixturevalue("empty_postgres")
    with closing(Database(url)) as opened:
        datasets, inputs = DatabaseDatasets(opened, FakeClock()), DatabaseRetrievalInputs(opened)
        lab = Dataset(name="lab", questions=(Question(id="q1", text="Who?", reference="She."),))
        run, grades = StoredRun(name="lab", content={"q1": ("a",)}), StoredQrels(name="lab", content={"q1": {"a": 1}})
        with opened.begin() as connection:
            connection.execute(retrieval_inputs.insert().values(_row(grades)))
            connection.execute(
                text("CREATE UNIQUE INDEX only_one ON retrieval_inputs (name)")  # the second input is refused
            )
        with pytest.raises(ConflictError):
            datasets.save_dataset(lab, [run])
        with pytest.raises(NotFoundError):
            datasets.load_dataset("lab")
        with opened.begin() as connection:
            connection.execute(text("DROP INDEX only_one"))
        datasets.save_dataset(lab, [run, grades])
        assert datasets.load_dataset("lab") == lab
        assert (inputs.find(StoredRun, "lab"), inputs.find(StoredQrels, "lab")) == (run, grades)


def _row(stored: StoredInput) -> dict[str, object]:
    kept = stored.summary.model_dump(include={*retrieval_inputs.c.keys()})
    return {**kept, **stored.model_dump(mode="json")}
