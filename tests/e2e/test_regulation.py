"""The regulation of the public record, whole: ingested with the real encoder, and the questions run against it."""

from __future__ import annotations

from pathlib import Path

import pytest

from passer.bootstrap import build_services
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.settings import Settings


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_the_regulation_is_ingested_and_its_questions_are_answered(test_data: Path, tmp_path: Path):
    services = build_services(Settings(home=tmp_path))
    try:
        report = services.library.document_ingest.ingest_files(
            "regulation", [test_data / "corpus" / "eur178468consolidation.pdf"]
        )
        assert report.problems == ()
        [(_, [document])] = services.adapters.collections.list()
        assert document.passages == report.passages_added > 300
        passages = list(services.adapters.collections.open("regulation").passages())
        assert {passage.page for passage in passages} == set(range(1, (document.pages or 0) + 1))

        content = (test_data / "questions" / "eu-organic-75.json").read_bytes()
        dataset = services.library.dataset_import.load(content, "eu-organic-75.json", name="eu-organic-75")
        assert len(dataset.questions) == 75
        services.adapters.datasets.save_dataset(dataset)

        sweep = services.sweeps.planner.create(
            Sweep(
                name="Regulation",
                config=RunConfig(dataset="eu-organic-75", collection="regulation", questions=len(dataset.questions)),
                axes=Axes(min_similarity=(0.6,)),
                baseline=NormalPolicy(k=3),
            )
        )
        done = services.sweeps.runner.run(sweep.id)
        assert [run.state for run in done.runs] == [RunState.FINISHED] * 2
        assert [run.counts.scored for run in done.runs] == [75] * 2
        assert 0 < done.runs[1].counts.uncovered < 75
        analysis = services.analysis.sweep_results.analyse(sweep.id)
        base, strict = analysis.configurations
        assert base.mean_cps is not None
        assert strict.mean_cps is not None
        # Definitions asked for nearly word by word: a reader that copies the nearest sentences finds most of them.
        assert base.mean_cps > strict.mean_cps > 0
    finally:
        services.close()
