"""What `import passer` gives."""

from __future__ import annotations

import subprocess
import sys

import pytest

import passer
from passer.errors import InputError


def test_scores_of_lists_of_texts():
    table = passer.score(references=["clover fixes nitrogen", "bees fly"], answers=["clover fixes nitrogen", ""])
    assert table.ids == ("1", "2")
    assert len(table.columns) == 24
    row, blank = table.rows()
    assert row["Rouge-1.f"].value == 1.0
    assert row["Cosine similarity"].value == pytest.approx(1.0, abs=1e-6)
    assert {score.reason for score in blank.values()} == {"empty_answer"}


def test_some_columns_alone():
    table = passer.score(references=["a b"], answers=["a"], columns=["Rouge-1.r", "Rouge-1.p"])
    assert table.values.tolist() == [[0.5, 1.0]]


def test_lists_of_different_length_are_refused():
    with pytest.raises(InputError, match="2 references, 1 answers"):
        passer.score(references=["a", "b"], answers=["a"])


def test_importing_is_instant_and_unknown_names_are_errors():
    code = "import sys, passer; assert not {'pydantic', 'torch', 'numpy'} & set(sys.modules); print(passer.__version__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == passer.__version__
    with pytest.raises(AttributeError):
        _ = passer.nothing
