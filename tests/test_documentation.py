"""What is documented is what there is."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from passer.cli import app
from passer.settings import Settings
from tests import audit_tables
from tests.conftest import ROOT

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("datasets/*/README.md"))]
SETTINGS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
DEPENDENCIES = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")


def printed_commands() -> Iterator[tuple[str, str]]:
    """Each command line of PaSSER in a code block, with its page."""
    for page in PAGES:
        for block in re.findall(r"```(?:sh|console|yaml)?\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
            for line in re.sub(r"\\\n\s*", " ", block).splitlines():
                command = re.sub(r"\s+#.*", "", line).strip().removeprefix("$ ").removeprefix("run: ")
                if command.startswith("passer ") and "..." not in command:
                    yield page.name, re.split(r"\s*(?:[|;]|&&|>|2>|\"?\$\()", command)[0]


def shell_commands(page: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines()]


@pytest.mark.parametrize("field", sorted(Settings.model_fields))
def test_every_setting_is_documented(field):
    assert f"`PASSER_{field.upper()}`" in SETTINGS


def test_every_documented_setting_exists():
    # Keys of connected model servers have names that their operator chooses.
    named = {name for name in re.findall(r"PASSER_([A-Z_]+)", SETTINGS) if not name.startswith("KEY_")}
    assert {name.lower() for name in named} <= set(Settings.model_fields)


def test_every_dependency_says_what_it_is_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(each for name in extras if name != "dev" for each in extras[name])]
    named = {re.split(r"[\[<>=]", each)[0] for each in wanted}
    assert {name for name in named if not re.search(rf"\| [^|]*\b{re.escape(name)}\b", DEPENDENCIES)} == set()


def test_every_printed_command_and_option_exists():
    program = typer.main.get_command(app)
    wrong = []
    for page, command in printed_commands():
        words = shlex.split(re.sub(r"\[[^]]*\]", "", command))[1:]
        found, options = program, {"--help", "--project"}
        for word in words:
            if word.startswith("--"):
                if word.split("=")[0] not in options:
                    wrong.append(f"{page}: {command}: {word}")
            elif hasattr(found, "commands"):
                if word in found.commands:
                    found = found.commands[word]
                    options |= {name for each in found.params for name in (*each.opts, *each.secondary_opts)}
                elif not re.fullmatch("[A-Z]+|NAME", word) and found is not program:
                    wrong.append(f"{page}: {command}: {word}")
    assert wrong == []


@pytest.mark.soak
def test_the_tutorial_leads_to_a_verdict_and_a_verified_study(tmp_path):
    environment = {**os.environ, "PASSER_HOME": str(tmp_path / "home")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    said, sweep = "", "ID"
    for command in shell_commands("tutorial.md"):
        if command.startswith("pip "):
            continue
        done = subprocess.run(
            command.replace("datasets/", f"{ROOT}/datasets/").replace(" ID", f" {sweep}"),
            shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}: {done.stderr}"
        said += done.stdout
        if command.startswith("passer sweep") and "--plan" not in command:
            listed = subprocess.run(
                ["passer", "runs", "--json"], env=environment, capture_output=True, text=True, check=True
            )
            sweep = json.loads(listed.stdout)["sweeps"][0]["id"]
    assert "70 questions" in said
    assert "verified" in said
    assert (tmp_path / "farm.html").is_file()


def test_the_local_links_of_the_documents_lead_somewhere():
    for page in PAGES:
        # The reference is generated with the website, whose build checks links and anchors.
        for target in re.findall(r"\]\((?!reference/)([^)#:]+)\)", page.read_text(encoding="utf-8")):
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


def test_a_command_loads_only_the_rooms_that_it_uses(tmp_path: Path):
    unused = {"arena", "analysis", "judging", "drafting", "provenance", "pipeline"}
    code = (
        "import sys\n"
        "from passer.cli import app\n"
        "try: app(['datasets'])\n"
        "except SystemExit: pass\n"
        "rooms = {name.split('.')[2] for name in sys.modules if name.startswith('passer.services.')}\n"
        f"print(*sorted({unused!r} & rooms), 'alembic' in sys.modules, file=sys.stderr)"
    )
    environment = {**os.environ, "PASSER_HOME": str(tmp_path)}
    for migrates in (True, False):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        assert done.stderr.splitlines()[-1].split() == [str(migrates)]


def test_a_server_starts_without_what_only_analyses_need():
    code = "import sys, passer.api.app; print(*sorted({'scipy', 'torch', 'chromadb'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_tables_of_forgeries_are_those_of_the_tests():
    page = audit_tables.PAGE.read_text(encoding="utf-8")
    assert audit_tables.written(page) == page, "docs/audit.md is stale: run make generate"
