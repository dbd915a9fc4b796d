"""Where a sheet belongs, what its questions are matched by, and which order its labels have."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.sheets.labels import check_labels, true_label
from passer.domain.sheets.sheet import place_of, question_key, split_description
from tests.result_sheets import sheet


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("mistral/threshold_0.50/export of May.xlsx", ("mistral", 0.5)),
        ("mistral/threshold_0.95.xlsx", ("mistral", 0.95)),
        ("mistral/threshold_0.01.xlsx", ("mistral", None)),
        ("mistral/threshold_baseline/a.xlsx", ("mistral", None)),
        ("mistral/baseline.xlsx", ("mistral", None)),
        ("deepseek-r1-0.6.xlsx", ("deepseek-r1", 0.6)),
        ("orca-baseline.xlsx", ("orca", None)),
        ("orca-.55.xlsx", ("orca", 0.55)),
        ("mistral/summary.xlsx", None),
        ("notes.xlsx", None),
        ("mistral/threshold_7.xlsx", None),
        ("a/b/threshold_0.5/c.xlsx", None),
    ],
)
def test_model_and_threshold_come_from_the_path(path, place):
    found = place_of(path)
    assert (found and found[:2]) == place


def test_question_and_answer_are_split_at_the_first_answer():
    assert split_description("question:  Why, then, answer:  So, answer: no\nmore") == (
        "Why, then",
        "So, answer: no\nmore",
    )
    assert split_description("question: Why | answer: # Because") == ("Why", "# Because")
    assert split_description("question: Why, answer:") == ("Why", "")
    assert split_description("Why, answer: so") is None
    assert split_description("question: , answer: so") is None


def test_questions_match_by_letters_and_digits():
    assert question_key(" What is E-learning, in 2024?\r") == question_key("what is elearning in 2024")
    assert question_key("Какво е почва?") == question_key("какво е  почва")
    assert question_key("one") != question_key("two")
    assert question_key("ปลูกมา?") != question_key("ปลูกมี?"), "vowels of Thai are marks"
    assert question_key("कितना") != question_key("कितने"), "and those of Hindi"
    assert question_key("Lie\u0302\u0300u?") == question_key("Liều")
    assert question_key("Which ☀\ufe0f?") == question_key("which")


def test_the_order_of_labels_is_told_from_the_f_of_rouge_1():
    assert check_labels(sheet("m", None, {"a": 0.1, "b": 0.2})).order == "right"
    assert check_labels(sheet("m", None, {"a": 0.1, "b": 0.2}, shifted=True)).order == "shifted"
    assert check_labels(sheet("m", None, {})).order == "unclear"


def test_one_row_that_contradicts_makes_the_order_unclear_and_is_named():
    broken = sheet("m", None, {"a": 0.1, "b": 0.2, "c": 0.3}, shifted=True)
    broken.values[1, broken.columns.index("Rouge-2.r")] += 1e-6
    found = check_labels(broken)
    assert (found.order, found.contradicting) == ("unclear", (3,))


def test_rows_that_fit_both_orders_tell_nothing():
    flat = sheet("m", None, {"a": 0.1})
    flat.values[:] = 0.0
    assert check_labels(flat).order == "unclear"
    mixed = sheet("m", None, {"a": 0.1, "b": 0.2}, shifted=True)
    mixed.values[0, :] = 0.0
    assert check_labels(mixed).order == "shifted"


def test_true_labels_of_a_shifted_sheet_lead_to_the_true_values():
    right, shifted = (sheet("m", None, {"a": 0.25}, shifted=flag) for flag in (False, True))
    for column in right.columns:
        assert shifted.column(true_label(column, "shifted")) == right.column(column), column
        assert true_label(column, "right") == column
    assert not np.array_equal(shifted.values, right.values)


@pytest.mark.parametrize(
    ("path", "levels"),
    [
        ("granite-collaborative.xlsx", {"strategy": "collaborative"}),
        ("granite/Hierarchical/export.xlsx", {"strategy": "hierarchical"}),
        ("granite/strategy_competitive.xlsx", {"strategy": "competitive"}),
        ("granite-baseline.xlsx", {}),
        ("granite-0.5.xlsx", {"min_similarity": 0.5}),
    ],
)
def test_strategies_of_maPaSSER_stand_where_thresholds_do(path, levels):
    place = place_of(path)
    assert place is not None
    assert (place.model, place.levels) == ("granite", levels)


def test_another_name_is_no_strategy():
    assert place_of("granite-summary.xlsx") is None
    assert place_of("granite/notes.xlsx") is None
