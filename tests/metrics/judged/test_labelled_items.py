"""The labelled items of datasets/judging: as many as their note says, from the example, and fit to be judged."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.judge_labels import SETS, TASKS, about_facts, labelled
from passer.domain.failures.judged_labels import COLUMNS, INCOMPLETE, INCOMPLETE_COLUMN
from passer.domain.models.abstention import is_abstention
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


NOT_OF_THE_EXAMPLES = {"advertisement", "forum", "newspaper", "recipe"}


@pytest.mark.parametrize(
    "name",
    [
        "faithfulness", "attributed", "usefulness", "relevance", "aspects", "passage-grades", "claims", "citations",
        "failures",
    ],
)  # fmt: skip
def test_passages_are_paragraphs_of_the_examples_and_some_items_are_in_bulgarian(name: str) -> None:
    corpora = ("biodiversity-policy", "organic-farming")
    rows = rows_of(f"{name}.jsonl")
    others = {row["document"] for row in rows} & NOT_OF_THE_EXAMPLES
    assert others == (NOT_OF_THE_EXAMPLES if name == "passage-grades" else set())
    for row in (each for each in rows if each["document"] not in others):
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


def noted() -> str:
    return " ".join((DATASETS / "judging" / "README.md").read_text().split())


def test_grades_of_passages_are_counted_by_the_note() -> None:
    rows, note = rows_of("passage-grades.jsonl"), noted()
    of_umbrela, helpful = (Counter(row[label] for row in rows) for label in ("umbrela", "helpful"))
    assert "`umbrela` from 3 to 0: {}, {}, {} and {};".format(*(of_umbrela[grade] for grade in (3, 2, 1, 0))) in note
    assert "`helpful` from 2 to 0: {}, {} and {}.".format(*(helpful[grade] for grade in (2, 1, 0))) in note
    # What does not answer is not of the greatest help, and another subject is of none.
    assert all(
        row["helpful"] <= max(0, row["umbrela"] - 1) or (row["umbrela"], row["helpful"]) == (1, 1) for row in rows
    )


def test_labels_of_claims_follow_from_their_facts_and_the_note_counts_them() -> None:
    rows, note = rows_of("claims.jsonl"), noted()
    for row in rows:
        mine, theirs = row["of_answer"], row["of_reference"]
        assert all(len(fact["in_passages"]) == len(row["passages"]) == 2 for fact in mine + theirs)
        assert row["recall"] == [fact["in_answer"] for fact in theirs].count(1) / len(theirs)
        assert row["precision"] == [fact["in_reference"] for fact in mine].count(1) / len(mine)
        assert row["claim_recall"] == [1 in fact["in_passages"] for fact in theirs].count(True) / len(theirs)
        invented = [fact for fact in mine if not fact["in_reference"] and 1 not in fact["in_passages"]]
        assert row["hallucination"] == len(invented) / len(mine)
    theirs, mine = ([fact for row in rows for fact in row[of]] for of in ("of_reference", "of_answer"))
    stated, right = sum(fact["in_answer"] for fact in theirs), sum(fact["in_reference"] for fact in mine)
    assert (
        f"{stated} times of {len(theirs)}; those of the answer by the reference {right} times of {len(mine)}." in note
    )
    assert f"({len(mine) + len(theirs)} verdicts" in note
    recall = Counter(row["claim_recall"] for row in rows)
    assert f"*Claim recall* is 1 for {recall[1]} items and 0 for {recall[0]}." in note


@pytest.mark.parametrize("task", TASKS)
def test_tasks_are_tried_on_the_facts_that_the_author_wrote(task: str) -> None:
    asked = about_facts(task)
    facts = [fact for row in rows_of("claims.jsonl") for fact in (*row["of_reference"], *row["of_answer"])]
    assert [each.ask.given["fact"] for each in asked] == [fact["fact"] for fact in facts]
    if task == "in-passages":
        assert [each.labels for each in asked] == [fact["in_passages"] for fact in facts]
    else:
        stated = [[fact.get("in_answer", fact.get("in_reference"))] for fact in facts]
        assert [each.labels for each in asked] == stated


def test_labels_of_citations_are_one_for_each_sentence_and_the_note_counts_them() -> None:
    rows, note = rows_of("citations.jsonl"), noted()
    for row in rows:
        sentences = split_sentences(row["answer"])
        marks = [set(re.findall(r"\[(\d)\]", sentence)) for sentence in sentences]
        assert len(sentences) == len(row["support"])
        assert row["recall"] == row["support"].count("full") / len(sentences)
        assert (row["support"].count("not cited"), row["citations"]) == (marks.count(set()), sum(map(len, marks)))
        assert row["precision"] == row["right"] / row["citations"]
        # A citation can only be right where its sentence is supported fully.
        assert row["right"] <= sum(len(own) for own, said in zip(marks, row["support"], strict=True) if said == "full")
    said = Counter(level for row in rows for level in row["support"])
    counts = (said[level] for level in ("full", "partly", "no", "not cited"))
    assert "{} sentences are `full`, {} `partly`, {} `no` and {} `not cited`.".format(*counts) in note


def test_labels_of_key_facts_and_criteria_follow_from_their_verdicts_and_the_note_counts_them() -> None:
    note, points = noted(), {"support": 1.0, "partial": 0.5, "not": 0.0}
    facts, criteria = rows_of("nuggets.jsonl"), rows_of("criteria.jsonl")
    for row in facts:
        both = list(zip(row["key_facts"], row["support"], strict=True))
        vital = [support for fact, support in both if fact["importance"] == "vital"]
        assert row["vital_strict"] == vital.count("support") / len(vital)
        assert row["all"] == sum(points[support] for support in row["support"]) / len(both)
    for row in criteria:
        weights = [each.get("weight", 1) for each in row["criteria"]]
        yes, no = (
            sum(weight for weight, said in zip(weights, row["verdicts"], strict=True) if said == verdict)
            for verdict in ("yes", "no")
        )
        assert row["share"] == yes / (yes + no)
    support = Counter(level for row in facts for level in row["support"])
    assert (
        f"{support['support']} facts have `support`, {support['partial']} `partial` and {support['not']} `not`." in note
    )
    said = Counter(verdict for row in criteria for verdict in row["verdicts"])
    assert f"{said['yes']} `yes`, {said['no']} `no` and {said['does not apply']} `does not apply`." in note


def test_labels_of_failures_are_counted_by_the_note() -> None:
    rows, note = rows_of("failures.jsonl"), noted()
    words = {
        label: column.removeprefix("Failure: ") for label, column in {**COLUMNS, INCOMPLETE: INCOMPLETE_COLUMN}.items()
    }
    for label, word in words.items():
        assert {row[label] for row in rows} == {0, 1}
        assert f"{word} {sum(row[label] for row in rows)}" in note
    assert sum(not any(row[label] for label in words) for row in rows) == 3
