"""What the audit finds: on hand-made sheets, one defect each, and on the public record with all of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from passer.domain.dataset import Dataset, Question
from passer.domain.score import VECTOR_ORDER, Score, Scores
from passer.domain.sheets.audit import Audit, Finding, UnreadFiles, audit_text
from passer.domain.sheets.audit_references import check_references
from passer.domain.sheets.auditor import audit_sheets
from passer.domain.sheets.labels import RANGES
from passer.domain.sheets.sheet import SheetRemarks, UnreadableCell
from passer.metrics import infos
from tests.domain.sheets.test_procedures import read_folder
from tests.result_sheets import sheet

ONE, TWO, THREE = {"one?": 0.1}, {"one?": 0.1, "two?": 0.2}, {"one?": 0.1, "two?": 0.2, "three?": 0.3}


def only(audit: Audit, kind: str) -> Finding:
    [found] = [finding for finding in audit.findings if finding.kind == kind]
    return found


def kinds(audit: Audit) -> list[str]:
    return [finding.kind for finding in audit.findings]


def dataset(*texts: str, reference: str = "yes") -> Dataset:
    questions = [Question(id=str(place), text=text, reference=reference) for place, text in enumerate(texts)]
    return Dataset(name="farm", questions=tuple(questions))


def test_clean_sheets_have_no_findings():
    audit = audit_sheets([sheet("m", None, TWO), sheet("m", 0.5, TWO)], dataset=dataset("one?", "two?"))
    assert audit.findings == ()
    assert (audit.rows, audit.questions) == (4, 2)
    assert "No defect was found." in audit_text(audit)


def test_shifted_and_mixed_labels():
    audit = audit_sheets([sheet("m", None, TWO, shifted=True), sheet("m", 0.5, TWO)])
    assert only(audit, "shifted_labels").sheets == ("m/threshold_0.01.xlsx",)
    assert only(audit, "mixed_labels").sheets == ("m/threshold_0.5.xlsx",)
    assert "published_score_mode" not in kinds(audit), "the baseline alone has the published layout"


def test_thresholds_of_the_published_layout_are_said_to_be_distances():
    audit = audit_sheets([sheet("m", None, TWO, shifted=True), sheet("m", 0.5, TWO, shifted=True)])
    found = only(audit, "published_score_mode")
    assert (found.severity, found.sheets, found.count) == ("note", ("m/threshold_0.5.xlsx",), 1)
    assert "kept distant passages" in audit_text(audit)


def test_a_question_that_stands_twice_and_one_that_is_missing():
    audit = audit_sheets([sheet("m", None, THREE), sheet("m", 0.5, TWO, repeat={"two?": 0.4})])
    twice, missing = only(audit, "duplicated_questions"), only(audit, "missing_questions")
    assert (twice.count, twice.rows, twice.listed) == (1, (3, 4), ("two?",))
    assert (missing.sheets, missing.listed) == (("m/threshold_0.5.xlsx",), ("three?",))


def test_rows_that_stand_beside_another_question_are_found_once_for_all_sheets_alike():
    gapped = {"one?": 0.1, "three?": 0.3}
    audit = audit_sheets(
        [sheet("m", None, gapped), sheet("m", 0.5, THREE), sheet("m", 0.6, THREE), sheet("x", 0.6, ONE)]
    )
    found = only(audit, "misaligned_rows")
    assert (found.rows, found.sheets) == ((3,), ("m/threshold_0.5.xlsx", "m/threshold_0.6.xlsx"))
    assert only(audit, "no_baseline").sheets == ("x/threshold_0.6.xlsx",)


def test_questions_are_held_against_the_dataset():
    sheets = [sheet("m", None, {"ONE": 0.1, "two?": 0.2, "what else?": 0.3})]
    audit = audit_sheets(sheets, dataset=dataset("one?", "two?", "three?"))
    assert only(audit, "missing_questions").listed == ("three?",)
    assert only(audit, "unknown_questions").listed == ("what else?",)
    assert only(audit, "inexact_questions").listed == ("m/threshold_0.01.xlsx, row 2: ONE",)


def test_what_stands_in_the_files():
    remarks = SheetRemarks(
        footer_rows=(4,),
        blank_rows=(3,),
        numbers_as_text=48,
        unreadable=(UnreadableCell(row=2, column="BLEU", text="n/a"),),
        ignored_columns=("Elapsed time",),
    )
    first = sheet("m", None, ONE, remarks=remarks)
    audit = audit_sheets(
        [first, replace(first, threshold=0.5, path="copy.xlsx")], unread=UnreadFiles(unnamed=("odd.xlsx",))
    )
    assert {"footer", "blank_rows", "numbers_as_text", "ignored_columns", "same_contents"} < set(kinds(audit))
    cells = [finding for finding in audit.findings if finding.kind == "non_numeric_cells"]
    assert [finding.listed for finding in cells] == [("row 2, BLEU: 'n/a'",)] * 2
    assert only(audit, "numbers_as_text").count == 96
    assert only(audit, "ignored_files").listed == ("odd.xlsx",)
    order = [finding.severity for finding in audit.findings]
    assert order == sorted(order, key=["defect", "attention", "note"].index)
    text = audit_text(audit)
    assert all(finding.message in text and finding.action in text for finding in audit.findings)


def stored_scores(wrong: set[str]):
    """As if the sheets' scores came from the reference `yes`, but for answers named wrong."""

    def recompute(pairs: Sequence[tuple[str, str]], column: str) -> list[Scores]:
        values = {"METEOR": 0.1, "Rouge-1.p": 0.6}
        return [{column: Score(value=values[column] + (0.2 if answer in wrong else 0.0))} for _, answer in pairs]

    return recompute


def answered(threshold: float | None, *answers: str, meteor: float = 0.1):
    made = sheet("m", threshold, {f"question {place}": meteor for place in range(len(answers))})
    return replace(made, answers=answers)


def test_a_reference_is_suspected_where_most_rows_differ_and_an_answer_where_one_does():
    sheets = [answered(None, "a", "x"), answered(0.5, "b", "x"), answered(0.6, "c", "y")]
    asked = dataset("question 0", "question 1")
    check = check_references(sheets, asked, stored_scores({"x", "c"}))
    question, single = check.findings
    assert question.count == 2
    assert "2 of 3 rows" in question.message
    assert question.listed == ("m/threshold_0.01.xlsx, row 3", "m/threshold_0.5.xlsx, row 3")
    assert single.listed == ("m/threshold_0.6.xlsx, row 2",)


def test_one_score_that_differs_alone_suspects_nothing():
    sheets = [answered(None, "a", meteor=0.4)]
    check = check_references(sheets, dataset("question 0"), stored_scores(set()))
    assert check.findings == ()
    assert check.not_checked is None


def test_a_check_that_cannot_be_made_says_why():
    def without_wordnet(pairs: Sequence[tuple[str, str]], column: str) -> list[Scores]:
        if column == "METEOR":
            return [{column: Score(value=None, reason="wordnet_unavailable")} for _ in pairs]
        return [{column: Score(value=0.0)} for _ in pairs]

    sheets = [answered(None, "a")]
    assert "WordNet" in (check_references(sheets, dataset("question 0"), without_wordnet).not_checked or "")
    other = check_references(sheets, dataset("another question"), without_wordnet)
    assert "no row" in (other.not_checked or "")
    audit = audit_sheets(sheets, dataset=dataset("another question"), references=other)
    assert other.not_checked in audit.not_checked


@pytest.fixture(scope="module")
def record(test_data: Path) -> Audit:
    return audit_sheets(read_folder(test_data / "phase3-sheets"))


def test_the_defects_of_the_public_record_are_found(record):
    assert (len(record.sheets), record.rows, record.questions) == (22, 8158, 371)
    assert len(only(record, "shifted_labels").sheets) == 22
    assert len(only(record, "published_score_mode").sheets) == 20
    assert "no_baseline" not in kinds(record)
    twice = only(record, "duplicated_questions")
    assert (twice.sheets, twice.count) == (("mistral/threshold_0.95.xlsx",), 185)
    missing = {f.sheets[0]: f.count for f in record.findings if f.kind == "missing_questions"}
    assert missing == {
        "deepseek/threshold_0.60.xlsx": 1,
        "deepseek/threshold_0.95.xlsx": 1,
        "mistral/threshold_0.01.xlsx": 2,
        "mistral/threshold_0.95.xlsx": 185,
    }
    out_of_line = [f for f in record.findings if f.kind == "misaligned_rows"]
    assert sum(len(f.sheets) for f in out_of_line) == 12
    assert {f.rows[0] for f in out_of_line if len(f.sheets) == 9} == {49}
    assert only(record, "footer").count == 22


def with_value(made, row: int, column: str, value: float):
    made.values[row, made.columns.index(column)] = value
    return made


def test_values_that_a_metric_cannot_have_are_defects_under_the_heading_of_the_sheet():
    high = with_value(sheet("m", None, TWO), 1, "METEOR", 17)
    low = with_value(sheet("m", 0.5, TWO, shifted=True), 0, "Laplace Perplexity", -3)
    shifted = with_value(sheet("m", 0.6, TWO, shifted=True), 0, "Rouge-l.f", 1.5)
    edges = with_value(with_value(sheet("m", 0.7, TWO), 0, "B-RT.relevance", -5), 1, "Cosine similarity", 1 + 1e-9)
    found = [item for item in audit_sheets([high, low, shifted, edges]).findings if item.kind == "out_of_range"]
    assert [(item.sheets, item.rows, item.listed) for item in found] == [
        (("m/threshold_0.01.xlsx",), (3,), ("row 3, METEOR: 17 (0 to 1)",)),
        (("m/threshold_0.5.xlsx",), (2,), ("row 2, Laplace Perplexity: -3 (1 to inf)",)),
        (("m/threshold_0.6.xlsx",), (2,), ("row 2, Rouge-l.f: 1.5 (0 to 1)",)),
    ]
    assert {item.severity for item in found} == {"defect"}


def test_the_ranges_are_those_of_the_metrics():
    both = [{info.name: info for info in infos(profile)} for profile in ("standard", "published")]
    for column, (low, high) in RANGES.items():
        bounds = [(info.minimum, info.maximum) for info in (profile[column] for profile in both)]
        assert low == min(-np.inf if minimum is None else minimum for minimum, _ in bounds), column
        assert high == max(np.inf if maximum is None else maximum for _, maximum in bounds), column


def without(made, *names: str):
    kept = [place for place, name in enumerate(made.columns) if name not in names]
    return replace(
        made,
        columns=tuple(made.columns[place] for place in kept),
        values=made.values[:, kept],
        present=made.present[:, kept],
    )


def test_columns_that_the_panel_needs_are_missed_under_their_true_name():
    lacking = [without(sheet("m", threshold, TWO), "B-RT.fluency", "METEOR") for threshold in (None, 0.5)]
    # In a shifted sheet the heading BLEU holds the F of ROUGE-L, which the panel needs; ROUGE-1 it does not need.
    shifted = without(sheet("m", 0.6, TWO, shifted=True), "BLEU")
    unneeded = without(sheet("m", 0.7, TWO), "Pearson correlation")
    pilot = without(sheet("m", 0.8, TWO), *VECTOR_ORDER[16:])
    found = [
        item for item in audit_sheets([*lacking, shifted, unneeded, pilot]).findings if item.kind == "missing_columns"
    ]
    assert [(item.sheets, item.listed) for item in found] == [
        (("m/threshold_0.01.xlsx", "m/threshold_0.5.xlsx"), ("METEOR", "B-RT.fluency")),
        (("m/threshold_0.6.xlsx",), ("Rouge-l.f",)),
    ]
    assert "2 sheets lack columns of the panel phase3: METEOR, B-RT.fluency." in found[0].message
    [pilot_finding] = [
        item for item in audit_sheets([without(pilot, "BLEU")]).findings if item.kind == "missing_columns"
    ]
    assert "m/threshold_0.8.xlsx lacks columns of the panel phase2: BLEU." in pilot_finding.message
