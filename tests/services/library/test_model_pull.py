"""Models brought to the model server."""

from __future__ import annotations

from passer.services.library.model_servers import ModelPull
from tests.fake_models import FakeChatModel, FakePuller


def test_bytes_are_counted_over_all_layers_known_so_far():
    told = []
    model_pull = ModelPull(puller=FakePuller, chat_model=lambda model: FakeChatModel())
    info = model_pull.pull("mistral", progress=lambda message, done, total: told.append((message, done, total)))
    assert told == [
        ("pulling manifest", 0, 0),
        ("pulling one", 50, 100),
        ("pulling one", 100, 100),
        ("pulling two", 110, 110),
        ("success", 110, 110),
    ]
    assert info.digest == "digest of mistral"
