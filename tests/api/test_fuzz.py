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
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ensure_resource_availability,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    use_after_free,
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
SEQUENCES, STEPS = CASES // 200, 8
"""Sequences of requests of `make soak`, and the most requests of one."""
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


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_what_an_answer_names_is_there_once_made_and_gone_once_deleted(team: Team) -> None:
    """schemathesis finds in the description which operation needs what another one answers."""
    machine: Any = schemathesis.openapi.from_dict(DESCRIPTION).exclude(operation_id=ENDLESS).as_state_machine()

    class Sequences(machine):
        def call(self, case: Any, **_: Any) -> Response:
            put_known(case, KNOWN)
            return sent_as_administrator(team, case, has_file=True) or reject()

        def validate_response(self, response: Response, case: Any, *_: Any, **__: Any) -> None:
            checks = [*CHECKS, ensure_resource_availability, use_after_free]
            case.validate_response(response, checks=checks, recorder=self.recorder)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Sequences.run(settings=settings(usual_settings(SEQUENCES), stateful_step_count=STEPS))


def usual_settings(cases: int) -> settings:
    return settings(max_examples=cases, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


def send_many(team: Team, operation: str, mode: GenerationMode, cases: int) -> None:
    def send(case: Any, unknown: int) -> None:
        answer(team, case, uses_known=unknown < 2, is_valid=mode is GenerationMode.POSITIVE)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        strategy = OPERATIONS[operation].as_strategy(generation_mode=mode)
        given(strategy, st.integers(0, 2))(usual_settings(cases)(send))()


def answer(team: Team, case: Any, *, uses_known: bool, is_valid: bool) -> None:
    """Send a request as an administrator to the project that has one of everything, and check the answer."""
    name = case.operation.definition.raw["operationId"]
    if uses_known:
        use_known(team, case, only_paths=not is_valid)
    response = sent_as_administrator(team, case, has_file=uses_known and is_valid)
    if response is None:
        return
    if is_valid:
        sent[name] += 1
        accepted[name] += response.status_code < 400
    case.validate_response(response, checks=CHECKS)


def sent_as_administrator(team: Team, case: Any, *, has_file: bool) -> Response | None:
    """Send a request to the project that has one of everything; None for one that no client can send."""
    name = case.operation.definition.raw["operationId"]
    wanted = case.as_transport_kwargs(base_url=f"{BASE}/projects/alpha")
    headers = {**(wanted.get("headers") or {}), "authorization": f"Bearer {team.tokens['root']}"}
    wanted = {name: value for name, value in wanted.items() if name not in ("headers", "cookies")}
    if has_file and name in FILES:
        part, file, content = FILES[name]
        wanted |= {"data": {"name": "more"}, "files": [(part, (file, content))]}
        headers = {key: value for key, value in headers.items() if key.lower() != "content-type"}
    request = requests.Request(**{**wanted, "headers": headers}).prepare()
    if len(request.url or "") > LONGEST_URL or not all(str(value).isascii() for value in request.headers.values()):
        return None
    team.client.cookies.clear()
    got = team.client.request(
        str(request.method), str(request.url), content=request.body, headers=dict(request.headers)
    )
    return Response(
        got.status_code, {name: [value] for name, value in got.headers.items()}, got.content, request, 0, True
    )


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
    put_known(case, known)


def put_known(case: Any, known: dict[str, Any]) -> None:
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
