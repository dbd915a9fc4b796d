"""Boots a chain and prints its address and keys as one line of JSON; ends it on SIGTERM, or when its input ends.

`python -m tests.chain [--port PORT]`. Test and demo use only: it listens on loopback and its keys are printed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import tempfile
from pathlib import Path

from tests.chain.booted import new_chain
from tests.chain.wheel import BINARY, NO_NODE


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.chain", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="of the node's HTTP API; a free one by default")
    given = parser.parse_args()
    if not BINARY.is_file():
        raise SystemExit(NO_NODE)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with (
        tempfile.TemporaryDirectory(prefix="passer-chain-") as folder,
        new_chain(Path(folder) / "chain", port=given.port) as chain,
    ):
        print(json.dumps(chain.described()), flush=True)  # noqa: T201
        with contextlib.suppress(KeyboardInterrupt):
            sys.stdin.read()


if __name__ == "__main__":
    main()
