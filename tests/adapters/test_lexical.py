"""BM25 as Lucene computes it, by hand and against the formula."""

from __future__ import annotations

import random
from collections import Counter
from math import log
from pathlib import Path

import numpy as np
import pytest

from passer.adapters.lexical import STOP_WORDS, LexicalFiles, LexicalIndex, best, terms
from passer.domain.retrieval.retriever import Lexical
from passer.domain.texts.search_words import TEXT_RULES


def test_the_example_by_hand() -> None:
    # ln(1 + (3 - 2 + .5) / (2 + .5)) = .470004; 1/2.2 and 2/(2 + 1.2 (.25 + .75 * 3/2)).
    index = LexicalIndex(["a b", "a a c", "c"], Lexical(), TEXT_RULES)
    assert index.scores("a") == pytest.approx([0.213638, 0.257536, 0], abs=1e-6)
    assert index.scores("a a") == pytest.approx([2 * 0.213638, 2 * 0.257536, 0], abs=2e-6)


def by_the_formula(texts: list[list[str]], question: list[str], *, k1: float, b: float) -> list[float]:
    average = sum(map(len, texts)) / len(texts)
    found = []
    for text in texts:
        total, counts = 0.0, Counter(text)
        for term in question:
            having = sum(term in other for other in texts)
            idf = log(1 + (len(texts) - having + 0.5) / (having + 0.5))
            count = counts[term]
            total += idf * count / (count + k1 * (1 - b + b * len(text) / average)) if count else 0.0
        found.append(total)
    return found


def test_a_thousand_questions_agree_with_the_formula() -> None:
    draw = random.Random(4)
    words = [f"w{number}" for number in range(40)]
    texts = [[draw.choice(words) for _ in range(draw.randint(1, 30))] for _ in range(25)]
    for k1, b in ((1.2, 0.75), (0.9, 0.4)):
        index = LexicalIndex([" ".join(text) for text in texts], Lexical(k1=k1, b=b), TEXT_RULES)
        for _ in range(500):
            question = [draw.choice([*words, "unseen"]) for _ in range(draw.randint(1, 8))]
            expected = by_the_formula(texts, question, k1=k1, b=b)
            assert index.scores(" ".join(question)) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("texts", [["one two", "three"], [], ["", "..."]])
def test_a_question_without_a_known_term_scores_nothing(texts: list[str]) -> None:
    for question in ("unseen", "", "?!"):
        assert LexicalIndex(texts, Lexical(), TEXT_RULES).scores(question).tolist() == [0.0] * len(texts)


def test_ties_keep_the_order_of_the_rows() -> None:
    scores = np.array([0, 2, 1, 2, 1, 0], dtype=np.float32)
    assert best(scores, 6).tolist() == [1, 3, 2, 4, 0, 5]
    assert all(best(scores, depth).tolist() == [1, 3, 2, 4, 0, 5][:depth] for depth in range(7))
    assert best(scores, 100).tolist() == [1, 3, 2, 4, 0, 5]


def test_plain_terms_are_words_of_any_script() -> None:
    assert terms(["Прясно МЛЯКО, 28 kg"], "plain", 1) == [["прясно", "мляко", "28", "kg"]]
    assert terms(["STRASSE Straße"], "plain", 1) == [["strasse", "strasse"]]
    assert terms(["有机肥料"], "plain", 1) == [["有", "机", "肥", "料"]]


def test_english_terms_are_stems_without_stop_words() -> None:
    # Snowball's published vocabulary: conversions -> convers, generously -> generous.
    assert terms(["The farmer's conversions were generously paid"], "english", 1) == [
        ["farmer", "convers", "were", "generous", "paid"]
    ]
    assert len(STOP_WORDS) == 33
    index = LexicalIndex(["conversion of farms", "bees"], Lexical(analyser="english"), TEXT_RULES)
    assert index.scores("How are farms converted?")[0] > 0 == index.scores("of the")[0]


def test_an_index_is_read_again_and_built_again_where_it_cannot_be(tmp_path: Path) -> None:
    texts, files = ["a b", "a a c", "c"], LexicalFiles(tmp_path)
    first = files.index(("one", 1), texts, Lexical(), TEXT_RULES)
    [path] = (tmp_path / "one").iterdir()
    written = {each.name: each.stat().st_mtime_ns for each in path.iterdir()}
    again = files.index(("one", 1), texts, Lexical(), TEXT_RULES)
    assert {each.name: each.stat().st_mtime_ns for each in path.iterdir()} == written
    for question in ("a", "a a", "c b", "unseen", ""):
        assert again.scores(question).tolist() == first.scores(question).tolist()
    # Another retriever has an index of its own; a new version of the collection deletes those of the earlier one.
    files.index(("one", 1), texts, Lexical(k1=0.9), TEXT_RULES)
    assert len(list((tmp_path / "one").iterdir())) == 2
    (path / "vocab.index.json").write_text("{")
    assert files.index(("one", 1), texts, Lexical(), TEXT_RULES).scores("a").tolist() == first.scores("a").tolist()
    assert (path / "vocab.index.json").read_text() != "{"
    # A power cut leaves files without content.
    (path / "data.csc.index.npy").write_bytes(b"")
    assert files.index(("one", 1), texts, Lexical(), TEXT_RULES).scores("a").tolist() == first.scores("a").tolist()
    assert files.index(("one", 2), [*texts, "d"], Lexical(), TEXT_RULES).scores("d")[3] > 0
    assert [each.name[:2] for each in (tmp_path / "one").iterdir()] == ["2-"]
    files.discard("one")
    assert list(tmp_path.iterdir()) == []


def test_a_collection_without_terms_or_a_place_to_write_is_searched_all_the_same(tmp_path: Path) -> None:
    assert LexicalFiles(tmp_path).index(("one", 1), ["", "..."], Lexical(), TEXT_RULES).scores("a").tolist() == [0, 0]
    (tmp_path / "file").write_text("")
    found = LexicalFiles(tmp_path / "file").index(("one", 1), ["a", "b"], Lexical(), TEXT_RULES)
    assert found.scores("a")[0] > 0
