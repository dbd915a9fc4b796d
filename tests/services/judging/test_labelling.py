"""Labels: drawn at random, rated in a file that hides the judge, imported whole or not at all, and calibrating."""

from __future__ import annotations

import csv
import io
import time
from typing import Any

import pytest

from passer.adapters.tables import table_readers
from passer.errors import DatasetError, InputError, NotFoundError
from passer.metrics.judged import reads_answers
from passer.services.judging.answers import answer_length_slope
from passer.services.judging.items import ItemKey, Place
from passer.services.judging.labelling import COLUMNS, LabelDrawRequest
from passer.services.judging.rating import NextRequest, RatingRequest
from passer.services.judging.reservations import NextPlace, QueuePlace, Reservations
from tests.services.judging.made import Judged, grade
from tests.services.judging.rated import fill_run


@pytest.fixture
def assessment(judged: Judged) -> str:
    judged.judge.script = lambda request: grade(10 if "bees" in request.messages[-1].content else 5)
    created = judged.create()
    judged.run(created)
    return created


def draw(judged: Judged, assessment: str, **given: Any) -> str:
    request = LabelDrawRequest(**{"assessment": assessment, "column": "Answer correctness", **given})
    return judged.labelling.draw(request).id


def sheet(judged: Judged, draw_id: str) -> list[dict[str, Any]]:
    content = io.BytesIO()
    judged.labelling.write_sheet(draw_id, content, ".csv")
    reader = next(reader for reader in table_readers() if ".csv" in reader.suffixes)
    return reader.read(content.getvalue())


def csv_of(rows: list[tuple[Any, ...]]) -> bytes:
    return "\n".join(["item,value,note", *(",".join(map(str, row)) for row in rows)]).encode()


def test_a_sheet_shows_every_answer_once_and_nothing_of_judge_or_configuration(judged: Judged, assessment: str) -> None:
    rows = sheet(judged, draw(judged, assessment))
    # The third question has no answer in the second run, so it is not among the questions of both runs: 2 x 2 answers.
    assert len(rows) == 4
    assert tuple(rows[0]) == COLUMNS
    assert {row["question"] for row in rows} == {"When does rice flower?", "When is maize sown?"}
    assert all(row["value"] is None for row in rows)
    scale = "0 Unrelated or wrong; 0.3 Little of the reference; 0.5 Partly correct, with errors or gaps; 0.7 Correct, "
    assert {row["scale"] for row in rows} == {f"{scale}with small errors or gaps; 1 Complete"}
    text = str(rows)
    assert "judge" not in text
    assert "sweep-00" not in text
    alone = draw(judged, assessment, runs=("sweep-000",))
    assert len(sheet(judged, alone)) == 3


def test_questions_are_drawn_of_each_group(judged: Judged) -> None:
    fill_run(judged, "grouped", small=4)
    assessment = judged.create(target="grouped-000")
    judged.run(assessment)
    found = judged.labelling.labels.draw(draw(judged, assessment, per_group=10))
    # Four questions are of the group, and all of them are drawn; of the 36 others ten are.
    assert sorted(each.inclusion for each in found.questions) == [10 / 36] * 10 + [1.0] * 4
    assert sorted(each.number for each in found.questions if each.inclusion == 1) == [0, 1, 2, 3]


def test_ratings_are_imported_and_repeated_ones_are_skipped(judged: Judged, assessment: str) -> None:
    draw_id = draw(judged, assessment)
    items = [row["item"] for row in sheet(judged, draw_id)]
    content = csv_of([(items[0], "1", "fine"), (items[1], "0,5", ""), (items[2], "", "")])
    content = content.replace(b"0,5", b'"0,5"')
    found = judged.labelling.import_labels(draw_id, content, "rated.csv", rater="ana", importer="maria")
    assert (found.labels, found.unchanged, found.unrated) == (2, 0, 1)
    again = judged.labelling.import_labels(draw_id, content, "rated.csv", rater="ana", importer="ivan")
    assert (again.labels, again.unchanged) == (0, 2)
    (listed,) = judged.labelling.draws(assessment)
    assert (listed.items, listed.rated) == (4, {"ana": 2})
    labels = {label.item_key: label for label in judged.labelling.labels_of(draw_id)}
    assert (labels[items[0]].value, labels[items[0]].note, labels[items[1]].value) == (1.0, "fine", 0.5)
    assert labels[items[0]].inclusion == 1.0
    exported = io.BytesIO()
    judged.labelling.write_labels(draw_id, exported, ".csv")
    rows = csv.DictReader(io.StringIO(exported.getvalue().decode("utf-8-sig")))
    assert [(row["rater"], row["imported_by"]) for row in rows] == [("ana", "maria")] * 2


def test_a_file_with_a_wrong_row_is_refused_whole(judged: Judged, assessment: str) -> None:
    draw_id = draw(judged, assessment)
    items = [row["item"] for row in sheet(judged, draw_id)]
    wrong = [(items[0], "1", ""), (items[0], "1", ""), (items[1], "good", ""), (items[2], "7", ""), ("x", "1", "")]
    with pytest.raises(DatasetError, match="4 rows are wrong") as refused:
        judged.labelling.import_labels(draw_id, csv_of(wrong), "rated.csv", rater="ana")
    assert [(each.row, each.field) for each in refused.value.problems] == [
        (2, "item"),
        (3, "value"),
        (4, "value"),
        (5, "item"),
    ]
    assert "from 0 to 1" in refused.value.problems[1].message
    assert judged.labelling.labels_of(draw_id) == ()
    with pytest.raises(DatasetError, match="No row has a value"):
        judged.labelling.import_labels(draw_id, csv_of([(items[0], "", "")]), "rated.csv", rater="ana")
    with pytest.raises(DatasetError, match=r"^rated\.csv: Line 2 of the file is not valid CSV"):
        judged.labelling.import_labels(draw_id, b'item,value\n1,"x\n', "rated.csv", rater="ana")


def test_what_cannot_be_drawn_is_refused(judged: Judged, assessment: str) -> None:
    with pytest.raises(InputError, match="no column Faithfulness"):
        draw(judged, assessment, column="Faithfulness")
    with pytest.raises(InputError, match="does not judge run other"):
        draw(judged, assessment, runs=("other",))
    with pytest.raises(NotFoundError, match="no draw nothing"):
        judged.labelling.labels_of("nothing")
    with pytest.raises(InputError, match=r"Use one of \.csv"):
        judged.labelling.write_sheet(draw(judged, assessment), io.BytesIO(), ".docx")


def test_a_judge_is_compared_with_people(judged: Judged, assessment: str) -> None:
    (before,) = judged.calibrator.of(assessment).columns
    assert before.agreement is None
    assert "uncalibrated" in before.warnings[0]
    draw_id = draw(judged, assessment, runs=("sweep-000",))
    # The judge says .5, .5, 1; the people say 0, 1, 1: bias 0, one of three equal.
    values = {"When does rice flower?": 0, "When is maize sown?": 1, "How far do bees fly?": 1}
    rated = csv_of([(row["item"], values[row["question"]], "") for row in sheet(judged, draw_id)])
    judged.labelling.import_labels(draw_id, rated, "rated.csv", rater="ana")
    (column,) = judged.calibrator.of(assessment).columns
    assert column.agreement is not None
    assert (column.agreement.n, column.raters, column.draw) == (3, ("ana",), draw_id)
    assert column.agreement.limits.bias == pytest.approx(0.0)
    assert column.agreement.categories is not None
    assert column.agreement.categories.table == ((0, 1, 0), (0, 0, 0), (0, 1, 1))
    assert column.runs[0].run_id == "sweep-000"
    assert (column.runs[0].n, column.runs[0].human_mean) == (3, pytest.approx(2 / 3))
    assert column.runs[0].corrected is None
    assert "Only 3 answers" in column.warnings[0]
    # Corrections are kept, but only first labels calibrate: later ones are given with the judge's value in view.
    corrected = csv_of([(row["item"], 0, "") for row in sheet(judged, draw_id)])
    judged.labelling.import_labels(draw_id, corrected, "rated.csv", rater="ana")
    assert judged.calibrator.of(assessment).columns[0].agreement == column.agreement


def test_a_rater_sees_the_judge_only_after_the_own_rating(judged: Judged, assessment: str) -> None:
    draw_id = draw(judged, assessment)
    queue = judged.rating_desk.queue(draw_id, "ana")
    # Anchors of the instruction of Answer correctness: 0, 3, 5, 7 and 10 of 10.
    assert [level.value for level in queue.levels] == [0.0, 0.3, 0.5, 0.7, 1.0]
    assert [place.is_rated for place in queue.places] == [False] * 4
    item = queue.places[0].item
    before = judged.rating_desk.item(draw_id, item, "ana")
    assert (before.own, before.judge) == (None, None)
    assert before.question in ("When does rice flower?", "When is maize sown?")
    for blind in (queue.model_dump_json(), before.model_dump_json()):
        assert not any(sign in blind for sign in ("sweep-00", assessment, '"judge":"judge"'))
    after = judged.rating_desk.rate(draw_id, item, RatingRequest(rater="ana", value=0.3, note="thin"))
    assert after.judge is not None
    assert (after.judge.judge, after.judge.value, after.judge.rationale) == ("judge", 0.5, ("Because.",))
    assert after.own is not None
    assert (after.own.value, after.own.note, after.own.revision) == (0.3, "thin", 1)
    # Another rater still sees nothing of the judge, and nothing of the first rater.
    assert judged.rating_desk.item(draw_id, item, "ben").own is None
    assert [place.is_rated for place in judged.rating_desk.queue(draw_id, "ana").places] == [True] + [False] * 3


def test_raters_see_opposite_orders(judged: Judged, assessment: str) -> None:
    draw_id = draw(judged, assessment)
    orders = {
        tuple(place.item for place in judged.rating_desk.queue(draw_id, name).places)
        for name in ("ana", "ben", "eva", "ivo", "mia", "zoe")
    }
    first, second = orders
    assert first == second[::-1]


def test_keeping_a_rating_after_the_judge_is_a_decision_and_does_not_calibrate(judged: Judged, assessment: str) -> None:
    draw_id = draw(judged, assessment)
    item = judged.rating_desk.queue(draw_id, "ana").places[0].item
    for value, after_judge in ((0.3, False), (0.3, False), (0.3, True), (0.5, True)):
        judged.rating_desk.rate(draw_id, item, RatingRequest(rater="ana", value=value, after_judge=after_judge))
    labels = judged.labelling.labels_of(draw_id)
    assert [(label.revision, label.value) for label in labels] == [(1, 0.3), (2, 0.3), (3, 0.5)]
    column = judged.calibrator.of(assessment).columns[0]
    assert [answer.human for answer in column.answers] == [0.3]


def test_ratings_outside_scale_or_draw_are_refused(judged: Judged, assessment: str) -> None:
    draw_id = draw(judged, assessment)
    item = judged.rating_desk.queue(draw_id, "ana").places[0].item
    with pytest.raises(InputError, match="from 0 to 1"):
        judged.rating_desk.rate(draw_id, item, RatingRequest(rater="ana", value=7))
    with pytest.raises(NotFoundError, match="does not contain this answer"):
        judged.rating_desk.rate(draw_id, "x" * 64, RatingRequest(rater="ana", value=1))
    with pytest.raises(NotFoundError, match="no draw nothing"):
        judged.rating_desk.queue("nothing", "ana")
    assert judged.labelling.labels_of(draw_id) == ()


def test_the_effect_of_length_is_that_of_distinct_answers_with_words_and_a_reference() -> None:
    keys, judge = [], {}
    for n in range(24):
        place, words = Place("run", n, f"q{n}"), 2 ** (n % 4 + 1)
        keys += [ItemKey(place, f"k{n}", "rice " * words, ("rice grows",))] * 2
        judge[f"k{n}"] = 0.1 * (n % 4 + 1)
    keys.append(ItemKey(Place("run", 24, "q24"), "empty", "", ("rice grows",)))
    keys.append(ItemKey(Place("run", 25, "q25"), None))
    found = answer_length_slope(keys, judge | {"empty": 0.0})
    assert found is not None
    # Grades .1, .2, .3 and .4 for 2, 4, 8 and 16 words: whatever F1 is, .1 a doubling fits exactly.
    assert (found.answers, found.slope) == (24, pytest.approx(0.1))


def test_columns_about_questions_and_passages_have_no_effect_of_length() -> None:
    assert reads_answers("Faithfulness")
    assert reads_answers("Citation recall")
    assert not reads_answers("Answerability")
    assert not reads_answers("Context precision")


def next_item(judged: Judged, draw_id: str, rater: str, after: str | None = None) -> NextPlace:
    return judged.rating_desk.next(draw_id, NextRequest(rater=rater, after=after))


def test_two_raters_do_not_get_the_same_answer_at_once(
    judged: Judged, assessment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_id = draw(judged, assessment)
    order = {name: [p.item for p in judged.rating_desk.queue(draw_id, name).places] for name in ("ana", "ana2")}
    got = next_item(judged, draw_id, "ana")
    assert (got.place, got.reserved) == (order["ana"][0], 0)
    # The first place of the other's order that is not open with ana.
    other = next_item(judged, draw_id, "ana2")
    assert other.place == next(item for item in order["ana2"] if item != got.place)
    assert other.reserved == 1
    states = {p.item: p.availability for p in judged.rating_desk.queue(draw_id, "ana2").places}
    assert (states[got.place or ""], states[other.place or ""]) == ("reserved", "free")
    # Skipping frees the earlier place; what is rated is free for the others at once, and no longer one's own work.
    skipped = next_item(judged, draw_id, "ana", after=got.place)
    assert skipped.place == next(item for item in order["ana"][1:] if item != other.place)
    judged.rating_desk.rate(draw_id, skipped.place or "", RatingRequest(rater="ana", value=1))
    assert {p.availability for p in judged.rating_desk.queue(draw_id, "ana2").places} == {"free"}
    assert next_item(judged, draw_id, "ana").place == got.place
    # Ten minutes later a place that was left open is handed out again, and a late rating is still saved.
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 601)
    assert next_item(judged, draw_id, "ana2", after=None).place == order["ana2"][0]
    judged.rating_desk.rate(draw_id, got.place or "", RatingRequest(rater="ana", value=0))


def test_raters_share_the_answers_of_a_draw_that_wants_one_rating_each(judged: Judged, assessment: str) -> None:
    draw_id = draw(judged, assessment, raters=1)
    rated: dict[str, list[str | None]] = {"ana": [], "ben": []}
    for _ in range(2):
        for name, own in rated.items():
            place = next_item(judged, draw_id, name).place
            judged.rating_desk.rate(draw_id, place or "", RatingRequest(rater=name, value=1))
            own.append(place)
    assert len(set(rated["ana"] + rated["ben"])) == 4
    for name in rated:
        ended = next_item(judged, draw_id, name)
        assert (ended.place, ended.reserved) == (None, 0)
        places = judged.rating_desk.queue(draw_id, name).places
        assert [p.item for p in places if p.is_rated] == [p.item for p in places if p.item in rated[name]]
        assert {p.availability for p in places} == {"complete"}


def test_a_pair_that_comes_back_is_handed_out_at_its_first_showing(judged: Judged) -> None:
    places = [QueuePlace("a1", "a", True), QueuePlace("b1", "b", True), QueuePlace("a2", "a", True)]
    reservations = Reservations(judged.labels)
    assert [reservations.next("q", places, "ana", after=after).place for after in (None, "a1", "b1")] == [
        "a1",
        "b1",
        "a2",
    ]
