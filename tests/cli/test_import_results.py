"""`passer import dataset` on a sheet of results of another tool."""

from __future__ import annotations


def test_all_columns_of_scores_are_ignored_at_once_and_named(passer, tmp_path):
    """A sheet of results as DeepEval names its columns, with an average below."""
    sheet = tmp_path / "results.csv"
    sheet.write_text(
        "input,expected_output,Answer Relevancy,Faithfulness,success\n"
        "Why?,So.,0.81,1.0,True\nWho?,She.,0.5,0.25,False\nAverage,,0.655,0.625,\n"
    )
    refused = passer("import", "dataset", sheet)
    assert refused.status == 2
    scores = "--ignore 'Answer Relevancy' --ignore Faithfulness --ignore success"
    assert refused.err.endswith(f"To ignore them, add: {scores} (all of them: --ignore-others)\n")
    ignored = passer("import", "dataset", sheet, "--ignore-others", "--preview").json["mapping"]["ignored"]
    assert ignored == ["Answer Relevancy", "Faithfulness", "success"]
    done = passer("import", "dataset", sheet, "--ignore-others")
    assert done.status == 0, done.err
    assert "Dataset “results”: 2 questions" in done.err
    assert "  Ignored: Answer Relevancy, Faithfulness, success.\n" in done.err
    assert "Row 3 (“Average”) summarises the rows above it and is not a question." in done.err
    missing = tmp_path / "answers.csv"
    missing.write_text("input,actual_output,Faithfulness\nWhy?,So.,1.0\n")
    assert "No column contains the reference" in passer("import", "dataset", missing, "--ignore-others").err
