"""The description of the API as it is committed: `make checks` compares it with what the application says.

Making it takes seconds of processor time, and each process of the Python tests would do so for each file that asks.
"""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI

from passer.api.app import create_app
from passer.bootstrap import Services
from tests.conftest import ROOT

DESCRIPTION: dict[str, Any] = json.loads((ROOT / "frontend" / "openapi.json").read_text(encoding="utf-8"))
OPERATIONS: list[tuple[str, str, str]] = [
    (each["operationId"], method.upper(), path)
    for path, methods in DESCRIPTION["paths"].items()
    for method, each in methods.items()
]
"""Operation id, method and path of everything that the application answers."""


def described_app(services: Services) -> FastAPI:
    """Return the application with this description, instead of one that it would make."""
    app = create_app(services)
    app.openapi_schema = DESCRIPTION
    return app
