"""The node of scripts/test_node on the wheel that `make nodeos` fetched, and copies of its directory."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from scripts.test_node import nodeos
from tests.chain import wheel


class Node(nodeos.Node):
    """A directory, and the nodeos that runs on it."""

    def __init__(self, folder: Path, *, port: int = 0) -> None:
        """`port` 0 takes a free one; it stays the same over restarts."""
        super().__init__(folder, release=wheel.RELEASE, port=port)


def copy_folder(source: Path, target: Path) -> None:
    """Copy a stopped node's directory; its state is a file of mostly holes, which stay holes."""
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "-a", "--sparse=always", str(source), str(target)], check=True)
