"""The defaults that the page is built with are those of the domain, and those that the help of commands states."""

from __future__ import annotations

import typer

from passer.api.defaults import DEFAULTS
from passer.cli import app
from passer.domain.analysis.choices import SweepChoices
from passer.domain.models.decoding import GenerationOptions
from passer.domain.sweeps.sweep import usual_fields
from passer.domain.verdict.verdict import VerdictRule
from tests.api.description import DESCRIPTION


def test_the_description_of_the_api_holds_the_defaults_that_the_page_is_built_with():
    described = DESCRIPTION["paths"]["/api/v1/defaults"]["get"]["responses"]["200"]
    assert described["content"]["application/json"]["example"] == DEFAULTS.model_dump(mode="json")


def test_defaults_are_those_of_the_domain_and_of_the_publication():
    rule, choices = VerdictRule(), SweepChoices()
    assert (DEFAULTS.primary, DEFAULTS.margin, DEFAULTS.alpha) == (rule.primary, rule.margin, rule.alpha)
    assert (DEFAULTS.missing, DEFAULTS.scope) == (choices.missing, choices.scope)
    recorded = usual_fields("standard")
    assert (DEFAULTS.panel, DEFAULTS.normalisation) == (recorded["panel"], recorded["normalisation"])
    assert DEFAULTS.options.temperature == GenerationOptions().temperature
    # The published study: T-CPS with .1 and .05, gains from .5, 1.5 and 3 %, thresholds from .50 to .95.
    assert (DEFAULTS.stability.alpha, DEFAULTS.stability.beta) == (0.1, 0.05)
    assert DEFAULTS.band_limits[DEFAULTS.bands] == (0.5, 1.5, 3.0)
    assert DEFAULTS.thresholds.model_dump() == {"start": 0.5, "stop": 0.95, "step": 0.05}


def test_commands_start_with_them_and_their_help_says_so():
    commands = typer.main.get_command(app).commands
    options = {option.name: option for option in commands["sweep"].params}
    assert options["baseline_k"].default == DEFAULTS.baseline_k
    assert options["num_ctx"].default == DEFAULTS.options.num_ctx
    assert f"default: {DEFAULTS.margin:g}." in options["margin"].help
    assert f"default: {DEFAULTS.alpha:g}." in options["alpha"].help
    weights = {option.name: option.default for option in commands["analyse"].params}
    assert (weights["tcps_alpha"], weights["tcps_beta"]) == (DEFAULTS.stability.alpha, DEFAULTS.stability.beta)
