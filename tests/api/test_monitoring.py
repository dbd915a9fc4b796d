"""What Prometheus reads, parsed by its own library."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.domain.accounts.account import Caller
from passer.ports import Work
from passer.settings import Settings


def samples(client: TestClient) -> dict[tuple[str, tuple[str, ...]], float]:
    """Value by name and labels."""
    answered = client.get("/metrics")
    assert answered.status_code == 200, answered.text
    assert answered.headers["content-type"].startswith("text/plain")
    families = text_string_to_metric_families(answered.text)
    return {(each.name, tuple(each.labels.values())): each.value for family in families for each in family.samples}


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return build_services(Settings(home=tmp_path, encoder="none"))


def test_requests_are_counted_by_operation_and_strangers_words_are_not_kept(services: Services):
    # Without its context nothing works the queue.
    client = TestClient(create_app(services), base_url="http://127.0.0.1:8000")
    for path in ("/health", "/health", "/api/v1/datasets/none", "/api/v1/secret-name", "/secret-name"):
        client.get(path)
    client.request("SECRET-METHOD", "/health")
    client.get("/health", headers={"host": "secret.example"})
    found = samples(client)
    assert found["passer_http_requests_total", ("health", "200")] == 2
    assert found["passer_http_requests_total", ("show_dataset", "404")] == 1
    assert found["passer_http_requests_total", ("other", "421")] == 1, "the guard refuses the host"
    assert found["passer_http_request_seconds_count", ("health",)] == 3, "with the method that is refused"
    assert found["process_resident_memory_bytes", ()] > 10e6
    assert "secret" not in client.get("/metrics").text.lower()


def test_work_of_all_projects_is_counted_by_kind_and_state(services: Services):
    services.projects.add("other")
    for project, name in (("default", "a"), ("default", "b"), ("other", "a")):
        work = Work(id=name, project=project, kind="pull", spec={"model": "m"}, created_at=datetime.now(UTC))
        services.projects.open(project).adapters.work.add(work, most=9, ttl_s=0)
    client = TestClient(create_app(services), base_url="http://127.0.0.1:8000")
    assert samples(client)["passer_work", ("pull", "queued")] == 3


def test_a_token_of_an_administrator_that_may_change_nothing_is_enough(services: Services):
    for name, role in (("maria", "admin"), ("ivan", "viewer")):
        services.accounts.add(name, role=role, password="correct horse battery")
    client = TestClient(create_app(services), base_url="http://127.0.0.1:8000")

    def status(name: str, path: str, **limits: str) -> int:
        account = services.accounts.store.find_account(name)
        caller = Caller(account=name, role=account.role)
        _, secret = services.accounts.add_token(caller, name="prometheus", scope="viewer", **limits)
        return client.get(path, headers={"authorization": f"Bearer {secret}"}).status_code

    assert client.get("/metrics").status_code == 401
    assert status("maria", "/metrics") == 200
    assert status("maria", "/api/v1/users") == 403
    assert status("maria", "/metrics", project="default") == 403, "counts of all projects"
    assert status("ivan", "/metrics") == 403
