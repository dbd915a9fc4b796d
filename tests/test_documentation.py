"""What is documented is what there is."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from passer.settings import Settings
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("field", sorted(Settings.model_fields))
def test_every_setting_is_in_the_readme(field):
    assert f"`PASSER_{field.upper()}`" in README


def test_every_setting_in_the_readme_exists():
    # Keys of connected model servers have names that their operator chooses.
    named = {name for name in re.findall(r"PASSER_([A-Z_]+)", README) if not name.startswith("KEY_")}
    assert {name.lower() for name in named} <= set(Settings.model_fields)


def test_the_local_links_of_the_documents_lead_somewhere():
    for page in (ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("datasets/*/README.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_help_answers_without_loading_anything_heavy():
    heavy = {"torch", "transformers", "chromadb", "nltk", "scipy", "sqlalchemy", "numpy", "fastapi", "pydantic"}
    code = (
        "import sys, json\n"
        "from passer.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        f"print(json.dumps(sorted({heavy!r} & set(sys.modules))), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stderr.splitlines()[-1]) == []
    for command in ("demo", "serve", "ingest", "sweep", "resume", "score", "export", "doctor"):
        assert command in done.stdout
