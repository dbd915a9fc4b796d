"""The ledger: rows a second into a real node and into the local ledger, what a row costs, verifying, and proofs.

`rows_per_s_node_alone` is the limit of a machine: what its node takes of transactions that lie ready. What remains to
`rows_per_s_batched` is the work of PaSSER (`own_cpu_us_per_row`), as far as it does not overlap, and waiting.

    python -m benchmarks.ledger [--quick]

It needs the test node (`make nodeos`); pyntelope's rate stands beside ours where `make pyntelope` installed it. The
last line is one JSON object.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.recording import posting, proving, verifying
from benchmarks.report import report
from passer.domain.collector import collect_rarely
from tests.chain.wheel import BINARY, NO_NODE


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ledger", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="under two minutes")
    given = parser.parse_args()
    if not BINARY.is_file():
        sys.exit(NO_NODE)
    collect_rarely()  # as the server and the command line do
    parts = (posting, verifying, proving)
    report("ledger", {name: figure for part in parts for name, figure in part.measure(quick=given.quick).items()})


if __name__ == "__main__":
    main()
