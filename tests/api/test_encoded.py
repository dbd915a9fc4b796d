"""Bytes of answers that are kept: the same as made anew, and never older than what the services say."""

from __future__ import annotations

import gc
import gzip
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from fastapi import Request
from fastapi.testclient import TestClient
from pydantic import BaseModel

from passer.api.app import create_app
from passer.api.encoded import MOST_ANSWERS, EncodedAnswers, Sent
from passer.bootstrap import Services, build_services
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.base import Frozen
from passer.domain.dataset import Dataset, Question
from passer.domain.judging.marks import Label, Mark
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import reading
from passer.ports import MarkFact
from passer.services.judging.labelling import LabelDrawRequest
from passer.settings import Settings
from tests.api.projects import BASE, PASSWORD, token_of
from tests.judged_home import CASES, COLUMN, NOW, add_assessment, fill, runs_of

CASE = CASES[-1]
ADDRESSES = (
    *(
        f"/api/v1/sweeps/{CASE.id}/{path}"
        for path in ("analysis", "figures", "tables", "questions", "questions?order=number&limit=2")
    ),
    f"/api/v1/sweeps/{CASE.id}/pairs?of={CASE.id}-001",
    f"/api/v1/runs/{CASE.id}-001/metrics",
)
QUICK = tuple(address for address in ADDRESSES if "questions" in address or "metrics" in address)
"""Those that take no second where nothing is kept."""
Told = list[tuple[int, bytes]]


class Text(Frozen):
    text: str


class NothingKept(EncodedAnswers):
    def of(self, request: Request, parts: tuple[object, ...], make: Callable[[], BaseModel]) -> Sent:
        return EncodedAnswers().of(request, parts, make)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("kept")
    return made


@pytest.fixture(scope="module")
def services(home: Path) -> Iterator[Services]:
    built = build_services(Settings(home=home, encoder="none"))
    questions = [Question(id=f"q{n}", text=f"What is fact {n}?", reference=f"Fact {n}.") for n in range(CASE.questions)]
    dataset = Dataset(name="facts", language="en", questions=tuple(questions))
    built.adapters.datasets.save_dataset(dataset)
    fill(built, dataset, CASE)
    yield built
    built.close()


@pytest.fixture(scope="module")
def client(services: Services) -> TestClient:
    return TestClient(create_app(services), base_url=BASE)


@pytest.fixture(scope="module")
def other(home: Path, services: Services) -> Iterator[Services]:
    """Another server on the same home."""
    built = build_services(Settings(home=home, encoder="none"))
    yield built
    built.close()


@pytest.fixture(scope="module")
def anew(services: Services) -> TestClient:
    """The same server, but that it encodes every answer again."""
    app = create_app(services)
    app.state.encoded = NothingKept()
    return TestClient(app, base_url=BASE)


def told(client: TestClient, paths: Sequence[str] = ADDRESSES, **headers: str) -> Told:
    return [(answer.status_code, answer.content) for answer in (client.get(path, headers=headers) for path in paths)]


def test_kept_answers_are_those_that_are_made_anew_in_each_language_and_coding(client, anew):
    english, bulgarian = told(anew), told(anew, **{"accept-language": "bg"})
    assert [status for status, _ in english] == [200] * len(ADDRESSES)
    assert english[0] != bulgarian[0], "an analysis has sentences"
    for _ in range(2):
        assert told(client) == english
        assert told(client, **{"accept-language": "bg"}) == bulgarian
        assert told(client, **{"accept-encoding": "identity"}) == english
    for coding in ("gzip", "identity"):
        headers = client.get(ADDRESSES[1], headers={"accept-encoding": coding}).headers
        assert headers.get("content-encoding", "identity") == coding
        assert headers["vary"] == "Accept-Encoding, Accept-Language"


def test_an_answer_is_encoded_once_for_one_object_and_again_for_another():
    made: list[str] = []

    def ask(kept: EncodedAnswers, of: Text, query: str = "", accepts: str = "") -> bytes:
        route = type("Route", (), {"operation_id": "tell"})
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": query.encode(), "route": route}
        request = Request({**scope, "server": ("x", 80), "headers": [(b"accept-encoding", accepts.encode())]})

        def make() -> Text:
            made.append(of.text)
            return of

        return kept.of(request, (of,), make).body

    kept, first = EncodedAnswers(), Text(text="Soil. " * 200)
    for _ in range(3):
        plain = ask(kept, first)
    assert plain == b'{"text":"' + b"Soil. " * 200 + b'"}'
    assert gzip.decompress(ask(kept, first, accepts="gzip, br")) == plain
    assert len(made) == 2
    ask(kept, first, query="limit=2")
    with reading("bg"):
        ask(kept, first)
    ask(kept, Text(text=first.text))
    assert len(made) == 5, "another query, another language, an equal object that is another one"
    # Objects that are gone leave their identities to others, unless what was made of them holds them.
    del first
    for number in range(3 * MOST_ANSWERS):
        gc.collect(0)
        assert ask(kept, Text(text=str(number))) == b'{"text":"%d"}' % number


def test_what_a_judge_and_people_say_later_is_seen_at_the_next_request(client, anew, other):
    address = f"/api/v1/sweeps/{CASE.id}"
    before = told(client)
    add_assessment(other, "later", CASE.id)
    judged = [address + path for path in ("/analysis?assessment=later", "/tables")]
    seen = []
    for value in (0.2, 0.9):
        items = [key.key or "" for key in other.judging.items.keys(runs_of(CASE.id))]
        marks = [Mark(assessment_id="later", item_key=item, column=COLUMN, value=value) for item in items]
        other.adapters.evaluations.record([MarkFact(mark) for mark in (marks[:1] if value < 0.5 else marks[1:])])
        seen.append(told(client, judged))
        assert seen[-1] == told(anew, judged)
    draw = other.judging.labelling.draw(LabelDrawRequest(assessment="later", column=COLUMN, questions=6, seed=1))
    places = other.judging.rating_desk.queue(draw.id, "ana").places
    rated = {"column": COLUMN, "rater": "ana", "value": 0.5, "draw": draw.id, "at": NOW}
    other.adapters.labels.add_labels([Label(item_key=place.item, **rated) for place in places])
    seen.append(told(client, judged))
    assert seen[-1] == told(anew, judged)
    assert len({str(each) for each in seen}) == 3, "each act shows"
    after = told(client)
    assert [path for path, old, new in zip(ADDRESSES, before, after, strict=True) if old != new] == [ADDRESSES[2]]


def test_what_another_process_changes_is_seen_at_the_next_request(client, anew, other):
    before = told(client, QUICK)
    other.sweeps.control.annotate(CASE.id, {"name": "Another name"})
    assert told(client, QUICK) == told(anew, QUICK)
    runs = [run.id for run in other.adapters.runs.load_sweep(CASE.id).runs]
    other.adapters.evaluations.reopen(runs)
    assert {status for status, _ in told(client)} == {409}, "it is queued: no gains before its end"
    other.adapters.runs.set_state(runs[:1], RunState.CANCELLED)
    other.adapters.runs.set_state(runs[1:], RunState.FINISHED)
    assert told(client, QUICK) == told(anew, QUICK)
    other.adapters.runs.set_state(runs, RunState.FINISHED)
    assert told(client, QUICK) == told(anew, QUICK) == before
    other.sweeps.control.annotate(CASE.id, {"name": None})


def test_kept_answers_are_for_members_of_the_project_alone(client, services):
    assert {status for status, _ in told(client, QUICK)} == {200}
    services.projects.add("beta")
    assert {status for status, _ in told(client, [f"/projects/beta{path}" for path in QUICK])} == {404}
    services.accounts.add("root", role="admin", password=PASSWORD)
    services.accounts.add("nina", role="viewer", password=PASSWORD)
    key = {"authorization": f"Bearer {token_of(client, 'nina')}"}
    assert {status for status, _ in told(client, QUICK, **key)} == {200}
    assert {status for status, _ in told(client, QUICK)} == {401}
    services.accounts.set_role("nina", DEFAULT_PROJECT, None)
    assert {status for status, _ in told(client, QUICK, **key)} == {404}
