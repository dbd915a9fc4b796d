"""Content addresses as they were in November 2026: a changed one would lose every answer, run and bundle that exists.

The values were computed once by commit ebc3fdf. A test that fails here means that a value which is hashed has changed
its form: declare new fields with `added_field` (passer/domain/base.py) instead of correcting the digest.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from passer.adapters.experiments.reader import load_experiment
from passer.adapters.prompts import JinjaPrompts
from passer.adapters.recognition import recognised_language
from passer.adapters.tables import table_readers
from passer.domain.base import digest_of
from passer.domain.bundle.manifest import collection_digest
from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.judging import task
from passer.domain.judging.fences import FENCE_RULE
from passer.domain.models.answer import Prompt, answer_key
from passer.domain.models.chat import Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.generation import abstention
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NoRetrievalPolicy, NormalPolicy, PublishedScorePolicy, ScorePolicy
from passer.domain.retrieval.passages import Chunking, EmbeddingModel, passage_id
from passer.domain.sweeps.run import RunConfig
from passer.metrics.judged.nuggets import LIST
from passer.services.library.dataset_import import DatasetImport
from tests.bundles import RUN_ID, MadeRun
from tests.conftest import ROOT

DATASETS = {
    "organic-farming": "38f33d6b840c2a7692de7753c3d11ba23dd48f56c89d2791bdfd9ecfd96c0740",
    "biodiversity-policy": "acab31f255779af9f36e04a085bd3c8ca09618e3b82af473da3b8216a5daaff9",
}
SWEEPS = {
    "offline-example.yaml": (
        "d23d5693aeb0236e68e6b53c578d9ac840be2a50404c4e88d4ca68b2212de9b7",
        "0eff5b16dd41a86f0801ea53500291940410bce053acc73ca02a4c8ed0db797a",
    ),
    "published-phase-1.yaml": (
        "32673b39991b8f596539aea1ad48105f5d9fafd71844556af9f0b7136cda26b1",
        "e0087c578e104cde985ac6fb20f9379c6f8231901331b0c26f5a2013532c4c24",
    ),
    "published-phase-2.yaml": (
        "906a957545a3c8973faa1f35a7d9a1c5a696287e7b3d926460a467b67fc79274",
        "30dd0f15a2b2d5b994e1832c260ad092855dba1c657242255f9771a15ba46a2e",
    ),
    "published-phase-3.yaml": (
        "35ce9fe48f8f336330f716e10723663ce1d82a4c81b574c6f6d989107bc662a4",
        "8938842a77cf16a34863d4769e00e2adc7785f8df0a620adffd22f85f375187d",
    ),
    "published-phase-4.yaml": (
        "c1946a08df71224f33fdb6230ca84eac1b750b287d930d82b5835023481b94c5",
        "d47c9b7f015ba360b02ca0368775921b889e2b3bc30c3ee727d3e7802e250bff",
    ),
}
"""Digest of the sweep, and of the digests of its configurations in order."""
TEMPLATES = {
    "cited": "8f530849e2a432326fe4ddb0b96f0a1c19c28927423f758b5594ae2871743147",
    "default": "44803aefd379fa5037c56ef28c235f4f11892f148257477d00a029c33d4c7873",
}
BUNDLES = {
    "nowhere": "533d8f2adc46dad6533f0839a237b0f0dc3ac98dd40dce01820db621aed71476",
    "local": "c497966aeb289753eb84034ea9b482001d351647cea22601862905984e3e503e",
    "chain": "a441a710ebcac70d755435b4d3931324bf9700c706f2fc7fcefaff3e6940dde4",
}
PROMPT = Prompt(
    template="default",
    template_digest="d" * 64,
    messages=(Message(role="system", content="Answer."), Message(role="user", content="Кой фиксира азот?")),
)


@pytest.mark.parametrize("name", DATASETS)
def test_a_shipped_dataset_keeps_its_digest(name: str):
    content = (ROOT / "datasets" / name / "questions.jsonl").read_bytes()
    dataset = DatasetImport(table_readers(), recognised_language).load(
        content, "questions.jsonl", name=name, language="en"
    )
    assert dataset.digest == DATASETS[name]


def test_a_dataset_keeps_its_digest():
    gold = (GoldPassage(document="a.md", quote="Clover fixes nitrogen."),)
    questions = (
        Question(id="q1", text="What fixes nitrogen?", reference="Clover.", gold_passages=gold),
        Question(id="q2", text="Кой?", reference=""),
    )
    assert (
        Dataset(name="any", language="bg", questions=questions).digest
        == "2ff828f75895b5140a5d42682b92592345791681e9d2ed06aedc99248302f0a5"
    )


@pytest.mark.parametrize("name", SWEEPS)
def test_a_shipped_experiment_keeps_the_digests_of_sweep_and_configurations(name: str):
    sweep = load_experiment(ROOT / "configs" / name, {})
    configurations = [config.digest for config, _ in sweep.configurations()]
    assert (digest_of(sweep), digest_of(configurations)) == SWEEPS[name]


def test_every_experiment_that_is_shipped_is_among_them():
    assert {path.name for path in (ROOT / "configs").glob("published-*.yaml")} <= set(SWEEPS)
    assert {path.parent.name for path in Path(ROOT / "datasets").glob("*/questions.jsonl")} == set(DATASETS)


@pytest.mark.parametrize(
    ("more", "digest"),
    [
        ({}, "27fa5f955b25f8b46a24fa312d1f4e17adb12afa05e1a3c657f33313442c73c3"),
        (
            {"retrieval": NormalPolicy(k=3), "model": Model(provider="ollama", name="mistral:7b")},
            "d30c8cf619bad2cfad42a4c574f45e521ef6d746d04180e8c6ed133b8ad761bb",
        ),
        (
            {"retrieval": ScorePolicy(min_similarity=0.55), "no_passages": "ask", "questions": 12},
            "d10c36992cbb19cdb77881f93d638fc391b7c350453ae67f09bb9f63e8e30974",
        ),
        (
            {"retrieval": NoRetrievalPolicy(), "options": GenerationOptions(seed=7, num_ctx=8192)},
            "7dc1b7a20b3d79fd7d2663a910f5b59a0dd549cd67c3e83c88f5c7b760241854",
        ),
        (
            {"retrieval": PublishedScorePolicy(min_distance=0.6), "profile": "published", "repeat": 3},
            "9ebc776ea2e38fd35a64d0c7a9f3807b326b2e9c25fb8a56922ee9e7d44c6f12",
        ),
        (
            {"model": Model(provider="openai", name="m", base_url="http://127.0.0.1:1,http://127.0.0.1:2")},
            "5f229f1d056e860cc78e6625fcd39c43b5628c8073e86327a9201c0b96a9b72b",
        ),
    ],
)
def test_a_configuration_keeps_its_digest(more: dict[str, object], digest: str):
    assert RunConfig.model_validate({"dataset": "farm", "collection": "books", **more}).digest == digest


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_built_in_template_keeps_its_digest(name: str):
    assert JinjaPrompts().load(name).digest == TEMPLATES[name]


@pytest.mark.parametrize(
    ("model", "model_digest", "options", "repeat", "key"),
    [
        (
            Model(provider="ollama", name="mistral:7b"),
            "f" * 64,
            GenerationOptions(),
            1,
            "2280c5b5b1972bebe8b5635dff2849699233d07edfcd080b77a85f7a73a6cf04",
        ),
        (
            Model(),
            "e" * 64,
            GenerationOptions(temperature=0, num_predict=64),
            2,
            "2f56dc696237443fc6557eddb0c8be48c0513b17d6d042437cbae047f4241564",
        ),
        (
            Model(provider="openai", name="m", base_url="http://127.0.0.1:1"),
            "unknown",
            GenerationOptions(),
            1,
            "4612789e35be8885bc560a383b99823e0423d5b4730e01827e5f463e57bfbf3e",
        ),
    ],
)
def test_an_answer_keeps_its_key(
    model: Model, model_digest: str, options: GenerationOptions, repeat: int, key: str
) -> None:
    assert answer_key(model=model, model_digest=model_digest, options=options, prompt=PROMPT, repeat=repeat) == key


def test_a_prompt_and_the_fixed_answer_keep_their_addresses():
    assert PROMPT.digest == "7a266a68ce78b6d588a0e0178e286966821282485e5caded7ad5e5d0e95d1b29"
    assert abstention().key == "6e7f352e205dd05502de761876419a25380ec3d24ca577b1ae31e0e99d8c5546"


def test_paragraphs_of_prompts_that_no_digest_covers_change_with_their_version():
    """Judgements are found by task and texts: after another wording, replies to both would have one key."""
    rules = (FENCE_RULE, task.JSON_RULE, task.LINE_RULE, task.LINES_RULE, task.LANGUAGE_RULE, task.REFERENCES_RULE)
    digest = digest_of([*rules, LIST.of_references])
    assert (task.FORM, digest) == (1, "63b5cda435d2ef2d306d7966d717015549306fd3120945b2c77eb6b6f7ef5792")


@pytest.mark.parametrize(
    ("chunking", "key"),
    [
        (Chunking(), "47af3f9aacbac58ddc818109-00007"),
        (Chunking(chunk_size=512, chunk_overlap=64, unit="tokens"), "fdbb954872b2f2845deed5a8-00007"),
    ],
)
def test_a_passage_keeps_its_id(chunking: Chunking, key: str):
    assert passage_id(document_digest=hashlib.sha256(b"Clover").hexdigest(), chunking=chunking, number=7) == key


def test_an_empty_collection_keeps_its_digest():
    embedding = EmbeddingModel(name="embedded/all-MiniLM-L6-v2", digest="e" * 64, dimension=384)
    assert (
        collection_digest((), chunking=Chunking(), embedding=embedding)
        == "f686b788a999fbc70b631e5c67c83217e1993e315f7882484c5f196ea18b0f84"
    )


@pytest.mark.parametrize("recorded", BUNDLES)
def test_a_bundle_of_the_same_run_has_the_same_bytes(recorded: str):
    bundle = MadeRun(questions=24, plausible=False).bundle(recorded)  # type: ignore[arg-type]
    assert hashlib.sha256(bundle).hexdigest() == BUNDLES[recorded]


def test_a_manifest_and_its_entries_keep_their_digests():
    described = MadeRun(questions=24, plausible=False).manifest_builder.described(RUN_ID, "question")
    assert described.manifest.digest == "e43b1d73b1b2ee6af3a74c218b8c5e8311004a5bafb54d71f853377310586f7a"
    assert described.manifest.questions_root == "145a90ca9b5f2872c4cba1572c872b7388eeffd66701f3003aba41fed953d02a"
    assert (
        digest_of([entry.identity for entry in described.entries])
        == "d437e6866639d97f5244dac0eb62166c8767562f32e72b5e75c3911c81943bdc"
    )
