"""Where questions failed: each label by hand, and counts that sum to the questions of any run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.domain.failures.locator import LABELS, FailureLabel, GoldPlace, QuestionEvidence, gold_used, locate
from passer.domain.failures.report import DecidedBy, counted, decisions, needed_cut
from passer.domain.judging.judgement import NamedJudge
from passer.domain.texts.keywords import keywords, language_of, shared


def evidence(*ranks: int, gold: int | None = 1, kept: int = 3, **more: object) -> QuestionEvidence:
    places = tuple(GoldPlace(rank=rank, similarity=1 - rank / 100) for rank in ranks)
    given = {"answered": True, "is_low": False, **more}
    return QuestionEvidence(gold=gold, ranks=places, kept=(0, kept), **given)


def label(found: QuestionEvidence, *, used: float | None = 1.0, best: bool = False) -> FailureLabel:
    return locate(found, lambda: used, best=best)


def test_six_questions_of_six_kinds() -> None:
    found = [
        label(evidence()),
        label(evidence(4)),
        label(evidence(1, truncated="prompt")),
        label(evidence(1, abstained=True)),
        label(evidence(1, is_low=True), used=0.29),
        label(evidence(1)),
    ]
    assert found == ["not_retrieved", "cut", "prompt_cut", "abstained", "unused", "fine"]
    assert counted(found) == dict.fromkeys(found, 1)


def test_the_first_label_that_holds_is_given() -> None:
    assert label(evidence(gold=None, answered=False, unanswerable=True)) == "failed"
    assert label(evidence(gold=None, unanswerable=True, abstained=True)) == "unanswerable"
    assert label(evidence(gold=None, abstained=True, is_low=True)) == "gold_unknown"
    assert label(evidence(gold=0, abstained=True)) == "gold_absent"
    assert label(evidence(1, truncated="answer", is_low=True)) == "answer_cut"
    assert label(evidence(1, is_low=None)) == "unscored"
    assert label(evidence(1, is_low=True), used=0.30) == "used_and_low"
    assert label(evidence(1, is_low=True), used=None) == "used_and_low"


def test_the_worst_of_several_gold_passages_decides_unless_the_best_is_wanted() -> None:
    two = evidence(2, 5, gold=2)
    assert (label(two), label(two, best=True)) == ("cut", "fine")
    one_of_two = evidence(2, gold=2)
    assert (label(one_of_two), label(one_of_two, best=True)) == ("not_retrieved", "fine")


def test_without_retrieval_no_passage_can_be_lost() -> None:
    assert label(evidence(gold=None, retrieves=False)) == "fine"
    assert label(evidence(gold=None, retrieves=False, is_low=True)) == "low"
    assert label(evidence(gold=None, retrieves=False, abstained=True)) == "abstained"


def test_a_cut_that_keeps_half_of_what_was_lost() -> None:
    items = [evidence(rank) for rank in (1, 2, 5, 7, 9)] + [evidence(), evidence(gold=None)]
    labels = [label(item) for item in items]
    found = needed_cut(items, labels, best=False)
    assert found is not None
    assert (found.k, found.kept_at_k, found.of) == (7, 4, 6)
    assert (found.min_similarity, found.kept_at_similarity) == (pytest.approx(0.93), 4)
    assert found.line.startswith("k = 7 would have kept the gold passages for 4 of 6 questions")
    assert needed_cut(items[:2], labels[:2], best=False) is None
    # No threshold cuts a ranking by BM25.
    by_words = needed_cut(items, labels, best=False, is_by_similarity=False)
    assert by_words is not None
    assert (by_words.k, by_words.kept_at_k, by_words.of) == (found.k, found.kept_at_k, found.of)
    assert (by_words.min_similarity, by_words.kept_at_similarity) == (None, None)
    assert "threshold" not in by_words.line


def test_answer_or_abstention_are_four_counts_that_sum_to_the_questions() -> None:
    items = [
        evidence(1),
        evidence(1, is_low=True),
        evidence(1, abstained=True),
        evidence(8),
        evidence(8, abstained=True),
        evidence(gold=None, unanswerable=True, abstained=True),
        evidence(gold=None, unanswerable=True),
        evidence(gold=None),
        evidence(1, answered=False),
    ]
    found = decisions(items, best=False)
    assert found is not None
    four = (found.answered_with_gold, found.right_abstention, found.over_refusal, found.unsupported_answer)
    assert [each.n for each in four] == [2, 2, 1, 2]
    assert {each.of for each in four} == {7}
    assert (found.right.n, found.right.of) == (1, 7)
    assert (found.abstained_answerable.n, found.abstained_answerable.of) == (2, 5)
    assert (found.abstained_unanswerable.n, found.abstained_unanswerable.of) == (1, 2)
    assert found.abstained_unanswerable.interval is not None
    assert decisions([evidence(gold=None)], best=False) is None


def test_a_judge_decides_what_is_an_abstention_where_it_has_decided() -> None:
    items = [
        evidence(1, abstained=True, attempted=True),  # The phrase is only its beginning: answered, and right.
        evidence(1, attempted=False),  # Over-refusal in words that no list has.
        evidence(9, attempted=False),  # Correct abstention in such words.
        evidence(9, abstained=True),  # The judge has no value: correct abstention by the phrase.
        evidence(gold=None, unanswerable=True, attempted=True, answerable=True),  # The dataset says: unsupported.
        evidence(gold=None, attempted=True, answerable=True),  # No gold passage: the judge of passages decides.
        evidence(gold=None, attempted=True, answerable=False, is_low=True),
        evidence(gold=None, attempted=True),  # Nobody knows whether its passages contain the answer.
        evidence(1, answered=False, attempted=True),
    ]
    found = decisions(items, best=False)
    assert found is not None
    four = (found.answered_with_gold, found.right_abstention, found.over_refusal, found.unsupported_answer)
    assert [(each.n, each.of) for each in four] == [(2, 7), (2, 7), (1, 7), (2, 7)]
    assert (found.right.n, found.abstained_answerable.n, found.abstained_answerable.of) == (2, 3, 4)
    assert (found.abstained_unanswerable.n, found.abstained_unanswerable.of) == (0, 1)
    # Wilson's interval of 2 of 7, by hand: (2/7 + z2/14 -+ z sqrt(2/7 5/7 / 7 + z2/196)) / (1 + z2/7), z = 1.959964.
    interval = found.answered_with_gold.interval
    assert interval is not None
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.0822, 0.6411)
    by = DecidedBy.of(items, NamedJudge("qwen3", 0), NamedJudge("gemma3", 1))
    assert (by.judge, by.judged, by.passages_judge, by.passages_judged) == ("qwen3", 6, "gemma3", 2)
    assert by.line == (
        "The judge qwen3 (uncalibrated) decides what is an abstention for 6 of 7 answers, a list of phrases for the "
        "other one. The judge gemma3 decides whether the passages contain the answer for 2 questions without a known "
        "gold passage."
    )
    assert (by.rated, by.passages_rated, by.calibration) == (0, 1, "uncalibrated")
    code = DecidedBy.of([evidence(1)], None, NamedJudge("gemma3", 1))
    assert (code.judge, code.judged, code.passages_judge, code.passages_judged) == (None, 0, None, 0)
    assert code.calibration is None
    assert code.line == "A list of phrases decides what is an abstention."


@st.composite
def any_evidence(draw: st.DrawFn) -> QuestionEvidence:
    gold = draw(st.none() | st.integers(0, 3))
    ranks = draw(st.lists(st.integers(1, 9), unique=True, max_size=gold or 0).map(sorted))
    return evidence(
        *ranks,
        gold=gold,
        kept=draw(st.integers(0, 9)),
        answered=draw(st.booleans()),
        unanswerable=gold is None and draw(st.booleans()),
        retrieves=draw(st.booleans()),
        abstained=draw(st.booleans()),
        attempted=draw(st.none() | st.booleans()),
        answerable=draw(st.none() | st.booleans()),
        truncated=draw(st.sampled_from([None, "prompt", "answer"])),
        is_low=draw(st.none() | st.booleans()),
    )


@given(st.lists(any_evidence(), max_size=12), st.booleans(), st.none() | st.floats(0, 1))
def test_counts_sum_to_the_questions_of_any_run(items: list[QuestionEvidence], best: bool, used: float | None) -> None:
    labels = [label(item, used=used, best=best) for item in items]
    counts = counted(labels)
    assert sum(counts.values()) == len(items)
    assert list(counts) == [each for each in LABELS if each in labels]
    found = decisions(items, best=best)
    if found is not None:
        four = (found.answered_with_gold, found.right_abstention, found.over_refusal, found.unsupported_answer)
        assert sum(each.n for each in four) == found.right.of
    needed = needed_cut(items, labels, best=best)
    assert (needed is None) == ("cut" not in labels)


def test_keywords_are_words_of_three_letters_and_numbers_without_stop_words() -> None:
    assert keywords("The limit is 28 kg of copper, in 7 years.", "en") == {"limit", "28", "copper", "7", "years"}
    assert keywords("Нитратът не може да се измие от почвата", "bg") == {"нитратът", "измие", "почвата"}
    assert keywords("Ang mga bubuyog ay nasa pugad", "tl") == keywords("Ang mga bubuyog ay nasa pugad", "fil-PH")
    assert keywords("Ang mga bubuyog ay nasa pugad", "tl") == {"bubuyog", "pugad"}
    assert keywords("the the", "en") == frozenset()
    assert "the" in keywords("the", "xx")
    assert keywords("土壌", "ja") == {"土", "壌"}


def test_the_share_of_gold_keywords_that_an_answer_has() -> None:
    gold = ["Formic acid passes the cappings; oxalic acid does not."]
    share = gold_used(references=("Formic acid in summer",), gold=gold, answer="thymol or formic salts", language="en")
    assert share == 0.5
    assert gold_used(references=("Sugar",), gold=gold, answer="Sugar", language="en") is None
    # Of cappings and acid the answer has one, of oxalic all; sugar is not in the gold passage.
    several = ("Sugar", "cappings and acid", "oxalic")
    assert gold_used(references=several, gold=gold, answer="oxalic acid", language="en") == 1
    assert gold_used(references=several[:2], gold=gold, answer="oxalic acid", language="en") == 0.5
    assert shared(frozenset(), frozenset({"a"})) is None


def test_a_group_that_names_a_language_is_the_language_of_its_questions() -> None:
    assert [language_of(group, "en") for group in (None, "tl", "bg", "animals")] == ["en", "tl", "bg", "en"]
