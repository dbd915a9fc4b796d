"""The process of one local model: `python -m passer.adapters.generators.local.child`.

Reads its settings as one line of JSON from standard input, prints its address as one line, and ends when standard input
is closed. That also happens when its parent is killed, so no model outlives the PaSSER that started it.
"""

from __future__ import annotations

import json
import os
import signal
import sys


def main() -> None:
    """Load the model and serve it until the parent closes standard input."""
    # Ctrl-C is sent to the process group: the parent finishes its requests, then closes standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from xllamacpp import CommonParams, Server

    wanted = json.loads(sys.stdin.readline())
    params = CommonParams()
    params.model.path = wanted["path"]
    params.n_ctx = wanted["num_ctx"] * wanted["slots"]
    params.n_parallel = wanted["slots"]
    params.cpuparams.n_threads = wanted["threads"]
    params.api_keys = [wanted["key"]]
    params.port = 0
    params.ui = False
    # Sizes were checked before; llama.cpp must not shorten the context by itself.
    params.fit_params = False
    # A prompt beyond the window is refused, never cut; an answer ends at the window.
    params.ctx_shift = False
    # Slots are assigned by PaSSER: a copy of each in memory would only repeat what they hold.
    params.cache_ram_mib = 0
    server = Server(params)
    sys.stdout.write(json.dumps({"url": server.listening_address}) + "\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
