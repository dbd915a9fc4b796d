"""The labelled items of datasets/judging: as many as their note says, from the example, and fit to be judged."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.judge_labels import SETS, labelled
from passer.domain.abstention import is_abstention
from passer.metrics.judged import families_of
from passer.metrics.sentences import split_sentences

DATASETS = Path(__file__).parents[3] / "datasets"


def rows_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATASETS / "judging" / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("column", SETS)
def test_forty_items_of_each_task_can_be_judged(column: str) -> None:
    items, labels = labelled(column)
    assert len(items) == len({item.question_id for item in items}) == 40
    assert all(0 <= label <= 1 for label in labels)
    (family,) = families_of((column,))
    for item in items:
        # A recipe that returns before it asks has found nothing to judge.
        assert next(family.make(item))


def test_the_note_counts_what_there_is() -> None:
    note = " ".join((DATASETS / "judging" / "README.md").read_text().split())
    grades = Counter(round(10 * label) for label in labelled("Answer correctness")[1])
    assert set(grades) == {0, 3, 5, 7, 10}
    assert "distributed {}, {}, {}, {} and {}.".format(*(grades[each] for each in (10, 7, 5, 3, 0))) in note
    assert Counter(labelled("Answerability")[1]) == {0: 20, 1: 20}
    alone = Counter(round(10 * label) for label in labelled("Stand-alone question")[1])
    assert set(alone) == {0, 5, 10}
    assert "grades {}, {} and {} times.".format(*(alone[each] for each in (10, 5, 0))) in note


@pytest.mark.parametrize(
    ("column", "levels"),
    [
        ("Faithfulness", (1, 0.5, 0)),
        ("Context recall", (1, 0.5, 0)),
        ("Context precision", (1, 0)),
        ("Answer relevancy", (1, 0.5, 0)),
        ("Passage relevance", (1, 0.5, 0)),
        ("Relevance", (1, 0.5, 0)),
        ("Accuracy", (1, 0.5, 0)),
        ("Completeness", (1, 0.5, 0)),
        ("Precision", (1, 0.5, 0)),
    ],
)
def test_the_note_counts_the_labels_of_each_set(column: str, levels: tuple[float, ...]) -> None:
    note = " ".join((DATASETS / "judging" / "README.md").read_text().split())
    found = Counter(labelled(column)[1])
    assert set(found) == set(levels)
    counts = [str(found[level]) for level in levels]
    assert f"*{column}* {', '.join(counts[:-1])} and {counts[-1]}" in note


def test_shares_of_supported_statements_follow_from_their_counts() -> None:
    rows, sentences = rows_of("faithfulness.jsonl"), rows_of("attributed.jsonl")
    for row, same in zip(rows, sentences, strict=True):
        assert 0 <= row["supported"] <= row["statements"]
        assert row["share"] == row["supported"] / row["statements"]
        # The recipe asks about each sentence: as many as the statements that were labelled.
        assert len(split_sentences(same["reference"])) == same["sentences"] == row["statements"]
        assert (same["stated"], same["share"], same["passages"]) == (row["supported"], row["share"], row["passages"])


@pytest.mark.parametrize("name", ["faithfulness", "attributed", "usefulness", "relevance", "aspects"])
def test_passages_are_paragraphs_of_the_examples_and_some_items_are_in_bulgarian(name: str) -> None:
    corpora = ("biodiversity-policy", "organic-farming")
    rows = rows_of(f"{name}.jsonl")
    for row in rows:
        files = [DATASETS / corpus / "corpus" / row["document"] for corpus in corpora]
        [text] = [path.read_text() for path in files if path.exists()]
        assert all(passage in text for passage in row["passages"])
    texts = [row["question"] + row.get("answer", "") + row.get("reference", "") for row in rows]
    assert any(re.search("[а-я]{4}", text) for text in texts)
    assert len({json.dumps(row | {"id": ""}) for row in rows}) == 40


def test_each_question_has_an_attempt_and_an_abstention_and_the_note_counts_what_the_list_of_phrases_finds() -> None:
    note = " ".join((DATASETS / "judging" / "README.md").read_text().split())
    asked = (
        json.loads(line)["question"]
        for corpus in ("biodiversity-policy", "organic-farming")
        for line in (DATASETS / corpus / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    )
    rows, known = rows_of("attempted.jsonl"), set(asked)
    assert len({row["answer"] for row in rows}) == 40
    assert Counter((row["question"], row["decision"]) for row in rows) == Counter(
        (question, decision) for question in {row["question"] for row in rows} & known for decision in (0, 1)
    )
    found = Counter(row["decision"] for row in rows if is_abstention(row["answer"]) != bool(row["decision"]))
    assert f"recognises all {found[1]} attempts and {found[0]} of the 20 abstentions" in note


def test_questions_to_be_understood_alone_are_of_both_examples() -> None:
    rows = rows_of("standalone.jsonl")
    assert Counter(row["subject"] for row in rows) == {"biodiversity-policy": 20, "organic-farming": 20}
    assert len({row["question"] for row in rows}) == 40
    # Both subjects have all three grades, so that the subject does not give the grade away.
    assert len({(row["subject"], row["grade"]) for row in rows}) == 6


def test_questions_and_references_are_those_of_the_example() -> None:
    lines = (DATASETS / "biodiversity-policy" / "questions.jsonl").read_text().splitlines()
    known = {row["question"]: row["reference"] for row in map(json.loads, lines)}
    for item in labelled("Answer correctness")[0]:
        assert known[item.question] == item.reference
    for item in labelled("Answerability")[0]:
        assert item.question in known
        corpus = DATASETS / "biodiversity-policy" / "corpus" / item.passages[0].document
        assert item.passages[0].text in corpus.read_text()
