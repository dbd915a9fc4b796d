"""The container files as they are read by the tests of them: stages, instructions, services."""

from __future__ import annotations

import json
import re
import tomllib

import httpx
import yaml

from tests.conftest import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
ALWAYS = {name: service for name, service in SERVICES.items() if "profiles" not in service}
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
PACKED = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
"""What the wheel takes from outside the package; its build fails where one is not there."""
CONSTRAINTS = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
GIVEN = {"POSTGRES_PASSWORD": "secret1"}


def stages() -> dict[str, str]:
    """The instructions of each stage by its name; continued lines joined, comments gone."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.M).replace("\\\n", " ")
    found = re.split(r"^FROM ", text, flags=re.M)[1:]
    return {str(re.search(r"AS (\w+)", stage)[1]): stage for stage in found}


def values(stage: str, instruction: str) -> list[str]:
    return re.findall(rf"^{instruction} (.+)$", stage, re.M)


def base(name: str) -> str:
    """The stage or image that a stage begins with."""
    return stages()[name].split()[0]


def with_bases(name: str) -> str:
    """The instructions of a stage, after those of the stages that it begins with."""
    return (with_bases(base(name)) if base(name) in stages() else "") + stages()[name]


def filled(text: str) -> str:
    """With the variables as a shell that has only GIVEN would fill them."""
    text = re.sub(r"\$\{(\w+):\?[^}]*\}", lambda match: GIVEN[match[1]], text)
    return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda match: GIVEN.get(match[1], match[2]), text)


def environment(service: str) -> dict[str, str]:
    return {name: filled(str(value)) for name, value in SERVICES[service].get("environment", {}).items()}


def command(service: str) -> list[str]:
    """What runs in a service: its own words, or those of its image."""
    stage = stages()[SERVICES[service]["build"]["target"]]
    given = SERVICES[service].get("entrypoint") or json.loads(values(stage, "ENTRYPOINT")[-1])
    return [*given, *(SERVICES[service].get("command") or json.loads(values(stage, "CMD")[-1]))]


def option(words: list[str], name: str) -> str:
    return words[words.index(name) + 1]


def installed_extras() -> list[str]:
    """Extras of PaSSER that the image of the application installs."""
    return str(re.search(r'"\.\[([\w,]+)\]"', stages()["app"])[1]).split(",")


def probed(service: str) -> httpx.URL:
    [address] = re.findall(r"http://[^']+", " ".join(SERVICES[service]["healthcheck"]["test"]))
    return httpx.URL(address)
