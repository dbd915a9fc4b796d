"""Projects, their members and settings. The data of a project is at `/projects/NAME/api/v1/...`."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import Field

from passer.api.activity import note_subject
from passer.api.deps import Page, ServicesDep
from passer.api.routers.accounts import AccountName, CallerDep
from passer.domain.accounts.account import ProjectAccess, Role
from passer.domain.accounts.project import PROJECT_NAME
from passer.domain.accounts.project_settings import ProjectSetting
from passer.domain.base import Frozen

router = APIRouter(prefix="/api/v1", tags=["projects"])

Project = Annotated[str, Path(pattern=PROJECT_NAME)]


class NewProject(Frozen):
    """A project to add."""

    name: str = Field(pattern=PROJECT_NAME)
    """Small Latin letters, digits and hyphens; it cannot be changed."""


class Member(Frozen):
    """An account that may use a project."""

    account: str
    """Name of the account."""
    role: Role
    """Role in the project. Administrators of the default project are administrators of each."""


class MemberRole(Frozen):
    """The role to give to a member."""

    role: Role
    """Role of the member in the project."""


@router.get("/projects", operation_id="list_projects")
def list_projects(caller: CallerDep, services: ServicesDep) -> Page[ProjectAccess]:
    """List the projects that the caller may use, with the caller's role in each."""
    return Page(items=tuple(services.accounts.projects_of(caller, services.projects.names())))


@router.post("/projects", operation_id="add_project", status_code=201)
def add_project(body: NewProject, request: Request, services: ServicesDep) -> ProjectAccess:
    """Add a project without data and without members; administrators of the default project may use it at once."""
    note_subject(request, body.name)
    services.projects.add(body.name)
    return ProjectAccess(name=body.name, role="admin")


@router.get("/projects/{project}/members", operation_id="list_members")
def list_members(project: Project, services: ServicesDep) -> Page[Member]:
    """List the accounts that may use a project, by name."""
    services.projects.check(project)
    members = services.accounts.members(project)
    return Page(items=tuple(Member(account=account, role=role) for account, role in members))


@router.put("/projects/{project}/members/{name}", operation_id="set_member")
def set_member(
    project: Project, name: AccountName, body: MemberRole, request: Request, services: ServicesDep
) -> Member:
    """Give an account a role in a project, which signs it out everywhere."""
    services.projects.check(project)
    note_subject(request, f"{name} ({project}: {body.role})")
    services.accounts.set_role(name, project, body.role)
    return Member(account=name, role=body.role)


@router.delete("/projects/{project}/members/{name}", operation_id="remove_member", status_code=204)
def remove_member(project: Project, name: AccountName, services: ServicesDep) -> None:
    """Remove an account from a project, which signs it out everywhere; what it made stays."""
    services.projects.check(project)
    services.accounts.set_role(name, project, None)


class NewValue(Frozen):
    """The value to give to a setting."""

    value: str = Field(min_length=1, max_length=500)
    """The value as text."""


@router.get("/settings", operation_id="list_settings")
def list_settings(services: ServicesDep) -> Page[ProjectSetting]:
    """List the settings of the project with their values, and whether project or environment set them."""
    return Page(items=services.adapters.project_settings.list())


@router.put("/settings/{name}", operation_id="set_setting")
def set_setting(name: str, body: NewValue, services: ServicesDep) -> ProjectSetting:
    """Give the project a value of its own, which goes before the one of the environment. It applies at once."""
    return services.adapters.project_settings.set(name, body.value)


@router.delete("/settings/{name}", operation_id="unset_setting", status_code=204)
def unset_setting(name: str, services: ServicesDep) -> None:
    """Delete the project's own value; the one of the environment, or the default, applies again."""
    services.adapters.project_settings.unset(name)
