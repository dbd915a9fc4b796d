"""One verdict on every face: HTTP, command line, program, report, exports, list of sweeps, bundle and study."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import passer as program
from passer.adapters.drawing import MatplotlibDrawer
from passer.api.app import create_app
from passer.bootstrap import build_services
from passer.domain.canonical import read_canonical
from passer.domain.verdict.conclusion import Conclusion
from passer.settings import Settings
from tests.bundles import members_of
from tests.judged_home import BESIDE, CASES, Case, fill_home

Json = dict[str, Any]
SWEEPS = (*CASES[:6], *BESIDE)
EXPECTED = {
    "better": [("better", "Similarity ≥ 0.50")],
    "as-good-and-cheaper": [("as_good_cheaper", "Similarity ≥ 0.50")],
    "cannot-tell": [("cannot_tell", None)],
    "keep-the-baseline": [("keep_baseline", None)],
    "baseline-failed": [("no_verdict", None)],
    "cancelled": [("no_verdict", None)],
    "tied": [("better", "Similarity ≥ 0.50")],
    "two-models": [("better", "small, Similarity ≥ 0.50"), ("keep_baseline", None)],
}
"""Verdict and recommended configuration of each model, as the gains of the case ask for."""
ONE_OF_EACH = ("cannot-tell", "cancelled", "two-models")
"""No configuration, no verdict, and two models: a better configuration, and a baseline that is kept. `make soak` takes
the others."""
PLURAL = {"arm": "arms", "identical": "identical"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all tests of this file, which read its sweeps."""
    home = tmp_path_factory.mktemp("home")
    fill_home(home, SWEEPS)
    return home


@pytest.fixture(scope="module", autouse=True)
def undrawn() -> Iterator[None]:
    """Nothing here looks at a figure, and drawing those of the reports was most of the work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MatplotlibDrawer, "draw", lambda *_, **__: b"<svg></svg>")
        yield


@pytest.fixture(scope="module")
def api(home: Path) -> Iterator[TestClient]:
    with TestClient(create_app(build_services(Settings(home=home))), base_url="http://127.0.0.1:8000") as client:
        yield client


def got(api: TestClient, path: str, **more: Any) -> Any:
    response = api.get(f"/api/v1{path}", **more)
    assert response.status_code == 200, response.text
    return response


def without_parts(value: Any) -> Any:
    """The same verdict without the pieces that only the page needs."""
    if isinstance(value, list):
        return [without_parts(each) for each in value]
    if isinstance(value, dict):
        return {name: without_parts(each) for name, each in value.items() if name != "parts"}
    return value


def texts_of(page: str) -> list[str]:
    """The paragraphs and points of the first page, as a reader sees them."""
    first = page.split('<section id="s1"')[1].split("</section>")[0]
    said = re.findall(r"<(?:p|li)>(.*?)</(?:p|li)>", first, re.DOTALL)
    links = re.compile(r' <a class="source".*?</a>')
    return [html.unescape(re.sub("<[^>]*>", "", links.sub("", each))) for each in said]


def lines_of(analysis: Json) -> list[tuple[str, str, str]]:
    """Model, part and text of each line of the verdict, in reading order."""
    found = [Conclusion.model_validate(each) for each in without_parts(analysis["verdict"]["conclusions"])]
    return [(each.model, part, str(line.text)) for each in found for part, line in each.lines]


def beside(analysis: Json) -> list[str]:
    verdict = analysis["verdict"]
    return [each["line"]["text"] for each in (*verdict["arms"], *verdict["identical"])]


def exported_lines(analysis: Json) -> list[tuple[str, str, str]]:
    """The lines as they are exported: those about the whole sweep have no model."""
    verdict = analysis["verdict"]
    about = [("standing", analysis["standing"]["line"])]
    about += [(part, each["line"]["text"]) for part in ("arm", "identical") for each in verdict[PLURAL[part]]]
    return [*lines_of(analysis), *(("", part, text) for part, text in about)]


def headed(analysis: Json) -> list[str]:
    """The lines as they are printed: with the model before its verdict, where there are several."""
    several = len(analysis["verdict"]["conclusions"]) > 1
    return [f"{model}: {text}" if several and part == "verdict" else text for model, part, text in lines_of(analysis)]


@pytest.mark.parametrize(
    "case",
    [pytest.param(each, id=each.id, marks=() if each.id in ONE_OF_EACH else pytest.mark.soak) for each in SWEEPS],
)
def test_sentences_outcomes_and_numbers_are_the_same(case: Case, api, passer, home, tmp_path) -> None:
    analysis = got(api, f"/sweeps/{case.id}/analysis").json()
    ended = passer("analyse", case.id, "--report", tmp_path / "report.html")
    (digest,) = re.findall("Digest of the verdict: ([0-9a-f]{64})", ended.err)
    assert_says_the_same(case, analysis, ended.out.splitlines(), digest, api, passer, home, tmp_path)
    assert_has_the_same_outcomes(case, analysis, ended.out.splitlines(), digest, api, passer, tmp_path)


def test_a_plan_agrees_with_the_verdict_on_the_spread_that_was_measured(api) -> None:
    of = got(api, "/sweeps/cannot-tell/analysis").json()["verdict"]["conclusions"][0]["verdict"]
    planned = got(api, "/sweeps/cannot-tell").json()["sweep"] | {"name": "Again"}
    response = api.post("/api/v1/sweeps/plans", json=planned)
    assert response.status_code == 200, response.text
    plan = response.json()["decision"]
    # Several sweeps of the dataset are known: the widest spread is that of this one, whose noise is the largest.
    assert plan["spread"]["source"] == "dataset"
    assert "cannot-tell" in plan["spread"]["sweeps"]
    assert plan["smallest_detectable"] < of["detectable"] <= plan["detectable"] * 1.0001
    assert plan["fewest_needed"] < of["questions_needed"] <= plan["questions_needed"] + 1
    assert plan["detectable"] == pytest.approx(of["detectable"], rel=0.1)


def assert_says_the_same(
    case: Case, analysis: Json, out: list[str], digest: str, api: TestClient, passer: Any, home: Path, folder: Path
) -> None:
    conclusions = analysis["verdict"]["conclusions"]
    found = [(each["verdict"]["kind"], each["name"]) for each in conclusions]
    assert found == EXPECTED[case.id]

    # The command line prints every line in the same order, then what can be done next, and the digest.
    printed = [line.strip() for line in out]
    steps = [f"-> {step['text']}" for each in conclusions for step in each["next_steps"]]
    said = [*headed(analysis), *steps, *beside(analysis)]
    assert sorted(line for line in printed if line in said) == sorted(said)
    assert [line for line in printed if line in headed(analysis)] == headed(analysis)
    assert passer("analyse", case.id, "--json").json["verdict"] == without_parts(analysis["verdict"])

    # The report begins with them, and the one that the command line writes has the same.
    page = got(api, f"/sweeps/{case.id}/report").text
    texts = texts_of(page)
    whole = [*headed(analysis), *beside(analysis)]
    assert texts[0] == headed(analysis)[0]
    assert [text for text in texts if text in whole] == whole
    assert f"Digest of the verdict: {digest}. To verify it, run passer analyse {case.id} on" in " ".join(texts)
    assert texts_of((folder / "report.html").read_text()) == texts

    # Exports and tables have every line of it.
    for form, rows in (
        ("csv", lambda text: list(csv.DictReader(io.StringIO(text)))),
        ("jsonl", lambda text: [json.loads(line) for line in text.splitlines()]),
    ):
        file = folder / f"verdict.{form}"
        assert passer("export", case.id, "--table", "verdict", "-o", file).status == 0
        exported = rows(file.read_text(encoding="utf-8-sig"))
        assert [(row["model"], row["part"], row["text"]) for row in exported] == exported_lines(analysis)
        sent = got(api, f"/sweeps/{case.id}/export", params={"table": "verdict", "format": form})
        assert rows(sent.content.decode("utf-8-sig")) == exported
    (table,) = (each for each in got(api, f"/sweeps/{case.id}/tables").json()["items"] if each["name"] == "verdict")
    assert [tuple(row[:3]) for row in table["table"]["rows"]] == exported_lines(analysis)

    # The list of sweeps, and a program.
    summary = got(api, f"/sweeps/{case.id}/summary").json()["models"]
    assert [(each["model"], each["verdict"]) for each in summary] == [
        (each["model"], each["verdict"]) for each in conclusions
    ]
    with program.open(home, encoder="none") as opened:
        verdict = opened.verdict(case.id)
    assert verdict.digest == digest
    assert str(verdict).splitlines() == [f"{m}: {text}" for m, part, text in lines_of(analysis) if part == "verdict"]


def assert_has_the_same_outcomes(
    case: Case, analysis: Json, out: list[str], digest: str, api: TestClient, passer: Any, folder: Path
) -> None:
    configurations = analysis["configurations"]
    outcomes = [each["comparison"] and each["comparison"]["judged"]["outcome"] for each in configurations]
    recommended = {(each["model"], each["name"]) for each in analysis["verdict"]["conclusions"]}

    # The table on the command line, the table of the report as LaTeX, and the exported ones.
    latex = (folder / "report.tex").read_text().splitlines()
    for each, outcome in zip(configurations, outcomes, strict=True):
        # The table comes before the sentences.
        row = next(line for line in out if each["name"] in line)
        assert outcome is None or outcome.replace("_", " ") in row
    rows = [line for line in latex if line.endswith(r"\\")][1:]
    assert len(rows) == len(configurations)
    for row, outcome in zip(rows, outcomes, strict=True):
        said = {None: "--", "as_good": "(?:as good|no different)"}.get(outcome, outcome)
        assert re.fullmatch(said, row.split(" & ")[7]), row
    for table in ("configurations", "composites"):
        passer("export", case.id, "--table", table, "-o", folder / f"{table}.jsonl")
        exported = [json.loads(line) for line in (folder / f"{table}.jsonl").read_text().splitlines()]
        assert [row["outcome"] for row in exported] == outcomes, table
        for row, each in zip(exported, configurations, strict=True):
            if "is_recommended" in row:
                assert row["is_recommended"] is ((each["model"], each["name"]) in recommended)

    # The matrix of the page finds each of its columns in the table.
    columns = got(api, f"/sweeps/{case.id}/questions").json()["columns"]
    assert {(each["model"], each["name"]) for each in columns} == {
        (each["model"], each["name"]) for each in configurations
    }

    # What is published: verdict.json of the study, and of a run's bundle where there is a verdict.
    study = api.get(f"/api/v1/sweeps/{case.id}/study")
    if case.done is not None:
        assert study.status_code == 409
        return
    members = members_of(study.content)
    stated = read_canonical(members["verdict.json"])
    assert stated["conclusion_digest"] == digest
    assert_states(stated, analysis)
    for row, outcome in zip(csv.DictReader(io.StringIO(members["table.csv"].decode())), outcomes, strict=True):
        assert row["outcome"] == (outcome or "")
    for each in analysis["verdict"]["conclusions"]:
        if each["name"]:
            assert f"Recommended: {each['name']}, which is" in members["methods.md"].decode()
    bundle = members_of(got(api, f"/runs/{case.id}-001/bundle").content)
    has_verdict = any(each["number"] for each in analysis["verdict"]["conclusions"])
    assert ("verdict.json" in bundle) is has_verdict
    if has_verdict:
        of_run = read_canonical(bundle["verdict.json"])
        assert (of_run["conclusions"], of_run["gains"]) == (stated["conclusions"], stated["gains"])
        assert of_run["conclusion_digest"] == stated["conclusion_digest"]


def assert_states(stated: Json, analysis: Json) -> None:
    """A document states the outcomes and numbers of an analysis."""
    for own, each in zip(stated["conclusions"], analysis["verdict"]["conclusions"], strict=True):
        shown = each["verdict"] | {"model": each["model"]}
        for name, value in own.items():
            if name == "corrected" and value is not None:
                assert value == {part: pytest.approx(shown["corrected"][part]) for part in value}
            else:
                assert value == (pytest.approx(shown[name]) if isinstance(value, float) else shown[name]), name
    places = [place for place, each in enumerate(analysis["configurations"]) if each["comparison"]]
    assert [gain["configuration"] for gain in stated["gains"]] == places
    for gain in stated["gains"]:
        judged = analysis["configurations"][gain["configuration"]]["comparison"]["judged"]
        assert {name: value for name, value in gain.items() if name != "configuration"} == {
            name: pytest.approx(value) if isinstance(value, float) else value for name, value in judged.items()
        }


def test_a_margin_that_was_changed_afterwards_is_said_on_every_face(api, passer, tmp_path) -> None:
    changed = {"margin": "0.05"}
    verdict = got(api, "/sweeps/better/analysis", params=changed).json()["verdict"]
    assert verdict["exploratory"] == ["margin"]
    said = re.compile("Exploratory: .*margin")
    ended = passer("analyse", "better", "--margin", "0.05", "--report", tmp_path / "report.html")
    assert (len(said.findall(ended.out)), len(said.findall(ended.err))) == (1, 0)
    pages = (tmp_path / "report.html").read_text(), got(api, "/sweeps/better/report", params=changed).text
    assert all(any(said.match(text) for text in texts_of(page)[1:3]) for page in pages)
    sent = got(api, "/sweeps/better/export", params={"table": "verdict", **changed}).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(sent)))
    assert [row["part"] for row in rows if said.match(row["text"])] == ["exploratory"]


def test_the_report_and_the_page_say_the_same_in_bulgarian(api, passer, tmp_path) -> None:
    analysis = got(api, "/sweeps/two-models/analysis", headers={"accept-language": "bg"}).json()
    assert "по-добр" in analysis["verdict"]["conclusions"][0]["reason"]
    passer("analyse", "two-models", "--report", tmp_path / "report.html", "--language", "bg")
    texts = texts_of((tmp_path / "report.html").read_text())
    reasons = [each["reason"] for each in analysis["verdict"]["conclusions"]]
    assert all(any(reason in text for text in texts) for reason in reasons)
