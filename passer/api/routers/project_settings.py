"""Settings of which a project may have values of its own."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from passer.api.deps import Page, ServicesDep
from passer.domain.accounts.project_settings import ProjectSetting
from passer.domain.base import Frozen

router = APIRouter(prefix="/api/v1/settings", tags=["projects"])


class NewValue(Frozen):
    """The value to give to a setting."""

    value: str = Field(min_length=1, max_length=500)
    """The value as text."""


@router.get("", operation_id="list_settings")
def list_settings(services: ServicesDep) -> Page[ProjectSetting]:
    """List the settings of the project with their values, and whether project or environment set them."""
    return Page(items=services.adapters.project_settings.list())


@router.put("/{name}", operation_id="set_setting")
def set_setting(name: str, body: NewValue, services: ServicesDep) -> ProjectSetting:
    """Give the project a value of its own, which goes before the one of the environment. It applies at once."""
    return services.adapters.project_settings.set(name, body.value)


@router.delete("/{name}", operation_id="unset_setting", status_code=204)
def unset_setting(name: str, services: ServicesDep) -> None:
    """Delete the project's own value; the one of the environment, or the default, applies again."""
    services.adapters.project_settings.unset(name)
