"""Reports, figures, tables and sheets as files, from a real sweep and from imported sheets."""

from __future__ import annotations

import csv
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.result_sheets import row_of, write_sheet


class Page(HTMLParser):
    """The content of a page: texts of its parts, and all resources that it would fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.fetched: list[str] = []
        self.tags: list[str] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._open = tag
        self.fetched += [
            v for k, v in attrs if k in ("src", "href", "xlink:href") and v[:1] != "#" and v[:5] != "data:"
        ]

    def handle_data(self, data):
        if self._open in ("h1", "h2") and data.strip():
            self.headings.append(data.strip())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all tests of this file, which read what is made in it once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def known() -> dict[str, str]:
    return {}


@pytest.fixture
def sweep(farm, known):
    if "id" not in known:
        ran = farm("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3,0.45,0.6", "--json")
        assert ran.status == 0, ran.err
        known["id"] = ran.json["id"]
    return known["id"]


@pytest.fixture
def imported(passer, tmp_path):
    rows = {None: [0.0, 0.4, 0.2, 0.3], 0.5: [0.4, 0.4, 0.4, 0.8]}
    for threshold, heights in rows.items():
        name = "baseline" if threshold is None else f"threshold_{threshold}"
        cells = [row_of(f"<b>q{n}</b>?", height) for n, height in enumerate(heights)]
        write_sheet(tmp_path / "study" / "m" / f"{name}.xlsx", cells)
    done = passer("import", "sheets", tmp_path / "study", "--json")
    assert done.status == 0, done.err
    return done.json["id"]


def test_a_report_of_a_sweep_stands_alone(farm, sweep, tmp_path):
    done = farm("analyse", sweep, "--report", tmp_path / "report.html", "--figures", tmp_path / "figures")
    assert done.status == 0, done.err
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.fetched == []
    assert "script" not in page.tags
    assert page.headings[1:] == [
        "Verdict", "Appendix", "Setup", "Audit", "Passages and times", "Figures", "Tables", "Limitations", "Method",
    ]  # fmt: skip
    first, _, appendix = text.partition("Appendix</h1>")
    assert "No verdict yet. Only 3 questions can be compared, and a verdict needs 20." in first
    assert "Digest of the verdict: " in first
    assert f"passer analyse {sweep}" in first
    assert first.count("<caption>Table 1. Configurations</caption>") == 1
    assert re.search(r"<caption>Table \d+\. Other procedures</caption>", appendix)
    # Each sentence leads to the numbered tables in which its numbers are computed.
    assert re.search(r'<p>No verdict yet\. .* needs 20\. <a class="source" href="#table-1">Table 1</a></p>', first)
    for number, place in set(re.findall(r'href="#table-(\d+)">Table (\d+)</a>', first)):
        assert number == place
        assert re.search(rf'<div id="table-{number}">.*\n.*<caption>Table {number}\. ', text, re.DOTALL)
    assert "p_max_t" not in first
    table = (tmp_path / "report.tex").read_text(encoding="utf-8")
    assert "\\begin{tabular}" in table
    assert "Top-k 5" in table
    assert page.tags.count("svg") == len(list((tmp_path / "figures").glob("*.svg"))) > 5
    assert "Planned: 12 evaluations (4 configurations × 3 questions). Scored: 12; failed: 0; unfinished: 0." in text
    assert "controlled: only the retrieval setting differs" in text
    assert "extractive: Similarity ≥ 0.30, Similarity ≥ 0.45, Similarity ≥ 0.60. Baseline: Top-k 5." in text
    # Three answers are no finding about times.
    assert "median generation time" not in text
    assert ". Times and tokens by configuration</caption>" in text
    assert "prefers-color-scheme: dark" in text
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"cps.svg", "cps.png", "cps.csv", "latency.svg"} <= names
    [header, *rows] = csv.reader((tmp_path / "figures" / "cps.csv").read_text(encoding="utf-8-sig").splitlines())
    assert header[:3] == ["series", "Similarity threshold", "CPS"]
    assert [row[1] for row in rows] == ["baseline", "0.3", "0.45", "0.6"]


def test_a_report_of_sheets_begins_with_the_audit_and_escapes_them(passer, imported, tmp_path):
    target = tmp_path / "deep" / "report.html"
    done = passer("analyse", imported, "--procedure", "corrected", "--label", "m=<i>M</i>", "--report", target)
    assert done.status == 0, done.err
    text = target.read_text(encoding="utf-8")
    page = Page(text)
    assert page.headings[1:4] == ["Setup", "Conclusions as published and corrected", "Audit"]
    assert (page.fetched, {"b", "i", "script"} & set(page.tags)) == ([], set())
    assert "&lt;i&gt;M&lt;/i&gt;: " in text
    assert "The sheets do not record model versions" in text
    again = tmp_path / "again.html"
    passer("analyse", imported, "--procedure", "corrected", "--label", "m=<i>M</i>", "--report", again)
    assert again.read_bytes() == target.read_bytes()


def test_a_report_is_written_in_either_language(farm, sweep, tmp_path):
    done = farm("analyse", sweep, "--report", tmp_path / "bg.html", "--language", "bg")
    assert done.status == 0, done.err
    text = (tmp_path / "bg.html").read_text(encoding="utf-8")
    assert '<html lang="bg">' in text
    assert Page(text).headings[1:] == [
        "Заключение", "Приложение", "Постановка", "Одит", "Пасажи и времена", "Фигури", "Таблици", "Ограничения",
        "Метод",
    ]  # fmt: skip
    said = re.findall(r"<(?:p|li|summary|caption|figcaption|dt|title|h3|footer)>(.*?)<", text)
    assert len(said) > 60
    names = {"CPS", "T-CPS", "Top-k 100", "farm, thresholds 0.3,0.45,0.6"}
    assert [words for words in said if words and not re.search("[а-я]", words) and words not in names] == []
    assert re.search("<svg[^>]*>(?:(?!</svg>).)*праг", text, re.DOTALL)


def test_every_table_in_every_format(passer, imported, tmp_path):
    base = ("export", imported, "--procedure", "corrected", "--table")
    done = passer(*base, "all", "-o", tmp_path / "tables", "--format", "latex")
    assert done.status == 0, done.err
    names = {path.name for path in (tmp_path / "tables").iterdir()}
    assert {"configurations.tex", "tests.tex", "top_cps.tex", "half_splits.tex", "effective_weights.tex"} <= names
    assert passer(*base, "tests", "-o", tmp_path / "tests.csv").status == 0
    [row] = csv.DictReader((tmp_path / "tests.csv").read_text(encoding="utf-8-sig").splitlines())
    # METEOR from 0 to .8 with the weight .15; it rises by .4, 0, .2, .5.
    assert float(row["gain"]) == pytest.approx(0.15 * 1.1 / 0.8 / 4)
    assert "+5.16" in (tmp_path / "tables" / "tests.tex").read_text().replace("$+$", "+")
    wrong = passer(*base, "nothing", "-o", tmp_path / "x.csv")
    assert (wrong.status, "Choose one of configurations, top_cps" in wrong.err) == (2, True)
    assert not (tmp_path / "x.csv").exists()


def test_the_same_tables_are_the_same_bytes(farm, sweep, tmp_path):
    for name in ("composites", "tests", "sheets"):
        suffix = ".zip" if name == "sheets" else ".xlsx"
        for number in "12":
            done = farm("export", sweep, "--table", name, "--reproducible", "-o", tmp_path / f"{name}{number}{suffix}")
            assert done.status == 0, done.err
        assert (tmp_path / f"{name}1{suffix}").read_bytes() == (tmp_path / f"{name}2{suffix}").read_bytes()


def unpacked(path: Path, into: Path) -> Path:
    with zipfile.ZipFile(path) as archive:
        archive.extractall(into)
    return into


@pytest.mark.parametrize("shifted", [False, True])
def test_sheets_go_out_and_come_back_with_equal_scores(farm, sweep, tmp_path, shifted):
    from openpyxl import load_workbook

    flags = ("--shifted-labels",) if shifted else ()
    assert farm("export", sweep, "--table", "sheets", "-o", tmp_path / "sheets.zip", *flags).status == 0
    folder = unpacked(tmp_path / "sheets.zip", tmp_path / "sheets")
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.xlsx"))
    assert [path.rpartition("/")[2] for path in paths] == [
        "threshold_0.01.xlsx", "threshold_0.30.xlsx", "threshold_0.45.xlsx", "threshold_0.60.xlsx",
    ]  # fmt: skip
    header = [cell.value for cell in next(load_workbook(folder / paths[0]).active.iter_rows())]
    assert (len(header), header[4], header[15], header[20], header[29]) == (
        30, "Description", "BLEU", "F1 score", "Elapsed time",
    )  # fmt: skip
    taken = farm("import", "sheets", folder, "--json")
    assert taken.status == 0, taken.err
    labels = {sheet["labels"] for sheet in taken.json["audit"]["sheets"]}
    assert labels == {"shifted" if shifted else "right"}
    # The same panel from the sheets and from the sweep itself: all composites agree.
    back = farm("analyse", taken.json["id"], "--procedure", "corrected", "--json").json
    here = farm("analyse", sweep, "--panel", back["panel"], "--normalisation", "min-max", "--json").json
    assert [item["mean_cps"] for item in back["configurations"]] == pytest.approx(
        [item["mean_cps"] for item in here["configurations"]], abs=1e-12
    )


def test_what_does_not_fit_is_one_sentence(passer, imported, tmp_path):
    target = tmp_path / "x.csv"
    for options, problem in (
        (["--table", "sheets"], "is a table of sweeps"),
        (["--table", "tests", "--format", "pdf"], "--format must be one of csv, jsonl, xlsx, latex"),
        (["--table", "tests"], "--procedure must be one of published, corrected"),
        (["--table", "tests", "--shifted-labels"], "--shifted-labels applies to --table sheets"),
    ):
        done = passer("export", imported, "-o", target, *options)
        assert (done.status, problem in done.err) == (2, True), done.err
    assert not target.exists()


def test_scope_and_truncation_are_chosen(farm, sweep, tmp_path):
    chosen = ("--scope", "run", "--truncated", "exclude")
    found = farm("analyse", sweep, *chosen, "--json").json
    assert (found["scope"], found["truncated"], len(found["pools"])) == ("run", "exclude", 4)
    assert "Metric definitions: standard." in farm("analyse", sweep, *chosen).err
    done = farm("export", sweep, "--table", "composites", "-o", tmp_path / "out.csv", "--scope", "model")
    assert done.status == 0, done.err
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as stream:
        assert {row["scope"] for row in csv.DictReader(stream)} == {"model"}
    for options, sentence in (
        (("analyse", sweep, "--scope", "given"), "scope: "),
        (("analyse", sweep, "--truncated", "maybe"), "truncated: "),
        (("analyse", sweep, "--scope", "run", "--tests"), "Choose the scope all, or fixed constants"),
        (("analyse", sweep, "--scope", "model", "--constants", sweep), "Remove the constants or choose the scope all"),
        (("export", sweep, "-o", tmp_path / "all.csv", "--scope", "run"), "apply to composite scores of sweeps"),
    ):
        refused = farm(*options)
        assert refused.status == 2, options
        assert sentence in refused.err


def test_where_questions_failed(farm, sweep):
    ran = farm("failures", sweep)
    assert ran.status == 0, ran.err
    assert "All questions" in ran.out
    assert "first quartile" in ran.err
    assert "A list of phrases decides what is an abstention." in ran.err
    whole = farm("failures", sweep, "--json").json["runs"]
    run = whole[0]["run_id"]
    one = farm("failures", run, "--below", "0.2", "--json").json
    assert one["low"]["below"] == 0.2
    [found] = one["runs"]
    assert found["n"] == sum(found["counts"].values()) == len(found["questions"])
    assert farm("failures", "sw-none").status == 2


def test_citations_and_grounding(farm, sweep):
    ran = farm("grounding", sweep)
    assert ran.status == 0, ran.err
    assert "Grounded share" in ran.out
    assert ": not requested" in ran.out
    assert "no proof of support" in ran.err
    found = farm("grounding", sweep, "--limit-grounding", "0.5", "--by", "document", "--json").json
    assert found["limits"] == {
        "citation": 0.15,
        "grounding": 0.5,
        "by": "document",
        "per": "paragraph",
        "published": False,
    }
    assert all(not run["cites"] for run in found["runs"])
    assert "Limits:" not in ran.err
    changed = farm("grounding", sweep, "--limit-grounding", "0.5", "--by", "document")
    assert "counted by document; a sentence is grounded from 0.50 on." in changed.err
    assert farm("grounding", sweep, "--by", "page").status == 2
