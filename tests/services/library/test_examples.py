"""The examples that come with PaSSER, on fakes."""

from __future__ import annotations

import json

import pytest

from passer.adapters.recognition import recognised_language
from passer.adapters.tables import table_readers
from passer.errors import InputError, NotFoundError
from passer.services.library.dataset_import import DatasetImport
from passer.services.library.document_ingest import DocumentIngest
from passer.services.library.examples import CHECKOUT, Examples
from tests.fake_files import FakeFetcher, FakeReader, FakeSplitter
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock, FakeCollections, FakeEncoder


def examples(*folders) -> Examples:
    encoder = FakeEncoder()
    document_ingest = DocumentIngest(
        readers=(FakeReader(),),
        fetcher=FakeFetcher({}),
        splitter=FakeSplitter(),
        collections=FakeCollections(),
        embedder_for=lambda name: encoder,
    )
    store = MemoryStore(FakeClock())
    return Examples(
        document_ingest=document_ingest,
        dataset_import=DatasetImport(table_readers(), recognised_language),
        datasets=store,
        folders=folders,
    )


@pytest.mark.parametrize("name", ["biodiversity-policy", "organic-farming"])
def test_an_example_is_loaded_whole_and_again_adds_nothing(name):
    service = examples(CHECKOUT)
    first = service.load(name)
    assert first.questions >= 60
    assert first.documents >= 8
    assert len(service.datasets.load_dataset(name).questions) == first.questions
    [(collection, documents)] = service.document_ingest.collections.list()
    assert (collection.name, len(documents)) == (name, first.documents)
    short = name.partition("-")[0]
    varied = service.datasets.load_dataset(f"{short}-varied").questions
    assert [question.id for question in varied if not question.is_unanswerable] == [
        question.id for question in service.datasets.load_dataset(name).questions
    ]
    datasets = service.datasets.list_datasets()
    assert service.load(name) == first
    assert service.datasets.list_datasets() == datasets
    assert service.document_ingest.collections.list() == [(collection, documents)]


@pytest.mark.parametrize("name", ["biodiversity-policy", "organic-farming"])
def test_the_examples_hold_what_their_notes_say(name):
    folder = CHECKOUT / name
    texts = {path.name: path.read_text(encoding="utf-8") for path in (folder / "corpus").glob("*.md")}
    assert sum(len(text.split()) for text in texts.values()) > 6000, "at least 12 pages"
    for path in folder.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            assert question["gold_passages" if question.get("relevant") != [] else "reference"], question["id"]
            for gold in question.get("gold_passages", ()):
                assert texts[gold["document"]].count(gold["quote"]) == 1, question["id"]


def test_further_questions_have_groups_categories_and_some_without_an_answer():
    loader = DatasetImport(table_readers(), recognised_language)
    # The labelled items of judges are no questions of a collection.
    for path in sorted(set(CHECKOUT.glob("*/*-*.jsonl")) - set(CHECKOUT.glob("judging/*"))):
        questions = loader.load(path.read_bytes(), path.name, name=path.stem, language="en").questions
        assert all(question.group and question.category for question in questions), path.name
        assert {q.category == "no result" for q in questions if q.is_unanswerable} == {True}, path.name
        assert any(len(question.gold_passages) > 1 for question in questions) == path.stem.endswith("varied")


def test_an_unknown_or_damaged_example_is_one_sentence(tmp_path):
    with pytest.raises(NotFoundError, match="organic-farming"):
        examples(CHECKOUT).load("none")
    (tmp_path / "bad" / "corpus").mkdir(parents=True)
    (tmp_path / "bad" / "corpus" / "a.md").write_bytes(b"\xff\xfe")
    (tmp_path / "bad" / "questions.jsonl").write_text('{"question": "Why?", "reference": "So."}\n')
    service = examples(tmp_path)
    with pytest.raises(InputError, match="damaged"):
        service.load("bad")
    assert service.datasets.list_datasets() == []
