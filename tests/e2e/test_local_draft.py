"""The built-in model drafts questions: most are too weak, so the run must report what was refused and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from passer.bootstrap import build_services
from passer.services.drafting.drafts import DraftRequest
from passer.services.work.kinds import DraftSpec, IngestSpec
from passer.services.work.sources import Paths
from passer.settings import Settings
from tests.local_model import MODEL, with_model

pytestmark = [*with_model, pytest.mark.timeout(900)]
CORPUS = Path(__file__).parents[2] / "datasets" / "organic-farming" / "corpus"


@pytest.mark.soak
@pytest.mark.parametrize(("way", "windows"), [("paragraph", 1), ("agentic", 8)])
def test_the_built_in_model_ends_with_questions_or_with_an_honest_sentence(
    tmp_path: Path, way: str, windows: int
) -> None:
    built = build_services(Settings(home=tmp_path, concurrency=2))
    try:
        documents = Paths(paths=(str(CORPUS / "seeds.md"),))
        built.work.queue.run_here(IngestSpec(collection="farm", source=documents))
        given = {
            "collection": "farm",
            "models": (MODEL,),
            "way": way,
            "target": 2,
            "patience": windows,
            "num_ctx": 2048,
        }
        request = DraftRequest.model_validate(given)
        assert any("too weak" in warning for warning in built.drafting.drafts.plan(request).warnings)
        made = built.drafting.drafts.create(request)
        report = built.work.queue.run_here(DraftSpec(assessment=made.id, collection="farm"))
        table = built.drafting.review.table(made.id)
        accepted = table.states.get("accepted", 0)
        assert sum(table.refused.values()) + accepted == table.windows == report.items
        if accepted:
            assert table.outcome is None or "All passages are used" in table.outcome
        else:
            assert table.outcome is not None
            assert table.outcome.endswith(f"wrote no usable question from {windows} texts. Choose another model.")
        # Each refusal names its check.
        for shown in built.drafting.review.shown(made.id, "refused"):
            assert shown.refused_at is not None
            assert not shown.draft.checks[-1].passed
    finally:
        built.close()
