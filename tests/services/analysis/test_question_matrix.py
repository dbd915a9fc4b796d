"""The matrix of questions and configurations, worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from passer.domain.analysis.question_matrix import MatrixPage, QuestionMatrix
from passer.domain.retrieval.cuts import GapPolicy, NormalPolicy, RelativePolicy, ScorePolicy
from passer.domain.score import Score
from passer.domain.verdict.judged_rule import JudgedBy, JudgedColumn
from passer.errors import InputError
from passer.services.analysis.question_matrix import MatrixQuery, area_of, matrix_of, matrix_page
from tests.analysis_rows import question, run
from tests.services.analysis.matrix_rows import ASKED, FOUR, LOST, TEXTS, matrix_run, matrix_runs


@pytest.fixture(name="matrix", scope="module")
def _matrix() -> QuestionMatrix:
    return matrix_of(matrix_runs(), FOUR, metric="METEOR")


def page(matrix: QuestionMatrix, **query: Any) -> MatrixPage:
    return matrix_page(matrix, TEXTS, MatrixQuery(**query))


def numbers(matrix: QuestionMatrix, **query: Any) -> list[int]:
    return [item.number for item in page(matrix, **query).items]


def test_a_cell_has_score_gain_passages_and_what_happened(matrix: QuestionMatrix) -> None:
    found = page(matrix, order="number")
    assert [(column.name, column.baseline) for column in found.columns] == [("base", None), ("low", 0), ("high", 0)]
    copper, cattle = found.items[2:]
    assert [cell.score for cell in copper.cells] == [0.8, 0.8, 0.2]
    assert [cell.gain for cell in copper.cells] == [None, 0.0, pytest.approx(-0.6)]
    assert [(cell.kept, cell.gold_lost) for cell in copper.cells] == [(5, False), (5, False), (1, True)]
    assert [cell.state for cell in cattle.cells] == ["scored", "abstained", "failed"]
    assert [cell.score for cell in cattle.cells] == [0.1, 0.1, None]
    assert (copper.question, copper.n_lost, copper.spread) == ("Copper?", 1, pytest.approx(0.6))


def test_columns_are_ordered_by_threshold_then_by_top_k_then_as_planned() -> None:
    arms = {
        "gap": GapPolicy(),
        "k 20": NormalPolicy(k=20),
        "0.6": ScorePolicy(min_similarity=0.6),
        "share": RelativePolicy(),
        "k 3": NormalPolicy(k=3),
        "0.05": ScorePolicy(min_similarity=0.05),
    }
    runs = [run(name, [question(0, 0.5)], retrieval=policy) for name, policy in arms.items()]
    # Not the smallest k: the baseline stands first whatever it is.
    runs.append(run("base", [question(0, 0.5)], retrieval=NormalPolicy(k=5), baseline=True))
    matrix = matrix_of(runs, ASKED[:1], metric="METEOR")
    assert [column.name for column in matrix.columns] == ["base", "0.05", "0.6", "k 3", "k 20", "gap", "share"]


def test_means_of_the_sweep_leave_out_what_was_not_reached(matrix: QuestionMatrix) -> None:
    # Scores 0 .5 .8 .1, 0 .6 .8 .1, .3 1 .2; ten cells kept 5 passages, "high" kept 1 of q2 and none of its failure.
    assert matrix.mean_score == pytest.approx((1.4 + 1.5 + 1.5) / 11)
    reached = matrix_of(matrix_runs(), ASKED, metric="METEOR")
    assert matrix.mean_kept == reached.mean_kept == pytest.approx((10 * 5 + 1) / 12)


def test_a_gold_passage_is_lost_only_where_the_baseline_kept_it() -> None:
    # q0: the baseline kept none, so "high" loses nothing. q1: it kept one, "high" lost it, "low" did not.
    lost = [
        matrix_run("base", [0.5, 0.5], retrieval={0: LOST}),
        matrix_run("high", [0.5, 0.5], threshold=0.6, retrieval={0: LOST, 1: LOST}),
        matrix_run("low", [0.5, 0.5], threshold=0.3),
    ]
    matrix = matrix_of(lost, ASKED[:2], metric="METEOR")
    assert matrix.gold_lost.tolist() == [[False, False, False], [False, False, True]]
    # Against "low", which kept both, the others lose what they did not keep.
    assert matrix.against(1).gold_lost.tolist() == [[True, False, True], [False, False, True]]


def test_a_cell_is_the_mean_of_its_repetitions_which_stay_known() -> None:
    first = run("base", [question(0, 0.2), question(1, 0.5)], baseline=True)
    # Its second question failed in the second repetition, so one value is left.
    second = run("again", [question(0, 0.6), question(1, None, state="failed")], baseline=True, repeat=2)
    matrix = matrix_of([first, second], ASKED[:2], metric="METEOR")
    assert matrix.scores.tolist() == [[pytest.approx(0.4)], [0.5]]
    assert [matrix.repeats_of(number, 0) for number in range(2)] == [(0.2, 0.6), (0.5,)]
    assert matrix_of([first], ASKED[:2], metric="METEOR").repeats_of(0, 0) == ()


def test_a_judged_column_is_a_metric_like_any_other() -> None:
    runs = [
        run("base", [question(0, 0.5), question(1, 0.5)], baseline=True),
        matrix_run("high", [0.5, 0.5], threshold=0.6),
    ]
    judged = JudgedColumn(
        by=JudgedBy(assessment="a", judge="J", status="unchecked"),
        column="Answer correctness",
        scores={
            "base": {"q0": Score(value=0.4), "q1": Score(value=None, reason="not_json")},
            "high": {"q0": Score(value=1.0), "q1": Score(value=0.8)},
        },
        labels=None,
    )
    found = page(matrix_of(runs, ASKED[:2], metric=judged.column, judged=judged), order="number")
    assert [[cell.score for cell in row.cells] for row in found.items] == [[0.4, 1.0], [None, 0.8]]
    assert [row.cells[1].gain for row in found.items] == [pytest.approx(0.6), None]
    assert [column.mean for column in found.columns] == [0.4, pytest.approx(0.9)]


def test_cps_of_the_pool_is_the_default_metric() -> None:
    # Heights from 0 to 1 are their own CPS; a question that failed anywhere is in nobody's CPS.
    found = page(matrix_of(matrix_runs(), FOUR), order="number")
    assert found.metric == "CPS"
    scores = [[cell.score for cell in row.cells] for row in found.items]
    assert scores[1:3] == [pytest.approx([0.5, 0.6, 1.0]), pytest.approx([0.8, 0.8, 0.2])]
    assert scores[3] == [None, None, None]
    assert found.columns[2].mean == pytest.approx((0.3 + 1.0 + 0.2) / 3)


def test_rows_are_ordered_by_spread_loss_and_the_gain_of_one_configuration(matrix: QuestionMatrix) -> None:
    # Spreads .3, .5, .6, 0; gains of "high" .3, .5, -.6, none.
    assert numbers(matrix) == [2, 1, 0, 3]
    assert numbers(matrix, order="lost") == [2, 0, 1, 3]
    assert numbers(matrix, order="rise", of="high") == [1, 0, 2, 3]
    assert numbers(matrix, order="fall", of="high") == [2, 0, 1, 3]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"filters": ("gold_lost",)}, [2]),
        ({"filters": ("gold_lost",), "of": "low"}, []),
        ({"filters": ("failed",)}, [3]),
        ({"filters": ("abstained",), "of": "low"}, [3]),
        ({"filters": ("abstained", "failed")}, [3]),
        ({"filters": ("abstained", "gold_lost")}, []),
        ({"find": "NITROGEN"}, [1]),
    ],
)
def test_filters_and_words_must_all_fit(matrix: QuestionMatrix, query: dict[str, object], expected: list[int]) -> None:
    assert numbers(matrix, order="number", **query) == expected


def test_an_area_of_the_paired_figure_holds_its_questions_ends_included(matrix: QuestionMatrix) -> None:
    # "high" against "base": (0, .3), (.5, 1), (.8, .2); the fourth has no score and lies nowhere.
    assert numbers(matrix, order="number", area=area_of("high,0,.5,.3,1")) == [0, 1]
    assert numbers(matrix, order="number", area=area_of("high,.5,.8,0,1"), baseline="low") == [1, 2]
    assert numbers(matrix, order="number", area=area_of("base,0,1,0,1")) == [], "a baseline has no figure"
    assert numbers(matrix, order="number", area=area_of("high,0,1,0,1"), find="copper") == [2]
    for wrong in ("high", "high,0,1,0", "high,0,1,0,x", "high,0,1,0,nan"):
        with pytest.raises(InputError, match="RUN,FROM,TO,FROM,TO"):
            area_of(wrong)
    with pytest.raises(InputError, match="no run “other”"):
        numbers(matrix, area=area_of("other,0,1,0,1"))


def test_a_sign_changes_where_one_configuration_gains_and_another_loses(matrix: QuestionMatrix) -> None:
    # Against "high", q2 gains .6 in both others; q0 and q1 lose in both: no sign changes there.
    assert numbers(matrix, filters=("sign_changed",)) == []
    mixed = [
        matrix_run("base", [0.5, 0.5]),
        matrix_run("low", [0.6, 0.5], threshold=0.3),
        matrix_run("high", [0.4, 0.9], threshold=0.6),
    ]
    assert numbers(matrix_of(mixed, ASKED[:2], metric="METEOR"), filters=("sign_changed",)) == [0]


def test_only_questions_that_the_baseline_scored_are_shown_whichever_it_is(matrix: QuestionMatrix) -> None:
    assert numbers(matrix, order="number", filters=("baseline",)) == [0, 1, 2, 3]
    assert numbers(matrix, order="number", filters=("baseline",), baseline="high") == [0, 1, 2], "the fourth failed"


def test_low_questions_stay_below_the_lower_quartile_everywhere(matrix: QuestionMatrix) -> None:
    # Eleven scores 0 0 .1 .1 .2 .3 .5 .6 .8 .8 1: the quartile at place 2.5 is .1, which q3 reaches.
    assert page(matrix).low_below == pytest.approx(0.1)
    assert numbers(matrix, filters=("low",)) == []
    poor = [matrix_run("base", [0.0, 0.8, 0.9, 1.0]), matrix_run("low", [0.1, 0.8, 0.9, 1.0], threshold=0.3)]
    assert numbers(matrix_of(poor, FOUR, metric="METEOR"), filters=("low",)) == [0]


def test_the_colour_scale_is_that_of_the_whole_sweep_on_every_page(matrix: QuestionMatrix) -> None:
    # Sizes of the seven gains: 0 0 0 .1 .3 .5 .6; the 95th percentile lies at place 5.7.
    assert page(matrix).gain_bound == pytest.approx(0.5 + 0.7 * 0.1)
    assert (
        page(matrix, filters=("failed",)).gain_bound
        == page(matrix, after=3, limit=1).gain_bound
        == page(matrix).gain_bound
    )
    same = [matrix_run("base", [0.5, 0.6]), matrix_run("low", [0.5, 0.6], threshold=0.3)]
    assert page(matrix_of(same, ASKED[:2], metric="METEOR")).gain_bound is None


def test_another_baseline_changes_gains_and_not_scores(matrix: QuestionMatrix) -> None:
    clover = page(matrix, order="number", baseline="high").items[1]
    assert [cell.gain for cell in clover.cells] == [pytest.approx(-0.5), pytest.approx(-0.4), None]
    assert [cell.score for cell in clover.cells] == [0.5, 0.6, 1.0]


def test_pages_follow_one_another_and_count_all(matrix: QuestionMatrix) -> None:
    pages = [page(matrix, after=after, limit=3) for after in (0, 3)]
    assert [[item.number for item in part.items] for part in pages] == [[2, 1, 0], [3]]
    assert {part.total for part in pages} == {4}


def test_questions_that_were_never_reached_are_open() -> None:
    reached = matrix_page(matrix_of(matrix_runs(), ASKED, metric="METEOR"), TEXTS, MatrixQuery("number", after=4))
    assert {(cell.state, cell.score) for cell in reached.items[0].cells} == {("open", None)}


@pytest.mark.parametrize(
    ("query", "field"), [({"of": "other"}, "of"), ({"baseline": "x"}, "baseline"), ({"order": "rise"}, "of")]
)
def test_what_does_not_exist_is_refused_under_its_field(
    matrix: QuestionMatrix, query: dict[str, object], field: str
) -> None:
    with pytest.raises(InputError) as refused:
        page(matrix, **query)
    assert refused.value.field == field
    with pytest.raises(InputError, match="no metric"):
        matrix_of(matrix_runs(), FOUR, metric="beauty")


def test_a_search_finds_every_right_answer_of_a_question(matrix: QuestionMatrix) -> None:
    texts = [(*TEXTS[0], "Clover, white"), *TEXTS[1:]]
    found = matrix_page(matrix, texts, MatrixQuery("number", find="clover white"))
    assert [(item.number, item.question) for item in found.items] == [(0, TEXTS[0][0])]
