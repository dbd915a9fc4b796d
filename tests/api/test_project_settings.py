"""Settings of projects over HTTP: what applies, where it comes from, and who may change it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from passer.bootstrap import build_services
from passer.bootstrap.judging import judging_embedder
from passer.domain.accounts.project_settings import ProjectValues
from passer.settings import Settings
from tests.api.projects import Team
from tests.conftest import ROOT

PATH = "/api/v1/settings"
OLLAMA = "ollama/nomic-embed-text:latest"


def shown(response) -> dict[str, tuple[str | None, str]]:
    assert response.status_code == 200, response.text
    return {each["name"]: (each["value"], each["source"]) for each in response.json()["items"]}


def test_a_value_of_the_project_applies_at_once_and_its_removal_too(api):
    client = api.client
    assert shown(client.get(PATH)) == {
        "embedding": ("embedded", "default"),
        "judge_embedding": ("scoring", "default"),
        "ledger_granularity": ("question", "default"),
        "timestamp_url": (None, "default"),
    }
    changed = client.put(f"{PATH}/embedding", json={"value": OLLAMA})
    assert changed.json() == {
        "name": "embedding", "value": OLLAMA, "source": "project", "inherited": "embedded",
        "variable": "PASSER_EMBEDDING",
    }  # fmt: skip

    def embedding(collection: str) -> str:
        text = {"title": "soil", "text": "Clover fixes nitrogen from the air."}
        assert api.job(client.post(f"/api/v1/collections/{collection}/texts", json=text))["state"] == "finished"
        listed = client.get("/api/v1/collections").json()["items"]
        [found] = [each["collection"] for each in listed if each["collection"]["name"] == collection]
        return str(found["embedding"]["name"])

    assert embedding("theirs") == OLLAMA
    assert [client.delete(f"{PATH}/embedding").status_code for _ in range(2)] == [204, 404]
    assert shown(client.get(PATH))["embedding"] == ("embedded", "default")
    assert embedding("ours") == "embedded/all-MiniLM-L6-v2"
    assert embedding("theirs") == OLLAMA, "a collection keeps its own"


def test_runs_are_recorded_as_the_project_chose(loaded):
    config = {"dataset": "farm", "collection": "farm", "model": {"provider": "extractive", "name": "extractive"}}

    def rows(name: str) -> list[int]:
        created = loaded.client.post("/api/v1/sweeps", json={"name": name, "config": config, "axes": {"k": [1]}})
        assert created.status_code == 201, created.text
        [run] = loaded.finished(created.json()["id"])["runs"]
        return [each["number"] for each in loaded.client.get(f"/api/v1/runs/{run['id']}/entries").json()["items"]]

    before = rows("Each")
    assert loaded.client.put(f"{PATH}/ledger_granularity", json={"value": "run"}).status_code == 200
    after = rows("Whole")
    assert (len(before), len(after)) == (4, 1), "three questions and the run, and the run alone"
    assert loaded.client.delete(f"{PATH}/ledger_granularity").status_code == 204


@pytest.mark.parametrize(
    ("name", "value", "status", "says"),
    [
        ("embedding", "/etc/passwd", 422, "PASSER_EMBEDDING on the server"),
        ("timestamp_url", "https://a:b@stamps.example.org", 422, "without a user name"),
        ("chain_key", "5K", 404, "no setting chain_key of a project"),
        ("embedding", "", 422, ""),
    ],
)
def test_what_a_project_may_not_choose_is_refused(api, name, value, status, says):
    before = shown(api.client.get(PATH))
    refused = api.client.put(f"{PATH}/{name}", json={"value": value})
    assert refused.status_code == status
    assert says in refused.json()["detail"]
    assert shown(api.client.get(PATH)) == before
    assert api.client.delete(f"{PATH}/home").status_code == 404


def test_a_refusal_is_said_in_the_language_of_the_reader(api):
    refused = api.client.put(f"{PATH}/ledger_granularity", json={"value": "all"}, headers={"accept-language": "bg"})
    assert "не е валиден избор на редове" in refused.json()["detail"]


def test_projects_have_values_of_their_own_that_their_administrators_change(team: Team):
    anna, vera, boris = team.of("anna", "alpha"), team.of("vera", "alpha"), team.of("boris", "beta")
    assert anna("PUT", f"{PATH}/timestamp_url", json={"value": "https://stamps.example.org/"}).status_code == 200
    assert shown(vera("GET", PATH))["timestamp_url"] == ("https://stamps.example.org/", "project")
    assert shown(boris("GET", PATH))["timestamp_url"] == (None, "default")
    assert shown(boris("GET", PATH))["judge_embedding"] == ("scoring", "default")
    # The embedding model of new collections is of the environment here.
    assert shown(boris("GET", PATH))["embedding"] == (OLLAMA, "environment")
    for method, more in (("PUT", {"json": {"value": "run"}}), ("DELETE", {})):
        assert vera(method, f"{PATH}/ledger_granularity", **more).status_code == 403
    assert boris("DELETE", f"{PATH}/timestamp_url").status_code == 404
    assert shown(anna("GET", PATH))["timestamp_url"][1] == "project"
    alpha, beta = (team.services.projects.open(name).adapters for name in ("alpha", "beta"))
    assert alpha.project_settings.current().judge_embedding == "embedded"
    assert judging_embedder(alpha).model.name == "embedded/all-MiniLM-L6-v2"
    assert beta.project_settings.current().judge_embedding == "scoring"
    log = anna("GET", "/api/v1/activity").json()["items"]
    found = [(each["operation"], each["subject"], each["account"], each["outcome"]) for each in log]
    assert ("set_setting", "timestamp_url", "anna", "done") in found
    assert ("set_setting", "ledger_granularity", "vera", "refused") in found
    assert "stamps.example.org" not in str(log), "values are no part of the log"
    assert not [each for each in boris("GET", "/api/v1/activity").json()["items"] if each["account"] == "anna"]


def test_the_address_of_the_environment_is_shown_without_its_password(tmp_path):
    services = build_services(Settings(home=tmp_path, timestamp_url="https://user:secret@stamps.example.org/tsr"))
    [found] = [each for each in services.adapters.project_settings.list() if each.name == "timestamp_url"]
    assert (found.value, found.source) == ("https://stamps.example.org/tsr", "environment")
    assert services.adapters.project_settings.current().timestamp_url == "https://user:secret@stamps.example.org/tsr"
    services.close()


def test_nobody_passes_by_the_values_of_the_project():
    """Who reads the environment's value alone would ignore the project's."""
    direct = re.compile(rf"(settings|limits|values|environment\(\))\.({'|'.join(ProjectValues.model_fields)})\b")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in Path(ROOT / "passer").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if direct.search(line)
    ]
    assert found == []
