"""Requests made from the OpenAPI description, valid and broken ones: no error of the server, nothing undocumented.

Paths name things that exist in two of three requests, so that broken values reach further than "not found".
"""

from __future__ import annotations

import os
import warnings
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

from passer.api.app import create_app
from tests.api.projects import BASE, Team

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
    for operation in (
        found.ok() for found in schemathesis.openapi.from_dict(create_app(None).openapi()).get_all_operations()
    )
}
NAMES = sorted(OPERATIONS.keys() - {ENDLESS})
TAKES_VALUES = {name for name, each in OPERATIONS.items() if each.body or list(each.query)}
"""Operations of which a request can be wrong; any text may be an id."""
CASES = int(os.environ.get("PASSER_FUZZ_CASES", "20000"))
"""Requests of `make soak`."""
LONGEST_URL = 60_000
"""Longer ones are refused by the client that sends them."""


@pytest.mark.parametrize("place", range(len(NAMES)), ids=NAMES)
def test_every_answer_is_documented_and_none_is_an_error_of_the_server(team: Team, place: int) -> None:
    """Valid requests to every other operation, broken ones to the rest: most of the time goes into preparing them."""
    is_broken = place % 2 and NAMES[place] in TAKES_VALUES
    send_many(team, NAMES[place], GenerationMode.NEGATIVE if is_broken else GenerationMode.POSITIVE, 2)


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

    def send(case: Any, known: int) -> None:
        answer(team, case, uses_known=known > 0)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        strategy = OPERATIONS[operation].as_strategy(generation_mode=mode)
        given(strategy, st.integers(0, 2))(usual(send))()


def answer(team: Team, case: Any, *, uses_known: bool) -> None:
    """Send a request as an administrator to the project that has one of everything, and check the answer."""
    if uses_known and case.path_parameters:
        kind = case.path.split("/")[3]
        for name in case.path_parameters:
            found = team.ids.get(kind if name == "name" else name)
            if found is not None:
                case.path_parameters[name] = found
    wanted = case.as_transport_kwargs(base_url=f"{BASE}/projects/alpha")
    headers = {**(wanted.get("headers") or {}), "authorization": f"Bearer {team.tokens['root']}"}
    wanted = {name: value for name, value in wanted.items() if name not in ("headers", "cookies")}
    request = requests.Request(**{**wanted, "headers": headers}).prepare()
    if len(request.url or "") > LONGEST_URL or not all(str(value).isascii() for value in request.headers.values()):
        return
    team.client.cookies.clear()
    got = team.client.request(
        str(request.method), str(request.url), content=request.body, headers=dict(request.headers)
    )
    response = Response(
        got.status_code, {name: [value] for name, value in got.headers.items()}, got.content, request, 0, True
    )
    case.validate_response(response, checks=CHECKS)
