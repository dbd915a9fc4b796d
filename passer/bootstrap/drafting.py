"""The services of drafted questions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from passer.bootstrap.adapters import Adapters
from passer.bootstrap.judging import Judging, judging_embedder
from passer.bootstrap.pipeline import Pipeline
from passer.services.drafting.drafts import Drafts
from passer.services.drafting.finishing import DraftFinisher
from passer.services.drafting.review import DraftReview
from passer.services.drafting.runner import DraftRunner


@dataclass(frozen=True)
class Drafting:
    """Plans, runs, reviews and finishes draftings."""

    adapters: Adapters
    pipeline: Pipeline
    judging: Judging

    @cached_property
    def drafts(self) -> Drafts:
        return Drafts(
            judgements=self.adapters.judgements,
            drafts=self.adapters.drafts,
            collections=self.adapters.collections,
            datasets=self.adapters.datasets,
            describe=self.pipeline.answerer.describe,
            located=self.pipeline.answerer.located,
            embedder=lambda: judging_embedder(self.adapters),
            clock=self.adapters.clock,
        )

    @cached_property
    def runner(self) -> DraftRunner:
        return DraftRunner(
            tools=replace(self.judging.tools, look_ahead=self.adapters.settings.concurrency),
            drafts=self.adapters.drafts,
            collections=self.adapters.collections,
            datasets=self.adapters.datasets,
            embedder=lambda: judging_embedder(self.adapters),
        )

    @cached_property
    def review(self) -> DraftReview:
        return DraftReview(
            judgements=self.adapters.judgements,
            drafts=self.adapters.drafts,
            work=self.adapters.work,
            clock=self.adapters.clock,
        )

    @cached_property
    def finisher(self) -> DraftFinisher:
        return DraftFinisher(review=self.review, datasets=self.adapters.datasets)
