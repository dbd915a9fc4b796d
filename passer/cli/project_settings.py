"""The commands `settings`: values that a project has of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from passer.bootstrap import services
from passer.cli.output import JsonOption, note, print_json, print_table

Name = Annotated[str, typer.Argument(help="Name of the setting, as `passer settings show` lists it.")]


def show(as_json: JsonOption = False) -> None:
    """List the settings with their values, and whether project or environment set them."""
    with services() as built:
        found = built.adapters.project_settings.list()
    if as_json:
        print_json({"settings": found})
        return
    rows = [(each.name, each.value or "-", each.source, each.variable) for each in found]
    print_table(["setting", "value", "source", "variable"], rows)


def set_value(name: Name, value: Annotated[str, typer.Argument(help="Its value in this project.")]) -> None:
    """Set a value for the project. It overrides the value of the environment."""
    with services() as built:
        changed = built.adapters.project_settings.set(name, value)
        project = built.settings.project
    note(f"{changed.name} is {changed.value} in the project {project}.")


def unset(name: Name) -> None:
    """Delete the project's own value; the one of the environment, or the default, applies again."""
    with services() as built:
        changed = built.adapters.project_settings.unset(name)
        project = built.settings.project
    note(f"{changed.name} is {changed.value or 'not set'} in the project {project} ({changed.source}).")
