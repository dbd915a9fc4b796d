"""The tables of docs/retrievers.md are those of the shipped datasets."""

from __future__ import annotations

import pytest

from benchmarks import retriever_tables
from passer.adapters.documents.plain import MarkdownReader
from passer.adapters.lexical import LexicalIndex, best
from passer.adapters.recognition import recognised_language
from passer.adapters.splitter import RecursiveSplitter
from passer.adapters.tables import table_readers
from passer.domain.retrieval.figures import JudgedQuestions, RankedNames, ranking_figures
from passer.domain.retrieval.passages import Chunking
from passer.domain.retrieval.quality import GoldIndex
from passer.domain.retrieval.retriever import Lexical
from passer.domain.texts.search_words import TEXT_RULES
from passer.services.library.dataset_import import DatasetImport
from tests.conftest import ROOT

PAGE = retriever_tables.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("example", retriever_tables.EXAMPLES)
def test_the_rows_of_bm25_follow_from_the_shipped_files(example: str) -> None:
    """BM25 needs no vectors; `make soak` writes all rows again."""
    folder = ROOT / "datasets" / example
    passages = [
        passage
        for path in sorted((folder / "corpus").iterdir())
        for passage in RecursiveSplitter().split(MarkdownReader().read(path.read_bytes(), path.name), Chunking())
    ]
    passages.sort(key=lambda passage: passage.id)
    content = (folder / "questions.jsonl").read_bytes()
    questions = (
        DatasetImport(table_readers(), recognised_language).load(content, "questions.jsonl", name=example).questions
    )
    gold = GoldIndex(passages)
    asked = JudgedQuestions(
        {each.id: dict.fromkeys(gold.passage_ids(each.gold_passages) or (), 1) for each in questions}
    )
    for retriever in (Lexical(), Lexical(analyser="english")):
        index = LexicalIndex([passage.text for passage in passages], retriever, TEXT_RULES)
        names = {
            each.id: [passages[row].id for row in best(index.scores(each.text), retriever_tables.K)]
            for each in questions
        }
        [found] = ranking_figures([RankedNames(retriever.label, retriever, names)], asked, ks=(retriever_tables.K,))
        assert f"| {' | '.join(retriever_tables.cells(found))} |" in PAGE


@pytest.mark.soak
def test_the_command_writes_the_page_as_it_is() -> None:
    retriever_tables.main()
    assert retriever_tables.PAGE.read_text(encoding="utf-8") == PAGE
