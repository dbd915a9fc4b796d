"""The rows of a sheet as questions: found, filtered, sorted, paged, and each with its neighbours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.questions import SheetPageQuery, SheetQuery, found_rows, question_detail, question_page
from passer.domain.sheets.sheet import Sheet, SheetRemarks, UnreadableCell
from passer.errors import InputError
from tests.result_sheets import sheet

PATH = "m/threshold_0.5.xlsx"
METEOR = {"Which bees?": 0.5, "Which mites?": 0.9, "How far?": 0.1}
REFERENCES = {"whichbees": "Honey bees.", "howfar": ""}


@pytest.fixture
def answered() -> Sheet:
    """Rows 2 to 5; the first question again in the last, and the METEOR of the third cannot be read."""
    whole = sheet("m", 0.5, METEOR, repeat={"Which bees?": 0.7})
    present, values = whole.present.copy(), whole.values.copy()
    present[2, 0], values[2, 0] = False, 0.0
    remarks = SheetRemarks(unreadable=(UnreadableCell(row=4, column="METEOR", text="n/a"),))
    answers = ("Carnica", "Varroa", "", "carnica")
    return replace(whole, values=values, present=present, answers=answers, remarks=remarks)


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ({}, [0, 1, 2, 3]),
        ({"is_descending": True}, [3, 2, 1, 0]),
        ({"order": "METEOR"}, [0, 3, 1, 2]),
        ({"order": "METEOR", "is_descending": True}, [1, 3, 0, 2]),
        ({"order": "F1 Score", "is_descending": True}, [0, 1, 2, 3]),
        ({"find": "CARNICA which"}, [0, 3]),
        ({"find": "honey"}, [0, 3]),
        ({"find": "wasps"}, []),
        ({"only": "repeated"}, [0, 3]),
        ({"only": "incomplete"}, [2]),
        ({"only": "repeated", "order": "METEOR", "is_descending": True}, [3, 0]),
    ],
)
def test_rows_are_found_filtered_and_sorted_and_what_has_no_value_comes_last(answered, asked, places):
    assert found_rows(answered, SheetQuery(sheet=PATH, **asked), REFERENCES) == places


def test_an_order_that_there_is_not(answered):
    with pytest.raises(InputError, match="Rows cannot be sorted by CPS"):
        found_rows(answered, SheetQuery(sheet=PATH, order="CPS"), {})


def test_pages_follow_one_another_to_the_end(answered):
    seen, after = [], -1
    while True:
        page = question_page(answered, SheetPageQuery(sheet=PATH, order="METEOR", after=after, limit=3), REFERENCES)
        seen.append([item.row for item in page.items])
        if page.next is None:
            break
        after = page.next
    assert (seen, page.total) == ([[2, 5, 3], [4]], 4)
    assert question_page(answered, SheetPageQuery(sheet=PATH, after=9), {}).items == ()


def test_a_row_says_what_the_sheet_and_the_dataset_hold(answered):
    first, second, third, _ = question_page(answered, SheetPageQuery(sheet=PATH), REFERENCES).items
    assert (first.question, first.reference, first.answer, first.repeats) == (
        "Which bees?",
        "Honey bees.",
        "Carnica",
        2,
    )
    assert (second.reference, second.repeats, second.scores["METEOR"]) == (None, 1, 0.9)
    assert (third.reference, third.answer, third.scores["METEOR"]) == (None, None, None)


def test_one_row_has_its_24_columns_and_its_neighbours_in_the_order_asked_for(answered):
    found = question_detail(answered, 3, SheetQuery(sheet=PATH, order="METEOR"), REFERENCES)
    assert (found.previous, found.next, found.place, found.total) == (0, 1, 1, 4)
    assert [score.metric for score in found.scores] == list(VECTOR_ORDER)
    assert (found.scores[0].value, found.scores[0].label) == (0.7, "METEOR")
    last = question_detail(answered, 2, SheetQuery(sheet=PATH, order="METEOR"), {})
    assert (last.previous, last.next) == (1, None)
    assert (last.scores[0].value, last.scores[0].reason, last.scores[0].text) == (None, "no_number", "n/a")
    left_out = question_detail(answered, 1, SheetQuery(sheet=PATH, only="repeated"), {})
    assert (left_out.place, left_out.previous, left_out.next, left_out.total) == (None, None, None, 2)


def test_scores_stand_under_their_own_names_where_labels_are_shifted():
    shifted = sheet("m", 0.5, METEOR, shifted=True)
    found = question_detail(shifted, 0, SheetQuery(sheet=PATH), {})
    by_metric = {score.metric: score for score in found.scores}
    assert found.sheet.labels == "shifted"
    assert (by_metric["BLEU"].label, by_metric["BLEU"].value) == ("Rouge-1.r", 0.1)
    assert found.item.scores["BLEU"] == 0.1


def test_a_sheet_of_16_metrics_says_which_it_lacks():
    short = sheet("m", 0.5, METEOR)
    kept = VECTOR_ORDER[:16]
    short = replace(short, columns=kept, values=short.values[:, :16], present=short.present[:, :16])
    found = question_detail(short, 0, SheetQuery(sheet=PATH), {})
    assert (found.scores[16].value, found.scores[16].reason) == (None, "no_column")
    assert set(found.item.scores) == set(kept)
    assert found_rows(short, SheetQuery(sheet=PATH, order="B-RT.average"), {}) == [0, 1, 2]
