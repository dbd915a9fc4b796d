"""The option `--project` of all commands, and the commands `projects` and `settings`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from passer.bootstrap import services
from passer.cli.output import JsonOption, note, print_json, print_table
from passer.cli.users import RoleName
from passer.domain.accounts.project import is_project_name
from passer.errors import ConfigError

VARIABLE = "PASSER_PROJECT"


Project = Annotated[str, typer.Argument(help="Name of the project: lowercase Latin letters, digits and hyphens.")]
Account = Annotated[str, typer.Argument(help="Name of the account.")]
Setting = Annotated[str, typer.Argument(help="Name of the setting, as `passer settings show` lists it.")]


def choose(
    context: typer.Context,
    project: Annotated[
        str | None,
        typer.Option("--project", help="Work in this project; default: PASSER_PROJECT, or the project `default`."),
    ] = None,
) -> None:
    """Choose the project of a command."""
    if project is None:
        return
    if not is_project_name(project):
        from passer.domain.wording.sentence import sentence

        raise ConfigError(sentence("project.name"), field="project")
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = project

    def put_back() -> None:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before

    context.call_on_close(put_back)


def listed(as_json: JsonOption = False) -> None:
    """List all projects."""
    with services() as built:
        found = [(name, len(built.accounts.members(name))) for name in built.projects.names()]
    if as_json:
        print_json({"projects": [{"name": name, "members": members} for name, members in found]})
    else:
        print_table(["project", "members"], [(name, str(members)) for name, members in found])


def add(name: Project) -> None:
    """Add a project. Use it with `passer --project NAME ...`, and in a browser at /projects/NAME."""
    with services() as built:
        built.projects.add(name)
    note(f"Added the project {name}. Choose who may use it: passer projects allow {name} ACCOUNT --role researcher.")


def members(name: Project, as_json: JsonOption = False) -> None:
    """List the accounts that may use a project."""
    with services() as built:
        built.projects.check(name)
        found = built.accounts.members(name)
    if as_json:
        print_json({"members": [{"account": account, "role": role} for account, role in found]})
    else:
        print_table(["account", "role"], found)


def allow(
    name: Project,
    account: Account,
    role: Annotated[RoleName, typer.Option(help="viewer reads, researcher also runs, admin also manages.")] = "viewer",
) -> None:
    """Give an account a role in a project, which signs it out everywhere."""
    with services() as built:
        built.projects.check(name)
        built.accounts.set_role(account, name, role, keep_an_admin=False)
    note(f"The account {account} has the role {role} in the project {name}. It has to sign in again.")


def remove(name: Project, account: Account) -> None:
    """Remove an account from a project, which signs it out everywhere; what it created is kept."""
    with services() as built:
        built.projects.check(name)
        built.accounts.set_role(account, name, None, keep_an_admin=False)
    note(f"The account {account} may no longer use the project {name}.")


def show(as_json: JsonOption = False) -> None:
    """List the settings with their values, and whether project or environment set them."""
    with services() as built:
        found = built.adapters.project_settings.list()
    if as_json:
        print_json({"settings": found})
        return
    rows = [(each.name, each.value or "-", each.source, each.variable) for each in found]
    print_table(["setting", "value", "source", "variable"], rows)


def set_value(name: Setting, value: Annotated[str, typer.Argument(help="Its value in this project.")]) -> None:
    """Set a value for the project. It overrides the value of the environment."""
    with services() as built:
        changed = built.adapters.project_settings.set(name, value)
        project = built.settings.project
    note(f"{changed.name} is {changed.value} in the project {project}.")


def unset(name: Setting) -> None:
    """Delete the project's own value; the one of the environment, or the default, applies again."""
    with services() as built:
        changed = built.adapters.project_settings.unset(name)
        project = built.settings.project
    note(f"{changed.name} is {changed.value or 'not set'} in the project {project} ({changed.source}).")
