"""Requests made from the OpenAPI description, valid and broken ones: no error of the server, nothing undocumented.

Two of three requests name things that exist, so that broken values reach further than "not found", and so that most
valid requests are accepted; how many is printed with `-s` and held by a test.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections import Counter
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.description import DESCRIPTION
from tests.api.projects import BASE, MODEL, QUESTION, Team

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ENDLESS = "follow_sweep"
"""Its answer goes on for as long as the sweep exists."""
OPERATIONS = {
    operation.definition.raw["operationId"]: operation
    for operation in (found.ok() for found in schemathesis.openapi.from_dict(DESCRIPTION).get_all_operations())
}
NAMES = sorted(
    OPERATIONS.keys() - {ENDLESS},
    key=lambda name: (OPERATIONS[name].method == "delete", "cancel" in name, name),
)
"""Those that delete or cancel come last: the others need what they delete."""
TAKES_VALUES = {name for name, each in OPERATIONS.items() if each.body or list(each.query)}
"""Operations of which a request can be wrong; any text may be an id."""
CASES = int(os.environ.get("PASSER_FUZZ_CASES", "20000"))
"""Requests of `make soak`."""
QUICK_CASES = -(-1500 // len(NAMES))
"""Requests to each operation in `make test`, 1,500 in all."""
ACCEPTED_AT_LEAST = 0.4
"""Share of the valid requests; the rest is refused for what no schema can say: other states, other things."""
KNOWN: dict[str, Any] = {
    "assessment": None, "budget": ["9-asks"], "column": "Answer correctness", "collection": "farm", "confirm": "farm",
    "constants": None, "dataset": "farm", "judge": MODEL, "judge_price": None, "label": None, "metric": "F1 Score",
    "model": MODEL, "models": [MODEL], "order": "number", "panel": "phase3-no-meteor", "price": "0.15,0.60 USD",
    "primary": None, "raters": ["ana"], "retriever": {"form": "dense"}, "target": "sweep", "terms": {"sea": ["ocean"]},
    "url": "http://127.0.0.1:9",
}  # fmt: skip
"""What a field may be here, where its schema allows any text; None is to leave it out."""
FILES = {
    "create_dataset": ("file", "more.json", QUESTION),
    "preview_dataset": ("file", "more.json", QUESTION),
    "import_tournament": ("file", "games.csv", b"qid,a,b,winner\n1,x,y,A\n"),
    "ingest_documents": ("files", "soil.txt", b"Clover fixes nitrogen from the air."),
}
accepted, sent = Counter[str](), Counter[str]()
LONGEST_URL = 60_000
"""Longer ones are refused by the client that sends them."""


@pytest.mark.parametrize("place", range(len(NAMES)), ids=NAMES)
def test_every_answer_is_documented_and_none_is_an_error_of_the_server(team: Team, place: int) -> None:
    """Valid requests to every other operation, broken ones to the rest: most of the time goes into preparing them."""
    is_broken = place % 2 and NAMES[place] in TAKES_VALUES
    send_many(team, NAMES[place], GenerationMode.NEGATIVE if is_broken else GenerationMode.POSITIVE, QUICK_CASES)


def test_most_valid_requests_are_accepted() -> None:
    """Not only refusals are documented well."""
    if len(sent) < len(NAMES) / 2:
        pytest.skip("asks after the requests of the other tests")
    for name in sorted(sent):
        sys.stdout.write(f"{accepted[name] / sent[name]:4.0%} of {sent[name]:3} accepted: {name}\n")
    assert accepted.total() / sent.total() > ACCEPTED_AT_LEAST


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("operation", NAMES)
def test_twenty_thousand_requests(team: Team, operation: str) -> None:
    modes = list(GenerationMode) if operation in TAKES_VALUES else [GenerationMode.POSITIVE]
    for mode in modes:
        send_many(team, operation, mode, CASES // (len(modes) * len(NAMES)) + 1)


def send_many(team: Team, operation: str, mode: GenerationMode, cases: int) -> None:
    usual = settings(
        max_examples=cases, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )

    def send(case: Any, unknown: int) -> None:
        answer(team, case, uses_known=unknown < 2, is_valid=mode is GenerationMode.POSITIVE)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        strategy = OPERATIONS[operation].as_strategy(generation_mode=mode)
        given(strategy, st.integers(0, 2))(usual(send))()


def answer(team: Team, case: Any, *, uses_known: bool, is_valid: bool) -> None:
    """Send a request as an administrator to the project that has one of everything, and check the answer."""
    name = case.operation.definition.raw["operationId"]
    if uses_known:
        use_known(team, case, only_paths=not is_valid)
    wanted = case.as_transport_kwargs(base_url=f"{BASE}/projects/alpha")
    headers = {**(wanted.get("headers") or {}), "authorization": f"Bearer {team.tokens['root']}"}
    wanted = {name: value for name, value in wanted.items() if name not in ("headers", "cookies")}
    if uses_known and is_valid and name in FILES:
        part, file, content = FILES[name]
        wanted |= {"data": {"name": "more"}, "files": [(part, (file, content))]}
        headers = {key: value for key, value in headers.items() if key.lower() != "content-type"}
    request = requests.Request(**{**wanted, "headers": headers}).prepare()
    if len(request.url or "") > LONGEST_URL or not all(str(value).isascii() for value in request.headers.values()):
        return
    team.client.cookies.clear()
    got = team.client.request(
        str(request.method), str(request.url), content=request.body, headers=dict(request.headers)
    )
    if is_valid:
        sent[name] += 1
        accepted[name] += got.is_success
    response = Response(
        got.status_code, {name: [value] for name, value in got.headers.items()}, got.content, request, 0, True
    )
    case.validate_response(response, checks=CHECKS)


def use_known(team: Team, case: Any, *, only_paths: bool) -> None:
    """Put what exists into a request: names and ids of the project that has one of everything."""
    for name in case.path_parameters or {}:
        found = team.ids.get(case.path.split("/")[3] if name == "name" else name)
        if found is not None:
            case.path_parameters[name] = found
    if only_paths:
        return
    runs = [f"{team.ids['sweep_id']}-000", f"{team.ids['sweep_id']}-001"]
    ids = {name: found for name, found in team.ids.items() if name not in ("kind", "number", "act")}
    known = KNOWN | ids | {"run": runs, "runs": runs, "run_id": team.ids["run_id"], "sweep": team.ids["sweep_id"]}
    known["rater"] = "root"  # Who asks; the ids have the rater of a link.
    for part in (case.query, case.body):
        if isinstance(part, dict):
            put(part, known)


def put(into: dict[str, Any], known: dict[str, Any]) -> None:
    """Replace what is known by values of the same type, at any depth."""
    for name, value in list(into.items()):
        if name in known and known[name] is None:
            del into[name]
        elif name in known and isinstance(value, type(known[name])):
            into[name] = known[name]
        elif isinstance(value, dict):
            put(value, known)
