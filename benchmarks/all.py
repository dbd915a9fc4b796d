"""Runs every benchmark into benchmarks/results/, with the date and the machine: `make bench`."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
NOT_BENCHMARKS = {"__init__", "all", "health", "null_sweeps", "report", "retriever_tables", "source_shape"}


def main() -> None:
    failed = []
    for script in sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NOT_BENCHMARKS):
        print(f"== {script}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{script}", *sys.argv[1:]],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        print(done.stdout, flush=True)
        if done.returncode:
            failed.append(script)
            continue
        stamp = f"{datetime.now(UTC):%Y-%m-%d}"
        (HERE / "results" / f"{stamp}-{script}.txt").write_text(done.stdout, encoding="utf-8")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
