"""Imported result sheets in every store."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from passer.domain.sheets.audit import UnreadFiles
from passer.domain.sheets.auditor import audit_sheets
from passer.domain.sheets.sheet import Sheet, SheetImport, SheetRemarks, UnreadableCell
from passer.errors import NotFoundError
from tests.adapters.store.made import NOW
from tests.result_sheets import sheet as result_sheet


def imported(*models: str, import_id: str = "sheets-a") -> SheetImport:
    remarks = SheetRemarks(footer_rows=(5,), unreadable=(UnreadableCell(row=3, column="BLEU", text="n/a"),))
    sheets = [result_sheet(model, None, {"one?": 1 / 3, "two – ü?": 0.2}, remarks=remarks) for model in models]
    sheets.append(result_sheet(models[0], 0.55, {"one?": 0.1 + 0.2}))
    sheets[0].present[1, 1] = False
    sheets[0].values[1, 1] = 0.0
    audit = audit_sheets(sheets, unread=UnreadFiles(unnamed=("odd.xlsx",)))
    return SheetImport(id=import_id, name="study", created_at=NOW, sheets=tuple(sheets), audit=audit)


def parts(sheet: Sheet) -> dict[str, object]:
    lists = {"values": sheet.values.tolist(), "present": sheet.present.tolist()}
    return {**{field.name: getattr(sheet, field.name) for field in fields(sheet)}, **lists}


def test_an_import_comes_back_to_the_last_bit(store):
    kept = imported("mistral", "orca")
    store.save_import(kept)
    found = store.load_import("sheets-a")
    assert [parts(sheet) for sheet in found.sheets] == [parts(sheet) for sheet in kept.sheets]
    assert (found.audit, found.name, found.created_at, found.dataset) == (kept.audit, "study", NOW, None)
    light = store.load_import("sheets-a", with_answers=False)
    assert {sheet.answers for sheet in light.sheets} == {()}
    assert [sheet.questions for sheet in light.sheets] == [sheet.questions for sheet in kept.sheets]


def test_one_sheet_is_found_by_its_path(store):
    kept = imported("mistral", "orca")
    store.save_import(kept)
    [found] = store.load_import("sheets-a", path=kept.sheets[1].path).sheets
    assert parts(found) == parts(kept.sheets[1])
    with pytest.raises(NotFoundError, match=r"study has no sheet .none\.xlsx."):
        store.load_import("sheets-a", path="none.xlsx")


def test_the_same_import_again_takes_the_new_audit_and_stays_one(store):
    kept = imported("mistral")
    store.save_import(kept)
    store.save_import(imported("deepseek", import_id="sheets-b"))
    checked = replace(kept, audit=audit_sheets(kept.sheets), dataset="farm", dataset_digest="d" * 64)
    store.save_import(checked)
    found = store.load_import("sheets-a")
    assert (found.audit, found.dataset, found.dataset_digest) == (checked.audit, "farm", "d" * 64)
    newest, first = store.list_imports()
    assert (newest.id, first.id) == ("sheets-b", "sheets-a")
    assert (first.models, first.sheets, first.rows) == (("mistral",), 2, 3)
    assert first.defects == len([f for f in checked.audit.findings if f.severity == "defect"]) > 0


def test_an_import_is_deleted_with_its_sheets(store):
    store.save_import(imported("mistral"))
    store.delete_import("sheets-a")
    assert store.list_imports() == []
    for act in (store.load_import, store.delete_import):
        with pytest.raises(NotFoundError, match="sheets-a"):
            act("sheets-a")
    store.save_import(imported("mistral"))
    assert len(store.load_import("sheets-a").sheets) == 2
