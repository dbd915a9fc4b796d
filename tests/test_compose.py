"""The container files against the program: no engine runs here, so every word that can be checked without one is."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from packaging.requirements import Requirement
from sqlalchemy import make_url
from typer.main import get_command

from passer.cli import app as cli
from passer.services.work.worker import GIVE_UP_AFTER_S
from passer.settings import Settings
from tests.api.description import DESCRIPTION
from tests.conftest import ROOT
from tests.containers import (
    ALWAYS,
    COMPOSE,
    DOCKERFILE,
    PROJECT,
    SERVICES,
    command,
    environment,
    installed_extras,
    option,
    probed,
    stages,
    values,
    with_bases,
)


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name, value in environment("app").items():
        monkeypatch.setenv(name, value)
    return Settings()


def test_the_server_is_started_with_a_command_that_exists():
    name, act, *words = command("app")
    assert name in PROJECT["scripts"]
    parsed = get_command(cli).get_command(None, act).make_context(act, words)
    assert parsed.params == {"host": "0.0.0.0", "port": 8000, "insecure_listen": True, "engine": None}


def test_the_port_is_the_same_everywhere_and_published_on_loopback_alone():
    port = option(command("app"), "--port")
    assert SERVICES["app"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert values(stages()["app"], "EXPOSE") == [port]
    assert str(probed("app").port) == port
    published = {name for name, service in SERVICES.items() if service.get("ports")}
    assert published == {"app", "nodeos"}
    assert all(port.startswith("127.0.0.1:") for name in published for port in SERVICES[name]["ports"])


def test_every_variable_is_a_setting_and_taken(settings):
    named = [name for name in environment("app") if name.startswith("PASSER_")]
    assert {name.removeprefix("PASSER_").lower() for name in named} <= set(Settings.model_fields)
    assert settings.home == Path("/var/lib/passer")
    assert settings.concurrency == 4
    inside = [line for line in re.findall(r"PASSER_[A-Z_]+", DOCKERFILE) if line]
    assert {name.removeprefix("PASSER_").lower() for name in inside} <= set(Settings.model_fields)


def test_addresses_lead_to_the_services(settings):
    assert settings.chroma_url is not None
    chroma, ollama = urlsplit(settings.chroma_url), urlsplit(settings.ollama_url)
    assert (chroma.hostname, str(chroma.port)) == ("chroma", option(command("chroma"), "--port"))
    assert (ollama.hostname, f"0.0.0.0:{ollama.port}") == ("ollama", ollama_variables()["OLLAMA_HOST"])
    assert values(stages()["ollama"], "EXPOSE") == [str(ollama.port)]
    database, given = make_url(settings.resolved_database_url), environment("database")
    assert (database.host, database.port) == ("database", 5432)
    assert database.username == given["POSTGRES_USER"]
    assert database.password == given["POSTGRES_PASSWORD"] == "secret1"
    assert database.database == given["POSTGRES_DB"]
    extra = PROJECT["optional-dependencies"]["postgres"]
    assert database.get_driver_name() in {Requirement(each).name for each in extra}
    assert "postgres" in installed_extras()


def ollama_variables() -> dict[str, str]:
    return dict(each.split("=") for line in values(stages()["ollama"], "ENV") for each in line.split())


def test_the_server_answers_where_its_health_is_looked_for():
    assert probed("app").path in DESCRIPTION["paths"]
    assert probed("app").host == "127.0.0.1", "a host that the guard knows"


def test_the_chroma_server_starts_with_these_words_and_answers_where_its_health_is_looked_for(tmp_path):
    name, *words = command("chroma")
    assert (option(words, "--path"), option(words, "--host")) == ("/var/lib/chroma", "0.0.0.0")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    here = {"/var/lib/chroma": str(tmp_path), "0.0.0.0": "127.0.0.1", option(words, "--port"): port}
    program = str(Path(sys.executable).with_name(name))
    started = [program, *(here.get(word, word) for word in words)]
    with subprocess.Popen(started, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            address = probed("chroma").copy_with(port=int(port))
            assert answer(address).status_code == 200
        finally:
            process.terminate()
    assert str(probed("chroma").port) == option(words, "--port")


def answer(address: httpx.URL) -> httpx.Response:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(address, trust_env=False)
        time.sleep(0.05)
    raise AssertionError(f"{address} does not answer")


@pytest.mark.parametrize("name", [name for name in SERVICES if name.startswith("ray-")])
def test_ray_knows_these_words_and_meets_at_one_address(name):
    program, verb, *words = command(name)
    said = subprocess.run(
        [str(Path(sys.executable).with_name(program)), verb, "--help"], capture_output=True, text=True, check=True
    ).stdout
    for word in words:
        assert word.partition("=")[0] in said, word
    port = next(word.partition("=")[2] for word in command("ray-head") if word.startswith("--port="))
    assert f"--address=ray-head:{port}" in command("ray-worker")
    assert SERVICES["ray-worker"]["healthcheck"]["test"][-1] == f"ray-head:{port}"
    assert SERVICES[name]["environment"]["RAY_AUTH_TOKEN"] == SERVICES["app"]["environment"]["RAY_AUTH_TOKEN"]
    assert "ray" in installed_extras()


def test_what_is_kept_lies_in_volumes_that_belong_to_the_user_of_the_service(settings):
    places = {name: [each.split(":") for each in service.get("volumes", ())] for name, service in SERVICES.items()}
    assert {mount[0] for mounts in places.values() for mount in mounts} == set(COMPOSE["volumes"])
    assert places["app"] == [["home", str(settings.home)], ["keys", str(settings.chain_key_file.parent), "ro"]]
    assert places["chroma"] == [["vectors", option(command("chroma"), "--path")]]
    assert places["database"] == [["database", "/var/lib/postgresql/data"]]
    models = ollama_variables()["OLLAMA_MODELS"]
    assert models.startswith(places["ollama"][0][1] + "/")
    for service in ("app", "chroma", "ollama", "nodeos"):
        runs = values(with_bases(SERVICES[service]["build"]["target"]), "RUN")
        made = " ".join(line.partition("install --directory")[2].partition("&&")[0] for line in runs).split()
        assert {mount[1] for mount in places[service]} <= set(made)


@pytest.mark.parametrize("name", SERVICES)
def test_nothing_runs_as_root_or_gains_rights(name):
    service = SERVICES[name]
    user = service.get("user") or values(stages()[service["build"]["target"]], "USER")[-1]
    assert int(user.partition(":")[0]) > 0
    if "build" in service:
        assert f"--uid {user} " in with_bases(service["build"]["target"])
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped"
    assert 100 <= service["pids_limit"] <= 1000
    # A document of somebody else can take a reader's gigabyte, on each of a few readers; models take what they need.
    assert name == "ollama" or re.fullmatch(r"[2-8]g", service["mem_limit"])


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_says_whether_it_is_well_and_is_waited_for(name):
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] == "CMD"
    assert {"interval", "timeout", "retries", "start_period"} <= set(check)
    for needed, condition in SERVICES[name].get("depends_on", {}).items():
        assert needed in SERVICES
        assert condition["condition"] in ("service_healthy", "service_started")
        # What no profile brings is there without being asked for; what one brings cannot be counted on.
        same = SERVICES[needed].get("profiles", []) in ([], SERVICES[name].get("profiles", []))
        assert condition.get("required", True) == same
    assert set(SERVICES["app"]["depends_on"]) == (set(ALWAYS) - {"app"}) | {"nodeos"}


def test_the_application_alone_reaches_chroma():
    """Which has no authentication; a service that names no network is in `default`."""
    networks = {name: service.get("networks", ["default"]) for name, service in SERVICES.items()}
    [own] = networks["chroma"]
    assert COMPOSE["networks"] == {own: {"internal": True}}
    assert {name for name, joined in networks.items() if own in joined} == {"app", "sweeps", "chroma"}
    # Its port is published and the model server asked through the other one.
    assert set(networks["app"]) == {own, "default"}


def test_the_server_for_sweeps_is_the_same_on_the_same_data_and_runs_some_where_the_other_runs_none():
    app, sweeps = SERVICES["app"], SERVICES["sweeps"]
    assert {name for name in {*app, *sweeps} if app.get(name) != sweeps.get(name)} == {
        "profiles", "environment", "ports", "depends_on",
    }  # fmt: skip
    assert sweeps["depends_on"] == {"app": {"condition": "service_healthy"}}
    [named] = [name for name in app["environment"] if app["environment"][name] != sweeps["environment"][name]]
    assert named == "PASSER_SWEEPS_AT_ONCE"
    assert app["environment"][named].startswith("${PASSER_SWEEPS_AT_ONCE:-")
    assert Settings(sweeps_at_once=environment("sweeps")[named]).sweeps_at_once > 0


def test_a_stopping_server_has_the_time_that_it_takes():
    assert int(SERVICES["app"]["stop_grace_period"].removesuffix("s")) > GIVE_UP_AFTER_S


@pytest.mark.parametrize("name", ["docker-compose.yml", "docs/scaling.md"])
def test_the_commands_and_variables_that_are_named_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".yml"):
        text = "\n".join(line for line in text.splitlines() if line.startswith("#"))
    acts = re.findall(r"(?:^|`|app )passer ([a-z]+)\b", text, re.M)
    assert acts
    for act in acts:
        assert get_command(cli).get_command(None, act) is not None, act
    assert set(re.findall(r"docker compose exec (\w+)", text)) == {"app", "ollama"}
    assert {v.lower() for v in re.findall(r"PASSER_([A-Z_]+)", text)} <= set(Settings.model_fields)
