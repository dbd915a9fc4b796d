"""`passer register`: the plan of a sweep that waits, and only of such a one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from passer.bootstrap import build_services
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.services.work.lease import leased
from passer.settings import Settings
from tests.cli.conftest import Ended


def waiting(home: Path, *, k: int) -> str:
    """The id of a sweep that nobody has started."""
    model = Model(provider="extractive", name="extractive")
    config = RunConfig(dataset="farm", collection="farm", model=model)
    sweep = Sweep(name="Waits", config=config, axes=Axes(k=(k,)), baseline=NormalPolicy(k=1), primary="F1 Score")
    services = build_services(Settings(home=home))
    try:
        return services.sweeps.planner.create(sweep).id
    finally:
        services.close()


def test_the_plan_of_a_waiting_sweep_is_registered_once_and_its_verdict_confirms(
    farm: Callable[..., Ended], home: Path, tmp_path: Path
):
    sweep = waiting(home, k=2)
    first, again = farm("register", sweep), farm("register", sweep)
    assert (first.status, first.err) == (again.status, again.err) == (0, again.err)
    assert first.err.startswith("Registered in the ledger at ")
    assert farm("resume", sweep).status == 0
    study = tmp_path / "study.zip"
    several = farm("publish", sweep, "other", "-o", study)
    assert (several.status, study.exists()) == (2, False)
    assert f"Publish each of {sweep} and other: `passer domains {sweep} other`" in several.err
    assert farm("publish", sweep, "-o", study).status == 0
    found = farm("verify", study, "--json").json
    assert (found["verdict"], found["study"]["standing"]) == ("verified", "confirmatory")
    assert "registration" in {step["name"] for step in found["steps"] if step["outcome"] == "pass"}
    later, digest = tmp_path / "later.zip", found["study"]["digest"]
    waiting(home, k=4)
    assert farm("publish", digest, "-o", later).status == 0
    assert farm("verify", later, "--json").json["study"] == found["study"]
    renamed = farm("publish", digest, "-o", later, "--title", "Other")
    assert (renamed.status, "with the title and content" in renamed.err) == (2, True)
    kept = farm("register", sweep)
    assert (kept.status, kept.err) == (0, first.err), "what is registered stays so"


def test_a_sweep_that_has_begun_or_is_run_is_not_registered(farm: Callable[..., Ended], home: Path):
    sweep = waiting(home, k=3)
    services = build_services(Settings(home=home))
    with leased(services.adapters.work, sweep, refusal=str):
        refused = farm("register", sweep)
    services.close()
    assert refused.status != 0
    assert f"Sweep {sweep} has started, so its plan can no longer be registered" in refused.err
    assert farm("resume", sweep).status == 0
    late = farm("register", sweep)
    assert (late.status, late.err) == (refused.status, refused.err)
    assert farm("show", sweep, "--json").json["registered"] is None
    assert "There is no sweep" in farm("register", "nothing").err
