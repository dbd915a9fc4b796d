"""`make audit`: the output of pip-audit and npm audit, and registries that do not answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from scripts.audit import Found, asked, of_npm, of_pip

# As pip-audit 2.10 and npm 10 print it.
PIP = {
    "dependencies": [
        {
            "name": "flask",
            "version": "0.5",
            "vulns": [{"id": "PYSEC-2019-179", "fix_versions": ["1.0"], "aliases": []}],
        },
        {"name": "idna", "version": "3.11", "vulns": []},
        {"name": "own", "skip_reason": "Dependency not found on PyPI and could not be audited: own (1.0)"},
    ],
    "fixes": [],
}
NPM = {
    "auditReportVersion": 2,
    "vulnerabilities": {"lodash": {"name": "lodash", "severity": "critical", "isDirect": True, "via": []}},
    "metadata": {"dependencies": {"prod": 30, "dev": 170, "total": 200}},
}


def test_advisories_are_named_and_skipped_packages_do_not_count_as_checked():
    assert of_pip(json.dumps(PIP)) == Found(checked=2, unchecked=1, advisories=("flask 0.5: PYSEC-2019-179",))
    assert of_npm(json.dumps(NPM)) == Found(checked=200, unchecked=0, advisories=("lodash: critical",))


@pytest.mark.parametrize("said", ["", "{}", '{"message": "405 Method Not Allowed", "error": {"summary": ""}}'])
def test_no_answer_is_no_success(said: str, tmp_path: Path):
    for read in (of_pip, of_npm):
        assert asked([sys.executable, "-c", f"print({said!r})"], tmp_path, read) == Found(0, 1, ())
    assert asked(["no-such-tool"], tmp_path, of_npm) == Found(0, 1, ())
