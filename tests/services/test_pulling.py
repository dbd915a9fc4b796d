"""Models brought to the model server."""

from __future__ import annotations

from passer.services.pulling import Pulling
from tests.fakes import FakeGenerator, FakePuller


def test_bytes_are_counted_over_all_layers_known_so_far():
    told = []
    pulling = Pulling(puller=FakePuller, generator=lambda model: FakeGenerator())
    info = pulling.pull("mistral", progress=lambda message, done, total: told.append((message, done, total)))
    assert told == [
        ("pulling manifest", 0, 0),
        ("pulling one", 50, 100),
        ("pulling one", 100, 100),
        ("pulling two", 110, 110),
        ("success", 110, 110),
    ]
    assert info.digest == "digest of mistral"
