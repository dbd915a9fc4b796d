"""Remains of killed backups and restores are removed; no other file is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from passer.adapters.archive.partial import partial_folder, remove_forgotten

UNDER_CONSTRUCTION = """
import sys, time
from pathlib import Path
from passer.adapters.archive.partial import partial_folder
with partial_folder(Path(sys.argv[1]), of="home") as folder:
    (folder / "half").write_text("half")
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_process_left_is_removed_once_it_is_dead(tmp_path: Path) -> None:
    (tmp_path / ".hidden").mkdir()
    worker = subprocess.Popen(
        [sys.executable, "-c", UNDER_CONSTRUCTION, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert worker.stdin
    assert worker.stdout
    assert worker.stdout.readline() == "ready\n"
    remove_forgotten(tmp_path)
    [left] = [path for path in tmp_path.iterdir() if path.name != ".hidden"]
    assert (left / "half").read_text() == "half", "a process still works on it"
    worker.kill()
    worker.communicate()
    assert left.exists()
    remove_forgotten(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".hidden"]


def test_a_folder_that_was_finished_stays(tmp_path: Path) -> None:
    with partial_folder(tmp_path, of="home") as folder:
        (folder / "whole").write_text("whole")
        folder.rename(tmp_path / "home")
    remove_forgotten(tmp_path)
    assert (tmp_path / "home" / "whole").read_text() == "whole"
