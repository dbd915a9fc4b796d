from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web_site import Site


@pytest.fixture
def recorded(test_data: Path) -> dict[int, Any]:
    """Replies of real servers by number, from their public sources."""
    file = test_data / "server-fixtures.json"
    if not file.is_file():
        pytest.skip("test data absent: server-fixtures.json")
    return {each["id"]: each for each in json.loads(file.read_text(encoding="utf-8"))}


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
