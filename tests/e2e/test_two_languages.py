"""The study of configs/two-languages.yaml on four of its questions: terms, distances, figures at 10 and citations."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from passer.adapters.experiments.reader import load_experiment
from passer.bootstrap import build_services
from passer.domain.models.model import Model
from passer.domain.retrieval.report import RetrievalRequest
from passer.domain.sweeps.run import RunState
from passer.metrics.grounded.checks import GroundingLimits
from passer.settings import Settings
from tests.conftest import ROOT
from tests.ollama_server import OllamaServer

EXAMPLE = ROOT / "datasets" / "organic-farming"
ASKED = ("of-047-en", "of-051-en", "of-047-tl", "of-051-tl")
DOCUMENTS = ("apiculture.md", "processing-and-trade.md")


def _cited(_: str) -> str:
    return "Honey bees are fed when the colony would starve [1]. Diatomaceous earth dries insects out [7]."


@pytest.mark.soak
def test_two_languages_with_and_without_terms_end_to_end(tmp_path: Path) -> None:
    lines = (EXAMPLE / "organic-languages.jsonl").read_bytes().splitlines(keepends=True)
    content = b"".join(line for line in lines if any(f'"id": "{name}"'.encode() in line for name in ASKED))
    shipped = load_experiment(ROOT / "configs" / "two-languages.yaml", {})
    config = shipped.config.model_copy(update={"model": Model(provider="ollama", name="mistral:latest")})
    with OllamaServer(reply=_cited) as server:
        settings = Settings(home=tmp_path, encoder="none", PASSER_OLLAMA_URL=server.url)
        with closing(build_services(settings)) as built:
            library = built.library
            dataset = library.dataset_import.load(content, "q.jsonl", name=config.dataset, language="en")
            built.adapters.datasets.save_dataset(dataset)
            sources = [(name, EXAMPLE / "corpus" / name) for name in DOCUMENTS]
            library.document_ingest.ingest_sources(config.collection, sources)
            created = built.sweeps.planner.create(shipped.model_copy(update={"config": config}))
            done = built.sweeps.runner.run(created.id)
            assert [run.state for run in done.runs] == [RunState.FINISHED] * 4
            assert all(run.counts.answered == len(ASKED) for run in done.runs)

            expanded = next(run for run in done.runs if run.config.retriever.label.startswith("Terms"))
            detail = built.runs.run_browser.detail(expanded.id, 2)
            assert detail.question.id == "of-047-tl"
            assert detail.rewriting is not None
            assert detail.rewriting.asked == (f"{detail.question.text} fed feeding organic bees hives",)

            # Each answer cites passage 1, and passage 7 of a prompt with three.
            grounding = built.analysis.grounding_reader.of_sweep(done.id, GroundingLimits())
            for run in grounding.runs:
                columns = {column.name: column for column in run.columns}
                assert run.cites
                assert columns["Citations"].mean == 2
                assert columns["Cited share"].mean == 1
                assert (columns["Citation rate"].mean or 0) <= 0.5

            request = RetrievalRequest(
                dataset=config.dataset,
                collection=config.collection,
                retrievers=shipped.retrievers,
                ks=(10,),
                by="document",
            )
            report = built.pipeline.retrieval_evaluation.evaluate(request)
    for ranking in report.rankings:
        figures = {figure.name: figure.mean for figure in ranking.figures}
        # Both documents are ranked, and one of them is relevant to each question.
        assert figures["P@10"] == pytest.approx(1 / 10)
        assert figures["P@10 (returned)"] == pytest.approx(1 / 2)
        assert figures["R@10"] == 1
        assert figures["F1@10"] == pytest.approx(2 / 11)
        bands = ranking.distances["10"]
        assert bands.rating == {True: "good", False: "excellent"}[(bands.mean or 0) >= 0.5]
        assert set(bands.groups) == {"en", "tl"}
        # The Filipino words are nearer to nothing in English: what LitPath corrects by terms.
        assert (bands.groups["tl"].mean or 0) > (bands.groups["en"].mean or 0)
